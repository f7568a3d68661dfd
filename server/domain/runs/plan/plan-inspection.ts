/**
 * PURE: what an inspection does next: the stages that a run would use for the parts that are requested, over the whole
 * source, and nothing that is rendered.
 */
import type { ClipCandidate } from '../../../contract/clip-candidate.ts'
import { ticksToSeconds } from '../../../contract/time.ts'
import { findClipsSettings } from '../../../nodes/index.ts'
import { planActiveSpeaker } from './plan-active-speaker.ts'
import { planFacesIn, planPictureDetection, planSoundDetection, voiceInvocation } from './plan-detections.ts'
import {
  artefactInput,
  CODES_WITHOUT_FALLBACK,
  failPlan,
  planFallbackStage,
  planStage,
} from './plan-draft.ts'
import type { PlanContext, PlanInput, PlannedAudio, PlannedSource } from './plan-input.ts'
import { planAudio, planCandidates, planSource } from './plan-run.ts'
import { planTranscript, SPEAKERS_SLOT, type TranscriptSource } from './plan-transcript.ts'

export const INSPECTION_PARTS = [
  'voice',
  'speakers',
  'faces',
  'framing',
  'shots',
  'sounds',
  'words',
  'clips',
] as const
export type InspectionPart = (typeof INSPECTION_PARTS)[number]

export interface InspectionWishes {
  readonly parts: ReadonlySet<InspectionPart>
  /** The number of voices, where it is known; 0: as many as are found. */
  readonly speakers: number
}

export interface InspectionPlan extends Pick<PlanContext, 'ready' | 'slots' | 'warnings' | 'failure'> {
  /** Best first; null until they are found, or where they were not requested or cannot be found. */
  readonly candidates: readonly ClipCandidate[] | null
}

/** The stages that may start now, and what is known once none is left. */
export function planInspection(
  input: Pick<PlanInput, 'snapshot' | 'results' | 'environment'>,
  wishes: InspectionWishes,
): InspectionPlan {
  const context: PlanContext = {
    ...input,
    drafted: new Map(),
    made: new Map(),
    settled: new Set(),
    settings: findClipsSettings(input.snapshot.nodes, input.snapshot.keywords),
    ready: [],
    slots: [],
    warnings: [],
    failure: null,
  }
  const candidates = planParts(context, wishes)
  const { ready, slots, warnings, failure } = context
  return { ready: failure === null ? ready : [], slots, warnings, failure, candidates }
}

/** Parts do not wait for each other, except that clips need the words. */
function planParts(context: PlanContext, wishes: InspectionWishes): readonly ClipCandidate[] | null {
  const source = planSource(context)
  if (source === null) return null
  const audio = planAudio(context, source)
  if (audio === 'waiting') return null
  planPicture(context, source, audio, wishes)
  planSound(context, audio, wishes)
  const candidates = planSpeech(context, source, audio, wishes)
  // Voices are joined with faces, so they are waited for.
  const voicesEnded = !joinsVoices(context, wishes) || audio === null || context.results.has(SPEAKERS_SLOT)
  if (showsSpeaking(wishes) && voicesEnded) planActiveSpeaker(context, source, audio)
  return candidates
}

/** Whether a part shows who speaks; shots alone come from the faces as well, and do not. */
const showsSpeaking = ({ parts }: InspectionWishes): boolean => parts.has('faces') || parts.has('framing')

/** Whether who speaks is found with the voices, because faces are looked at and the models for both are installed. */
function joinsVoices({ environment }: PlanContext, wishes: InspectionWishes): boolean {
  const { faces, speakers, activeSpeaker } = environment
  return faces && speakers && activeSpeaker && showsSpeaking(wishes)
}

function planPicture(
  context: PlanContext,
  source: PlannedSource,
  audio: PlannedAudio,
  { parts }: InspectionWishes,
): void {
  const seen = (['faces', 'framing', 'shots'] as const).filter((part) => parts.has(part))
  if (seen.length === 0) return
  if (source.facts.video === null)
    context.warnings.push(`The source has no picture, so there is nothing to say of ${seen.join(' and ')}.`)
  else if (context.environment.faces || seen.some((part) => part !== 'shots'))
    planFacesIn(context, source, audio, [{ start: 0, end: ticksToSeconds(source.facts.duration) }])
  else planPictureDetection(context, source)
}

function planSound(context: PlanContext, audio: PlannedAudio, { parts }: InspectionWishes): void {
  const wanted = (['voice', 'sounds', 'speakers'] as const).filter((part) => parts.has(part))
  if (audio === null) {
    if (wanted.length > 0)
      context.warnings.push(`The source has no sound, so there is nothing to say of ${wanted.join(' and ')}.`)
    return
  }
  if (parts.has('voice')) planStage(context, voiceInvocation(audio.key))
  if (parts.has('sounds')) planSoundDetection(context, audio)
}

function planSpeech(
  context: PlanContext,
  source: PlannedSource,
  audio: PlannedAudio,
  { parts, speakers }: InspectionWishes,
): readonly ClipCandidate[] | null {
  const usesWords = parts.has('words') || parts.has('clips')
  const found = usesWords ? attempt(context, (own) => planTranscript(own, source, audio)) : null
  if (found === 'waiting') return null
  const transcript = planVoices(context, audio, found, { parts, speakers })
  if (transcript === 'waiting' || !parts.has('clips')) return null
  const inputs = {
    transcript: transcript === null ? null : artefactInput(transcript.stage, transcript.key),
    audio,
    detections: {},
  }
  const candidates = attempt(context, (own) => planCandidates(own, source, inputs))
  return candidates === 'waiting' ? null : candidates
}

/** The words with their speakers; the given ones where speakers cannot be found. Turns are found without words as well. */
function planVoices(
  context: PlanContext,
  audio: PlannedAudio,
  transcript: TranscriptSource | null,
  { parts, speakers }: InspectionWishes,
): TranscriptSource | null | 'waiting' {
  const isWanted = parts.has('speakers') || transcript !== null || joinsVoices(context, { parts, speakers })
  if (!isWanted || audio === null || audio.output.silent) return transcript
  if (!context.environment.speakers) {
    if (parts.has('speakers'))
      context.warnings.push(
        'No model for speakers is installed; install it with: cutroom models install pyannote-segmentation',
      )
    return transcript
  }
  const inputs = {
    ...(transcript === null ? {} : { transcript: artefactInput(transcript.stage, transcript.key) }),
    audio: artefactInput('audio', audio.key),
  }
  const result = planFallbackStage(
    context,
    { slot: SPEAKERS_SLOT, stage: 'speakers', params: { count: speakers }, inputs },
    'The speakers are not told apart.',
  )
  if (result === 'waiting') return 'waiting'
  return result === null || transcript === null ? transcript : { stage: 'speakers', key: result.key }
}

/** A part that fails becomes a warning and null, because the others are wanted all the same. */
function attempt<Result>(
  context: PlanContext,
  plan: (own: PlanContext) => Result | 'waiting',
): Result | null | 'waiting' {
  const own: PlanContext = { ...context }
  const result = plan(own)
  if (own.failure === null) return result
  if (CODES_WITHOUT_FALLBACK.has(own.failure.code)) {
    failPlan(context, own.failure)
    return 'waiting'
  }
  context.warnings.push(own.failure.message)
  return null
}
