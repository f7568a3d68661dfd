/** Brings the voices of a conversation to one loudness: one gain for each voice, which changes only where another one speaks. */
import { SAMPLE_RATE } from '../../../../media/arguments/render-time.ts'
import { createWeighting, lufsOf } from '../mix/loudness.ts'
import type { Stereo } from '../mix/stereo.ts'

/** Somebody speaks, in samples. In order of their starts. */
export interface SpokenTurn {
  readonly speaker: number
  readonly from: number
  readonly to: number
}

/** From this sample on, over so many, a gain becomes this one, dB. */
interface GainChange {
  readonly from: number
  readonly length: number
  readonly decibels: number
}
export type GainCurve = readonly GainChange[]

const HOP = SAMPLE_RATE / 10
/** A voice that was measured for less time keeps its level. */
const LEAST_HOPS = 8
/** No voice is raised or lowered by more. */
const MOST_DECIBELS = 9
const SILENCE_LUFS = -65
/** LU under the rest, beyond which there is a pause. */
const GATE = 10
const LONGEST_CHANGE = Math.round(0.3 * SAMPLE_RATE)
const SHORTEST_CHANGE = Math.round(0.08 * SAMPLE_RATE)

/** Measures how loud each voice is where it speaks alone. */
export function createVoiceMeter(turns: readonly SpokenTurn[]) {
  const weigh = { left: createWeighting(), right: createWeighting() }
  const heard = new Map<number, number[]>()
  let at = 0
  let energy = 0
  return {
    push({ left, right }: Stereo): void {
      for (let sample = 0; sample < left.length; sample++) {
        energy += weigh.left(left[sample] ?? 0) ** 2 + weigh.right(right[sample] ?? 0) ** 2
        at += 1
        if (at % HOP !== 0) continue
        const speaker = aloneIn(turns, at - HOP, at)
        if (speaker !== null) {
          const powers = heard.get(speaker) ?? []
          powers.push(energy / HOP)
          heard.set(speaker, powers)
        }
        energy = 0
      }
    },
    /** The gains over time. */
    finish(): GainCurve {
      const levels = new Map<number, number>()
      for (const [speaker, powers] of heard) {
        const level = levelOf(powers)
        if (level !== null) levels.set(speaker, level)
      }
      return gainCurve(turns, levels)
    },
  }
}

/** Who speaks during all of it and nobody else; null: nobody does. */
function aloneIn(turns: readonly SpokenTurn[], from: number, to: number): number | null {
  const met = turns.filter((turn) => turn.from < to && turn.to > from)
  const [first] = met
  if (first === undefined || first.from > from || first.to < to) return null
  return met.every(({ speaker }) => speaker === first.speaker) ? first.speaker : null
}

function levelOf(powers: readonly number[]): number | null {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length
  const loud = powers.filter((power) => lufsOf(power) > SILENCE_LUFS)
  if (loud.length < LEAST_HOPS) return null
  const gate = lufsOf(mean(loud)) - GATE
  return lufsOf(mean(loud.filter((power) => lufsOf(power) > gate)))
}

/** `levels`: LUFS of each voice that was measured. All of them go to their mean. */
export function gainCurve(turns: readonly SpokenTurn[], levels: ReadonlyMap<number, number>): GainCurve {
  if (levels.size < 2) return []
  const goal = [...levels.values()].reduce((sum, level) => sum + level, 0) / levels.size
  const changes: GainChange[] = []
  let end = 0
  let speaking: number | null = null
  for (const { speaker, from, to } of turns) {
    const level = levels.get(speaker)
    if (level === undefined) continue
    const decibels = Math.max(-MOST_DECIBELS, Math.min(MOST_DECIBELS, goal - level))
    if (speaking === null) changes.push({ from: 0, length: 0, decibels })
    else if (speaker !== speaking) {
      // In the pause before the voice, so that neither the end of the one nor the beginning of the other is bent.
      const length = Math.max(SHORTEST_CHANGE, Math.min(LONGEST_CHANGE, from - end))
      const after = Math.max(0, from - length)
      changes.push({ from: after, length, decibels })
    }
    speaking = speaker
    end = Math.max(end, to)
  }
  return changes
}

/** Applies a curve to sound that begins at this sample, in place. Calls go forward in time. */
export function createVoiceGains(curve: GainCurve) {
  let next = 0
  let now = curve[0]?.decibels ?? 0
  let change: GainChange | null = null
  let before = now
  return ({ left, right }: Stereo, start: number): void => {
    for (let at = 0; at < left.length; at++) {
      const place = start + at
      for (let due = curve[next]; due !== undefined && due.from <= place; due = curve[++next]) {
        before = now
        change = due
      }
      if (change !== null) {
        const share = change.length === 0 ? 1 : Math.min(1, (place - change.from) / change.length)
        now = before + (change.decibels - before) * (0.5 - 0.5 * Math.cos(Math.PI * share))
        if (share === 1) change = null
      }
      if (now === 0) continue
      const factor = 10 ** (now / 20)
      left[at] = (left[at] ?? 0) * factor
      right[at] = (right[at] ?? 0) * factor
    }
  }
}
