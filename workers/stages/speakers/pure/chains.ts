/** Follows a voice from window to window by what overlapping windows agree on. PURE. */

/** Voices of single windows that are the same one, according to their overlaps. */
export interface Chain {
  readonly parts: readonly { readonly window: number; readonly voice: number }[]
}

/** Seconds of a voice on which two windows must agree. */
const MIN_AGREED = 0.25

/** Every voice that occurs is part of exactly one chain. In order of their first windows. */
export function chainVoices(windows: readonly SegmentedWindow[]): Chain[] {
  const chains: { parts: { window: number; voice: number }[] }[] = []
  let before = new Map<number, (typeof chains)[number]>()
  windows.forEach((current, window) => {
    const now = new Map<number, (typeof chains)[number]>()
    const earlier = windows[window - 1]
    const links = earlier === undefined ? new Map<number, number>() : linksBetween(earlier, current)
    for (let voice = 0; voice < LOCAL_VOICES; voice += 1) {
      if (current.active[voice]?.includes(1) !== true) continue
      const chain = before.get(links.get(voice) ?? -1) ?? { parts: [] }
      if (chain.parts.length === 0) chains.push(chain)
      chain.parts.push({ window, voice })
      now.set(voice, chain)
    }
    before = now
  })
  return chains
}

/** Maps voices of the later window to those of the earlier one. Each is used at most once, best agreement first. */
function linksBetween(earlier: SegmentedWindow, later: SegmentedWindow): Map<number, number> {
  const shift = Math.round((later.startSeconds - earlier.startSeconds) / earlier.frameSeconds)
  const offers: { from: number; to: number; agreed: number }[] = []
  earlier.active.forEach((old, from) => {
    later.active.forEach((young, to) => {
      let agreed = 0
      for (let frame = 0; frame + shift < old.length && frame < young.length; frame += 1)
        if (old[frame + shift] === 1 && young[frame] === 1) agreed += 1
      offers.push({ from, to, agreed: agreed * earlier.frameSeconds })
    })
  })
  const links = new Map<number, number>()
  const taken = new Set<number>()
  for (const { from, to, agreed } of offers.toSorted((a, b) => b.agreed - a.agreed)) {
    if (agreed < MIN_AGREED || links.has(to) || taken.has(from)) continue
    links.set(to, from)
    taken.add(from)
  }
  return links
}

/** The frames for which a window's own result is used: its middle, and its edges where no other window overlaps. */
function ownFrames(windows: readonly SegmentedWindow[], window: number): { from: number; to: number } {
  const current = windows[window]
  const frames = current?.active[0]?.length ?? 0
  const margin = Math.round(STEP_SECONDS / 2 / (current?.frameSeconds ?? 1))
  return {
    from: window === 0 ? 0 : margin,
    to: window === windows.length - 1 ? frames : Math.min(frames, frames - margin),
  }
}

export const WINDOW_SECONDS = 10
/** Seconds between the starts of windows, so that each moment is in two of them. */
export const STEP_SECONDS = 5
/** Number of voices that one window can tell apart. */
const LOCAL_VOICES = 3
/** The model's classes, one per set of voices: none, one alone, or two at once. */
const SETS: readonly (readonly number[])[] = [[], [0], [1], [2], [0, 1], [0, 2], [1, 2]]

/** The probability from which on somebody speaks, whoever it is: of all sets of voices together. */
const SPEECH = 0.5

/** One window: `active[voice]` has a 1 for each frame in which this voice speaks. */
export interface SegmentedWindow {
  readonly startSeconds: number
  readonly frameSeconds: number
  readonly active: readonly Uint8Array[]
}

/** `scores`: for each frame one value per class. */
export function parseSegmentedWindow(scores: Float32Array, startSeconds: number): SegmentedWindow {
  const frames = Math.floor(scores.length / SETS.length)
  const active = Array.from({ length: LOCAL_VOICES }, () => new Uint8Array(frames))
  for (let frame = 0; frame < frames; frame += 1) {
    const own = scores.subarray(frame * SETS.length, (frame + 1) * SETS.length)
    const best = findSet(own)
    for (const voice of SETS[best] ?? []) {
      const line = active[voice]
      if (line !== undefined) line[frame] = 1
    }
  }
  return { startSeconds, frameSeconds: WINDOW_SECONDS / Math.max(1, frames), active }
}

/** The likeliest set of voices where somebody speaks, and none where that is improbable. `scores`: logarithms, one per set. */
function findSet(scores: Float32Array): number {
  let best = 1
  let sum = 0
  for (let set = 0; set < SETS.length; set += 1) {
    const score = scores[set] ?? -Infinity
    sum += Math.exp(score - (scores[0] ?? 0))
    if (set > 0 && score > (scores[best] ?? -Infinity)) best = set
  }
  return 1 - 1 / sum >= SPEECH ? best : 0
}

/** A range of the recording and the chains that speak in it: none, one, or two at once. */
export interface Moment {
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

/** Maximum pause within a piece, seconds: people take turns at shorter ones than those within a turn. */
const PAUSE = 0.15
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
