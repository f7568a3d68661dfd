/** PURE: the parts of a plan, how stages are added to it, and the slots of a stream and its chunks. */
import type { Failure } from '../../../contract/errors.ts'
import type { InputReference } from '../../../../workers/protocol.ts'
import { STAGES, type StageName, type Stages } from '../../../../workers/stages/catalog.ts'
import type { OutputOf, ParamsOf } from '../../../../workers/stages/declare.ts'
import { isStreamAddress, type RunSource } from '../../../contract/run.ts'
import type { RecordedChunk } from '../../../../workers/stages/record/declaration.ts'

/** An input of a stage: where it is stored, and its identity by content, which is part of the stage's content key. */
export interface PlannedInput {
  readonly reference: InputReference
  readonly identity: string
  /** It only saves work that would come to the same: it is in no key. */
  readonly saves?: true
}

/** One stage to run, with everything that its content key is made of. */
export interface StageInvocation {
  readonly slot: string
  readonly stage: StageName
  readonly params: unknown
  readonly inputs: Readonly<Record<string, PlannedInput>>
  /** The parameters that are part of the content key, where that is not all of them. */
  readonly keyParams?: unknown
  /** Where another server does the work of a stage: it is waited for here, and no worker node takes it. */
  readonly lane?: 'network'
  /** The model tasks of the stage that matter to this result; absent: all that it declares. */
  readonly models?: readonly string[]
}

/** The result of a stage of this run that has ended. */
export interface SlotResult {
  readonly state: 'finished' | 'failed'
  readonly key: string
  readonly output: unknown
  readonly failure: Failure | null
}

/** Results by slot. */
export type SlotResults = ReadonlyMap<string, SlotResult>

/** The output and the content key of a finished stage. */
export interface FinishedStage<Name extends StageName> {
  readonly output: OutputOf<Stages[Name]>
  readonly key: string
}

/** A plan while it is put together. The first failure is the one that is reported. */
export interface Draft {
  readonly results: SlotResults
  readonly ready: StageInvocation[]
  readonly slots: { slot: string; stage: StageName }[]
  readonly warnings: string[]
  failure: Failure | null
}

/** After a failure with one of these codes a fallback would fail for the same reason. */
export const CODES_WITHOUT_FALLBACK: ReadonlySet<string> = new Set([
  'DISK_FULL',
  'STORE_UNAVAILABLE',
  'CANCELLED',
  'INTERRUPTED',
])

/**
 * Adds a stage that the run needs, once for all that need it. Returns its result once it has finished. Otherwise null: the
 * stage is ready to start, or it failed and its failure becomes the run's. With `fallbackWarning` the run continues after a
 * failure, with that sentence as a warning.
 */
export function planStage<Name extends StageName>(
  context: Draft,
  invocation: Omit<StageInvocation, 'params' | 'stage'> & { stage: Name; params: ParamsOf<Stages[Name]> },
  fallbackWarning?: string,
): FinishedStage<Name> | null {
  const { slot, stage } = invocation
  const isPlanned = context.slots.some((planned) => planned.slot === slot)
  if (!isPlanned) context.slots.push({ slot, stage })
  const result = context.results.get(slot)
  if (result === undefined) {
    if (!isPlanned) context.ready.push(invocation)
    return null
  }
  if (result.state === 'finished') return { output: result.output as OutputOf<Stages[Name]>, key: result.key }
  const failure = result.failure ?? { code: 'STAGE_FAILED', message: `${STAGES[stage].label} failed.` }
  if (fallbackWarning !== undefined && !CODES_WITHOUT_FALLBACK.has(failure.code))
    context.warnings.push(`${fallbackWarning} (${failure.message})`)
  else failPlan(context, failure)
  return null
}

/**
 * Adds a stage whose failure does not fail the run: the code that uses its result adds the warning. Returns whether the
 * stage has ended.
 */
export function planOptionalStage(context: Draft, invocation: StageInvocation): boolean {
  const { slot, stage } = invocation
  context.slots.push({ slot, stage })
  const result = context.results.get(slot)
  if (result === undefined) context.ready.push(invocation)
  else if (result.failure !== null && CODES_WITHOUT_FALLBACK.has(result.failure.code))
    failPlan(context, result.failure)
  return result !== undefined
}

/**
 * As planStage with a fallback: `waiting` until the stage has ended or the run has failed, null where it failed and the
 * run continues.
 */
export function planFallbackStage<Name extends StageName>(
  context: Draft,
  invocation: Parameters<typeof planStage<Name>>[1],
  fallbackWarning: string,
): FinishedStage<Name> | null | 'waiting' {
  const result = planStage(context, invocation, fallbackWarning)
  if (result !== null) return result
  return context.failure !== null || !context.results.has(invocation.slot) ? 'waiting' : null
}

/** Fails the run, unless it has failed already. */
export function failPlan(context: Draft, failure: Failure): void {
  context.failure ??= failure
}

/** A stored source as the input of a stage, by the SHA-256 of its content. */
export const sourceInput = (digest: string): PlannedInput => ({
  reference: { kind: 'source', digest },
  identity: digest,
})
/** The result of another stage as the input of a stage, by its content key. */
export const artefactInput = (stage: StageName, key: string): PlannedInput => ({
  reference: { kind: 'artefact', stage, key },
  identity: key,
})

export const RECORD_SLOT = 'record'

/** A delivered chunk; its stages are in slots such as `chunk:3:probe`. */
export const chunkSlot = (index: number): string => `chunk:${index}`

/** Marks that the clips of a chunk are listed. From then on people may edit and delete them. */
export const shownSlot = (index: number): string => `chunk:${index}:shown`

/** The slot of a stage in a run: of one of its chunks, or (null) of a source that is one file. */
export const slotIn = (chunkIndex: number | null | undefined, slot: string): string =>
  chunkIndex === null || chunkIndex === undefined ? slot : `chunk:${chunkIndex}:${slot}`

/** Whether a run records: by its address, or because a playlist was found there. */
export function isStream(source: RunSource, results: SlotResults): boolean {
  if (source.kind !== 'url') return false
  const ingest = results.get('ingest')
  return isStreamAddress(source.url) || ingest?.failure?.details?.['found'] === 'playlist'
}

/** The recorded chunks of a run, in order. */
export function chunksOf(results: SlotResults): RecordedChunk[] {
  const record = results.get(RECORD_SLOT)
  const delivered = [...results].flatMap(([slot, { state, output }]) =>
    /^chunk:\d+$/.test(slot) && state === 'finished' ? [output as RecordedChunk] : [],
  )
  const all = record?.state === 'finished' ? (record.output as OutputOf<Stages['record']>).chunks : []
  return [...new Map([...delivered, ...all].map((chunk) => [chunk.index, chunk])).values()].sort(
    (a, b) => a.index - b.index,
  )
}

/** The results of one chunk, as a run of it alone would have them, with the chunk as the output of ingest. */
export function resultsOfChunk(
  results: SlotResults,
  chunk: RecordedChunk,
  chunkIndex: number | null,
): SlotResults {
  const prefix = slotIn(chunkIndex, '')
  const ownResults = new Map<string, SlotResult>()
  for (const [slot, result] of results) {
    if (prefix === '' ? slot !== 'ingest' : slot.startsWith(prefix))
      ownResults.set(slot.slice(prefix.length), result)
  }
  const { digest, bytes, mediaType } = chunk
  // The title names the part, because its times begin at the part.
  const displayName = `${chunk.displayName}${chunkIndex === null ? '' : `, part ${chunkIndex + 1}`}`
  const ingest: OutputOf<Stages['ingest']> = {
    digest,
    bytes,
    mediaType,
    displayName,
    finalUrl: null,
    etag: null,
    lastModified: null,
    unchanged: false,
    sidecars: [],
  }
  return ownResults.set('ingest', { state: 'finished', key: digest, output: ingest, failure: null })
}
