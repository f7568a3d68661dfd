/** PURE: where a run's words come from: a caption track inside the source, a file beside it, or a speech model. */
import type { FindClipsSettings } from '../contract/clip-candidate.ts'
import type { RunSnapshot } from '../contract/run.ts'
import type { SourceFacts } from '../contract/source-facts.ts'
import { ticksToSeconds } from '../contract/time.ts'
import { digestOf } from '../../workers/artefacts.ts'
import type { Stages } from '../../workers/stages/catalog.ts'
import type { OutputOf, ParamsOf } from '../../workers/stages/declare.ts'
import { artefactInput, fail, need, type Draft, type PlannedInput } from './plan-draft.ts'
import type { PlanEnvironment } from './plan-run.ts'
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

export interface TranscriptSource {
  readonly stage: 'captions' | 'speech' | 'speakers'
  readonly key: string
}

type Track = ParamsOf<Stages['captions']>['track']

/** Tracks that are text; pictures of text (DVD, Blu-ray, DVB) would need reading by eye. */
const TEXT_CODECS: ReadonlySet<string> = new Set([
  'subrip',
  'srt',
  'ass',
  'ssa',
  'mov_text',
  'webvtt',
  'text',
  'subviewer',
  'microdvd',
])

/** Whether two language tags name the same language: `en`, `eng` and `en-GB` do. */
function sameLanguage(a: string, b: string): boolean {
  const primary = (tag: string) => tag.toLowerCase().split(/[-_]/)[0] ?? ''
  const [x, y] = [primary(a), primary(b)]
  return x !== '' && y !== '' && x !== 'und' && (x === y || x.slice(0, 2) === y.slice(0, 2))
}

/** Caption tracks of a source, best first: embedded before beside it, the sound's language before others. */
export function captionTracks(facts: SourceFacts, ingest: OutputOf<Stages['ingest']>): Track[] {
  const spoken = facts.audio?.language ?? ''
  const inSpokenLanguage = (language: string) => Number(sameLanguage(language, spoken))
  const partial = (title: string) => Number(/forced|signs|songs|commentary/i.test(title))
  const embedded = facts.captions
    .filter((track) => TEXT_CODECS.has(track.codec))
    .toSorted(
      (a, b) =>
        partial(a.title) - partial(b.title) ||
        inSpokenLanguage(b.language) - inSpokenLanguage(a.language) ||
        a.streamIndex - b.streamIndex,
    )
    .map((track): Track => ({ kind: 'embedded', streamIndex: track.streamIndex, language: track.language }))
  const beside = ingest.sidecars
    .toSorted(
      (a, b) => inSpokenLanguage(b.language) - inSpokenLanguage(a.language) || (a.file < b.file ? -1 : 1),
    )
    .map(({ file, format, language }): Track => ({ kind: 'sidecar', file, format, language }))
  return [...embedded, ...beside]
}

/** Whether this run can do without words: every clip is given by the caller. */
function worksWithoutWords(settings: FindClipsSettings): boolean {
  return (
    settings.wholeSource ||
    (settings.pinnedOnly && settings.pinnedMode === 'ranges' && settings.pinned.length > 0)
  )
}

/** The stage that has the words; null: the run goes on without any; `waiting`: not yet, or the draft has a failure. */
export function planTranscript(draft: Draft, input: TranscriptInput): TranscriptSource | null | 'waiting' {
  const tracks = captionTracks(input.facts, input.ingest.output)
  for (const [index, track] of tracks.entries()) {
    const slot = index === 0 ? 'captions' : `captions:${index + 1}`
    const where =
      track.kind === 'embedded' ? 'The caption track in the video' : 'The caption file beside the video'
    const result = need(draft, captionsInvocation(slot, track, input), `${where} could not be used.`)
    if (result !== null && result.output.wordCount > 0) return { stage: 'captions', key: result.key }
    if (draft.failure !== null || !draft.results.has(slot)) return 'waiting'
    if (result !== null) draft.warnings.push(`${where} has no words in it and was not used.`)
  }
  return planSpeech(draft, input)
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
  const speech = need(draft, {
    slot: 'speech',
    stage: 'speech',
    params: { language: '', keywords: snapshot.keywords, model },
    inputs: { audio: artefactInput('audio', audio.key) },
  })
  if (speech === null) return 'waiting'
  if (speech.output.wordCount === 0) {
    const message = 'No speech was found in the sound of the video.'
    return senses ? bySound(message) : noWords(message)
  }
  return { stage: 'speech', key: speech.key }
}
