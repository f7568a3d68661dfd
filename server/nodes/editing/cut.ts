/** Edits of what of the source a clip keeps. Times are seconds of the source. PURE. */
import type { Stretch } from '../../contract/time.ts'
import { cutOf, keptOf, type ClipCut, type Kept } from '../../contract/time-map/cut.ts'

/** No clip and no piece of one is shorter, seconds. */
const SHORTEST = 0.1

/** Whether both play the same, however they are written. */
export const isSameCut = (one: ClipCut, other: ClipCut): boolean =>
  JSON.stringify(cutOf(keptOf(one))) === JSON.stringify(cutOf(keptOf(other)))

/** What of a stretch lies before and after another one, where it is as long as `least` seconds. */
export const partsBeside = <T extends Stretch>(one: T, { start, end }: Stretch, least: number): T[] =>
  [
    { ...one, end: Math.min(one.end, start) },
    { ...one, start: Math.max(one.start, end) },
  ].filter((part) => part.end - part.start >= least)

/** Takes a stretch out. The same cut when nothing would be left. */
export function remove(cut: ClipCut, start: number, end: number): ClipCut {
  const kept = keptOf(cut).flatMap((one) => partsBeside(one, { start, end }, SHORTEST))
  return cutOf(kept) ?? cut
}

/** Puts back what lies between two stretches, or between one and the given time beside it. */
export function restore(cut: ClipCut, from: number, to: number): ClipCut {
  const kept = keptOf(cut)
  const touched = kept.filter(({ start, end }) => start <= to && end >= from)
  const whole: Kept = {
    start: Math.min(from, ...touched.map(({ start }) => start)),
    end: Math.max(to, ...touched.map(({ end }) => end)),
    rate: touched[0]?.rate ?? 1,
  }
  const rest = kept.filter((one) => !touched.includes(one))
  return cutOf([...rest, whole].toSorted((a, b) => a.start - b.start)) ?? cut
}

/** Two stretches where one was; the same cut at the edge of one, or outside. */
export function split(cut: ClipCut, at: number): ClipCut {
  const kept = keptOf(cut).flatMap((one) =>
    at - one.start >= SHORTEST && one.end - at >= SHORTEST
      ? [
          { ...one, end: at },
          { ...one, start: at },
        ]
      : [one],
  )
  return kept.length === keptOf(cut).length ? cut : (cutOf(kept) ?? cut)
}

/** Moves an edge of a stretch, as far as its neighbours and `bounds` let it. */
export function moveEdge(
  cut: ClipCut,
  edge: { readonly index: number; readonly side: 'start' | 'end' },
  to: number,
  bounds: Stretch,
): ClipCut {
  const kept = keptOf(cut)
  const one = kept[edge.index]
  if (one === undefined) return cut
  const least = edge.side === 'start' ? (kept[edge.index - 1]?.end ?? bounds.start) : one.start + SHORTEST
  const most = edge.side === 'start' ? one.end - SHORTEST : (kept[edge.index + 1]?.start ?? bounds.end)
  const moved = { ...one, [edge.side]: Math.min(most, Math.max(least, to)) }
  return cutOf(kept.with(edge.index, moved)) ?? cut
}

/** Takes whole pieces out, by their places; what comes after plays on without a gap. The same cut where none would be left. */
export function removePieces(cut: ClipCut, indexes: readonly number[]): ClipCut {
  const kept = keptOf(cut)
  const left = kept.filter((_, index) => !indexes.includes(index))
  return left.length === kept.length ? cut : (cutOf(left) ?? cut)
}

/** Makes one of two pieces that touch and play at the same rate, wherever there are such. */
export function join(cut: ClipCut): ClipCut {
  const kept = keptOf(cut)
  const joined: Kept[] = []
  for (const one of kept) {
    const last = joined.at(-1)
    if (last !== undefined && last.rate === one.rate && Math.abs(one.start - last.end) < 0.002)
      joined[joined.length - 1] = { ...last, end: one.end }
    else joined.push(one)
  }
  return joined.length === kept.length ? cut : (cutOf(joined) ?? cut)
}

/** Another stretch of the same length in the place of a piece, as far as its neighbours and `bounds` let it. */
export function slip(cut: ClipCut, index: number, delta: number, bounds: Stretch): ClipCut {
  const kept = keptOf(cut)
  const one = kept[index]
  if (one === undefined) return cut
  const least = (kept[index - 1]?.end ?? bounds.start) - one.start
  const most = (kept[index + 1]?.start ?? bounds.end) - one.end
  const moved = Math.max(Math.min(0, least), Math.min(Math.max(0, most), delta))
  if (Math.abs(moved) < 0.0005) return cut
  return cutOf(kept.with(index, { ...one, start: one.start + moved, end: one.end + moved })) ?? cut
}

/** How fast a piece is played, 0.25 to 4. */
export function setRate(cut: ClipCut, index: number, rate: number): ClipCut {
  const kept = keptOf(cut)
  const one = kept[index]
  if (one === undefined) return cut
  const set = Math.round(Math.min(4, Math.max(0.25, rate)) * 100) / 100
  return set === one.rate ? cut : (cutOf(kept.with(index, { ...one, rate: set })) ?? cut)
}

/** From the middle of the pause before the words to the middle of the one after: no neighbour loses its edge. */
export function stretchOf(words: readonly Stretch[], first: number, last: number): Stretch {
  const from = words[Math.min(first, last)]
  const to = words[Math.max(first, last)]
  const before = words[Math.min(first, last) - 1]
  const after = words[Math.max(first, last) + 1]
  const start = from?.start ?? 0
  const end = to?.end ?? start
  return {
    start: before === undefined ? start : (Math.min(before.end, start) + start) / 2,
    end: after === undefined ? end : (Math.max(after.start, end) + end) / 2,
  }
}

/** Plays what is kept between two source seconds at this speed; the same cut where nothing changes. */
export function setRateBetween(cut: ClipCut, from: number, to: number, rate: number): ClipCut {
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
