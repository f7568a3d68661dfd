/** How calls are sent, and sent again; refusals as errors. */
import type { components } from './schema.ts'

type ErrorBody = components['schemas']['Error']

/** A refusal, as the API words it; `code` is for programs. */
export class CutroomError extends Error {
  readonly status: number
  readonly code: string
  readonly requestId: string
  readonly details: Readonly<Record<string, unknown>> | undefined

  constructor(status: number, body: Partial<ErrorBody>) {
    super(body.error ?? `The appliance answered ${status}.`)
    this.name = 'CutroomError'
    this.status = status
    this.code = body.code ?? 'UNKNOWN'
    this.requestId = body.requestId ?? ''
    this.details = body.details
  }
}

/** Somebody has changed it since its `etag` was read: read it again, and decide anew. */
export class PreconditionFailed extends CutroomError {
  override readonly name = 'PreconditionFailed'
}

export interface TransportOptions {
  /** Address of the appliance. */
  readonly url: string
  readonly key: string
  /** Times that a call is tried again; 4 where left out. */
  readonly retries?: number
  /** For tests and proxies. */
  readonly fetch?: typeof globalThis.fetch
}

export interface Sent {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
  /** What is sent in place of a body of JSON. */
  readonly bytes?: ArrayBuffer
  readonly headers?: Readonly<Record<string, string>>
  /** Doing it twice does what doing it once does, so it may be sent again when no answer came. */
  readonly repeatable: boolean
  /** The Idempotency-Key. */
  readonly key?: string
  /** The If-Match. */
  readonly ifMatch?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** An answer, whole. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 30_000

/** Turned away before anything was done: safe to send again, whatever it was. */
const TURNED_AWAY: ReadonlySet<number> = new Set([429])
/** Something on the way failed: safe to send again where repeating does no harm. */
const FAILED: ReadonlySet<number> = new Set([500, 502, 503, 504])

export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted === true) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}

/** Milliseconds until the next try: as the answer says, else twice as long each time. */
function patience(answer: Reply | null, tried: number): number {
  const seconds = Number(answer?.headers.get('retry-after') ?? Number.NaN)
  const wanted = Number.isFinite(seconds) ? seconds * 1000 : FIRST_PAUSE_MS * 2 ** tried
  return Math.min(wanted, LONGEST_PAUSE_MS)
}

function refusalOf({ status, text }: Reply): CutroomError {
  const body = parseRefusal(text)
  return status === 412 ? new PreconditionFailed(status, body) : new CutroomError(status, body)
}

/** Nothing where it is no JSON: a proxy's own page. */
function parseRefusal(text: string): Partial<ErrorBody> {
  try {
    return JSON.parse(text) as Partial<ErrorBody>
  } catch {
    return {}
  }
}

export class Transport {
  readonly #options: Required<TransportOptions>

  constructor(options: TransportOptions) {
    const url = options.url.replace(/\/+$/, '')
    this.#options = { retries: 4, fetch: globalThis.fetch.bind(globalThis), ...options, url }
  }

  /** Times that a call is tried again. */
  get retries(): number {
    return this.#options.retries
  }

  /** Sends a call, again where that may help and does no harm. Throws a CutroomError where it is refused. */
  async send(path: string, sent: Sent): Promise<Reply> {
    const { url, retries } = this.#options
    const { method, query, repeatable, signal } = sent
    const address = `${url}${path}${query === undefined ? '' : `?${new URLSearchParams(query).toString()}`}`
    for (let tried = 0, unsure = false; ; tried += 1) {
      const last = tried >= retries
      const answer = await this.#sendOnce(address, sent).catch((cause: unknown) => {
        if (last || !repeatable || signal?.aborted === true) throw cause
        return null
      })
      if (answer !== null && answer.status >= 200 && answer.status < 300) return answer
      // An earlier try may have deleted it: in any case it is not there any more.
      if (answer?.status === 404 && method === 'DELETE' && unsure) return answer
      const failed = answer === null || FAILED.has(answer.status)
      const again = answer === null || TURNED_AWAY.has(answer.status) || (repeatable && failed)
      if (answer !== null && (last || !again)) throw refusalOf(answer)
      unsure ||= failed
      await pause(patience(answer, tried), signal)
    }
  }

  async #sendOnce(address: string, sent: Sent): Promise<Reply> {
    const answer = await this.#options.fetch(address, this.#request(sent))
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }

  #request({ method, body, bytes, headers, key, ifMatch, signal }: Sent): RequestInit {
    return {
      method,
      headers: {
        authorization: `Bearer ${this.#options.key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
        ...headers,
      },
      ...(bytes === undefined ? {} : { body: bytes }),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    }
  }
}
