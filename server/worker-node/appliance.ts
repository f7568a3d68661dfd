/** HTTP calls of a worker node to its appliance, whose database it never sees. */
import { decodeJwt } from 'jose'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { ReadableStream } from 'node:stream/web'
import {
  type ArtefactManifest,
  type BlobState,
  type WorkerInputs,
  type WorkerResult,
  type WorkerTake,
  type WorkerToken,
  type WorkerUploads,
  type WorkerUploadsBegun,
  type WorkerUploadsEnd,
  type WorkerUploadsEnded,
  type WorkerWelcome,
  WORKER_FILES_PATH,
} from '../contract/tenant-api/worker.ts'
import { AppError } from '../contract/errors.ts'
import type { Logger } from '../log.ts'
import { openPartial, sizeOf } from './partial-file.ts'

export interface ApplianceOptions {
  /** `http://studio:4810` */
  readonly server: string
  /** The token to begin with. */
  readonly token: string
  readonly log: Logger
}

/** A node's calls to its appliance. */
export type Appliance = ReturnType<typeof connectAppliance>

/** Calls that need a lease on a task. The lease is reported again when the appliance was restarted. */
export type LeasedTaskCalls = ReturnType<typeof createLeasedTaskCalls>

/** Renewed this long before its hour is over. */
const RENEW_EVERY_MS = 20 * 60_000
/** Early enough that the appliance does not take the node for lost when two renewals are missed. */
const RENEW_AGAIN_MS = 60_000
/** An appliance that restarts is away for less than this; afterwards the task is left to another node. */
const PATIENCE_MS = 120_000
const FIRST_PAUSE_MS = 250

interface Session {
  readonly server: string
  readonly log: Logger
  token: string
  /** Bytes of files and descriptions, from the appliance and to it. */
  readonly moved: { read: number; written: number }
}

/** Connects to an appliance. While it is away, every call waits and retries until the signal aborts. */
export function connectAppliance(options: ApplianceOptions) {
  const session: Session = {
    ...options,
    server: options.server.replace(/\/+$/, ''),
    moved: { read: 0, written: 0 },
  }
  const renewal = renewTokenInTime(session)
  return {
    /** Bytes since the start. */
    moved: (): Readonly<Session['moved']> => session.moved,
    welcome: () => welcome(session),
    /** Gets a token of this node's own, which opens less than the one to begin with. */
    join: async (): Promise<void> => {
      if (!(await renewed(session))) session.log.info('the token is one of an outside provider')
    },
    /** The id by which the appliance knows this node; undefined: its tokens are of an outside provider. */
    nodeId: (): string | undefined => {
      const id = decodeJwt(session.token)['node_id']
      return typeof id === 'string' ? id : undefined
    },
    /** Reports that a task was taken from the queue. */
    leaseTask: async (task: WorkerTake, signal: AbortSignal) => {
      await patiently(session, signal, () => take(session, task))
      return createLeasedTaskCalls(session, task)
    },
    close: () => renewal.stop(),
  }
}

function createLeasedTaskCalls(session: Session, task: WorkerTake) {
  const call = <T>(signal: AbortSignal, act: () => Promise<T>): Promise<T> =>
    patiently(session, signal, act, () => take(session, task))
  return {
    /** What the task works on; asked again, with new addresses. */
    inputs: (signal: AbortSignal) =>
      call(signal, () =>
        callAppliance<WorkerInputs>(session, 'GET', `/internal/worker/tasks/${task.key}/inputs`),
      ),
    /** Null when there is no such result. */
    manifest: (stage: string, key: string, signal: AbortSignal) =>
      call(signal, () => findManifest(session, stage, key)),
    /** Fetches a file into its place, going on where it broke off; checks what it is. */
    fetchFile: (file: FetchedFile, signal: AbortSignal) =>
      call(signal, () => fetchFile(session, file, signal)),
    /** Brings a file, going on where it broke off. */
    bringFile: (file: BroughtFile, signal: AbortSignal) =>
      call(signal, () => bringFile(session, file, signal)),
    /** Addresses in the store for the parts of files. */
    beginUploads: (given: WorkerUploads, signal: AbortSignal) =>
      call(signal, () =>
        callAppliance<WorkerUploadsBegun>(session, 'POST', '/internal/worker/uploads', given),
      ),
    /** All parts are there; where each is read back. */
    endUploads: (given: WorkerUploadsEnd, signal: AbortSignal) =>
      call(signal, () =>
        callAppliance<WorkerUploadsEnded>(session, 'POST', '/internal/worker/uploads/end', given),
      ),
    publish: (result: WorkerResult, signal: AbortSignal) =>
      call(signal, () =>
        callAppliance<{ published: boolean }>(session, 'POST', '/internal/worker/results', result),
      ),
  }
}

async function findManifest(session: Session, stage: string, key: string): Promise<ArtefactManifest | null> {
  try {
    return await callAppliance(session, 'GET', `/internal/worker/artefacts/${stage}/${key}`)
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return null
    throw error
  }
}

const take = (session: Session, task: WorkerTake): Promise<unknown> =>
  callAppliance(session, 'POST', '/internal/worker/tasks', task)

/** Renews the token. False for tokens of an external issuer, which are renewed there. */
async function renewed(session: Session): Promise<boolean> {
  try {
    session.token = (await callAppliance<WorkerToken>(session, 'POST', '/internal/worker/token')).token
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'INVALID_STATE') return false
    throw error
  }
}

/** Throws INVALID_CONFIGURATION when no appliance answers at the address, otherwise the appliance's own error. */
async function welcome(session: Session): Promise<WorkerWelcome> {
  try {
    return await callAppliance<WorkerWelcome>(session, 'GET', '/internal/worker')
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw new AppError('INVALID_CONFIGURATION', {
      message: `No appliance answers at ${session.server}; is the address right, and does it listen on the network (--host)?`,
      cause,
    })
  }
}

/** In how many milliseconds the next time is; null: never, for it is not ours to renew. */
async function renew(session: Session): Promise<number | null> {
  try {
    return (await renewed(session)) ? RENEW_EVERY_MS : null
  } catch (error) {
    session.log.warn('the token could not be renewed', { error })
    return RENEW_AGAIN_MS
  }
}

function renewTokenInTime(session: Session): { stop(): void } {
  let timer: NodeJS.Timeout
  let stopped = false
  const after = (milliseconds: number | null): void => {
    if (!stopped && milliseconds !== null) timer = setTimeout(() => void again(), milliseconds).unref()
  }
  const again = async (): Promise<void> => after(await renew(session))
  after(RENEW_EVERY_MS)
  return {
    stop: () => {
      stopped = true
      clearTimeout(timer)
    },
  }
}

/** What will not be otherwise the next time. */
const FINAL: ReadonlySet<string> = new Set([
  'UNAUTHENTICATED',
  'NOT_FOUND',
  'VALIDATION_FAILED',
  'FORBIDDEN_HOST',
])

/** `again`: reports the lease again when the appliance answers that it does not know it. */
async function patiently<T>(
  session: Session,
  signal: AbortSignal,
  act: () => Promise<T>,
  again?: () => Promise<unknown>,
): Promise<T> {
  const until = performance.now() + PATIENCE_MS
  for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(5000, wait * 2)) {
    try {
      return await act()
    } catch (error) {
      signal.throwIfAborted()
      const final = error instanceof AppError && FINAL.has(error.code)
      if (final || performance.now() > until) throw error
      session.log.warn('the appliance did not do what it was asked; trying again', { error })
      await pause(wait, undefined, { signal })
      if (error instanceof AppError && error.code === 'INVALID_STATE')
        await again?.().catch((cause: unknown) => session.log.debug('a task is not held', { error: cause }))
    }
  }
}

async function refusal(response: Response): Promise<AppError> {
  const text = await response.text()
  try {
    const { error } = JSON.parse(text) as { error: { code: 'INTERNAL'; message: string } }
    return new AppError(error.code, { message: error.message })
  } catch (cause) {
    return new AppError('INTERNAL', { message: `The appliance answered ${response.status}.`, cause })
  }
}

async function callAppliance<T>(session: Session, method: string, path: string, body?: unknown): Promise<T> {
  const sent = body === undefined ? undefined : JSON.stringify(body)
  session.moved.written += Buffer.byteLength(sent ?? '')
  const response = await fetch(`${session.server}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${session.token}`,
      ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(sent === undefined ? {} : { body: sent }),
  })
  if (!response.ok) throw await refusal(response)
  const text = await response.text()
  session.moved.read += Buffer.byteLength(text)
  return (JSON.parse(text) as { data: T }).data
}

interface FetchedFile {
  readonly from: string
  readonly to: string
  readonly sha256: string
}

async function fetchFile(session: Session, file: FetchedFile, signal: AbortSignal): Promise<void> {
  const partial = await openPartial(file.to)
  const response = await fetch(`${session.server}${WORKER_FILES_PATH}${file.from}`, {
    signal,
    headers: { authorization: `Bearer ${session.token}`, ...partial.headers },
  })
  if (!response.ok && response.status !== 416) throw await refusal(response)
  if (response.body !== null && response.ok) {
    const body = Readable.fromWeb(response.body as ReadableStream)
    session.moved.read += await partial.write(body, response.status, signal)
  }
  if (!(await partial.finish(file.sha256))) throw new AppError('INTERNAL', 'A file came in damaged.')
}

type BroughtFile = Pick<FetchedFile, 'sha256'> & { readonly path: string }

async function bringFile(
  session: Session,
  { path, sha256 }: BroughtFile,
  signal: AbortSignal,
): Promise<void> {
  const total = await sizeOf(path)
  const { have, whole } = await callAppliance<BlobState>(session, 'GET', `/internal/worker/blobs/${sha256}`)
  if (whole) return
  const empty = total === 0
  // The DOM's types of a request do not know `duplex` yet, which a streamed body needs.
  const request: RequestInit & { readonly duplex: 'half' } = {
    method: 'PUT',
    signal,
    duplex: 'half',
    headers: {
      authorization: `Bearer ${session.token}`,
      'content-type': 'application/octet-stream',
      ...(empty ? {} : { 'content-range': `bytes ${have}-${total - 1}/${total}` }),
    },
    body: empty ? new Uint8Array() : (Readable.toWeb(createReadStream(path, { start: have })) as BodyInit),
  }
  const response = await fetch(`${session.server}${WORKER_FILES_PATH}blobs/${sha256}`, request)
  session.moved.written += total - have
  if (!response.ok) throw await refusal(response)
  const state = ((await response.json()) as { data: BlobState }).data
  if (!state.whole) throw new AppError('INTERNAL', 'A file was not brought whole.')
}
