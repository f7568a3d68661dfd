/** Divides speech into pieces of one voice each, as far as the segmentation model tells voices apart. PURE. */
import { ownFrames, type Chain } from './chains.ts'
import type { SegmentedWindow } from './segments.ts'

/** A range of the recording and the chains that speak in it: none, one, or two at once. */
export interface Moment {
  /** Seconds in the source. */
  readonly start: number
  readonly end: number
  readonly chains: readonly number[]
}

/** Speech of one chain without a longer pause. It is a guess: the model may take two voices for one, or one for two. */
export interface Piece {
  readonly start: number
  readonly end: number
  readonly chain: number
}

/** Maximum pause within a piece, seconds. */
const PAUSE = 0.2
/** Longer pieces, in seconds, are cut evenly, because two voices may be taken for one for minutes. */
const LONGEST = 2.5

/** The whole recording moment by moment, each from the window that it belongs to. */
export function momentsOf(windows: readonly SegmentedWindow[], chains: readonly Chain[]): Moment[] {
  const chainOf = new Map(
    chains.flatMap(({ parts }, at) => parts.map(({ window, voice }) => [`${window}:${voice}`, at] as const)),
  )
  const moments: { start: number; end: number; chains: number[] }[] = []
  windows.forEach((current, window) => {
    const { from, to } = ownFrames(windows, window)
    for (let frame = from; frame < to; frame += 1) {
      const now = current.active.flatMap((line, voice) =>
        line[frame] === 1 ? (chainOf.get(`${window}:${voice}`) ?? []) : [],
      )
      const last = moments.at(-1)
      const end = current.startSeconds + (frame + 1) * current.frameSeconds
      if (last !== undefined && last.chains.join() === now.join()) last.end = end
      else moments.push({ start: last?.end ?? 0, end, chains: now })
    }
  })
  return moments
}

/** In order. Where two talk at once there is no piece. */
export function piecesOf(moments: readonly Moment[]): Piece[] {
  const pieces: { start: number; end: number; chain: number }[] = []
  for (const { start, end, chains } of moments) {
    const [chain] = chains
    const last = pieces.at(-1)
    if (chain === undefined || chains.length > 1) continue
    if (last?.chain === chain && start - last.end <= PAUSE) last.end = end
    else pieces.push({ start, end, chain })
  }
  return pieces.flatMap(({ start, end, chain }) => {
    const parts = Math.ceil((end - start) / LONGEST)
    const at = (part: number): number => start + ((end - start) * part) / parts
    return Array.from({ length: parts }, (_, part) => ({ start: at(part), end: at(part + 1), chain }))
  })
}
