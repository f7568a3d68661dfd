/** PURE: which captions of a source are tried for its words, in which order, and what speaks against them. */
import { languageTag } from '../../../contract/language-tag.ts'
import type { SourceFacts } from '../../../contract/source-facts.ts'
import type { Stages } from '../../../../workers/stages/catalog.ts'
import type { OutputOf, ParamsOf } from '../../../../workers/stages/declare.ts'

export type Track = ParamsOf<Stages['captions']>['track']

export interface CaptionChoice {
  readonly track: Track
  /** Why it may not be what is said: a sentence that goes on after the track's name; null: nothing speaks against it. */
  readonly doubt: string | null
}

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

/** Written for parts of what is said, or for another sound; makers of files say so in the title at best. */
const PARTIAL = /forced|signs|songs|commentary/i
/** Tags that name no one language: several, none that has a code, no speech. */
const NO_LANGUAGE: ReadonlySet<string> = new Set(['und', 'mul', 'mis', 'zxx'])
/** Spoken forms whose captions are tagged as the written language. */
const WRITTEN_AS: Readonly<Record<string, string>> = { nb: 'no', nn: 'no', yue: 'zh' }

/** `en` of `eng` and `en-GB`; null where nothing is known. */
function primaryLanguage(said: string): string | null {
  const primary = languageTag(said)?.split('-')[0] ?? 'und'
  return NO_LANGUAGE.has(primary) ? null : (WRITTEN_AS[primary] ?? primary)
}

const ENGLISH_NAMES = new Intl.DisplayNames(['en'], { type: 'language' })

/** Whether both languages are known and differ. */
function differ(a: string | null, b: string | null): boolean {
  return a !== null && b !== null && a !== b
}

/**
 * Caption tracks of a source, best first: those in another language than the sound after all others, embedded before
 * beside it. Forced tracks are left out: they hold only what the viewer would not understand.
 */
export function captionTracks(facts: SourceFacts, ingest: OutputOf<Stages['ingest']>): CaptionChoice[] {
  const spoken = primaryLanguage(facts.audio?.language ?? '')
  const inSpokenLanguage = (language: string) =>
    Number(spoken !== null && primaryLanguage(language) === spoken)
  const partial = (title: string) => Number(PARTIAL.test(title))
  const doubtOf = (language: string, title = ''): string | null => {
    const written = primaryLanguage(language)
    if (differ(written, spoken) && written !== null && spoken !== null)
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
  const beside = ingest.sidecars
    .toSorted(
      (a, b) => inSpokenLanguage(b.language) - inSpokenLanguage(a.language) || (a.file < b.file ? -1 : 1),
    )
    .map(({ file, format, language }) => ({
      track: { kind: 'sidecar' as const, file, format, language },
      doubt: doubtOf(language),
    }))
  return [...embedded, ...beside].toSorted((a, b) => Number(a.doubt !== null) - Number(b.doubt !== null))
}
