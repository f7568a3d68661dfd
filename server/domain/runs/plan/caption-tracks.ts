/** PURE: which captions of a source are tried for its words, in which order, and why they may be wrong. */
import { languageTag } from '../../../contract/transcript.ts'
import type { SourceFacts } from '../../../contract/source-facts.ts'
import type { Stages } from '../../../../workers/stages/catalog.ts'
import type { OutputOf, ParamsOf } from '../../../../workers/stages/declare.ts'

export type Track = ParamsOf<Stages['captions']>['track']

export interface CaptionChoice {
  readonly track: Track
  /** Why it may differ from the speech, as the rest of a sentence after the track's name; null: no reason is known. */
  readonly doubt: string | null
}

/** Codecs of text tracks. DVD, Blu-ray and DVB subtitles are pictures and would need text recognition. */
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

/** Titles of tracks that caption only part of the speech, or another sound track; no other field shows that. */
const PARTIAL = /forced|signs|songs|commentary/i
/** Tags that name no single language: undetermined, several, one without a code, no speech. */
const NO_LANGUAGE: ReadonlySet<string> = new Set(['und', 'mul', 'mis', 'zxx'])
/** Spoken languages whose captions are tagged with the written language. */
const WRITTEN_LANGUAGE: Readonly<Record<string, string>> = { nb: 'no', nn: 'no', yue: 'zh' }

/** `en` for `eng` and `en-GB`; null when the language is unknown. */
function primaryLanguage(tag: string): string | null {
  const primary = languageTag(tag)?.split('-')[0] ?? 'und'
  return NO_LANGUAGE.has(primary) ? null : (WRITTEN_LANGUAGE[primary] ?? primary)
}

const ENGLISH_NAMES = new Intl.DisplayNames(['en'], { type: 'language' })

/**
 * Caption tracks of a source, best first: a file that a person gave, then embedded tracks before files beside the source,
 * those in another language than the sound last. Forced tracks are left out: they translate only the passages in a foreign language.
 */
export function captionTracks(facts: SourceFacts, ingest: OutputOf<Stages['ingest']>): CaptionChoice[] {
  const spoken = primaryLanguage(facts.audio?.language ?? '')
  const inSpokenLanguage = (language: string) =>
    Number(spoken !== null && primaryLanguage(language) === spoken)
  const partial = (title: string) => Number(PARTIAL.test(title))
  const doubtOf = (language: string, title = ''): string | null => {
    const written = primaryLanguage(language)
    if (written !== null && spoken !== null && written !== spoken)
      return `is in ${ENGLISH_NAMES.of(written) ?? written} and the sound in ${ENGLISH_NAMES.of(spoken) ?? spoken}`
    return partial(title) === 1 ? `is called “${title}”, so it may hold only part of what is said` : null
  }
  const embedded = facts.captions
    .filter((track) => TEXT_CODECS.has(track.codec) && track.forced !== true)
    .toSorted(
      (a, b) =>
        partial(a.title) - partial(b.title) ||
        inSpokenLanguage(b.language) - inSpokenLanguage(a.language) ||
        a.streamIndex - b.streamIndex,
    )
    .map(({ streamIndex, language, title }) => ({
      track: { kind: 'embedded' as const, streamIndex, language },
      doubt: doubtOf(language, title),
    }))
  const sidecars = ingest.sidecars
    .toSorted(
      (a, b) => inSpokenLanguage(b.language) - inSpokenLanguage(a.language) || (a.file < b.file ? -1 : 1),
    )
    .map(({ file, format, language, given }) => ({
      track: { kind: 'sidecar' as const, file, format, language },
      doubt: given === true ? null : doubtOf(language),
      given: given === true,
    }))
  const beside = [...embedded, ...sidecars.filter(({ given }) => !given)]
  return [
    ...sidecars.filter(({ given }) => given),
    ...beside.toSorted((a, b) => Number(a.doubt !== null) - Number(b.doubt !== null)),
  ].map(({ track, doubt }) => ({ track, doubt }))
}
