/**
 * PURE. The model's pieces of a text without spaces are its tokens, which begin and end anywhere: inside a word, before a
 * vowel sign, in the middle of a Latin name. They are put together and cut where the dictionary ends words.
 */
import { isUnspacedLetter } from '../../../../server/contract/join-words.ts'
import { mayBreakBetween } from '../../../../server/contract/line-breaks.ts'
import type { DecodedWindow } from './decoded.ts'

type Piece = DecodedWindow['pieces'][number]

const SEGMENTER = new Intl.Segmenter('ja', { granularity: 'word' })

/** Texts of scripts with spaces come back as they are. */
export function wordsOfPieces(pieces: readonly Piece[]): Piece[] {
  if (!pieces.some((piece) => isUnspacedLetter(piece.text))) return [...pieces]
  const clauses: Piece[][] = []
  for (const piece of pieces) {
    if (clauses.length === 0 || /^\s/.test(piece.text)) clauses.push([piece])
    else clauses.at(-1)?.push(piece)
  }
  return clauses.flatMap(wordsOfClause)
}

function wordsOfClause(clause: readonly Piece[]): Piece[] {
  const parts: string[] = []
  for (const { segment } of SEGMENTER.segment(clause.map((piece) => piece.text).join(''))) {
    const before = parts.at(-1)
    const breaks =
      before !== undefined &&
      before.trim() !== '' &&
      (isUnspacedLetter([...before].at(-1) ?? '') || isUnspacedLetter([...segment][0] ?? '')) &&
      mayBreakBetween(before, segment)
    if (before === undefined || breaks) parts.push(segment)
    else parts[parts.length - 1] = before + segment
  }
  let at = 0
  return parts.map((text) => {
    const from = buildMoment(clause, at, 'from')
    at += text.length
    return { text, from, to: buildMoment(clause, at, 'to') }
  })
}

/** When the text of these pieces has come so far; inside a piece by its length. */
function buildMoment(pieces: readonly Piece[], place: number, side: 'from' | 'to'): number | null {
  let done = 0
  for (const { text, from, to } of pieces) {
    const inside = place - done
    done += text.length
    if (side === 'from' ? inside >= text.length : inside > text.length) continue
    if (from === null || to === null) return inside === 0 ? from : inside === text.length ? to : null
    return Math.round((from + ((to - from) * inside) / Math.max(1, text.length)) * 100) / 100
  }
  return pieces.at(-1)?.to ?? null
}
