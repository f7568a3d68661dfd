/**
 * PURE: the plan of a run that records a stream. The recording is one stage. Each chunk that it delivers goes through the
 * stages of an ordinary run in slots of its own, while the recording continues. A recording that was complete when it
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
import type { ClipStates, EarlierVoices, PlanEnvironment, RunPlan } from './plan-input.ts'
import {
  planStage,
  type Draft,
  type SlotResults,
  type StageInvocation,
  chunksOf,
  RECORD_SLOT,
  resultsOfChunk,
  slotIn,
} from './plan-draft.ts'
import { describeProgress, planRun } from './plan-run.ts'
import { needsWords, voicesAfter } from './plan-transcript.ts'
import { withUserInfo } from '../source-url.ts'

/** A source within a run: a chunk of the recording, or with index null the only source. */
export interface RunPart {
  readonly index: number | null
  readonly snapshot: RunSnapshot
  readonly results: SlotResults
  /** The chunk's place in the recording, stored in its clips; null for a source that is not a recording. */
  readonly chunk: ClipChunk | null
}

/** The state of a part that is not in the rows. */
export type PartState = ClipStates

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
  /** Whether the clips of a chunk are finished and listed, so that it needs no further stages. */
  readonly isShown: (index: number) => boolean
}

/** Failures that every other chunk would run into as well. */
const FATAL_CODES: ReadonlySet<string> = new Set(['DISK_FULL', 'STORE_UNAVAILABLE', 'CANCELLED'])

/** The parts of a run that records, as far as they are recorded. */
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

/** Pinned ranges are in seconds of the whole recording; a chunk gets those that overlap it, in its own seconds. */
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

/** Whether a chunk is skipped: only pinned ranges are requested, and none overlaps it. */
function isSkipped(run: RunSnapshot, part: RunPart): boolean {
  const runSettings = findClipsSettings(run.nodes, [])
  const partSettings = findClipsSettings(part.snapshot.nodes, [])
  const onlyPinned = runSettings.pinnedOnly || runSettings.pinnedMode === 'search_within'
  return (
    part.index !== null && onlyPinned && runSettings.pinned.length > 0 && partSettings.pinned.length === 0
  )
}

/** Decides the next steps of a run that records. */
export function planStream(input: StreamInput): StreamPlan {
  const { snapshot, results, environment } = input
  const draft: Draft = { results, ready: [], slots: [], warnings: [], failure: null }
  if (!results.has(RECORD_SLOT) && chunksOf(results).length === 0) draft.failure = checkBeforeRecording(input)
  const skipped = createFinishedPlan()
  const record = planStage(draft, recordInvocation(input))
  let earlierVoices: EarlierVoices = null
  const planPart = (part: RunPart): RunPlan => {
    if (part.index !== null && input.isShown(part.index)) return createFinishedPlan()
    if (isSkipped(snapshot, part)) return skipped
    const state = input.stateOf(part.index)
    const { snapshot: own, results: known } = part
    return planRun({ ...state, snapshot: own, results: known, environment, earlierVoices })
  }
  const parts = partsOfStream(input).map((part): PlannedPart => {
    const plan = planPart(part)
    const ended = plan.done || plan.failure !== undefined
    earlierVoices = voicesAfter(part.results, earlierVoices, ended)
    return { part, plan }
  })
  for (const { part, plan } of parts) addPart(draft, part, plan)
  const ended = record !== null && parts.every(({ plan }) => plan.done || plan.failure !== undefined)
  const first = parts.find(({ plan }) => plan.failure !== undefined)?.plan.failure
  const empty = ended && !parts.some(({ plan }) => plan.done && plan !== skipped)
  if (empty)
    draft.failure ??= first ?? { code: 'NO_CLIPS', message: 'No part of the recording was asked for.' }
  return {
    ready: draft.failure === null ? draft.ready : [],
    draftable: [],
    makeable: [],
    finished: [],
    done: ended && draft.failure === null,
    ...(draft.failure === null ? {} : { failure: draft.failure }),
    status: 'Processing',
    slots: draft.slots,
    // Before the first chunk as for any unknown source; afterwards the number of chunks to come is unknown.
    expectedClips: parts.length === 0 ? 5 : 0,
    warnings: draft.warnings,
    parts,
  }
}

/** The plan of a part for which nothing is left to do. */
function createFinishedPlan(): RunPlan {
  return {
    ready: [],
    draftable: [],
    makeable: [],
    finished: [],
    done: true,
    status: 'Learning',
    slots: [],
    expectedClips: 0,
    warnings: [],
  }
}

/** Reports a missing speech model before hours are recorded, not after. */
function checkBeforeRecording({ snapshot, environment }: StreamInput): Failure | null {
  if (environment.speech.state !== 'missing') return null
  const settings = findClipsSettings(snapshot.nodes, snapshot.keywords)
  if (!needsWords({ snapshot, settings })) return null
  return { code: 'MODEL_NOT_INSTALLED', message: environment.speech.message }
}

/** Adds a part's plan to the run's. The failure of one chunk is a warning, because others may still give clips. */
function addPart(draft: Draft, { index }: RunPart, plan: RunPlan): void {
  draft.slots.push(...plan.slots.map(({ slot, stage }) => ({ slot: slotIn(index, slot), stage })))
  // Without the chunk's number: most warnings are the same in every chunk, and equal ones are listed once.
  draft.warnings.push(...plan.warnings)
  const { failure } = plan
  if (failure === undefined)
    draft.ready.push(...plan.ready.map((item) => ({ ...item, slot: slotIn(index, item.slot) })))
  else if (index === null || FATAL_CODES.has(failure.code)) draft.failure ??= failure
  else draft.warnings.push(`Part ${index + 1} of the recording: there are no clips of it. ${failure.message}`)
}

function recordInvocation({
  snapshot,
  environment,
  results,
}: StreamInput): StageInvocation & { stage: 'record'; params: ParamsOf<Stages['record']> } {
  const sourceUrl = snapshot.source.kind === 'url' ? snapshot.source.url : ''
  const url = withUserInfo(sourceUrl, environment.access ?? null)
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
    // Limits and the recorded chunks may differ at the next attempt; it is still the same recording.
    keyParams: { url: sourceUrl },
  }
}

/** The progress of a run that records, 0 to 1, and what it is doing. `note`: the last progress note of the recording. */
export function describeStream(
  plan: StreamPlan,
  results: SlotResults,
  fractions: ReadonlyMap<string, number>,
  note: string,
): { progress: number; label: string } {
  const { progress, label } = describeProgress(plan, results, fractions)
  if (results.has(RECORD_SLOT)) return { progress, label }
  if (!note.startsWith(RECORDING_NOTE)) return { progress, label: note === '' ? label : note }
  // The number of chunks to come is unknown, so the bar shows the recording's own progress.
  const recorded = fractions.get(RECORD_SLOT) ?? 0
  return { progress: Math.min(recorded, 0.9), label: note }
}
