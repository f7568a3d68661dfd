/** Follows a voice from window to window by what overlapping windows agree on. PURE. */
import { LOCAL_VOICES, STEP_SECONDS, type SegmentedWindow } from './segments.ts'

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
export function ownFrames(windows: readonly SegmentedWindow[], window: number): { from: number; to: number } {
  const current = windows[window]
  const frames = current?.active[0]?.length ?? 0
  const margin = Math.round(STEP_SECONDS / 2 / (current?.frameSeconds ?? 1))
  return {
    from: window === 0 ? 0 : margin,
    to: window === windows.length - 1 ? frames : Math.min(frames, frames - margin),
  }
}
