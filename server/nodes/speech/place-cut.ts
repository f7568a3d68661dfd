/**
 * Decides exactly where a cut is. A zone is a range without words that stay; a cut never leaves its zone, so no such
 * word is cut into. Inside the zone it leaves a margin on both sides and prefers the quietest frame.
 */
import type { ClipSound } from '../../contract/clip-measurements.ts'
import type { FrameGrid } from './frame-grid.ts'
import { levelAround, findSilences, isSilent } from './sound-levels.ts'
import type { Stretch } from '../../contract/time.ts'

export interface Zone extends Stretch {
  /** No word is spoken before it, or after it, in the played range. */
  readonly opens: boolean
  readonly closes: boolean
  /** A sentence ends before it: the pause that stays is longer. */
  readonly afterSentence: boolean
}

export interface CutRules {
  readonly grid: FrameGrid
  readonly sound: ClipSound | null
  /** Whether pauses next to cut words are shortened like those between words. */
  readonly shortenPauses: boolean
}

/** Margin to a word that stays, where there is room. Seconds. */
const GUARD = 0.05
/** Pause left on each side of cut words. */
const BREATH = 0.1
const SENTENCE_BREATH = 0.16
/** When pauses are not shortened, a cut reaches this far into the pause around a word. */
const REACH = 0.25
/** How far a cut may move to a quieter frame. */
const SEARCH = 0.045
/** Decibels that a frame must be quieter by to be worth moving to, for each second of moving. */
const MOVING_COST = 150
/** Shorter cuts are not worth a jump. */
const MIN_CUT = 0.07
/** Pauses longer than this are shortened. */
const LONG_PAUSE = 0.5
const MIN_PAUSE_CUT = 0.2
/** Margin after and before a word, and inside a silence next to a sound that is not a word. */
const PAUSE_SIDE = 0.14
const SENTENCE_PAUSE_SIDE = 0.18
const QUIET_SIDE = 0.08

/** The range to cut so that the speech from `spoken.start` to `spoken.end` is removed; null when there is no room. */
export function placeWordCut(spoken: Stretch, zone: Zone, rules: CutRules): Stretch | null {
  const breath = zone.afterSentence ? SENTENCE_BREATH : BREATH
  const from = Math.max(zone.start, spoken.start)
  const to = Math.min(zone.end, spoken.end)
  if (to <= from) return null
  const reach = rules.shortenPauses ? Infinity : REACH
  const quietFrom = Math.max(silenceBefore(rules.sound, zone.start, from), from - reach)
  const quietTo = Math.min(silenceAfter(rules.sound, to, zone.end), to + reach)
  const start =
    zone.opens && quietFrom <= zone.start + QUIET_SIDE
      ? zone.start
      : cutStart(Math.min(from, Math.max(quietFrom, zone.start + breath)), from, zone, rules)
  const end =
    zone.closes && quietTo >= zone.end - QUIET_SIDE
      ? zone.end
      : cutEnd(Math.max(to, Math.min(quietTo, zone.end - BREATH)), to, zone, rules)
  return end - start < MIN_CUT - 1e-9 ? null : { start, end }
}

/** How far it is silent to the left of a time. Without measurements word times justify only a short pause. */
function silenceBefore(sound: ClipSound | null, zoneStart: number, moment: number): number {
  if (sound === null) return Math.max(zoneStart, moment - REACH)
  const last = findSilences(sound, zoneStart, moment).at(-1)
  return last !== undefined && last.end >= moment - 2 * sound.hopSeconds ? last.start : moment
}

function silenceAfter(sound: ClipSound | null, moment: number, zoneEnd: number): number {
  if (sound === null) return Math.min(zoneEnd, moment + REACH)
  const [first] = findSilences(sound, moment, zoneEnd)
  return first !== undefined && first.start <= moment + 2 * sound.hopSeconds ? first.end : moment
}

function cutStart(wanted: number, from: number, zone: Zone, rules: CutRules): number {
  const guarded = Math.min(zone.start + GUARD, Math.max(zone.start, from))
  const latest = Math.max(from + (from - zone.start < GUARD ? SEARCH : 0), wanted)
  const window = { start: Math.max(guarded, wanted - SEARCH), end: Math.min(latest, wanted + SEARCH) }
  const frame = quietestFrame(window, wanted, rules) ?? rules.grid.after(Math.max(zone.start, wanted))
  return rules.grid.timeOf(frame)
}

function cutEnd(wanted: number, to: number, zone: Zone, rules: CutRules): number {
  const guarded = Math.max(zone.end - GUARD, Math.min(zone.end, to))
  const earliest = Math.min(to - (zone.end - to < GUARD ? SEARCH : 0), wanted)
  const window = { start: Math.max(earliest, wanted - SEARCH), end: Math.min(guarded, wanted + SEARCH) }
  const frame = quietestFrame(window, wanted, rules) ?? rules.grid.before(Math.min(zone.end, wanted))
  return rules.grid.timeOf(frame)
}

/** The quiet frame closest to the target in the window; null when no frame starts in it. */
function quietestFrame(window: Stretch, wanted: number, { grid, sound }: CutRules): number | null {
  let best: { frame: number; cost: number } | null = null
  for (let frame = grid.after(window.start); frame <= grid.before(window.end); frame++) {
    const time = grid.timeOf(frame)
    const level = sound === null ? undefined : levelAround(sound, time)
    const cost = (level ?? 0) + MOVING_COST * Math.abs(time - wanted)
    if (best === null || cost < best.cost) best = { frame, cost }
  }
  return best?.frame ?? null
}

/** What can be cut from a zone without cut words to shorten its pause. Only measured silence is cut. */
export function placePauseCuts(zone: Zone, { grid, sound }: CutRules): Stretch[] {
  if (sound === null || zone.end - zone.start <= LONG_PAUSE) return []
  const side = zone.afterSentence ? SENTENCE_PAUSE_SIDE : PAUSE_SIDE
  return findSilences(sound, zone.start, zone.end).flatMap((quiet) => {
    if (quiet.end - quiet.start < LONG_PAUSE - 2 * QUIET_SIDE) return []
    const from = Math.max(zone.start + side, quiet.start + QUIET_SIDE)
    const to = Math.min(zone.end - PAUSE_SIDE, quiet.end - QUIET_SIDE)
    const start = grid.timeOf(Math.max(grid.nearest(from), grid.after(zone.start + GUARD)))
    const end = grid.timeOf(Math.min(grid.nearest(to), grid.before(zone.end - GUARD)))
    return end - start < MIN_PAUSE_CUT - 1e-9 ? [] : [{ start, end }]
  })
}

/** Whether a range without words may be cut together with its neighbours. */
export function canBeCut(stretch: Stretch, sound: ClipSound | null): boolean {
  return sound === null || isSilent(sound, stretch.start, stretch.end)
}
