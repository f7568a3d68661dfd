/**
 * Fills the index of passages: run by run, the newest first. What is indexed is in the database, so that it goes on after
 * a restart where it was; a run that is indexed halfway is begun anew. The index of a run goes with the run, and when its
 * transcript does.
 */
import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../contract/errors.ts'
import { SCALE_BYTES, type Passage } from '../../contract/passages.ts'
import type { SearchIndexState } from '../../contract/settings.ts'
import {
  countIndexed,
  countToIndex,
  deleteFailedIndexes,
  deleteIndexedRun,
  findSameIndex,
  listIndexedTranscripts,
  nextToIndex,
  saveIndexedRun,
  type IndexedPassage,
  type WaitingRun,
} from '../../db/passages.ts'
import { anyOperationOpen } from '../../db/retention.ts'
import { listRunStages } from '../../db/runs.ts'
import { deleteSetting, getSetting, setSetting } from '../../db/settings.ts'
import { artefactFolder } from '../../../workers/paths.ts'
import { STAGES, type StageName, type Stages } from '../../../workers/stages/catalog.ts'
import type { OutputOf } from '../../../workers/stages/declare.ts'
import { modelFingerprint } from '../models/models.ts'
import { artefactInput, type SlotResult } from '../runs/plan/plan-draft.ts'
import { wordsOfRun, type TranscriptSource } from '../runs/plan/plan-transcript.ts'
import type { Services } from '../services.ts'
import { startTask } from '../settings/tasks.ts'
import { indexedText } from './search-terms.ts'

/** Present while somebody has cancelled it. */
const PAUSED = 'search-index-paused'
/** Runs and renders go first; after so long without a pause between them it is indexed beside them. */
const WORK_FIRST_MS = 600_000

/** Version of the passages: what was split by another one is indexed anew. */
export const PASSAGES_VERSION = STAGES.passages.version

/** A transcript of a run: of its source, or of one part of a livestream. */
interface Part extends TranscriptSource {
  readonly chunk: number | null
}

interface IndexedPart {
  readonly passages: readonly IndexedPassage[]
  readonly vectors: Buffer | null
  readonly size: number
  readonly problem: string | null
}

/** Resumes it after it was cancelled, and tries again what could not be indexed. */
export function resumeIndex({ db }: Pick<Services, 'db'>): void {
  deleteSetting(db, PAUSED)
  deleteFailedIndexes(db)
  retryAt.delete(db)
}

/** Over all companies. Counts runs and looks at the folders of models. */
export async function describeIndex({
  db,
  config,
}: Pick<Services, 'db' | 'config'>): Promise<SearchIndexState> {
  const model = await modelFingerprint(config, 'text-embedding')
  const counts = countIndexed(db, model, PASSAGES_VERSION)
  return { ...counts, model: nameOf(model), paused: getSetting(db, PAUSED) !== null }
}

/** `minilm-english@1f0c…` → `minilm-english`; null for `none`. */
export const nameOf = (model: string): string | null =>
  model === 'none' ? null : model.replace(/@[^@]*$/, '')

/** Indexes what waits, if anything does and nobody has cancelled it, as a task that is shown and can be cancelled. */
export async function indexWaiting(services: Services, stopping: AbortSignal): Promise<void> {
  const { db, config, jobs, now } = services
  if (jobs.runInBackground === undefined || getSetting(db, PAUSED) !== null) return
  if (now() < (retryAt.get(db) ?? 0)) return
  const model = await modelFingerprint(config, 'text-embedding')
  if (nextToIndex(db, model, PASSAGES_VERSION) === null || workGoesFirst(services)) return
  await new Promise<void>((resolve) => {
    startTask(services, {
      kind: 'search-index',
      subject: 'search',
      work: async ({ signal, onProgress }) => {
        const both = AbortSignal.any([signal, stopping])
        try {
          return await indexAll(services, { model, signal: both, onProgress })
        } catch (error) {
          if (stopping.aborted) return 'It goes on at the next start'
          if (!signal.aborted) retryAt.set(db, now() + RETRY_MS)
          throw error
        } finally {
          if (signal.aborted && !stopping.aborted && db.sqlite.open) setSetting(db, PAUSED, '1')
          resolve()
        }
      },
    })
  })
}

/** Not before this time, after a failure that may pass: a full disk, an engine that ended. */
const retryAt = new WeakMap<Services['db'], number>()
const RETRY_MS = 600_000
const PASSING: ReadonlySet<string> = new Set(['DISK_FULL', 'STORE_UNAVAILABLE', 'INTERRUPTED', 'CANCELLED'])

const busySince = new WeakMap<Services['db'], number>()

function workGoesFirst({ db, now }: Services): boolean {
  if (!anyOperationOpen(db)) {
    busySince.delete(db)
    return false
  }
  const since = busySince.get(db) ?? now()
  busySince.set(db, since)
  return now() - since < WORK_FIRST_MS
}

interface Following {
  readonly model: string
  readonly signal: AbortSignal
  readonly onProgress: (fraction: number, note: string) => void
}

async function indexAll(services: Services, following: Following): Promise<string> {
  const { model, signal, onProgress } = following
  const { db } = services
  let done = 0
  for (;;) {
    signal.throwIfAborted()
    const run = nextToIndex(db, model, PASSAGES_VERSION)
    if (run === null) return `${done} ${done === 1 ? 'run' : 'runs'} indexed for search`
    const of = done + countToIndex(db, model, PASSAGES_VERSION)
    const report = (fraction: number): void =>
      onProgress((done + fraction) / of, `Run ${done + 1} of ${of} is being indexed for search`)
    report(0)
    await indexRun(services, run, { model, signal, onProgress: report })
    done += 1
    if (workGoesFirst(services)) return `${done} of ${of} runs indexed; it goes on when the open work is done`
  }
}

async function indexRun(services: Services, run: WaitingRun, following: Following): Promise<void> {
  const { db, now } = services
  const { model } = following
  const { runId, companyId, endedAt } = run
  const parts = await presentParts(services, runId)
  const transcripts = parts.map(({ stage, key }) => `${stage}/${key}`)
  const row = { runId, companyId, model, version: PASSAGES_VERSION, endedAt, transcripts }
  const same = findSameIndex(db, row)
  if (same !== null) {
    const passages = same.passages.map((one) => ({ ...one, words: indexedText(one.text) }))
    return saveIndexedRun(
      db,
      { ...row, vectors: same.vectors, size: same.size, problem: null },
      passages,
      now(),
    )
  }
  const made: IndexedPart[] = []
  for (const [index, part] of parts.entries()) {
    const onProgress = (fraction: number): void => following.onProgress((index + fraction) / parts.length, '')
    made.push(await indexPart(services, { part, companyId, signal: following.signal, onProgress }))
  }
  const filled = made.filter(({ passages }) => passages.length > 0)
  const problem = made.find((part) => part.problem !== null)?.problem ?? null
  const whole = filled.flatMap(({ vectors }) => vectors ?? [])
  // Vectors correspond to passages by their places: without those of one part there are none.
  const vectors = whole.length === filled.length && whole.length > 0 ? Buffer.concat(whole) : null
  const size = vectors === null ? 0 : (filled[0]?.size ?? 0)
  const passages = made.flatMap((part) => part.passages)
  saveIndexedRun(db, { ...row, vectors, size, problem }, passages, now())
}

/** The transcripts of a run whose files are there. */
async function presentParts({ db, home }: Services, runId: string): Promise<Part[]> {
  const byChunk = new Map<number | null, Map<string, SlotResult>>()
  for (const { slot, state, key, output, failure } of listRunStages(db, runId)) {
    if (state !== 'finished') continue
    const [, chunk, rest = slot] = /^chunk:(\d+):(.+)$/.exec(slot) ?? []
    const index = chunk === undefined ? null : Number(chunk)
    const results = byChunk.get(index) ?? new Map<string, SlotResult>()
    byChunk.set(index, results.set(rest, { state, key, output, failure }))
  }
  const parts: Part[] = []
  for (const [chunk, results] of byChunk) {
    const found = wordsOfRun(results)
    if (found === null) continue
    const { stage, key } = found
    if (await isThere(artefactFolder(home.artefacts, stage, key))) parts.push({ chunk, stage, key })
  }
  return parts.sort((a, b) => (a.chunk ?? -1) - (b.chunk ?? -1))
}

const isThere = async (folder: string): Promise<boolean> =>
  (await stat(folder).catch(() => null))?.isDirectory() === true

interface PartWork {
  readonly part: Part
  readonly companyId: string
  readonly signal: AbortSignal
  readonly onProgress: (fraction: number) => void
}

/** Throws the reason of the signal, and failures that may pass. */
async function indexPart(services: Services, work: PartWork): Promise<IndexedPart> {
  const { part, companyId, signal, onProgress } = work
  const { chunk, stage, key } = part
  const result = await services.jobs.runInBackground?.({
    invocation: {
      slot: 'passages',
      stage: 'passages',
      params: {},
      inputs: { transcript: artefactInput(stage, key) },
    },
    companyId,
    signal,
    onProgress,
  })
  if (result === undefined || result.kind === 'stopped') {
    signal.throwIfAborted()
    return { passages: [], vectors: null, size: 0, problem: 'The work was ended before it was done.' }
  }
  if (result.kind === 'failed' && PASSING.has(result.failure.code))
    throw new AppError(result.failure.code, { message: result.failure.message })
  if (result.kind === 'failed')
    return { passages: [], vectors: null, size: 0, problem: result.failure.message }
  const output = result.output as OutputOf<Stages['passages']>
  const folder = artefactFolder(services.home.artefacts, 'passages', result.key)
  const passages = JSON.parse(await readFile(join(folder, output.passagesFile), 'utf8')) as Passage[]
  const { vectorsFile, size = 0 } = output
  const vectors = vectorsFile === undefined ? null : await readFile(join(folder, vectorsFile))
  // All of it is in the database from here on: no second copy of what was spoken stays on the disk.
  await rm(folder, { recursive: true, force: true })
  const whole = vectors?.length === passages.length * (SCALE_BYTES + size)
  return {
    passages: passages.map(({ start, end, text }) => ({ chunk, start, end, text, words: indexedText(text) })),
    vectors: whole ? vectors : null,
    size,
    problem: result.warnings[0] ?? null,
  }
}

/** Removes what was indexed of transcripts that are no longer in the home; returns of how many runs. */
export async function forgetGoneTranscripts(services: Services, signal: AbortSignal): Promise<number> {
  let removed = 0
  for (const { runId, transcripts } of listIndexedTranscripts(services.db)) {
    for (const transcript of transcripts) {
      signal.throwIfAborted()
      const [stage = '', key = ''] = transcript.split('/')
      if (await isThere(artefactFolder(services.home.artefacts, stage as StageName, key))) continue
      deleteIndexedRun(services.db, runId)
      removed += 1
      break
    }
  }
  return removed
}
