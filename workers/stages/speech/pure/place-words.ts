/** PURE. Word times of a window, aligned to the sound: increasing, without overlap. */
import type { TranscriptWord } from '../../../../server/contract/transcript.ts'
import { splitWords } from '../../captions/pure/clean-text.ts'
import type { SoundFeatures } from '../../captions/pure/sound-features.ts'
import { timeWords, type TimedWord } from '../../captions/pure/time-words.ts'
import type { Piece } from './mend-window.ts'

/** With a larger shift the fit has probably found another sound, so the model's time is used. */
const BELIEVED_SHIFT = 0.35
const PHRASE_GAP = 0.4
const MAX_PHRASE = 12

export function placeWords(
  pieces: readonly Piece[],
  areWords: boolean,
  features: SoundFeatures,
): TranscriptWord[] {
  const timed = areWords ? snapWords(joinPieces(pieces), features) : fitSegments(pieces, features)
  const words: TranscriptWord[] = []
  for (const { word, start, end } of timed) {
    const last = words.at(-1)
    const from = round(Math.max(start, last?.start ?? 0))
    if (last !== undefined && last.end > from) words[words.length - 1] = { ...last, end: from }
    words.push({ word, start: from, end: round(Math.max(from, end)) })
  }
  return words
}

/** Punctuation in a piece of its own belongs to the word before. */
function joinPieces(pieces: readonly Piece[]): TimedWord[] {
  const words: TimedWord[] = []
  for (const piece of pieces) {
    const last = words.at(-1)
    if (!/[\p{L}\p{N}]/u.test(piece.text) && last !== undefined) {
      words[words.length - 1] = { ...last, word: last.word + piece.text }
    } else words.push({ word: piece.text, start: piece.start, end: piece.end })
  }
  return words
}

/** Fits phrases of the model's words to the sound inside their own range; large shifts are ignored. */
function snapWords(words: readonly TimedWord[], features: SoundFeatures): TimedWord[] {
  const phrases: TimedWord[][] = []
  for (const word of words) {
    const open = phrases.at(-1)
    const last = open?.at(-1)
    if (
      open === undefined ||
      last === undefined ||
      word.start - last.end > PHRASE_GAP ||
      open.length >= MAX_PHRASE
    )
      phrases.push([word])
    else open.push(word)
  }
  return phrases.flatMap((phrase, index) => {
    const start = phrase[0]?.start ?? 0
    const end = phrase.at(-1)?.end ?? 0
    const earliest = Math.max(start - 0.2, phrases[index - 1]?.at(-1)?.end ?? 0)
    const latest = Math.min(end + 0.2, phrases[index + 1]?.[0]?.start ?? Infinity)
    const fitted = timeWords(
      phrase.map((word) => word.word),
      { start, end, earliest: Math.min(start, earliest), latest: Math.max(end, latest) },
      features,
    )
    return phrase.map((word, at) => {
      const fit = fitted[at]
      return fit !== undefined && Math.abs(fit.start - word.start) <= BELIEVED_SHIFT ? fit : word
    })
  })
}

function fitSegments(segments: readonly Piece[], features: SoundFeatures): TimedWord[] {
  return segments.flatMap((segment, index) =>
    timeWords(
      splitWords(segment.text),
      {
        start: segment.start,
        end: Math.max(segment.start + 0.1, segment.end),
        earliest: Math.max(segment.start - 0.3, segments[index - 1]?.end ?? 0),
        latest: Math.min(segment.end + 0.3, segments[index + 1]?.start ?? Infinity),
      },
      features,
    ),
  )
}

function round(seconds: number): number {
  return Math.round(seconds * 1000) / 1000
}
