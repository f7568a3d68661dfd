/**
 * A real HTTP server on a real socket, with real SQLite in a temporary home and jobs that only remember: for tests of
 * routes and of whatever else needs one. The caller closes it.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { loadConfig, type Config } from '../../server/config/config.ts'
import type { ClipDocument } from '../../server/contract/clip.ts'
import type { SourceFacts } from '../../server/contract/source-facts.ts'
import { secondsToTicks } from '../../server/contract/time.ts'
import type { TranscriptWord } from '../../server/contract/transcript.ts'
import { openDatabase } from '../../server/db/client.ts'
import { clips, clipTranscripts, runs, runStages } from '../../server/db/schema.ts'
import { createApiKey } from '../../server/domain/people/api-keys.ts'
import { createCompany } from '../../server/domain/people/companies.ts'
import { mediaAddresses, registerMedia } from '../../server/domain/rendering/register-media.ts'
import type { Services } from '../../server/domain/services.ts'
import { importWorkflow } from '../../server/domain/workflows/workflows.ts'
import { openHome } from '../../server/home.ts'
import { startHttpServer } from '../../server/http/server.ts'
import { newId } from '../../server/ids.ts'
import type { Jobs, SettledOperation } from '../../server/jobs/jobs.ts'
import { createLogger } from '../../server/log.ts'
import { DEFAULT_WORKFLOWS } from '../../server/nodes/index.ts'
import { sampleDocument } from './sample-document.ts'
import type { RunSnapshot } from '../../server/contract/run.ts'

export interface FakeJobs extends Jobs {
  wakes: number
  /** Answers to whenSettled, by operation id; without one it waits until `settle`. */
  settle(operationId: string, operation: SettledOperation): void
  readonly waiting: string[]
}

export function fakeJobs(): FakeJobs {
  const waiters = new Map<string, ((settled: SettledOperation) => void)[]>()
  const settledEarly = new Map<string, SettledOperation>()
  const waiting: string[] = []
  return {
    wakes: 0,
    waiting,
    wake() {
      this.wakes += 1
    },
    whenSettled: (id) =>
      new Promise((resolve) => {
        waiting.push(id)
        const early = settledEarly.get(id)
        if (early === undefined) waiters.set(id, [...(waiters.get(id) ?? []), resolve])
        else resolve(early)
      }),
    settle: (id, operation) => {
      settledEarly.set(id, operation)
      for (const resolve of waiters.get(id) ?? []) resolve(operation)
    },
    cancel: () => undefined,
    stop: () => Promise.resolve(),
  }
}

export interface TestAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  readonly text: string
  /** The body as JSON; throws when it is none. */
  json<T = Record<string, unknown>>(): T
}

export interface TestRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer | Iterable<Buffer>
  /** Sent as JSON with its content type. */
  readonly json?: unknown
  /** Bearer key; default the company's; null for none. */
  readonly key?: string | null
}

export interface TestServer {
  readonly url: string
  readonly port: number
  readonly services: Services
  readonly jobs: FakeJobs
  readonly companyId: string
  readonly key: string
  /** Lines of the log, parsed. */
  readonly log: Record<string, unknown>[]
  /** By node:http, so that Host and the exact bytes are the test's. */
  call(path: string, request?: TestRequest): Promise<TestAnswer>
  close(): Promise<void>
}

export interface TestServerOptions {
  readonly config?: Partial<Config>
  readonly services?: Partial<Services>
  readonly now?: () => number
}

/** Starts a server on a new home with company `acme` and a key. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const root = await mkdtemp(join(tmpdir(), 'cutroom-http-'))
  const config: Config = { ...loadConfig({ home: root, port: '0' }, {}), minFreeBytes: 0, ...options.config }
  const home = openHome(root)
  const log: Record<string, unknown>[] = []
  const db = openDatabase(home.database)
  const jobs = fakeJobs()
  const services: Services = {
    config,
    home,
    db,
    jobs,
    log: createLogger('debug', (line) => void log.push(JSON.parse(line) as Record<string, unknown>)),
    now: options.now ?? Date.now,
    ...options.services,
  }
  const companyId = createCompany(services, { id: 'acme', name: 'Acme' }).id
  const { key } = createApiKey(services, { companyId, name: 'test' })
  const server = await startHttpServer(services)
  return {
    url: server.url,
    port: server.port,
    services,
    jobs,
    companyId,
    key,
    log,
    call: (path, request = {}) => send(server.port, path, request, key),
    close: async () => {
      await server.close()
      services.db.close()
      if (db.sqlite.open) db.close()
      await rm(root, { recursive: true, force: true })
    },
  }
}

function send(port: number, path: string, asked: TestRequest, defaultKey: string): Promise<TestAnswer> {
  const key = asked.key === undefined ? defaultKey : asked.key
  const body = asked.json === undefined ? asked.body : JSON.stringify(asked.json)
  const whole = typeof body === 'string' || Buffer.isBuffer(body)
  const headers: Record<string, string | number> = {
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    ...(asked.json === undefined ? {} : { 'content-type': 'application/json' }),
    ...(whole ? { 'content-length': Buffer.byteLength(body) } : {}),
    ...asked.headers,
  }
  return new Promise((resolve, reject) => {
    const method = asked.method ?? (body === undefined ? 'GET' : 'POST')
    const request = httpRequest({ port, host: '127.0.0.1', path, method, headers, agent: false })
    request.once('error', reject)
    request.once('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () => {
        const bytes = Buffer.concat(chunks)
        const text = bytes.toString('utf8')
        const json = <T>(): T => JSON.parse(text) as T
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, text, json })
      })
    })
    if (body === undefined || whole) request.end(body)
    else {
      for (const chunk of body) request.write(chunk)
      request.end()
    }
  })
}

/** Imports the first default workflow (`Vertical shorts`) and answers its id. */
export function addWorkflow(server: TestServer, companyId = server.companyId): string {
  return importWorkflow(server.services, { companyId, file: DEFAULT_WORKFLOWS[0] }).workflowId
}

/** Another company with a key of its own. */
export function addCompany(server: TestServer, id: string): { companyId: string; key: string } {
  createCompany(server.services, { id, name: id })
  return { companyId: id, key: createApiKey(server.services, { companyId: id, name: 'test' }).key }
}

/** Writes a file under the home's artefacts and makes it media. */
export async function addMedia(
  server: TestServer,
  name: string,
  content: Buffer | string,
  mediaType = 'video/mp4',
): Promise<{ id: string; path: string; file: string }> {
  const file = join(server.services.home.artefacts, 'test', newId(), name)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, content)
  const { companyId } = server
  const id = registerMedia(server.services, { companyId, path: file, name, mediaType })
  return { id, path: mediaAddresses(server.services, '', [id])(id) ?? '', file }
}

/** A run row as the queue would have left it. */
export function addRun(
  server: TestServer,
  {
    snapshot,
    ...row
  }: Omit<Partial<typeof runs.$inferInsert>, 'snapshot'> & {
    workflowId: string
    snapshot?: Partial<RunSnapshot>
  },
): string {
  const id = newId()
  const now = server.services.now()
  server.services.db.orm
    .insert(runs)
    .values({
      id,
      companyId: server.companyId,
      status: 'Completed',
      snapshot: {
        workflowId: row.workflowId,
        workflowName: 'Vertical shorts',
        nodes: [],
        source: { kind: 'url', url: 'https://example.com/talk.mp4' },
        originalUrl: 'https://example.com/talk.mp4',
        keywords: [],
        channel: 'current',
        pipelineVersion: '1.0.0',
        ...snapshot,
      },
      channel: 'current',
      pipelineVersion: '1.0.0',
      createdAt: now,
      updatedAt: now,
      ...row,
    })
    .run()
  return id
}

/** Facts of a 1280x720 source without sound, as the run's probe stage left them. */
export function addFacts(server: TestServer, runId: string, durationSeconds = 60): SourceFacts {
  const facts: SourceFacts = {
    container: 'mp4',
    duration: secondsToTicks(durationSeconds),
    bytes: 1,
    audioStreams: 0,
    captions: [],
    chapters: [],
    warnings: [],
    audio: null,
    video: {
      streamIndex: 0,
      codec: 'h264',
      pixelFormat: 'yuv420p',
      codedWidth: 1280,
      codedHeight: 720,
      width: 1280,
      height: 720,
      rotation: 0,
      sampleAspectRatio: { numerator: 1, denominator: 1 },
      frameRate: { numerator: 30, denominator: 1 },
      variableFrameRate: false,
      interlaced: false,
      colourPrimaries: 'bt709',
      colourTransfer: 'bt709',
      colourSpace: 'bt709',
      colourRange: 'tv',
      hdr: false,
      bitsPerSample: 8,
      startTime: 0,
    },
  }
  const state = 'finished' as const
  const stage = { runId, slot: 'probe', stage: 'probe' as const, key: 'k', state, output: facts }
  server.services.db.orm
    .insert(runStages)
    .values({ ...stage, startedAt: 0 })
    .run()
  return facts
}

/** A clip row, published by default. */
export function addClip(
  server: TestServer,
  clip: {
    workflowId: string
    runId?: string
    document?: Partial<ClipDocument>
    words?: TranscriptWord[]
    row?: Partial<typeof clips.$inferInsert>
  },
): string {
  const document = sampleDocument(clip.document)
  const now = server.services.now()
  const id = newId()
  const { orm } = server.services.db
  orm
    .insert(clips)
    .values({
      id,
      companyId: server.companyId,
      workflowId: clip.workflowId,
      runId: clip.runId ?? null,
      ordinal: 0,
      sourceDigest: document.sourceId,
      published: true,
      title: document.title,
      duration: document.duration,
      viralityScore: document.viralityScore,
      document,
      createdAt: now,
      updatedAt: now,
      ...clip.row,
    })
    .run()
  if (clip.words !== undefined)
    orm
      .insert(clipTranscripts)
      .values({ clipId: id, origin: 'embedded-captions', language: 'en', words: clip.words, updatedAt: now })
      .run()
  return id
}
