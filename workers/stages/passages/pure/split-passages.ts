/** PURE. Passages of a transcript: whole sentences in a row, each passage overlapping the one before it. */
import type { Passage } from '../../../../server/contract/passages.ts'
import { joinWords } from '../../../../server/contract/join-words.ts'
import type { TranscriptWord } from '../../../../server/contract/transcript.ts'
import { splitSentences } from '../../find-clips/pure/sentences.ts'

/**
 * About half a minute of speech: shorter passages lose what they are about, longer ones are about several things
 * (docs/decisions/0053-search-by-meaning.md has the figures).
 */
export const PASSAGE_WORDS = 80
/** A sentence of scripts without spaces is one word: it is counted by its letters. */
const LETTERS_PER_WORD = 12

interface Piece {
  readonly first: number
  readonly last: number
  readonly size: number
}

/** In order; every word that is not deleted is in one passage or two. */
export function splitPassages(words: readonly TranscriptWord[]): Passage[] {
  const spoken = words.filter(({ isDeleted }) => isDeleted !== true)
  const end = spoken.at(-1)?.end ?? 0
  const pieces = splitSentences(spoken, end).map(({ first, last, text }) => ({
    first,
    last,
    size: Math.max(last - first + 1, text.length / LETTERS_PER_WORD),
  }))
  const passages: Passage[] = []
  for (let from = 0; from < pieces.length;) {
    const to = endOfPassage(pieces, from)
    passages.push(makePassage(spoken, pieces, from, to))
    if (to === pieces.length) break
    from = nextStart(pieces, from, to)
  }
  return passages
}

/** The piece after the last one of a passage that begins with `from`. */
function endOfPassage(pieces: readonly Piece[], from: number): number {
  let size = 0
  let to = from
  while (to < pieces.length && size < PASSAGE_WORDS) {
    size += pieces[to]?.size ?? 0
    to += 1
  }
  return to
}

/** About the middle of a passage; at least one sentence on. */
function nextStart(pieces: readonly Piece[], from: number, to: number): number {
  const whole = pieces.slice(from, to).reduce((sum, { size }) => sum + size, 0)
  let size = 0
  let at = from
  while (at < to && size < whole / 2) {
    size += pieces[at]?.size ?? 0
    at += 1
  }
  return Math.max(from + 1, at)
}

function makePassage(
  words: readonly TranscriptWord[],
  pieces: readonly Piece[],
  from: number,
  to: number,
): Passage {
  const first = pieces[from]?.first ?? 0
  const last = pieces[to - 1]?.last ?? first
  return {
    start: words[first]?.start ?? 0,
    end: words[last]?.end ?? 0,
    text: joinWords(words.slice(first, last + 1).map(({ word }) => word)),
  }
}
