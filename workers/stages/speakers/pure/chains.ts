/** One voice followed from window to window by what overlapping windows agree on. PURE. */
import { LOCAL_VOICES, STEP_SECONDS, type SegmentedWindow } from './segments.ts'

/** A voice of single windows that is the same one, as far as their overlaps tell. */
export interface Chain {
  readonly parts: readonly { readonly window: number; readonly voice: number }[]
}

/** Windows must agree on this much of a voice, seconds, for it to be the same. */
const MIN_AGREED = 0.25

/** Every voice that is heard at all is part of exactly one chain. In order of their first windows. */
export function chainVoices(windows: readonly SegmentedWindow[]): Chain[] {
  const chains: { parts: { window: number; voice: number }[] }[] = []
  let before = new Map<number, (typeof chains)[number]>()
  windows.forEach((heard, window) => {
    const now = new Map<number, (typeof chains)[number]>()
    const earlier = windows[window - 1]
    const links = earlier === undefined ? new Map<number, number>() : linksBetween(earlier, heard)
    for (let voice = 0; voice < LOCAL_VOICES; voice += 1) {
      if (heard.active[voice]?.includes(1) !== true) continue
      const chain = before.get(links.get(voice) ?? -1) ?? { parts: [] }
      if (chain.parts.length === 0) chains.push(chain)
      chain.parts.push({ window, voice })
      now.set(voice, chain)
    }
    before = now
  })
  return chains
}

/** For voices of the later window: the voice of the earlier one that it is. Each at most once, best agreement first. */
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

/** The stretch of a window that its own answer is taken for: the middle, and the edges where nothing else was heard. */
export function ownFrames(windows: readonly SegmentedWindow[], window: number): { from: number; to: number } {
  const heard = windows[window]
  const frames = heard?.active[0]?.length ?? 0
  const margin = Math.round(STEP_SECONDS / 2 / (heard?.frameSeconds ?? 1))
  return {
    from: window === 0 ? 0 : margin,
    to: window === windows.length - 1 ? frames : Math.min(frames, frames - margin),
  }
}
