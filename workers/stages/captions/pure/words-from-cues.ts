/** PURE. Turns cues and sound into transcript words: timed inside each cue, in order, without overlap. */
import type { TranscriptWord } from '../../../../server/contract/transcript.ts'
import type { SoundFeatures } from './sound-features.ts'
import { dropSounds, splitWords } from './clean-text.ts'
import type { SpokenCue } from './settle-cues.ts'
import { shareOut, timeWords, type TimedWord } from './time-words.ts'

/** How far outside its times a cue's speech is searched for, in seconds; never into neighbouring cues. */
export const SEARCH_SECONDS = 0.3

/** Words of one cue; `earliest` and `latest` are the bounds of its neighbours. Null features: divided by length. */
export function wordsFromCue(
  cue: SpokenCue,
  neighbours: { readonly earliest: number; readonly latest: number },
  features: SoundFeatures | null,
): TranscriptWord[] {
  const start = Math.max(cue.start, neighbours.earliest)
  const end = Math.max(start + 0.02 * cue.words.length, cue.end)
  const timed =
    cue.parts.length > 0 ? fromParts(cue, end) : timeInside(cue.words, start, end, neighbours, features)
  return timed.map((word, index) => ({
    word: word.word,
    start: round(word.start),
    end: round(Math.max(word.start + 0.01, word.end)),
    ...(cue.speaker === null ? {} : { speaker: cue.speaker }),
    ...(index === timed.length - 1 ? { endsCue: true } : {}),
  }))
}

function timeInside(
  words: readonly string[],
  start: number,
  end: number,
  neighbours: { readonly earliest: number; readonly latest: number },
  features: SoundFeatures | null,
): TimedWord[] {
  if (features === null) return shareOut(words, start, end)
  return timeWords(
    words,
    {
      start,
      end,
      earliest: Math.max(start - SEARCH_SECONDS, Math.min(start, neighbours.earliest)),
      latest: Math.min(end + SEARCH_SECONDS, Math.max(end, neighbours.latest)),
    },
    features,
  )
}

/** Inline time stamps are word times of the author and are used; a part of several words is divided by length. */
function fromParts(cue: SpokenCue, end: number): TimedWord[] {
  return cue.parts.flatMap((part, index) => {
    const next = cue.parts[index + 1]?.start ?? end
    const words = splitWords(dropSounds([part.text]))
    const usual = shareOut(words, part.start, Math.max(part.start + 0.02 * words.length, next))
    // A long gap after the last word of a part is a pause and not a long word.
    const longest = 0.6 * words.length + 0.3
    return next - part.start > longest ? shareOut(words, part.start, part.start + longest) : usual
  })
}

/** Makes times increase without overlap: each word ends at the latest where the next one begins. */
export function inSequence(words: readonly TranscriptWord[]): TranscriptWord[] {
  const settled: TranscriptWord[] = []
  for (const word of words) {
    const before = settled.at(-1)
    const start = Math.max(word.start, before?.start ?? 0)
    if (before !== undefined && before.end > start) settled[settled.length - 1] = { ...before, end: start }
    settled.push({ ...word, start, end: Math.max(start, word.end) })
  }
  return settled
}

function round(seconds: number): number {
  return Math.round(seconds * 1000) / 1000
}
