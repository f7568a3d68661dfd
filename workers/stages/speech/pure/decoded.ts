/** PURE. The model's result for one window, as stored between attempts. */
import { Type, type Static } from '@sinclair/typebox'
import { isUnspacedLetter, mayBreakBetween } from '../../../../server/contract/join-words.ts'

export const DecodedWindow = Type.Object({
  /** Seconds in the source. */
  start: Type.Number(),
  end: Type.Number(),
  /** Each piece is a word (`words`) or a segment, with times from the window's start; null if the model gave none. */
  pieces: Type.Array(
    Type.Object({
      text: Type.String(),
      from: Type.Union([Type.Number(), Type.Null()]),
      to: Type.Union([Type.Number(), Type.Null()]),
    }),
  ),
  words: Type.Boolean(),
  /** The decoder gave times that cannot be right, so that they were left out. */
  doubtful: Type.Optional(Type.Boolean()),
})
export type DecodedWindow = Static<typeof DecodedWindow>

type Piece = DecodedWindow['pieces'][number]

const SEGMENTER = new Intl.Segmenter('ja', { granularity: 'word' })

/** Texts in scripts with spaces are returned unchanged. */
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
    const from = timeAtPosition(clause, at, 'from')
    at += text.length
    return { text, from, to: timeAtPosition(clause, at, 'to') }
  })
}

/** The time at which the text of these pieces reaches a position; inside a piece by its length. */
function timeAtPosition(pieces: readonly Piece[], place: number, side: 'from' | 'to'): number | null {
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
