/** PURE: where a run's words come from: a caption track inside the source, a file beside it, or a speech model. */
import type { FindClipsSettings } from '../../../contract/clip-candidate.ts'
import type { RunSnapshot } from '../../../contract/run.ts'
import type { SourceFacts } from '../../../contract/source-facts.ts'
import { ticksToSeconds } from '../../../contract/time.ts'
import { digestOf } from '../../../../workers/artefacts.ts'
import type { Stages } from '../../../../workers/stages/catalog.ts'
import type { OutputOf } from '../../../../workers/stages/declare.ts'
import { captionTracks, type Track } from './caption-tracks.ts'
import {
  artefactInput,
  fail,
  need,
  type Draft,
  type PlannedInput,
  type TranscriptSource,
} from './plan-draft.ts'
import type { PlanEnvironment } from './plan-input.ts'
import { SPEAKERS_SLOT } from './plan-speakers.ts'
import { usesSenses } from './plan-sounds.ts'

export interface TranscriptInput {
  readonly facts: SourceFacts
  readonly ingest: { readonly output: OutputOf<Stages['ingest']>; readonly key: string }
  readonly audio: { readonly output: OutputOf<Stages['audio']>; readonly key: string } | null
  readonly source: PlannedInput
  readonly settings: FindClipsSettings
  readonly snapshot: RunSnapshot
  readonly environment: PlanEnvironment
}

/**
 * Embedded captions with fewer words a minute are no transcript but a label here and there: people say 120 to 160 words
 * a minute, and where no spaces are written a caption's 10 to 20 clauses count as words.
 */
const FEWEST_WORDS_A_MINUTE = 6

/** Whether this run can do without words: every clip is given by the caller. */
function worksWithoutWords(settings: FindClipsSettings): boolean {
  return (
    settings.wholeSource ||
    (settings.pinnedOnly && settings.pinnedMode === 'ranges' && settings.pinned.length > 0)
  )
}

interface Found extends TranscriptSource {
  readonly words: number
  /** What the run says when it makes do with these. */
  readonly warning: string
}

/** The stage that has the words; null: the run goes on without any; `waiting`: not yet, or the draft has a failure. */
export function planTranscript(draft: Draft, input: TranscriptInput): TranscriptSource | null | 'waiting' {
  const minutes = ticksToSeconds(input.facts.duration) / 60
  let spare: Found | null = null
  /** Undefined: not yet. */
  let listened: Found | null | undefined
  for (const [index, { track, doubt }] of captionTracks(input.facts, input.ingest.output).entries()) {
    const slot = index === 0 ? 'captions' : `captions:${index + 1}`
    const where =
      track.kind === 'embedded' ? 'The caption track in the video' : 'The caption file beside the video'
    // Read already, before a model was installed: what was read stands.
    const open = draft.results.has('speech') || !draft.results.has(slot)
    if (doubt !== null && listened === undefined && open) {
      const heard = hearInstead(draft, input)
      if (heard === 'waiting') return 'waiting'
      listened = heard
      if (heard !== null && heard.words > (spare?.words ?? 0)) return heard
    }
    const result = need(draft, captionsInvocation(slot, track, input), `${where} could not be used.`)
    if (draft.failure !== null || !draft.results.has(slot)) return 'waiting'
    if (result === null) continue
    const words = result.output.wordCount
    if (words === 0) {
      draft.warnings.push(`${where} has no words in it and was not used.`)
      continue
    }
    const sparse = track.kind === 'embedded' && words < FEWEST_WORDS_A_MINUTE * minutes
    const but = sparse
      ? `has only ${words} words in ${minutes.toFixed(1)} minutes`
      : (doubt ?? 'has fewer words than another')
    const found: Found = {
      stage: 'captions',
      key: result.key,
      words,
      warning: `${where} ${but}; it was used, because there is nothing better: the words of the clips may not be what is said in them.`,
    }
    const most = words > (spare?.words ?? 0)
    if (most && !sparse) {
      if (doubt !== null) draft.warnings.push(found.warning)
      return found
    }
    if (most) spare = found
  }
  if (spare === null) return planSpeech(draft, input)
  const heard = listened === undefined ? hearInstead(draft, input) : listened
  if (heard === 'waiting') return 'waiting'
  // Whoever reads the words of a finished run takes the most there are, as here.
  if (heard !== null && heard.words > spare.words) return heard
  draft.warnings.push(spare.warning)
  return spare
}

/** Words from the sound where captions are in doubt: null when no model is installed, or it heard nothing. */
function hearInstead(draft: Draft, input: TranscriptInput): Found | null | 'waiting' {
  const { audio, environment } = input
  if (audio === null || audio.output.silent) return null
  // Chosen by the captions already, and a model was installed meanwhile: what was chosen stands.
  const chosen = draft.results.has('find-clips') || draft.results.has(SPEAKERS_SLOT)
  const installed = environment.speech.state === 'installed' && !chosen
  if (!installed && !draft.results.has('speech')) return null
  const model = environment.speech.state === 'installed' ? (environment.speech.model ?? '') : ''
  const speech = need(draft, speechInvocation(input, audio.key, model), 'The sound could not be transcribed.')
  if (speech === null) return draft.failure !== null || !draft.results.has('speech') ? 'waiting' : null
  return { stage: 'speech', key: speech.key, words: speech.output.wordCount, warning: '' }
}

function speechInvocation({ snapshot }: TranscriptInput, audioKey: string, model: string) {
  return {
    slot: 'speech',
    stage: 'speech' as const,
    params: { language: '', keywords: snapshot.keywords, model },
    inputs: { audio: artefactInput('audio', audioKey) },
  }
}

function captionsInvocation(slot: string, track: Track, input: TranscriptInput) {
  const { facts, ingest, audio, source } = input
  const sidecar =
    track.kind === 'sidecar'
      ? ingest.output.sidecars.find((candidate) => candidate.file === track.file)
      : undefined
  return {
    slot,
    stage: 'captions' as const,
    params: { track, durationSeconds: ticksToSeconds(facts.duration) },
    inputs: {
      source,
      ...(audio === null ? {} : { audio: artefactInput('audio', audio.key) }),
      // The ingest result has a key of its own in every run; what is read from it is the sidecar, so that is what counts.
      ...(sidecar === undefined
        ? {}
        : { ingest: { ...artefactInput('ingest', ingest.key), identity: digestOf(sidecar) } }),
    },
  }
}

/** Whether the run can only fail where there are no words. */
export function wordsAreNeeded(settings: FindClipsSettings, snapshot: RunSnapshot): boolean {
  return !worksWithoutWords(settings) && !usesSenses(snapshot, settings)
}

function planSpeech(draft: Draft, input: TranscriptInput): TranscriptSource | null | 'waiting' {
  const { audio, environment, facts, settings, snapshot } = input
  const senses = usesSenses(snapshot, settings)
  const noWords = (message: string): null => {
    if (worksWithoutWords(settings)) draft.warnings.push(`${message} The clips have no captions.`)
    else if (senses && facts.video !== null)
      draft.warnings.push(`${message} The clips were chosen by their picture alone and have no captions.`)
    else fail(draft, { code: 'NO_SPEECH', message })
    return null
  }
  const bySound = (message: string): null => {
    const by = facts.video === null ? 'sound' : 'sound and picture'
    draft.warnings.push(`${message} The clips were chosen by their ${by} alone and have no captions.`)
    return null
  }
  if (audio === null)
    return noWords('The video has no sound and no captions, so there are no words to work with.')
  if (audio.output.silent)
    return noWords('The sound of the video is silent from beginning to end, and it has no captions.')
  // Chosen without words already, and a model was installed meanwhile: what was chosen stands.
  if (senses && draft.results.has('find-clips') && !draft.results.has('speech'))
    return bySound('No speech model was installed when the clips were looked for.')
  let model = environment.speech.state === 'installed' ? (environment.speech.model ?? '') : ''
  if (environment.speech.state === 'missing') {
    // Decided by the result, not by the folder: once the words are there it no longer matters what is installed.
    if (!draft.results.has('speech')) {
      if (senses) return bySound(environment.speech.message)
      fail(draft, { code: 'MODEL_NOT_INSTALLED', message: environment.speech.message })
      return 'waiting'
    }
  } else if (environment.speech.state === 'downloadable') {
    const { model: name, targetFolder } = environment.speech
    const params = { model: name, targetFolder }
    if (need(draft, { slot: 'install-model', stage: 'install-model', params, inputs: {} }) === null)
      return 'waiting'
    model = name
  }
  const speech = need(draft, speechInvocation(input, audio.key, model))
  if (speech === null) return 'waiting'
  if (speech.output.wordCount === 0) {
    const message = 'No speech was found in the sound of the video.'
    return senses ? bySound(message) : noWords(message)
  }
  return { stage: 'speech', key: speech.key }
}
