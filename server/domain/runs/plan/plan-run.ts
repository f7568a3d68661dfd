/**
 * PURE: what a run does next, decided only from its frozen snapshot and its finished stages. The same rows give the same
 * plan after any crash.
 */
import type { Failure } from '../../../contract/errors.ts'
import type { ClipCandidate } from '../../../contract/clip-candidate.ts'
import { manyChannels } from '../../../contract/source-facts.ts'
import { omitUndefined } from '../../../contract/omit-undefined.ts'
import { ticksToSeconds } from '../../../contract/time.ts'
import { findClipsSettings } from '../../../nodes/index.ts'
import { STAGES, type StageName, type Stages } from '../../../../workers/stages/catalog.ts'
import type { OutputOf, ParamsOf } from '../../../../workers/stages/declare.ts'
import { withUserInfo } from '../source-url.ts'
import { hearsAhead, planAhead } from './plan-ahead.ts'
import { planVoicesEarly } from './plan-active-speaker.ts'
import { planAssets } from './plan-assets.ts'
import { planBroll } from './plan-broll.ts'
import { planEachClip, type ClipSteps } from './plan-each-clip.ts'
import type { PlanContext, PlanInput, PlannedAudio, PlannedSource, RunPlan } from './plan-input.ts'
import { buildSensesParam, planDetections, planLogo } from './plan-detections.ts'
import { modelCandidates, planLanguageModel } from './plan-language-model.ts'
import { pickSettings } from './plan-picks.ts'
import {
  artefactInput,
  failPlan,
  planStage,
  sourceInput,
  type PlannedInput,
  type SlotResults,
  type StageInvocation,
} from './plan-draft.ts'
import { planSpeakers, type TranscriptSource, planTranscript } from './plan-transcript.ts'

/** Decides the next steps of a run. */
export function planRun(input: PlanInput): RunPlan {
  const context: PlanContext = {
    ...input,
    settings: pickSettings(findClipsSettings(input.snapshot.nodes, input.snapshot.keywords), input.pick),
    ready: [],
    slots: [],
    warnings: [],
    failure: null,
  }
  const steps = planSteps(context)
  const hasFailed = context.failure !== null
  const done = !hasFailed && steps?.areDone === true && context.ready.length === 0
  return {
    ready: hasFailed ? [] : context.ready,
    draftable: hasFailed ? [] : (steps?.draftable ?? []),
    makeable: hasFailed ? [] : (steps?.makeable ?? []),
    finished: steps?.finished ?? [],
    done,
    ...(context.failure === null ? {} : { failure: context.failure }),
    status: done ? 'Learning' : 'Processing',
    slots: context.slots,
    expectedClips: Math.max(1, Math.min(context.settings.maxClips, 5)),
    warnings: context.warnings,
  }
}

/**
 * Adds the stages of a run in order, up to the first whose result is needed and not there. The order is that of `slots`,
 * by which the progress bar and the run's page list them.
 */
function planSteps(context: PlanContext): ClipSteps | null {
  const source = planSource(context)
  if (source === null) return null
  const unusable = checkSource(context, source)
  if (unusable !== null) {
    failPlan(context, unusable)
    return null
  }
  // Files and the logo are fetched and searched for during everything else; only the clips wait for them.
  const assetsEnded = planAssets(context)
  const logoEnded = planLogo(context, source)
  const audio = planAudio(context, source)
  if (audio === 'waiting') return null
  planPeaks(context, audio)
  planVoicesEarly(context, source, audio)
  const detections = planDetections(context, source, audio)
  const transcript = planWords(context, source, audio)
  if (transcript === 'waiting' || detections === 'waiting') return null
  const candidates = planCandidates(context, source, { transcript, audio, detections })
  if (candidates === 'waiting') return null
  const brollEnded = planBroll(context, candidates)
  const isReady = assetsEnded && logoEnded && brollEnded
  return planEachClip(context, { source, audio, transcript, candidates, isReady })
}

/** Fetches and probes the source; null until that has happened. */
export function planSource(context: PlanContext): PlannedSource | null {
  const ingest = planStage(context, ingestInvocation(context))
  planAhead(context, ingest !== null)
  if (ingest === null) return null
  const input = sourceInput(ingest.output.digest)
  const probe = planStage(context, { slot: 'probe', stage: 'probe', params: {}, inputs: { source: input } })
  if (probe === null) return null
  const source = { input, facts: probe.output, ingest, probe }
  context.warnings.push(...source.facts.warnings)
  return source
}

/** Extracts the sound; null for a source without sound. */
export function planAudio(context: PlanContext, source: PlannedSource): PlannedAudio | 'waiting' {
  const { facts, input } = source
  if (facts.audio === null) return null
  const audio = planStage(context, {
    slot: 'audio',
    stage: 'audio',
    params: {
      streamIndex: facts.audio.streamIndex,
      durationSeconds: ticksToSeconds(facts.duration),
      ...manyChannels(facts.audio),
    },
    inputs: { source: input },
  })
  return audio ?? 'waiting'
}

/** The waveform's peaks. Nothing waits for them, and a run without a waveform is still complete. */
function planPeaks(context: PlanContext, audio: PlannedAudio): void {
  if (audio === null) return
  planStage(
    context,
    {
      slot: 'peaks',
      stage: 'peaks',
      params: { samplesPerPeak: SAMPLES_PER_PEAK },
      inputs: { audio: artefactInput('audio', audio.key) },
    },
    'There is no waveform.',
  )
}

/** The transcript as an input, with speakers where they can be detected; null when the run continues without words. */
function planWords(
  context: PlanContext,
  source: PlannedSource,
  audio: PlannedAudio,
): PlannedInput | null | 'waiting' {
  let transcript: TranscriptSource | null | 'waiting' = planTranscript(context, source, audio)
  if (transcript === 'waiting' || context.failure !== null) return 'waiting'
  if (transcript === null) return null
  transcript = planSpeakers(context, transcript, audio)
  return transcript === 'waiting' ? 'waiting' : artefactInput(transcript.stage, transcript.key)
}

export interface CandidateInputs {
  readonly transcript: PlannedInput | null
  readonly audio: PlannedAudio
  readonly detections: { readonly events?: PlannedInput; readonly picture?: PlannedInput }
}

/** Finds the candidates and has them judged; fails the plan where there are none. */
export function planCandidates(
  context: PlanContext,
  source: PlannedSource,
  { transcript, audio, detections }: CandidateInputs,
): readonly ClipCandidate[] | 'waiting' {
  const result = planStage(context, {
    slot: 'find-clips',
    stage: 'find-clips',
    params: {
      settings: context.settings,
      durationSeconds: ticksToSeconds(source.facts.duration),
      ...buildSensesParam(context, source),
    },
    inputs: {
      ...(transcript === null ? {} : { transcript }),
      ...(audio === null ? {} : { audio: artefactInput('audio', audio.key) }),
      ...detections,
    },
  })
  if (result === null) return 'waiting'
  const { candidates, summary, warnings } = result.output
  context.warnings.push(...warnings)
  if (candidates.length > 0)
    return planLanguageModel(context, candidates, {
      transcript,
      durationSeconds: ticksToSeconds(source.facts.duration),
    })
  failPlan(context, { code: 'NO_CLIPS', message: summary })
  return 'waiting'
}

/** 10 ms of sound at 16 kHz: fine enough to trim by, and 720 KB for an hour. */
const SAMPLES_PER_PEAK = 160

function ingestInvocation(
  context: PlanContext,
): StageInvocation & { stage: 'ingest'; params: ParamsOf<Stages['ingest']> } {
  const { snapshot, environment } = context
  const source =
    snapshot.source.kind === 'url'
      ? { kind: snapshot.source.kind, url: snapshot.source.url }
      : {
          kind: snapshot.source.kind,
          path: snapshot.source.path,
          ...omitUndefined({
            captions: snapshot.source.captions,
            captionsName: snapshot.source.captionsName,
          }),
        }
  const { addresses, idleTimeoutSeconds, totalTimeoutSeconds, known, pages, access = null } = environment
  return {
    slot: 'ingest',
    stage: 'ingest',
    params: {
      source: source.kind === 'url' ? { ...source, url: withUserInfo(source.url, access) } : source,
      addresses,
      maxBytes: environment.maxSourceBytes,
      minFreeBytes: environment.minFreeBytes,
      idleTimeoutSeconds,
      totalTimeoutSeconds,
      known,
      ...omitUndefined({ pages }),
      ...(hearsAhead(context) ? { hearAhead: true as const } : {}),
    },
    // Limits, credentials and the stored file may differ at the next attempt; it is still the same download.
    keyParams: { source },
    inputs: {},
  }
}

/** Why this workflow can make no clips of the source, judged by its facts; null where it can. */
function checkSource(context: PlanContext, source: PlannedSource): Failure | null {
  const { snapshot, settings } = context
  const { facts } = source
  const hasAudiogram = snapshot.nodes.some((node) => node.type === 'add_audiogram' && node.enabled)
  if (facts.video === null && !hasAudiogram)
    return {
      code: 'SOURCE_NOT_VIDEO',
      message:
        'The source has sound and no picture, and this workflow makes clips from a picture. Use a workflow with the node add_audiogram, such as “Audiogram”, which every company starts with: it draws the sound.',
    }
  const durationSeconds = ticksToSeconds(facts.duration)
  if (!settings.wholeSource && settings.pinned.length === 0 && durationSeconds < settings.minLength)
    return {
      code: 'VIDEO_TOO_SHORT',
      message: `The ${facts.video === null ? 'recording' : 'video'} is ${durationSeconds.toFixed(1)} s long, and the shortest clip asked for is ${settings.minLength} s.`,
      details: { durationSeconds, minLengthSeconds: settings.minLength },
    }
  return null
}

/** The candidates of a finished find-clips stage, as the language model left them where there is one. */
export function candidatesOf(results: SlotResults): readonly ClipCandidate[] {
  const judged = modelCandidates(results)
  if (judged !== null) return judged
  const result = results.get('find-clips')
  return result?.state === 'finished' ? (result.output as OutputOf<Stages['find-clips']>).candidates : []
}

/** Weight of one clip's stages, for clips that are only expected. */
const CLIP_WEIGHT =
  STAGES.cut.weight + STAGES.thumbnail.weight + STAGES['transcript-file'].weight + STAGES.render.weight
/** An estimate for the stages between ingest and the clips, before the source has been probed. */
const UNKNOWN_WEIGHT =
  STAGES.probe.weight +
  STAGES.audio.weight +
  STAGES.peaks.weight +
  STAGES.captions.weight +
  STAGES['find-clips'].weight

/** The progress of a run, 0 to 1, and what it is doing. `fractions`: progress of the running stages by slot. */
export function describeProgress(
  plan: RunPlan,
  results: SlotResults,
  fractions: ReadonlyMap<string, number>,
): { progress: number; label: string } {
  let done = 0
  let total = 0
  for (const { slot, stage } of plan.slots) {
    const { weight } = STAGES[stage]
    total += weight
    done += weight * (results.has(slot) ? 1 : Math.min(1, fractions.get(slot) ?? 0))
  }
  const clipsKnown = plan.slots.some(({ slot }) => slot.startsWith('clip:'))
  if (!clipsKnown) total += plan.expectedClips * CLIP_WEIGHT
  const knownWeight = plan.slots.reduce(
    (sum, { slot, stage }) => sum + (slot.startsWith('clip:') ? 0 : STAGES[stage].weight),
    0,
  )
  if (!clipsKnown) total += Math.max(0, STAGES.ingest.weight + UNKNOWN_WEIGHT - knownWeight)
  return {
    progress: plan.done ? 1 : Math.min(0.99, done / Math.max(1, total)),
    label: describeStage(plan, results),
  }
}

function describeStage(plan: RunPlan, results: SlotResults): string {
  const open = plan.slots.filter(({ slot }) => !results.has(slot))
  const heaviest = open.reduce<{ slot: string; stage: StageName } | null>(
    (best, item) => (best === null || STAGES[item.stage].weight > STAGES[best.stage].weight ? item : best),
    null,
  )
  if (heaviest === null) return ''
  const sameStage = plan.slots.filter(
    (item) => item.stage === heaviest.stage && item.slot.startsWith('clip:'),
  )
  if (sameStage.length < 2) return STAGES[heaviest.stage].label
  const finished = sameStage.filter(({ slot }) => results.has(slot)).length
  return `${STAGES[heaviest.stage].label} (${finished + 1} of ${sameStage.length})`
}
