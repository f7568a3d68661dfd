/** Turns scores of half seconds into events. PURE. */
import type { SoundEvent, SoundEventKind } from '../../../../server/contract/source-facts.ts'
import { PATCH_HOP_SECONDS, PATCH_SECONDS } from './log-mel.ts'

/** AudioSet classes of each kind. */
export const CLASSES: Readonly<Record<SoundEventKind, readonly string[]>> = {
  laughter: ['Laughter', 'Baby laughter', 'Giggle', 'Snicker', 'Belly laugh', 'Chuckle, chortle'],
  applause: ['Applause', 'Clapping'],
  cheering: ['Cheering', 'Whoop'],
  music: ['Music'],
}

/** Minimum scores; music under speech gets low scores. */
const MIN_SCORE: Readonly<Record<SoundEventKind, number>> = {
  laughter: 0.25,
  applause: 0.25,
  cheering: 0.3,
  music: 0.35,
}
/** Number of uncertain patches that may lie between two certain ones. */
const MAX_GAP_PATCHES = 2
const MIN_PATCHES: Readonly<Record<SoundEventKind, number>> = {
  laughter: 1,
  applause: 2,
  cheering: 2,
  music: 4,
}

/** `scores`: the best score of the kind's classes for each patch. */
export function eventsOf(kind: SoundEventKind, scores: readonly number[]): SoundEvent[] {
  const events: SoundEvent[] = []
  let open: { from: number; to: number; best: number } | null = null
  const close = (): void => {
    if (open !== null && open.to - open.from + 1 >= MIN_PATCHES[kind]) events.push(buildEvent(kind, open))
    open = null
  }
  scores.forEach((score, patch) => {
    if (score < MIN_SCORE[kind]) return
    if (open === null || patch - open.to > MAX_GAP_PATCHES + 1) {
      close()
      open = { from: patch, to: patch, best: score }
    } else open = { ...open, to: patch, best: Math.max(open.best, score) }
  })
  close()
  return events
}

/** Patches overlap by half, so an event is most likely in the middle of its patch. */
function buildEvent(kind: SoundEventKind, open: { from: number; to: number; best: number }): SoundEvent {
  const margin = (PATCH_SECONDS - PATCH_HOP_SECONDS) / 2
  const round = (value: number): number => Math.round(value * 100) / 100
  return {
    kind,
    start: round(open.from * PATCH_HOP_SECONDS + margin),
    end: round(open.to * PATCH_HOP_SECONDS + PATCH_SECONDS - margin),
    score: round(Math.min(1, open.best)),
  }
}

/** Display names of classes by index, from AudioSet's class map (a CSV of index, id, name). */
export function classNames(csv: string): string[] {
  return csv
    .trim()
    .split(/\r?\n/)
    .slice(1)
    .map((line) => (/^\d+,[^,]*,(.*)$/.exec(line)?.[1] ?? '').replace(/^"(.*)"$/, '$1'))
}
