/** Places a clip's words on its output frames: cut words disappear, the others keep their time to the frame. */
import type { TimeSpan } from '../../contract/composition.ts'
import { joinsWithoutSpace } from '../../contract/join-words.ts'
import { secondsToTicks } from '../../contract/time.ts'
import type { TranscriptWord } from '../../contract/transcript.ts'
import { splitUnspacedWord } from './script-words.ts'
import { frameInSpan, outputFrame } from '../../contract/time-map/frames.ts'

export interface PlacedWord {
  readonly text: string
  /** Output frames, end exclusive. Starts never go back; an end is after its start and not after the next start. */
  readonly startFrame: number
  readonly endFrame: number
  readonly speaker: number
  /** The captions that the words came from end a cue here. */
  readonly endsCue: boolean
  /** No space before the next word. */
  readonly joinsNext: boolean
  /** Shown after the word. */
  readonly emoji?: string
  /** Position in the transcript; parts of a split word share it. */
  readonly index: number
}

/** The word as captions show it. */
export function shownText({ text, emoji }: Pick<PlacedWord, 'text' | 'emoji'>): string {
  // A no-break space, so that the emoji is never alone on a line.
  return emoji === undefined ? text : `${text}\u00a0${emoji}`
}

/** Places every word that is not deleted and whose middle is played. */
export function placeWords(words: readonly TranscriptWord[], timeMap: readonly TimeSpan[]): PlacedWord[] {
  const rough = words
    .map((word, index) => ({ word, index }))
    .filter(({ word }) => word.isDeleted !== true && word.word.trim() !== '')
    .sort((a, b) => a.word.start - b.word.start || a.index - b.index)
    .flatMap(({ word, index }) => placeWord(word, index, timeMap))
  return settle(rough, timeMap.at(-1)?.endFrame ?? 0)
}

function placeWord(word: TranscriptWord, index: number, timeMap: readonly TimeSpan[]): PlacedWord[] {
  const start = secondsToTicks(word.start)
  const end = secondsToTicks(Math.max(word.start, word.end))
  const middle = outputFrame(timeMap, Math.round((start + end) / 2))
  if (middle === null) return []
  const { span } = middle
  const from = Math.min(frameInSpan(span, start), span.endFrame - 1)
  const to = Math.max(frameInSpan(span, end), from)
  const parts = splitUnspacedWord(word.word.trim())
  const letters = parts.map((part) => [...part].length)
  const total = letters.reduce((sum, count) => sum + count, 0)
  let done = 0
  return parts.map((text, part) => {
    const at = from + ((to - from) * done) / total
    done += letters[part] ?? 0
    const last = part === parts.length - 1
    return {
      text,
      startFrame: Math.round(at),
      endFrame: Math.round(from + ((to - from) * done) / total),
      speaker: word.speaker ?? 0,
      endsCue: last && word.endsCue === true,
      joinsNext: !last,
      index,
    }
  })
}

/** Starts never go back and every word has a frame at least: recognisers give words that overlap or are shorter. */
function settle(words: readonly PlacedWord[], durationFrames: number): PlacedWord[] {
  let earliest = 0
  const starts = words.map((word, index) => {
    const latest = Math.max(0, durationFrames - (words.length - index))
    const start = Math.min(Math.max(earliest, word.startFrame), latest)
    earliest = start + 1
    return start
  })
  return words.map((word, index) => {
    const startFrame = starts[index] ?? 0
    const next = starts[index + 1]
    const limit = Math.max(startFrame + 1, next ?? durationFrames)
    const after = words[index + 1]
    return {
      ...word,
      startFrame,
      endFrame: Math.min(Math.max(word.endFrame, startFrame + 1), limit),
      joinsNext: word.joinsNext || (after !== undefined && joinsWithoutSpace(word.text, after.text)),
    }
  })
}

function bare(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, '')
}

/** Transcript positions of words that spell a keyword, which may be several words; case and punctuation do not count. */
export function keywordMatcher(
  keywords: readonly string[],
): (words: readonly PlacedWord[]) => ReadonlySet<number> {
  const phrases = keywords
    .map((keyword) =>
      keyword
        .split(/\s+/u)
        .map(bare)
        .filter((part) => part !== ''),
    )
    .filter((phrase) => phrase.length > 0)
  return (words) => {
    const spoken = words.map((word) => bare(word.text))
    const found = new Set<number>()
    spoken.forEach((_, at) => {
      for (const phrase of phrases) {
        if (phrase.every((part, offset) => spoken[at + offset] === part)) {
          for (const word of words.slice(at, at + phrase.length)) found.add(word.index)
        }
      }
    })
    return found
  }
}
