/** Drives generated requests at a server on this machine and holds every answer against the OpenAPI document. */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { randomFrom } from './random.ts'
import { requestsFor, type FuzzRequest, type OpenApi } from './requests.ts'
import type { Memory, Ready } from './server-process.ts'

export interface FuzzOptions {
  readonly requests: number
  readonly seed: number
  /** The API whose routes are fuzzed; `public` by default. */
  readonly api?: Api
  readonly say?: (line: string) => void
}
export interface Finding {
  /** Place in the sequence, from 0. */
  readonly at: number
  readonly problem: string
  readonly request: string
  readonly answer: string
}
export interface FuzzReport {
  readonly requests: number
  readonly seed: number
  readonly seconds: number
  /** At most 50 are stored. */
  readonly findings: readonly Finding[]
  readonly found: number
  readonly statuses: Readonly<Record<string, number>>
  /** Answers in the 200s, by route. */
  readonly succeeded: Readonly<Record<string, number>>
  readonly slowestMs: number
  /** Of the server after a fifth of the requests, and at the end. */
  readonly memory: { readonly warm: Memory; readonly end: Memory }
}

export type Api = 'public' | 'domain'

/** Where each API describes itself, the form of its errors, and the status codes that are no fault of the server. */
const APIS: Readonly<
  Record<
    Api,
    { description: string; mixed: boolean; faults: ReadonlySet<string>; credentials: CredentialsOf }
  >
> = {
  public: {
    description: '/public/openapi.json',
    mixed: false,
    faults: new Set(),
    credentials:
      ({ key }) =>
      () => ['Authorization', `Bearer ${key}`],
  },
  domain: {
    description: '/openapi.json',
    mixed: true,
    // The jobs of this server fail every render, and the answer to that is a 500 with this code.
    faults: new Set(['RENDER_FAILED']),
    credentials:
      ({ delegation, serviceToken }) =>
      (path) =>
        path.startsWith('/internal/')
          ? ['Authorization', `Bearer ${serviceToken}`]
          : ['X-Service-Delegation', delegation],
  },
}
type CredentialsOf = (ready: Ready) => (path: string) => readonly [string, string]

const CONCURRENCY = 8
const TIMEOUT_MS = 10_000
const MAX_STORED = 50

interface Answer {
  readonly status: number
  readonly type: string
  readonly text: string
}

/** Starts a server, sends the requests, ends it. */
export async function fuzz({
  requests,
  seed,
  api = 'public',
  say = () => undefined,
}: FuzzOptions): Promise<FuzzReport> {
  const child = fork(join(import.meta.dirname, 'server-process.ts'), [], {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  try {
    const [ready] = (await once(child, 'message')) as [Ready]
    return await drive(child, ready, { requests, seed, api, say })
  } finally {
    // It takes its home with it; killed, it would leave that behind.
    if (child.connected) child.disconnect()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
}

async function drive(child: ChildProcess, ready: Ready, options: Required<FuzzOptions>): Promise<FuzzReport> {
  const { requests, seed, say } = options
  const api = APIS[options.api]
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY })
  const target = { port: ready.port, agent }
  const first = await send(target, {
    method: 'GET',
    target: api.description,
    headers: ['Host', '127.0.0.1', 'Authorization', `Bearer ${ready.key}`],
    body: null,
  })
  const document = JSON.parse(first.text) as OpenApi
  const judge = judgeOf(document, api)
  const source = requestsFor(
    { document, credentials: api.credentials(ready), known: ready.known },
    randomFrom(seed),
  )
  const state = { next: 0, found: 0, slowestMs: 0, findings: [] as Finding[] }
  const statuses: Record<string, number> = {}
  const succeeded: Record<string, number> = {}
  const one = async (): Promise<void> => {
    const at = state.next++
    const requested = source.next().value
    const started = performance.now()
    const answer = await send(target, requested).catch((error: unknown) => String(error))
    state.slowestMs = Math.max(state.slowestMs, performance.now() - started)
    const status = typeof answer === 'string' ? 'none' : String(answer.status)
    statuses[status] = (statuses[status] ?? 0) + 1
    const route = `${requested.route.method} ${requested.route.path}`
    if (status.startsWith('2')) succeeded[route] = (succeeded[route] ?? 0) + 1
    const problem = typeof answer === 'string' ? `no answer: ${answer}` : judge(requested, answer)
    if (problem === null) return
    state.found += 1
    if (state.findings.length < MAX_STORED)
      state.findings.push({
        at,
        problem,
        request: shown(requested),
        answer: typeof answer === 'string' ? answer : answer.text.slice(0, 600),
      })
  }
  const upTo = async (last: number): Promise<void> => {
    const lane = async (): Promise<void> => {
      while (state.next < last) await one()
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, lane))
  }
  const began = performance.now()
  await upTo(Math.floor(requests / 5))
  const warm = await memoryOf(child)
  for (let share = 2; share <= 5; share += 1) {
    await upTo(Math.floor((requests * share) / 5))
    say(`${state.next} of ${requests} requests, ${state.found} findings`)
  }
  const end = await memoryOf(child)
  agent.destroy()
  return {
    requests,
    seed,
    seconds: (performance.now() - began) / 1000,
    statuses,
    succeeded,
    memory: { warm, end },
    findings: state.findings,
    found: state.found,
    slowestMs: Math.round(state.slowestMs),
  }
}

async function memoryOf(child: ChildProcess): Promise<Memory> {
  const answered = once(child, 'message') as Promise<[Memory]>
  child.send('memory')
  return (await answered)[0]
}

function shown({ method, target, headers, body }: FuzzRequest): string {
  return `${method} ${target.slice(0, 400)} ${JSON.stringify(headers.filter((one) => !one.startsWith('Bearer ck_'))).slice(0, 400)} ${body?.toString('utf8').slice(0, 1500) ?? ''}`
}

/** What is wrong with an answer, or null. */
function judgeOf(
  document: OpenApi,
  { mixed, faults }: (typeof APIS)[Api],
): (calls: FuzzRequest, answer: Answer) => string | null {
  // Formats are words to people here: without a list of them ajv would print one warning for each.
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: false })
  ajv.addSchema(document, 'api')
  const pointer = (part: string): string =>
    encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))
  const errorSchema = ajv.compile({ $ref: 'api#/components/schemas/Error' })
  // An address of no API, or of both, is refused in the form of the public API.
  const isPublic = (value: unknown): boolean =>
    mixed && typeof (value as { error?: unknown }).error === 'string'
  const problemOf = (validate: typeof errorSchema, value: unknown): string | null =>
    validate(value) === true ? null : `the answer is not as declared: ${ajv.errorsText(validate.errors)}`
  const compiled = new Map<string, typeof errorSchema>()
  return (asked, { status, type, text }) => {
    if (status >= 500 && !faults.has(codeOf(text))) return `status ${status}`
    if (asked.method === 'HEAD' || status === 204)
      return text === '' ? null : 'a body where there should be none'
    if (!type.startsWith('application/json'))
      return asked.astray ? null : `answered with ${type || 'no content type'}`
    const value = parsed(text)
    if (value === undefined) return 'the answer is not JSON'
    if (isPublic(value) && (status === 401 || asked.astray)) return status >= 400 ? null : 'a strange answer'
    const { path, method } = asked.route
    const declared = document.paths[path]?.[method.toLowerCase()]?.responses[String(status)]
    if (declared === undefined || asked.astray) {
      if (status < 300) return asked.astray ? null : `status ${status} is not declared`
      const protocol = status === 431 || !text.includes('requestId')
      return status >= 400 && (asked.astray || protocol)
        ? protocol
          ? null
          : problemOf(errorSchema, value)
        : `status ${status} is not declared`
    }
    const at = `api#/paths/${pointer(path)}/${method.toLowerCase()}/responses/${status}/content/application~1json/schema`
    const validate = compiled.get(at) ?? ajv.compile({ $ref: at })
    compiled.set(at, validate)
    return problemOf(validate, value)
  }
}

/** Of a refusal of the domain API. */
const codeOf = (text: string): string =>
  (parsed(text) as { error?: { code?: string } } | undefined)?.error?.code ?? ''

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Reported by the caller.
    return undefined
  }
}

function send(
  { port, agent }: { port: number; agent: Agent },
  { method, target, headers, body }: Pick<FuzzRequest, 'method' | 'target' | 'headers' | 'body'>,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port,
      agent,
      method,
      path: target,
      headers: [...headers],
      setHost: false,
    }
    const request = httpRequest(options)
    const timer = setTimeout(() => request.destroy(new Error(`nothing within ${TIMEOUT_MS} ms`)), TIMEOUT_MS)
    request.once('close', () => clearTimeout(timer))
    request.once('error', reject)
    request.once('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () => {
        const { statusCode = 0, headers: given } = response
        resolve({
          status: statusCode,
          type: given['content-type'] ?? '',
          text: Buffer.concat(chunks).toString('utf8'),
        })
      })
    })
    request.end(body ?? undefined)
  })
}
