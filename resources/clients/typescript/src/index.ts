/** A client of Cutroom's public API. It needs nothing but `fetch` and Web Crypto: Node 20 and browsers have both. */
import type { components } from './schema.ts'
import { CutroomError, pause, type Reply, type Sent, Transport, type TransportOptions } from './transport.ts'
import { sendUpload, type UploadOptions } from './upload.ts'

type Schemas = components['schemas']
export type Clip = Schemas['Clip']
export type ClipUpdate = Schemas['ClipUpdate']
export type ClipUpdateAnswer = Schemas['ClipUpdateAnswer']
export type ListedPost = Schemas['ListedPost']
export type ListedRun = Schemas['ListedRun']
export type PostAnalyticsAnswer = Schemas['PostAnalyticsAnswer']
export type RenderAnswer = Schemas['RenderAnswer']
export type RenderWarning = Schemas['RenderWarning']
export type Run = Schemas['Run']
export type Transcript = Schemas['Transcript']
export type TranscriptOperation = Schemas['TranscriptOperation']
export type TranscriptPatchAnswer = Schemas['TranscriptPatchAnswer']
export type TriggerRequest = Schemas['TriggerRequest']
export type Webhook = Schemas['Webhook']
export type WebhookAnswer = Schemas['WebhookAnswer']
export type Workflow = Schemas['Workflow']
export type WorkflowSummary = Schemas['WorkflowSummary']
export { CutroomError, PreconditionFailed } from './transport.ts'
export type { UploadOptions } from './upload.ts'
export { readWebhook, WebhookRefused, type WebhookEvent } from './webhook.ts'

type Updates = NonNullable<ClipUpdate['updates']>
type ConfigName = Extract<keyof Updates, `${string}Config` | `${string}Option`>
/** Fields of a clip to save; of a config, those of its members that change. */
export type ClipChanges = Omit<Updates, ConfigName> & {
  readonly [Name in ConfigName]?: Partial<NonNullable<Updates[Name]>>
}

/** An answer with the revision of what it shows, for `ifMatch` of an edit. */
export type Tagged<Answer> = Answer & { readonly etag: string }

export interface CutroomOptions extends TransportOptions {
  readonly companyId: string
}

export interface WaitOptions {
  /** Between two looks; 5 seconds where left out. */
  readonly everyMs?: number
  readonly signal?: AbortSignal
  /** Called with each answer. */
  readonly onProgress?: (run: Run) => void
}

export interface EditOptions {
  /** The `etag` that was read. Throws PreconditionFailed where somebody has changed it since, and changes nothing. */
  readonly ifMatch?: string
}

export interface UpdateOptions extends EditOptions {
  /** Whether configs are merged into those that there are (true where left out) or take their place. */
  readonly merge?: boolean
}

export interface RenderOptions {
  /** Asks for status failed, code RENDER_INCOMPLETE, in place of a film that lost something. */
  readonly strict?: boolean
  readonly signal?: AbortSignal
}

/** A page of a list, and the address of the next one. */
interface Page {
  readonly cursor: string | null
}

export class Cutroom {
  readonly #transport: Transport
  readonly #companyId: string

  constructor({ companyId, ...options }: CutroomOptions) {
    this.#transport = new Transport(options)
    this.#companyId = companyId
  }

  /** The saved workflows. */
  async workflows(): Promise<WorkflowSummary[]> {
    return (await this.#read<{ workflows: WorkflowSummary[] }>('/workflows')).workflows
  }

  async workflow(workflowId: string): Promise<Workflow> {
    return (await this.#read<{ workflow: Workflow }>('/workflow', { workflowId })).workflow
  }

  /**
   * Uploads a file, of Node also by its path, and answers the address that `trigger` takes as `url`. It is sent in pieces:
   * after a lost connection it goes on with what is missing.
   */
  upload(source: Blob | string, options?: UploadOptions): Promise<string> {
    return sendUpload(this.#transport, this.#companyId, source, options)
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
    const body = { companyId: this.#companyId, ...request }
    return (await this.#post<Schemas['TriggerAnswer']>('/trigger-template', { body, key })).triggerId
  }

  run(triggerId: string, signal?: AbortSignal): Promise<Run> {
    return this.#call<Run>(runPath(triggerId), { method: 'GET', repeatable: true, signal })
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

  /** The runs of the company, newest first, page after page; with `metadata`, those that have all of it. */
  async *runs({ metadata = {} }: { metadata?: Schemas['Metadata'] } = {}): AsyncGenerator<ListedRun> {
    const query = Object.fromEntries(
      Object.entries(metadata).map(([name, value]) => [`metadata[${name}]`, value]),
    )
    for await (const { runs } of this.#pages<Schemas['RunsAnswer']>('/workflow-results', query)) yield* runs
  }

  /** Stops a run: it ends in Error with the code CANCELLED. Clips that it has found stay. */
  async cancelRun(triggerId: string): Promise<void> {
    await this.#post(`${runPath(triggerId)}/cancel`, {})
  }

  async clip(clipId: string): Promise<Tagged<Clip>> {
    const { clip, etag } = await this.#readTagged<{ clip: Clip }>('/clip', { clipId })
    return { ...clip, etag }
  }

  /** Deletes a clip, with its files. Its posts stay. */
  async deleteClip(clipId: string): Promise<void> {
    await this.#delete('/clip', { clipId })
  }

  transcript(clipId: string): Promise<Tagged<Transcript>> {
    return this.#readTagged('/clip-transcript', { clipId })
  }

  /** Corrects words of a clip. */
  async correct(
    clipId: string,
    operations: TranscriptOperation[],
    { ifMatch }: EditOptions = {},
  ): Promise<Tagged<TranscriptPatchAnswer>> {
    const body = { ...this.#address(clipId), operations }
    const sent = { method: 'PATCH', body, ifMatch, repeatable: false } as const
    return tagged(await this.#transport.send('/clip-transcript', sent))
  }

  /** Saves fields of a clip; it does not render. */
  async updateClip(
    clipId: string,
    updates: ClipChanges,
    { merge = true, ifMatch }: UpdateOptions = {},
  ): Promise<Tagged<ClipUpdateAnswer>> {
    const body = { ...this.#address(clipId), updates, merge }
    return tagged(await this.#transport.send('/update-clip', posted({ body, ifMatch })))
  }

  /**
   * Renders a clip as it is now, and waits for the film; where it is rendered already, that is the answer. Its `warnings`
   * say what the film lost: a font that is not installed, a picture that could not be fetched.
   */
  render(clipId: string, { strict = false, signal }: RenderOptions = {}): Promise<RenderAnswer> {
    return this.#post('/render', { body: { ...this.#address(clipId), strict }, signal })
  }

  /** The published posts, page after page; `query` as in the document: clipId, platform, sortBy, startDate. */
  async *posts(query: Readonly<Record<string, string>> = {}): AsyncGenerator<ListedPost> {
    for await (const { posts } of this.#pages<Schemas['PostsAnswer']>('/posts', query)) yield* posts
  }

  postAnalytics(postId: string): Promise<PostAnalyticsAnswer> {
    return this.#read('/post-analytics', { postId })
  }

  /** The webhooks of the company. They take a key of scope admin, as adding and deleting one does. */
  async webhooks(): Promise<Webhook[]> {
    return (await this.#read<{ webhooks: Webhook[] }>('/webhooks')).webhooks
  }

  /** Adds a webhook; `events` are names, `run.*` and the like, all where left out. Its secret is shown this once. */
  addWebhook(url: string, events: string[] = []): Promise<WebhookAnswer> {
    return this.#post('/webhooks', { body: { companyId: this.#companyId, url, events } })
  }

  async deleteWebhook(webhookId: string): Promise<void> {
    await this.#delete(`/webhooks/${encodeURIComponent(webhookId)}`)
  }

  #address(clipId: string): { companyId: string; clipId: string } {
    return { companyId: this.#companyId, clipId }
  }

  #reading(given: Readonly<Record<string, string>> = {}): Sent {
    return { method: 'GET', query: { companyId: this.#companyId, ...given }, repeatable: true }
  }

  #read<Answer>(path: string, given?: Readonly<Record<string, string>>): Promise<Answer> {
    return this.#call<Answer>(path, this.#reading(given))
  }

  async #readTagged<Answer>(path: string, given: Readonly<Record<string, string>>): Promise<Tagged<Answer>> {
    return tagged<Answer>(await this.#transport.send(path, this.#reading(given)))
  }

  async *#pages<Answer extends Page>(
    path: string,
    query?: Readonly<Record<string, string>>,
  ): AsyncGenerator<Answer> {
    let cursor: string | null = null
    do {
      const page: Answer = await this.#read(path, { ...query, ...(cursor === null ? {} : { cursor }) })
      yield page
      cursor = page.cursor
    } while (cursor !== null)
  }

  async #delete(path: string, given?: Readonly<Record<string, string>>): Promise<void> {
    await this.#transport.send(path, { ...this.#reading(given), method: 'DELETE' })
  }

  #post<Answer>(path: string, sent: Parameters<typeof posted>[0]): Promise<Answer> {
    return this.#call<Answer>(path, posted(sent))
  }

  async #call<Answer>(path: string, sent: Sent): Promise<Answer> {
    return JSON.parse((await this.#transport.send(path, sent)).text) as Answer
  }
}

const runPath = (triggerId: string): string => `/workflow-results/${encodeURIComponent(triggerId)}`

const tagged = <Answer>({ headers, text }: Reply): Tagged<Answer> => ({
  ...(JSON.parse(text) as Answer),
  etag: headers.get('etag') ?? '',
})

/** Every POST has an Idempotency-Key, the same each time that it is sent: so doing it is repeatable. */
const posted = ({
  key = crypto.randomUUID(),
  ...sent
}: Pick<Sent, 'body' | 'ifMatch' | 'signal' | 'key'>): Sent => ({
  ...sent,
  method: 'POST',
  key,
  repeatable: true,
})
