/** Words in time: what speech and caption stages make and everything else reads. Times are source-video seconds. */
import { Type, type Static } from '@sinclair/typebox'
import { choice, closedObject } from './config-fields.ts'

export const TranscriptWord = closedObject({
  word: Type.String({ description: 'Text, punctuation included' }),
  start: Type.Number({ description: 'Seconds in the source' }),
  end: Type.Number({ description: 'Seconds in the source; never before start' }),
  speaker: Type.Optional(Type.Integer({ minimum: 0, description: '0-based speaker, when known' })),
  confidence: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  isDeleted: Type.Optional(Type.Boolean({ description: 'Removed from captions, kept in place' })),
  endsCue: Type.Optional(Type.Boolean({ description: 'Last word of a caption cue in the source captions' })),
})
export type TranscriptWord = Static<typeof TranscriptWord>

/** A sound such as "um" that is spoken between the words and is none of them. */
export const UnwrittenFiller = closedObject({
  start: Type.Number({ description: 'Seconds in the source' }),
  end: Type.Number({ description: 'Seconds in the source' }),
  sure: Type.Boolean({
    description: 'Whether it may be cut without being looked at; the others are offered',
  }),
})
export type UnwrittenFiller = Static<typeof UnwrittenFiller>

/** Where the words come from. */
const TranscriptOrigin = choice(['embedded-captions', 'sidecar-captions', 'speech-model'])

export const Transcript = closedObject({
  origin: TranscriptOrigin,
  /** BCP 47 tag, `und` when unknown. */
  language: Type.String(),
  /** Model or caption track the words come from, for the run's record. */
  detail: Type.String(),
  /** Names by speaker number, where the captions name them. */
  speakers: Type.Optional(Type.Array(Type.String())),
  words: Type.Array(TranscriptWord),
  /** Fillers in the sound that are not among the words, in order of time; absent: they were not looked for. */
  fillers: Type.Optional(Type.Array(UnwrittenFiller)),
})
export type Transcript = Static<typeof Transcript>

/** A language of two or three letters, and subtags. Longer first parts are reserved. */
const TAG = /^[a-z]{2,3}(?:-|$)/i

/**
 * The canonical BCP 47 tag for a language as files name it: `eng` and `en` give `en`, `ger` gives `de`, `en_us` gives
 * `en-US`. Null for an undetermined language (`und`) and for text that is not a tag.
 */
export function languageTag(tag: string): string | null {
  const text = tag.trim().replaceAll('_', '-')
  if (!TAG.test(text)) return null
  try {
    const [canonical = 'und'] = Intl.getCanonicalLocales(text)
    return canonical === 'und' ? null : canonical
  } catch {
    // Intl reports text that is not a tag only by throwing.
    return null
  }
}
