/** A collector of traces on this machine: takes OTLP over HTTP in JSON, and refuses what the specification does not have. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedSpan {
  readonly service: string
  readonly instance: string
  readonly traceId: string
  readonly spanId: string
  readonly parentId: string | null
  readonly name: string
  readonly kind: number
  /** Milliseconds since the epoch. */
  readonly start: number
  readonly end: number
  readonly attributes: Readonly<Record<string, unknown>>
  readonly events: readonly string[]
  readonly failure: string | null
}

type Message = Readonly<Record<string, unknown>>

/** The fields of a message that may be there, each read by its rule; throws for any other. */
function read<T extends Readonly<Record<string, (value: unknown) => unknown>>>(
  what: string,
  value: unknown,
  rules: T,
): { readonly [Name in keyof T]?: ReturnType<T[Name]> } {
  if (typeof value !== 'object' || value === null) throw new Error(`${what} is no message`)
  const entries = Object.entries(value as Message).map(([name, field]) => {
    const rule = rules[name]
    if (rule === undefined) throw new Error(`${what} has no field ${name}`)
    return [name, rule(field)] as const
  })
  return Object.fromEntries(entries) as { readonly [Name in keyof T]?: ReturnType<T[Name]> }
}

const text = (value: unknown): string => {
  if (typeof value !== 'string') throw new Error(`${String(value)} is no text`)
  return value
}
const hex =
  (digits: number) =>
  (value: unknown): string => {
    if (!new RegExp(`^[0-9a-f]{${digits}}$`).test(text(value)) || /^0+$/.test(text(value)))
      throw new Error(`${text(value)} is no id of ${digits} digits`)
    return text(value)
  }
/** 64 bits are written as a text in JSON. */
const fixed64 = (value: unknown): number => {
  if (!/^\d{1,20}$/.test(text(value))) throw new Error(`${text(value)} is no count`)
  return Number(BigInt(text(value)) / 1000n) / 1000
}
const small = (value: unknown): number => {
  if (!Number.isInteger(value)) throw new Error(`${String(value)} is no number of an enumeration`)
  return value as number
}
const list =
  <T>(one: (value: unknown) => T) =>
  (value: unknown): T[] => {
    if (!Array.isArray(value)) throw new Error('that is no list')
    return value.map(one)
  }

const anyValue = (value: unknown): unknown => {
  const own = {
    stringValue: text,
    boolValue: Boolean,
    intValue: (count: unknown) => Number(text(count)),
    doubleValue: Number,
  }
  const found = Object.values(read('a value', value, own))
  if (found.length !== 1) throw new Error('a value is one of several kinds')
  return found[0]
}
const attributes = (value: unknown): Record<string, unknown> =>
  Object.fromEntries(
    list((one) => read('an attribute', one, { key: text, value: anyValue }))(value).map(
      ({ key, value: of }) => [key ?? '', of],
    ),
  )

const readSpan = (value: unknown) =>
  read('a span', value, {
    traceId: hex(32),
    spanId: hex(16),
    parentSpanId: hex(16),
    name: text,
    kind: small,
    startTimeUnixNano: fixed64,
    endTimeUnixNano: fixed64,
    attributes,
    events: list((one) => read('an event', one, { name: text, timeUnixNano: fixed64 })),
    status: (one) => read('a status', one, { code: small, message: text }),
  })

/** All spans of a request. */
function readRequest(body: unknown): ReceivedSpan[] {
  const scope = (value: unknown) => read('a scope', value, { name: text, version: text })
  const ofScope = (value: unknown) => read('spans of a scope', value, { scope, spans: list(readSpan) })
  const resource = (value: unknown) => read('a resource', value, { attributes })
  const ofResource = (value: unknown) =>
    read('spans of a resource', value, { resource, scopeSpans: list(ofScope) })
  const { resourceSpans = [] } = read('the request', body, { resourceSpans: list(ofResource) })
  return resourceSpans.flatMap(({ resource: maker, scopeSpans = [] }) =>
    scopeSpans.flatMap(({ spans = [] }) =>
      spans.map((span) => ({
        service: String(maker?.attributes?.['service.name']),
        instance: String(maker?.attributes?.['service.instance.id']),
        traceId: span.traceId ?? '',
        spanId: span.spanId ?? '',
        parentId: span.parentSpanId ?? null,
        name: span.name ?? '',
        kind: span.kind ?? 0,
        start: span.startTimeUnixNano ?? 0,
        end: span.endTimeUnixNano ?? 0,
        attributes: span.attributes ?? {},
        events: (span.events ?? []).map(({ name = '' }) => name),
        failure: span.status?.code === 2 ? (span.status.message ?? '') : null,
      })),
    ),
  )
}

export interface OtlpReceiver {
  /** What CUTROOM_OTLP_ENDPOINT is set to. */
  readonly endpoint: string
  readonly spans: ReceivedSpan[]
  /** Bodies as they came. */
  readonly bodies: string[]
  /** Why requests were refused. */
  readonly refused: string[]
  /** Answers this from now on; 200: takes spans. */
  answer(status: number): void
  close(): Promise<void>
}

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = []
  const bodies: string[] = []
  const refused: string[] = []
  let status = 200
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => void chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      bodies.push(body)
      const right = request.url === '/v1/traces' && request.headers['content-type'] === 'application/json'
      try {
        if (!right) throw new Error(`${String(request.url)} ${String(request.headers['content-type'])}`)
        const read = readRequest(JSON.parse(body))
        if (status === 200) spans.push(...read)
        response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
      } catch (error) {
        refused.push(String(error))
        response.writeHead(400).end()
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    refused,
    answer: (next) => {
      status = next
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
