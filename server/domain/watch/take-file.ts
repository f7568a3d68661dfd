/**
 * Takes a file of a watched folder: brings it into the home as a run does, looks at it, and starts its run. Everything up
 * to the last step is a stage with a content key, and the last step is one transaction: a kill at any moment loses
 * nothing and doubles nothing.
 */
import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AppError, type ErrorCode, type Failure } from '../../contract/errors.ts'
import { saveSource } from '../../db/sources.ts'
import { saveStageFinished, saveStageStarted, setRunSource } from '../../db/runs.ts'
import { inTransaction } from '../../db/prepared.ts'
import {
  deleteFailedFiles,
  findWatchedContent,
  getWatchFolder,
  insertWatchedFile,
  updateWatchedFile,
  type WatchFolderRow,
} from '../../db/watch.ts'
import { newId } from '../../ids.ts'
import type { BackgroundResult } from '../../jobs/jobs.ts'
import { resolveNodes, waitsForReview } from '../../nodes/index.ts'
import { reachable } from '../../reachable.ts'
import { sourcePath } from '../../../workers/artefacts.ts'
import type { Stages } from '../../../workers/stages/catalog.ts'
import type { OutputOf, ParamsOf } from '../../../workers/stages/declare.ts'
import { requireQuota } from '../library/quota.ts'
import { sourceInput, type StageInvocation } from '../runs/plan/plan-draft.ts'
import { startLocalRun } from '../runs/start-run.ts'
import type { Services } from '../services.ts'
import { requireWorkflow } from '../workflows/workflows.ts'
import { factsOf, type SeenVideo } from './find-videos.ts'
import { isWithin } from './folder-paths.ts'
import { stampOf } from './settle.ts'

export interface Taking {
  readonly signal: AbortSignal
  /** 0 to 1. */
  readonly onProgress: (fraction: number) => void
}

/** `later`: nothing was stored, for a reason that may go away by itself. */
export type Taken =
  | { readonly kind: 'taken' | 'known' | 'failed' }
  | { readonly kind: 'later'; readonly failure: Failure }
  | { readonly kind: 'stopped' }

/** Failures that say nothing against the file. */
const PASSING: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'DISK_FULL',
  'STORE_UNAVAILABLE',
  'QUOTA_EXCEEDED',
  'WORKFLOW_NOT_FOUND',
  'SOURCE_UNREACHABLE',
  'SOURCE_FORBIDDEN',
  'CANCELLED',
])

type Ingested = OutputOf<Stages['ingest']>

/** A stage that ended with a result. */
interface Made<Output> {
  readonly key: string
  readonly output: Output
  readonly warnings: readonly string[]
}

/** Takes a complete file that is not known. Throws for defects only. */
export async function takeFile(
  services: Services,
  folder: WatchFolderRow,
  file: SeenVideo,
  taking: Taking,
): Promise<Taken> {
  const path = join(folder.folder, file.path)
  try {
    requireWorkflow(services, folder)
    requireQuota(services, folder.companyId, file.bytes)
    await requireUnchanged(folder, path, file)
    const ingest = await bringIn(services, folder, { path, file }, taking)
    await requireUnchanged(folder, path, file)
    if (findWatchedContent(services.db, folder.id, ingest.output.digest) === null)
      await lookAt(services, folder, ingest.output.digest, taking)
    return { kind: store(services, folder, { path, file, ingest }) }
  } catch (error) {
    if (taking.signal.aborted) return { kind: 'stopped' }
    if (!(error instanceof AppError)) throw error
    const failure = error.toFailure()
    if (PASSING.has(failure.code)) return { kind: 'later', failure }
    // Whatever a tool says of a file that a share took away while it was read.
    if (!(await isUnchanged(folder, path, file))) return { kind: 'later', failure: gone(file).toFailure() }
    const { now, db } = services
    inTransaction(db, () => {
      // What was there before under this name failed too, and is gone.
      deleteFailedFiles(db, folder.id, file.path)
      insertWatchedFile(db, { ...rowOf(folder, file, now()), digest: null, state: 'failed', failure })
    })
    return { kind: 'failed' }
  }
}

const rowOf = ({ id: folderId }: WatchFolderRow, file: SeenVideo, now: number) => {
  const { path, bytes, modifiedAt, fileId } = file
  return { id: newId(), folderId, path, bytes, modifiedAt, fileId, createdAt: now, updatedAt: now }
}

const gone = ({ path }: SeenVideo): AppError =>
  new AppError('SOURCE_UNREACHABLE', `${path} was moved or changed while it was taken.`)

/** Whether it is the same plain file, inside the folder, as when it was complete. */
async function isUnchanged(folder: WatchFolderRow, path: string, file: SeenVideo): Promise<boolean> {
  const facts = await factsOf(path)
  const parent = await realpath(dirname(path)).catch(() => null)
  const isSame = facts?.bytes === file.bytes && facts.modifiedAt === file.modifiedAt
  return parent !== null && isWithin(folder.folder, parent) && isSame
}

async function requireUnchanged(folder: WatchFolderRow, path: string, file: SeenVideo): Promise<void> {
  if (!(await isUnchanged(folder, path, file))) throw gone(file)
}

async function runStage<Output>(
  { jobs }: Services,
  folder: WatchFolderRow,
  invocation: StageInvocation,
  { signal, onProgress }: Taking,
): Promise<Made<Output>> {
  const { companyId } = folder
  if (jobs.runInBackground === undefined) throw new AppError('CANCELLED')
  const result: BackgroundResult = await jobs.runInBackground({ invocation, companyId, signal, onProgress })
  if (result.kind === 'failed') {
    const { code, message, details } = result.failure
    throw new AppError(code, { message, ...(details === undefined ? {} : { details }) })
  }
  if (result.kind === 'stopped') throw new AppError('CANCELLED')
  return { key: result.key, output: result.output as Output, warnings: result.warnings }
}

/** Copies it into the home with its subtitles, by the stage with which a run would. */
async function bringIn(
  services: Services,
  folder: WatchFolderRow,
  { path, file }: { readonly path: string; readonly file: SeenVideo },
  taking: Taking,
): Promise<Made<Ingested>> {
  const { config, home, now } = services
  const params: ParamsOf<Stages['ingest']> = {
    source: { kind: 'file', path },
    addresses: reachable(config),
    maxBytes: config.maxSourceBytes,
    minFreeBytes: config.minFreeBytes,
    idleTimeoutSeconds: config.sourceIdleTimeoutSeconds,
    totalTimeoutSeconds: config.sourceTotalTimeoutSeconds,
    known: null,
  }
  // The same path with another content is another result.
  const stamp = { path, stamp: stampOf(file), folder: folder.id }
  const bring = (attempt: object) =>
    runStage<Ingested>(
      services,
      folder,
      { slot: 'ingest', stage: 'ingest', params, keyParams: { ...stamp, ...attempt }, inputs: {} },
      taking,
    )
  const made = await bring({})
  // The result of an earlier attempt, whose file was cleared away since.
  return existsSync(sourcePath(home.sources, made.output.digest)) ? made : bring({ at: now() })
}

/** Throws SOURCE_NOT_VIDEO for what cannot be decoded, before there is a run. Its result is the run's, by its key. */
async function lookAt(
  services: Services,
  folder: WatchFolderRow,
  digest: string,
  { signal }: Taking,
): Promise<void> {
  const inputs = { source: sourceInput(digest) }
  const invocation = { slot: 'probe', stage: 'probe' as const, params: {}, inputs }
  await runStage(services, folder, invocation, { signal, onProgress: () => undefined })
}

interface Brought {
  readonly path: string
  readonly file: SeenVideo
  readonly ingest: Made<Ingested>
}

/** Starts the run of a new content; a content that was taken already gets its present path, or a second one. */
function store(
  services: Services,
  folder: WatchFolderRow,
  { path, file, ingest }: Brought,
): 'taken' | 'known' {
  const { db, now } = services
  const { digest } = ingest.output
  return inTransaction(db, () => {
    if (getWatchFolder(db, folder.id)?.state !== 'active') throw new AppError('CANCELLED')
    deleteFailedFiles(db, folder.id, file.path)
    const known = findWatchedContent(db, folder.id, digest)
    const row = { ...rowOf(folder, file, now()), digest }
    if (known !== null) {
      const { path: place, bytes, modifiedAt, fileId } = file
      // Renamed on a share without lasting file numbers, or only its time was changed.
      if (known.path === place || !existsSync(join(folder.folder, known.path)))
        updateWatchedFile(db, known.id, { path: place, bytes, modifiedAt, fileId })
      else insertWatchedFile(db, { ...row, state: 'duplicate' })
      return 'known'
    }
    insertWatchedFile(db, {
      ...row,
      state: 'taken',
      runId: startBroughtRun(services, folder, { path, file, ingest }),
    })
    return 'taken'
  })
}

/** A run whose first stage is done: it never reads the watched folder, which may be away by then. */
function startBroughtRun(
  services: Services,
  folder: WatchFolderRow,
  { path, file, ingest }: Brought,
): string {
  const { db, now } = services
  const { companyId, workflowId } = folder
  const displayName = file.path.split('/').at(-1) ?? file.path
  const source = { kind: 'file' as const, path, displayName }
  // Nobody sits there: everything is rendered, unless the workflow says otherwise.
  const { nodes } = resolveNodes(requireWorkflow(services, folder).graph, [])
  const isReviewed = waitsForReview(nodes)
  const { triggerId: runId } = startLocalRun(services, { companyId, workflowId, source, isReviewed })
  const stage = { runId, slot: 'ingest', now: now() }
  saveStageStarted(db, { ...stage, stage: 'ingest', key: ingest.key })
  const { output, warnings } = ingest
  saveStageFinished(db, { ...stage, output, reused: true, milliseconds: 0, warnings }, () => {
    const { digest, bytes, mediaType } = output
    saveSource(db, { digest, bytes, mediaType, url: null, etag: null, lastModified: null, now: now() })
    setRunSource(db, runId, digest)
  })
  return runId
}
