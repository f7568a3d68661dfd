/** Speeds of what a clip plays. PURE. */
import { cutOf, keptOf, SHORTEST, type ClipCut } from './cut.ts'

/** Plays what is kept between two source seconds at this speed; the same cut where nothing changes. */
export function setRate(cut: ClipCut, from: number, to: number, rate: number): ClipCut {
  const before = keptOf(cut)
  const pieces = before.flatMap((one) => {
    const start = Math.max(one.start, from)
    const end = Math.min(one.end, to)
    if (end - start < SHORTEST || one.rate === rate) return [one]
    // An edge too near to another is that other: no piece is too short to be played.
    const inner = {
      start: start - one.start < SHORTEST ? one.start : start,
      end: one.end - end < SHORTEST ? one.end : end,
      rate,
    }
    return [{ ...one, end: inner.start }, inner, { ...one, start: inner.end }].filter(
      (piece) => piece.end > piece.start,
    )
  })
  const changed = pieces.some(({ rate: own }, index) => own !== before[index]?.rate)
  return changed ? (cutOf(pieces) ?? cut) : cut
}
