/** A client of Cutroom's public API. It needs nothing but `fetch` and Web Crypto: Node 20 and browsers have both. */
import type { components } from './schema.ts'

type Schemas = components['schemas']
export type Clip = Schemas['Clip']
export type ClipUpdate = Schemas['ClipUpdate']
export type ClipUpdateAnswer = Schemas['ClipUpdateAnswer']
export type ListedPost = Schemas['ListedPost']
export type PostAnalyticsAnswer = Schemas['PostAnalyticsAnswer']
export type RenderAnswer = Schemas['RenderAnswer']
export type Run = Schemas['Run']
export type Transcript = Schemas['Transcript']
export type TranscriptOperation = Schemas['TranscriptOperation']
export type TranscriptPatchAnswer = Schemas['TranscriptPatchAnswer']
export type TriggerRequest = Schemas['TriggerRequest']
export type Workflow = Schemas['Workflow']
export type WorkflowSummary = Schemas['WorkflowSummary']
export { readWebhook, WebhookRefused, type WebhookEvent } from './webhook.ts'

/** A refusal, as the API words it; `code` is for programs. */
export class CutroomError extends Error {
  readonly status: number
  readonly code: string
  readonly requestId: string
  readonly details: Readonly<Record<string, unknown>> | undefined

  constructor(status: number, body: Partial<Schemas['Error']>) {
    super(body.error ?? `The appliance answered ${status}.`)
    this.name = 'CutroomError'
    this.status = status
    this.code = body.code ?? 'UNKNOWN'
    this.requestId = body.requestId ?? ''
    this.details = body.details
  }
}

export interface CutroomOptions {
  /** Address of the appliance. */
  readonly url: string
  readonly key: string
  readonly companyId: string
  /** Times that a call is tried again; 4 where left out. */
  readonly retries?: number
  /** For tests and proxies. */
  readonly fetch?: typeof globalThis.fetch
}

export interface WaitOptions {
  /** Between two looks; 5 seconds where left out. */
  readonly everyMs?: number
  readonly signal?: AbortSignal
  /** Called with each answer. */
  readonly onProgress?: (run: Run) => void
}

interface Sent {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
  /** Doing it twice does what doing it once does, so it may be sent again when no answer came. */
  readonly repeatable: boolean
  /** The Idempotency-Key. */
  readonly key?: string
  readonly signal?: AbortSignal | undefined
}

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 30_000

function pause(ms: number, signal?: AbortSignal): Promise<void> {
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
function patience(answer: Response | null, tried: number): number {
  const seconds = Number(answer?.headers.get('retry-after') ?? Number.NaN)
  const wanted = Number.isFinite(seconds) ? seconds * 1000 : FIRST_PAUSE_MS * 2 ** tried
  return Math.min(wanted, LONGEST_PAUSE_MS)
}

/** Turned away before anything was done: safe to send again, whatever it was. */
const TURNED_AWAY: ReadonlySet<number> = new Set([429])
/** Something on the way failed: safe to send again where repeating does no harm. */
const FAILED: ReadonlySet<number> = new Set([500, 502, 503, 504])

export class Cutroom {
  readonly #options: Required<CutroomOptions>

  constructor(options: CutroomOptions) {
    const url = options.url.replace(/\/+$/, '')
    this.#options = { retries: 4, fetch: globalThis.fetch.bind(globalThis), ...options, url }
  }

  /** The saved workflows. */
  async workflows(): Promise<WorkflowSummary[]> {
    return (await this.#read<{ workflows: WorkflowSummary[] }>('/workflows', {})).workflows
  }

  async workflow(workflowId: string): Promise<Workflow> {
    return (await this.#read<{ workflow: Workflow }>('/workflow', { workflowId })).workflow
  }

  /**
   * Starts a run and returns its id. It may be sent several times and starts one run, because each has the same
   * Idempotency-Key: `key`, or one that is made for this call. Give one that you keep, and the run is not started twice
   * when your program is started again either.
   */
  async trigger(
    request: Omit<TriggerRequest, 'companyId'>,
    key: string = crypto.randomUUID(),
  ): Promise<string> {
    const { companyId } = this.#options
    const body = { companyId, ...request }
    return (await this.#post<Schemas['TriggerAnswer']>('/trigger-template', { body, key })).triggerId
  }

  run(triggerId: string, signal?: AbortSignal): Promise<Run> {
    const path = `/workflow-results/${encodeURIComponent(triggerId)}`
    return this.#call<Run>(path, { method: 'GET', repeatable: true, signal })
  }

  /** Waits until a run is Completed. Throws a CutroomError with the code of the run when it ends in Error. */
  async waitForRun(triggerId: string, options: WaitOptions = {}): Promise<Run> {
    const { everyMs = 5000, signal, onProgress } = options
    for (;;) {
      const run = await this.run(triggerId, signal)
      onProgress?.(run)
      if (run.status === 'Completed') return run
      if (run.status === 'Error')
        throw new CutroomError(200, { error: run.error ?? 'The run failed.', code: run.code ?? 'UNKNOWN' })
      await pause(everyMs, signal)
    }
  }

  async clip(clipId: string): Promise<Clip> {
    return (await this.#read<{ clip: Clip }>('/clip', { clipId })).clip
  }

  transcript(clipId: string): Promise<Transcript> {
    return this.#read<Transcript>('/clip-transcript', { clipId })
  }

  /** Corrects words of a clip. */
  correct(clipId: string, operations: TranscriptOperation[]): Promise<TranscriptPatchAnswer> {
    const body = { ...this.#address(clipId), operations }
    return this.#call('/clip-transcript', { method: 'PATCH', body, repeatable: false })
  }

  /** Saves fields of a clip; it does not render. */
  updateClip(
    clipId: string,
    updates: NonNullable<ClipUpdate['updates']>,
    merge = true,
  ): Promise<ClipUpdateAnswer> {
    const body = { ...this.#address(clipId), updates, merge }
    return this.#post('/update-clip', { body })
  }

  /** Renders a clip as it is now, and waits for the film; where it is rendered already, that is the answer. */
  render(clipId: string, signal?: AbortSignal): Promise<RenderAnswer> {
    return this.#post('/render', { body: this.#address(clipId), signal })
  }

  /** The published posts, page after page; `query` as in the document: clipId, platform, sortBy, startDate. */
  async *posts(query: Readonly<Record<string, string>> = {}): AsyncGenerator<ListedPost> {
    let cursor: string | null = null
    do {
      const page: Schemas['PostsAnswer'] = await this.#read('/posts', {
        ...query,
        ...(cursor === null ? {} : { cursor }),
      })
      yield* page.posts
      cursor = page.cursor
    } while (cursor !== null)
  }

  postAnalytics(postId: string): Promise<PostAnalyticsAnswer> {
    return this.#read('/post-analytics', { postId })
  }

  #address(clipId: string): { companyId: string; clipId: string } {
    return { companyId: this.#options.companyId, clipId }
  }

  #read<Answer>(path: string, given: Readonly<Record<string, string>>): Promise<Answer> {
    const query = { companyId: this.#options.companyId, ...given }
    return this.#call<Answer>(path, { method: 'GET', query, repeatable: true })
  }

  /** Every POST has an Idempotency-Key, the same each time that it is sent: so doing it is repeatable. */
  #post<Answer>(
    path: string,
    { key = crypto.randomUUID(), ...sent }: Pick<Sent, 'body' | 'signal'> & { key?: string },
  ): Promise<Answer> {
    return this.#call<Answer>(path, { ...sent, method: 'POST', key, repeatable: true })
  }

  async #call<Answer>(path: string, sent: Sent): Promise<Answer> {
    const { url, key, retries, fetch } = this.#options
    const { method, query, body, repeatable, signal } = sent
    const address = `${url}${path}${query === undefined ? '' : `?${new URLSearchParams(query).toString()}`}`
    const request: RequestInit = {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(sent.key === undefined ? {} : { 'idempotency-key': sent.key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    }
    for (let tried = 0; ; tried += 1) {
      const last = tried >= retries
      const answer = await fetch(address, request).catch((cause: unknown) => {
        if (last || !repeatable || signal?.aborted === true) throw cause
        return null
      })
      if (answer?.ok === true) return (await answer.json()) as Answer
      const again =
        answer === null || TURNED_AWAY.has(answer.status) || (repeatable && FAILED.has(answer.status))
      if (answer !== null && (last || !again))
        throw new CutroomError(answer.status, (await answer.json().catch(() => ({}))) as Schemas['Error'])
      await answer?.body?.cancel()
      await pause(patience(answer, tried), signal)
    }
  }
}
