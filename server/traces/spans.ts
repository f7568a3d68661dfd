/**
 * Spans as OpenTelemetry has them, and the request that brings them to a collector: OTLP 1 over HTTP, in JSON
 * (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding). No I/O, no clock.
 */
import { createHash } from 'node:crypto'

/** The span that others are made under, wherever they are made. */
export interface TraceContext {
  readonly traceId: string
  readonly spanId: string
}

export interface Span extends TraceContext {
  /** Null: the trace begins here. */
  readonly parentId: string | null
  readonly name: string
  /** `consumer`: work that was taken from a queue. */
  readonly kind: 'internal' | 'consumer'
  /** Milliseconds since the epoch. */
  readonly start: number
  readonly end: number
  /** Ids, kinds and counts only: no title, no name of a file, no address, no sentence. */
  readonly attributes: Readonly<Record<string, string | number | boolean>>
  readonly events: readonly { readonly name: string; readonly at: number }[]
  /** Code of the failure; null: it did not fail. */
  readonly failure: string | null
}

/** Who made the spans. */
export interface SpanMaker {
  readonly service: string
  readonly version: string
  /** Tells one process from others of its kind. */
  readonly instance: string
}

const hashed = (text: string, digits: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, digits)

/** The same for one run always, so that a restart goes on with its trace. */
export const traceIdOf = (runId: string): string => hashed(`trace ${runId}`, 32)

/** The same for the same parts always, so that what a node made under it before a restart has its parent after it. */
export const spanIdOf = (...parts: readonly string[]): string => hashed(`span ${parts.join(' ')}`, 16)

/** As https://www.w3.org/TR/trace-context/ writes it. */
export const formatTraceparent = ({ traceId, spanId }: TraceContext): string => `00-${traceId}-${spanId}-01`

/** Null: it is none. */
export function readTraceparent(text: string | undefined): TraceContext | null {
  const [, traceId, spanId] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/.exec(text ?? '') ?? []
  return traceId === undefined || spanId === undefined ? null : { traceId, spanId }
}

const KINDS = { internal: 1, consumer: 5 } as const
const OK = 1
const ERROR = 2

const nanoseconds = (milliseconds: number): string => String(BigInt(Math.round(milliseconds * 1000)) * 1000n)

const attributesOf = (values: Readonly<Record<string, string | number | boolean>>) =>
  Object.entries(values).map(([key, value]) => ({ key, value: anyValue(value) }))

function anyValue(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

/** The body of `POST /v1/traces`. */
export function exportRequest({ service, version, instance }: SpanMaker, spans: readonly Span[]) {
  const resource = { 'service.name': service, 'service.version': version, 'service.instance.id': instance }
  return {
    resourceSpans: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeSpans: [{ scope: { name: 'cutroom', version }, spans: spans.map(spanMessage) }],
      },
    ],
  }
}

function spanMessage({ traceId, spanId, parentId, name, kind, start, end, ...span }: Span) {
  const { attributes, events, failure } = span
  return {
    traceId,
    spanId,
    ...(parentId === null ? {} : { parentSpanId: parentId }),
    name,
    kind: KINDS[kind],
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: nanoseconds(Math.max(start, end)),
    attributes: attributesOf(failure === null ? attributes : { ...attributes, 'error.type': failure }),
    events: events.map((event) => ({ name: event.name, timeUnixNano: nanoseconds(event.at) })),
    status: failure === null ? { code: OK } : { code: ERROR, message: failure },
  }
}
