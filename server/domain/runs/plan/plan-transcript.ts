/**
 * PURE: the source of a run's words: a caption track in the video, a caption file next to it, or a speech model; and
 * their speakers.
 */
import { ticksToSeconds } from '../../../contract/time.ts'
import { digestOf } from '../../../../workers/artefacts.ts'
import { inputsHeardAhead, isHearingAhead } from './plan-ahead.ts'
import { captionTracks, type Track } from './caption-tracks.ts'
import type { EarlierVoices, PlanContext, PlannedAudio, PlannedSource } from './plan-input.ts'
import { usesDetections, VOICE_SLOT, voiceInvocation } from './plan-detections.ts'
import { artefactInput, failPlan, planFallbackStage, planStage, type SlotResults } from './plan-draft.ts'
import type { Stages } from '../../../../workers/stages/catalog.ts'
import type { OutputOf } from '../../../../workers/stages/declare.ts'

/**
 * An embedded track with fewer words a minute holds only labels, not a transcript: people say 120 to 160 words a minute,
 * and in scripts without spaces each of the 10 to 20 clauses of a minute counts as a word.
 */
const MIN_WORDS_PER_MINUTE = 6

/** A transcript with what decides whether it is used. */
interface MeasuredTranscript extends TranscriptSource {
  readonly words: number
  /** Added to the run's warnings when this transcript is used although it may differ from the speech. */
  readonly warning: string
}

type Settings = Pick<PlanContext, 'snapshot' | 'settings'>

/** Whether a run without words fails. */
export function needsWords(context: Settings): boolean {
  return !worksWithoutWords(context) && !usesDetections(context)
}

/** Whether every clip is given by the caller, so that words decide nothing. */
function worksWithoutWords(context: Settings): boolean {
  const { settings } = context
  return (
    settings.wholeSource ||
    (settings.pinnedOnly && settings.pinnedMode === 'ranges' && settings.pinned.length > 0)
  )
}

/** The stage that has the words; null: the run continues without any; `waiting`: not yet, or the plan has failed. */
export function planTranscript(
  context: PlanContext,
  source: PlannedSource,
  audio: PlannedAudio,
): TranscriptSource | null | 'waiting' {
  let fallback: MeasuredTranscript | null = null
  /** Undefined: not requested yet. */
  let speech: MeasuredTranscript | null | undefined
  for (const [index, { track, doubt }] of captionTracks(source.facts, source.ingest.output).entries()) {
    const slot = index === 0 ? 'captions' : `captions:${index + 1}`
    // Captions that were read before a speech model was installed stay in use.
    const mayUseSpeech = context.results.has('speech') || !context.results.has(slot)
    if (doubt !== null && speech === undefined && mayUseSpeech) {
      const result = planSpeechInstead(context, audio)
      if (result === 'waiting') return 'waiting'
      speech = result
      if (speech !== null && speech.words > (fallback?.words ?? 0)) return speech
    }
    const result = planCaptions(context, source, audio, { slot, track })
    if (result === 'waiting') return 'waiting'
    if (result === null || result.words <= (fallback?.words ?? 0)) continue
    const transcript = { ...result, warning: describeDoubt(source, track, result.words, doubt) }
    if (!isSparse(source, track, result.words)) {
      if (doubt !== null) context.warnings.push(transcript.warning)
      return transcript
    }
    fallback = transcript
  }
  if (fallback === null) return planSpeech(context, source, audio)
  if (speech === undefined) {
    const result = planSpeechInstead(context, audio)
    if (result === 'waiting') return 'waiting'
    speech = result
  }
  // Must decide as wordsOfRun does, which reads the words of a finished run: the transcript with the most words.
  if (speech !== null && speech.words > fallback.words) return speech
  context.warnings.push(fallback.warning)
  return fallback
}

function describeTrack(track: Track): string {
  return track.kind === 'embedded' ? 'The caption track in the video' : 'The caption file beside the video'
}

function isSparse(source: PlannedSource, track: Track, words: number): boolean {
  const minutes = ticksToSeconds(source.facts.duration) / 60
  return track.kind === 'embedded' && words < MIN_WORDS_PER_MINUTE * minutes
}

function describeDoubt(source: PlannedSource, track: Track, words: number, doubt: string | null): string {
  const minutes = (ticksToSeconds(source.facts.duration) / 60).toFixed(1)
  const reason = isSparse(source, track, words)
    ? `has only ${words} words in ${minutes} minutes`
    : (doubt ?? 'has fewer words than another')
  return `${describeTrack(track)} ${reason}; it was used, because there is nothing better: the words of the clips may not be what is said in them.`
}

/** Reads one caption track; null when it cannot be used. */
function planCaptions(
  context: PlanContext,
  source: PlannedSource,
  audio: PlannedAudio,
  { slot, track }: { slot: string; track: Track },
): (TranscriptSource & { words: number }) | null | 'waiting' {
  const { facts, ingest, input } = source
  const sidecar =
    track.kind === 'sidecar'
      ? ingest.output.sidecars.find((candidate) => candidate.file === track.file)
      : undefined
  const invocation = {
    slot,
    stage: 'captions' as const,
    params: { track, durationSeconds: ticksToSeconds(facts.duration) },
    inputs: {
      source: input,
      ...(audio === null ? {} : { audio: artefactInput('audio', audio.key) }),
      // Every run has an ingest result of its own; only the sidecar that is read from it is part of the content key.
      ...(sidecar === undefined
        ? {}
        : { ingest: { ...artefactInput('ingest', ingest.key), identity: digestOf(sidecar) } }),
    },
  }
  const result = planStage(context, invocation, `${describeTrack(track)} could not be used.`)
  if (context.failure !== null || !context.results.has(slot)) return 'waiting'
  if (result === null) return null
  const { key, output } = result
  if (output.wordCount > 0) return { stage: 'captions', key, words: output.wordCount }
  context.warnings.push(`${describeTrack(track)} has no words in it and was not used.`)
  return null
}

/** Transcribes where captions are in doubt; null when no model is installed, or no words were found. */
function planSpeechInstead(context: PlanContext, audio: PlannedAudio): MeasuredTranscript | null | 'waiting' {
  const { speech } = context.environment
  if (audio === null || audio.output.silent) return null
  // Clips that were chosen by the captions stay as they are when a model is installed afterwards.
  const captionsAreChosen = context.results.has('find-clips') || context.results.has(SPEAKERS_SLOT)
  const available = (speech.state === 'installed' || speech.state === 'server') && !captionsAreChosen
  if (!available && !context.results.has('speech')) return null
  const model = speech.state === 'installed' ? (speech.model ?? '') : ''
  const warning = 'The sound could not be transcribed.'
  if (!hasWordsBeforeVoices(context)) {
    const voice = planFallbackStage(context, voiceInvocation(audio.key), warning)
    if (voice === null || voice === 'waiting') return voice
  }
  const invocation = speechInvocation(context, audio.key, model)
  const result = planFallbackStage(context, invocation, warning)
  if (result === null || result === 'waiting') return result
  return { stage: 'speech', key: result.key, words: result.output.wordCount, warning: '' }
}

/** Whether the words are a result of a version in which the stage looked for voices itself. */
const hasWordsBeforeVoices = ({ results }: PlanContext): boolean =>
  results.has('speech') && !results.has(VOICE_SLOT)

/** Call this when the voices are known. */
function speechInvocation(context: PlanContext, audioKey: string, model: string) {
  const { speech } = context.environment
  const { keywords, language = '' } = context.snapshot
  const params = { language: language.split('-')[0] ?? '', keywords, model }
  const invocation = {
    slot: 'speech',
    stage: 'speech' as const,
    params,
    inputs: {
      audio: artefactInput('audio', audioKey),
      voice: artefactInput('voice', context.results.get(VOICE_SLOT)?.key ?? ''),
      ...inputsHeardAhead(context),
    },
  }
  if (speech.state !== 'server') return invocation
  const { access } = speech
  return {
    ...invocation,
    params: { ...params, server: access },
    keyParams: { ...params, server: { address: access.address, model: access.model } },
    lane: 'network' as const,
    models: [],
  }
}

/** Transcribes a source without captions, and installs a model first where that is allowed. */
function planSpeech(
  context: PlanContext,
  source: PlannedSource,
  audio: PlannedAudio,
): TranscriptSource | null | 'waiting' {
  const { results } = context
  const { speech } = context.environment
  if (audio === null)
    return continueWithoutWords(
      context,
      source,
      'The video has no sound and no captions, so there are no words to work with.',
    )
  if (audio.output.silent)
    return continueWithoutWords(
      context,
      source,
      'The sound of the video is silent from beginning to end, and it has no captions.',
    )
  // Clips that were already chosen without words stay when a model is installed afterwards.
  if (usesDetections(context) && results.has('find-clips') && !results.has('speech'))
    return continueByDetections(
      context,
      source,
      'No speech model was installed when the clips were looked for.',
    )
  let model = speech.state === 'installed' ? (speech.model ?? '') : ''
  // Once the words are there, it no longer matters which model is installed.
  if (speech.state === 'missing' && !results.has('speech')) {
    if (usesDetections(context)) return continueByDetections(context, source, speech.message)
    failPlan(context, { code: 'MODEL_NOT_INSTALLED', message: speech.message })
    return 'waiting'
  }
  if (speech.state === 'downloadable') {
    model = speech.model
    const params = { model, targetFolder: speech.targetFolder }
    const invocation = { slot: 'install-model', stage: 'install-model' as const, params, inputs: {} }
    if (planStage(context, invocation) === null) return 'waiting'
  }
  if (!hasWordsBeforeVoices(context) && planStage(context, voiceInvocation(audio.key)) === null)
    return 'waiting'
  if (isHearingAhead(context)) return 'waiting'
  const result = planStage(context, speechInvocation(context, audio.key, model))
  if (result === null) return 'waiting'
  if (result.output.wordCount > 0) return { stage: 'speech', key: result.key }
  const message = 'No speech was found in the sound of the video.'
  return usesDetections(context)
    ? continueByDetections(context, source, message)
    : continueWithoutWords(context, source, message)
}

/** Continues a run that can do without words, with a warning; fails the plan of any other. */
function continueWithoutWords(context: PlanContext, source: PlannedSource, message: string): null {
  const { facts } = source
  if (worksWithoutWords(context)) context.warnings.push(`${message} The clips have no captions.`)
  else if (usesDetections(context) && facts.video !== null)
    context.warnings.push(`${message} The clips were chosen by their picture alone and have no captions.`)
  else failPlan(context, { code: 'NO_SPEECH', message })
  return null
}

function continueByDetections(context: PlanContext, source: PlannedSource, message: string): null {
  const { facts } = source
  context.warnings.push(
    `${message} The clips were chosen by their ${facts.video === null ? 'sound' : 'sound and picture'} alone and have no captions.`,
  )
  return null
}

export const SPEAKERS_SLOT = 'speakers'

/** The stage that a run reads its transcript from, and the content key of its result. */
export interface TranscriptSource {
  readonly stage: 'captions' | 'speech' | 'speakers'
  readonly key: string
}

/** The stage that has the words with their speakers; the given one where speakers cannot be detected. */
export function planSpeakers(
  context: PlanContext,
  transcript: TranscriptSource,
  audio: PlannedAudio,
): TranscriptSource | 'waiting' {
  // A stored result stays valid when the model is removed afterwards.
  const available = context.environment.speakers || context.results.has(SPEAKERS_SLOT)
  if (audio === null || audio.output.silent || !available) return transcript
  const { earlierVoices = null } = context
  // The speakers of a stream are numbered part by part.
  if (earlierVoices === 'waiting' && !context.results.has(SPEAKERS_SLOT)) return 'waiting'
  const inputs = {
    transcript: artefactInput(transcript.stage, transcript.key),
    audio: artefactInput('audio', audio.key),
    ...(earlierVoices === null || earlierVoices === 'waiting' ? {} : { voices: earlierVoices }),
  }
  const invocation = { slot: SPEAKERS_SLOT, stage: 'speakers' as const, params: { count: 0 }, inputs }
  const result = planFallbackStage(context, invocation, 'The speakers are not told apart.')
  if (result === 'waiting') return 'waiting'
  return result === null ? transcript : { stage: 'speakers', key: result.key }
}

/**
 * The voices of a stream for the part after this one: its own with those before it, those before it where it has none, or
 * `waiting` while its speakers may still be told apart. `ended`: nothing more is planned for it.
 */
export function voicesAfter(results: SlotResults, earlier: EarlierVoices, ended: boolean): EarlierVoices {
  const result = results.get(SPEAKERS_SLOT)
  const output = result?.state === 'finished' ? (result.output as OutputOf<Stages['speakers']>) : null
  if (output?.voicesFile !== undefined) return artefactInput('speakers', result?.key ?? '')
  return ended || result !== undefined || results.has('find-clips') ? earlier : 'waiting'
}

type WordsStage = 'captions' | 'speech' | 'speakers'

export interface WordsResult {
  readonly stage: WordsStage
  readonly key: string
  readonly output: OutputOf<Stages[WordsStage]>
}

/** The stage that has words in this slot of a plan. */
function wordsStage(slot: string): WordsStage | null {
  if (slot === SPEAKERS_SLOT) return 'speakers'
  if (slot === 'speech') return 'speech'
  return /^captions(:\d+)?$/.test(slot) ? 'captions' : null
}

/**
 * The words with speakers where there are any, else those of the captions or speech stage with the most words. The plan
 * decides the same way where captions are in doubt (plan-transcript.ts).
 */
export function wordsOfRun(results: SlotResults): WordsResult | null {
  let most: WordsResult | null = null
  for (const [slot, result] of results) {
    const stage = wordsStage(slot)
    if (stage === null || result.state !== 'finished') continue
    const output = result.output as WordsResult['output']
    if (output.wordCount === 0) continue
    if (stage === 'speakers') return { stage, key: result.key, output }
    if (most === null || output.wordCount > most.output.wordCount) most = { stage, key: result.key, output }
  }
  return most
}
