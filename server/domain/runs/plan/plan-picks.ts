/**
 * PURE: what people pick from a run besides what its workflow finds: with another prompt, a range, several clips as one.
 * A pick is planned as a part of its run: with the results of the run's stages, and slots of its own for what differs.
 */
import type { FindClipsSettings } from '../../../contract/clip-candidate.ts'
import { segmentsOf } from '../../../contract/time-map/cut.ts'
import type { ClipSegment } from '../../../contract/clip.ts'
import type { KnownRange, PickRequest } from '../../../contract/review.ts'
import type { Stretch } from '../../../contract/time.ts'
import type { RunPlan } from './plan-input.ts'
import type { SlotResult, SlotResults } from './plan-draft.ts'

/** The settings with which clips are found for a pick; those of the workflow where there is none. */
export function pickSettings(settings: FindClipsSettings, pick: PickRequest | undefined): FindClipsSettings {
  if (pick === undefined) return settings
  if (pick.kind === 'find') return findSettings(settings, pick)
  const range = pick.kind === 'range' ? { start: pick.start, end: pick.end } : spanOf(pick.ranges)
  return {
    ...settings,
    pinned: [range],
    pinnedOnly: true,
    pinnedMode: 'ranges',
    maxClips: 1,
    wholeSource: false,
  }
}

/** Another prompt replaces everything that the workflow and the request wished for. */
function findSettings(
  settings: FindClipsSettings,
  { prompt, minLength, maxLength, maxClips }: Extract<PickRequest, { kind: 'find' }>,
): FindClipsSettings {
  const min = minLength ?? Math.min(settings.minLength, (maxLength ?? Infinity) / 2)
  const max = maxLength ?? Math.max(settings.maxLength, (minLength ?? 0) * 2)
  const wishes = prompt === undefined ? {} : { prompt, promptAdjustment: '', keywords: [] }
  return {
    ...settings,
    ...wishes,
    minLength: min,
    maxLength: max,
    pinned: [],
    pinnedOnly: false,
    pinnedMode: 'ranges',
    maxClips: maxClips ?? settings.maxClips,
    wholeSource: false,
  }
}

/** From the first to the last of them. */
const spanOf = (ranges: readonly Stretch[]): Stretch => ({
  start: Math.min(...ranges.map(({ start }) => start)),
  end: Math.max(...ranges.map(({ end }) => end)),
})

/** Slots that a pick has for itself; the others are those of its run. */
const OWN = /^(find-clips$|shorten-stories$|judge-clips$|broll:|clip:)/
/** Slots of picks and of the chunks of a recording. */
const OF_A_PART = /^(pick|chunk):/

/** The slot of a pick's stage in its run. */
export const pickSlot = (number: number, slot: string): string =>
  OWN.test(slot) ? `pick:${number}:${slot}` : slot

/** The results that a pick is planned from, as a run of it alone would have them. */
export function resultsOfPick(results: SlotResults, number: number): SlotResults {
  const own = new Map<string, SlotResult>()
  const prefix = `pick:${number}:`
  for (const [slot, result] of results) {
    if (slot.startsWith(prefix)) own.set(slot.slice(prefix.length), result)
    else if (!OWN.test(slot) && !OF_A_PART.test(slot)) own.set(slot, result)
  }
  return own
}

/** A plan of a pick, with the slots that its stages have in the run. */
export function planInRun(plan: RunPlan, number: number): Pick<RunPlan, 'ready' | 'slots'> {
  return {
    ready: plan.ready.map((item) => ({ ...item, slot: pickSlot(number, item.slot) })),
    slots: plan.slots.map(({ slot, stage }) => ({ slot: pickSlot(number, slot), stage })),
  }
}

/** Edges that are at most this far apart are the same, seconds. */
const SAME_SECONDS = 0.25

/** The candidates whose range a clip of the run has already, by their place. */
export function knownRanges(
  candidates: readonly Stretch[],
  clips: readonly (Stretch & { readonly id: string })[],
): KnownRange[] {
  const near = (a: number, b: number): boolean => Math.abs(a - b) <= SAME_SECONDS
  return candidates.flatMap(({ start, end }, place) => {
    const same = clips.find((clip) => near(clip.start, start) && near(clip.end, end))
    return same === undefined ? [] : [{ place, clipId: same.id }]
  })
}

/** Ranges in order of time, joined where they touch; none overlaps another. Those of under 0.1 s are left out. */
export function joinRanges(ranges: readonly Stretch[]): Stretch[] {
  const joined: { start: number; end: number }[] = []
  for (const { start, end } of [...ranges].sort((a, b) => a.start - b.start)) {
    const last = joined.at(-1)
    if (last !== undefined && start <= last.end + 0.1) last.end = Math.max(last.end, end)
    else if (end - start >= 0.1) joined.push({ start, end })
  }
  return joined
}

/** What a merged clip plays, as its segments; none where its ranges are one. */
export const segmentsOfRanges = (ranges: readonly Stretch[]): ClipSegment[] =>
  segmentsOf(ranges.map(({ start, end }) => ({ start, end, rate: 1 })))
