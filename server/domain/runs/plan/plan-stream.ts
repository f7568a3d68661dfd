/**
 * PURE: the plan of a run that records a stream. The recording is one stage; each chunk that it hands out goes through
 * the stages of an ordinary run at places of its own, while the recording goes on. A recording that was complete when it
 * began is an ordinary source.
 */
import type { ClipChunk } from '../../../contract/clip.ts'
import type { Failure } from '../../../contract/errors.ts'
import type { RunSnapshot } from '../../../contract/run.ts'
import { findClipsSettings } from '../../../nodes/index.ts'
import { digestOf } from '../../../../workers/artefacts.ts'
import type { Stages } from '../../../../workers/stages/catalog.ts'
import type { OutputOf, ParamsOf } from '../../../../workers/stages/declare.ts'
import { RECORDING_NOTE, type RecordedChunk } from '../../../../workers/stages/record/declaration.ts'
import { need, type Draft, type SlotResults, type StageInvocation } from './plan-draft.ts'
import { describeProgress, planRun } from './plan-run.ts'
import type { PlanEnvironment, PlanInput, RunPlan } from './plan-input.ts'
import { wordsAreNeeded } from './plan-transcript.ts'
import { withUserInfo } from '../source-url.ts'
import { chunksOf, RECORD_SLOT, resultsOfChunk, slotIn } from './stream-slots.ts'

/** A source within a run: a chunk, or (index null) the one that there is. */
export interface RunPart {
  readonly index: number | null
  readonly snapshot: RunSnapshot
  readonly results: SlotResults
  /** What its clips say of their place in the event; null: there is no event. */
  readonly chunk: ClipChunk | null
}

/** What is known of a part besides rows. */
export type PartState = Pick<PlanInput, 'clips' | 'drafted'>

/** A part with its own plan. */
export interface PlannedPart {
  readonly part: RunPart
  readonly plan: RunPlan
}

export interface StreamPlan extends RunPlan {
  readonly parts: readonly PlannedPart[]
}

interface StreamInput {
  readonly runId: string
  readonly snapshot: RunSnapshot
  readonly results: SlotResults
  readonly environment: PlanEnvironment
  readonly stateOf: (index: number | null) => PartState
  /** Whether the clips of a chunk are finished and shown: it needs nothing more. */
  readonly isShown: (index: number) => boolean
}

/** Failures that no other chunk can get round. */
const FATAL: ReadonlySet<string> = new Set(['DISK_FULL', 'CANCELLED'])

/** The parts of a run that records, as far as they are there. */
export function partsOfStream({
  runId,
  snapshot,
  results,
}: Pick<StreamInput, 'runId' | 'snapshot' | 'results'>): RunPart[] {
  const record = results.get(RECORD_SLOT)
  const chunks = chunksOf(results)
  const output = record?.state === 'finished' ? (record.output as OutputOf<Stages['record']>) : null
  const [only] = chunks
  if (output?.live === false && chunks.length === 1 && only !== undefined)
    return [{ index: null, snapshot, results: resultsOfChunk(results, only, null), chunk: null }]
  const episodeId = `live_${digestOf({ run: runId }).slice(0, 32)}`
  return chunks.map((chunk) => ({
    index: chunk.index,
    snapshot: snapshotOfChunk(snapshot, chunk),
    results: resultsOfChunk(results, chunk, chunk.index),
    chunk: { index: chunk.index, offsetSeconds: chunk.offsetSeconds, episodeId },
  }))
}

/** Ranges that the caller has pinned are meant in the event; a chunk gets those that touch it, in its own time. */
function snapshotOfChunk(snapshot: RunSnapshot, { offsetSeconds, seconds }: RecordedChunk): RunSnapshot {
  const nodes = snapshot.nodes.map((node) => {
    const pinned = node.type === 'find_clips' ? node.config['pinnedTimestamps'] : undefined
    if (!Array.isArray(pinned)) return node
    const ranges = (pinned as { start: number; end: number }[])
      .map(({ start, end }) => ({ start: start - offsetSeconds, end: end - offsetSeconds }))
      .filter(({ start, end }) => end > 0 && start < seconds)
      .map(({ start, end }) => ({ start: Math.max(0, start), end }))
    return { ...node, config: { ...node.config, pinnedTimestamps: ranges } }
  })
  return { ...snapshot, nodes }
}

/** Whether a chunk has no part of what was asked for: only pinned ranges, and none in it. */
function isPassedOver(run: RunSnapshot, part: RunPart): boolean {
  const asked = findClipsSettings(run.nodes, [])
  const own = findClipsSettings(part.snapshot.nodes, [])
  const onlyPinned = asked.pinnedOnly || asked.pinnedMode === 'search_within'
  return part.index !== null && onlyPinned && asked.pinned.length > 0 && own.pinned.length === 0
}

/** Decides the next steps of a run that records. */
export function planStream(input: StreamInput): StreamPlan {
  const { snapshot, results, environment } = input
  const draft: Draft = { results, ready: [], slots: [], warnings: [], failure: null }
  const refusal = results.has(RECORD_SLOT) || chunksOf(results).length > 0 ? null : refuseEarly(input)
  if (refusal !== null) draft.failure = refusal
  const record = need(draft, recordInvocation(input))
  const parts = partsOfStream(input).map((part): PlannedPart => {
    if (part.index !== null && input.isShown(part.index)) return { part, plan: SHOWN }
    if (isPassedOver(snapshot, part)) return { part, plan: NOTHING_TO_DO }
    const state = input.stateOf(part.index)
    return { part, plan: planRun({ ...state, snapshot: part.snapshot, results: part.results, environment }) }
  })
  for (const { part, plan } of parts) addPart(draft, part, plan)
  const over = record !== null && parts.every(({ plan }) => plan.done || plan.failure !== undefined)
  const first = parts.find(({ plan }) => plan.failure !== undefined)?.plan.failure
  const empty = over && !parts.some(({ plan }) => plan.done && plan !== NOTHING_TO_DO)
  if (empty)
    draft.failure ??= first ?? { code: 'NO_CLIPS', message: 'No part of the recording was asked for.' }
  return {
    ready: draft.failure === null ? draft.ready : [],
    makeClips: parts.some(({ plan }) => plan.makeClips),
    done: over && draft.failure === null,
    ...(draft.failure === null ? {} : { failure: draft.failure }),
    status: 'Processing',
    slots: draft.slots,
    // As for a source that is not there yet; of chunks, nobody knows how many come.
    expectedClips: parts.length === 0 ? 5 : 0,
    warnings: draft.warnings,
    parts,
  }
}

const NOTHING_TO_DO: RunPlan = {
  ready: [],
  makeClips: false,
  done: true,
  status: 'Learning',
  slots: [],
  expectedClips: 0,
  warnings: [],
}

const SHOWN: RunPlan = { ...NOTHING_TO_DO }

/** Nobody wants to learn after hours of recording that a model was missing. */
function refuseEarly({ snapshot, environment }: StreamInput): Failure | null {
  if (environment.speech.state !== 'missing') return null
  const settings = findClipsSettings(snapshot.nodes, snapshot.keywords)
  if (!wordsAreNeeded(settings, snapshot)) return null
  return { code: 'MODEL_NOT_INSTALLED', message: environment.speech.message }
}

/** A chunk's failure is its own, as long as others may still have clips. */
function addPart(draft: Draft, { index }: RunPart, plan: RunPlan): void {
  const about = index === null ? '' : `Part ${index + 1} of the recording: `
  draft.slots.push(...plan.slots.map(({ slot, stage }) => ({ slot: slotIn(index, slot), stage })))
  // Without saying where: most are true of every chunk, and said once.
  draft.warnings.push(...plan.warnings)
  const { failure } = plan
  if (failure === undefined)
    draft.ready.push(...plan.ready.map((item) => ({ ...item, slot: slotIn(index, item.slot) })))
  else if (index === null || FATAL.has(failure.code)) draft.failure ??= failure
  else draft.warnings.push(`${about}there are no clips of it. ${failure.message}`)
}

function recordInvocation({ snapshot, environment, results }: StreamInput): StageInvocation & {
  stage: 'record'
  params: ParamsOf<Stages['record']>
} {
  const keyed = snapshot.source.kind === 'url' ? snapshot.source.url : ''
  const url = withUserInfo(keyed, environment.access ?? null)
  const { addresses, maxSourceBytes: maxBytes, minFreeBytes, idleTimeoutSeconds, streams } = environment
  return {
    slot: RECORD_SLOT,
    stage: 'record',
    inputs: {},
    params: {
      url,
      addresses,
      maxBytes,
      minFreeBytes,
      idleTimeoutSeconds,
      ...streams,
      done: chunksOf(results),
    },
    // Limits, and what is there already, may differ at the next attempt; it is still the same recording.
    keyParams: { url: keyed },
  }
}

/** How far it is, and what it is doing; `note`: what the recording says of itself. */
export function describeStream(
  plan: StreamPlan,
  results: SlotResults,
  fractions: ReadonlyMap<string, number>,
  note: string,
): { progress: number; label: string } {
  const { progress, label } = describeProgress(plan, results, fractions)
  if (results.has(RECORD_SLOT)) return { progress, label }
  if (!note.startsWith(RECORDING_NOTE)) return { progress, label: note === '' ? label : note }
  // Nobody knows how much is still to come; the bar is the recording's own.
  const recorded = fractions.get(RECORD_SLOT) ?? 0
  return { progress: Math.min(recorded, 0.9), label: note }
}
