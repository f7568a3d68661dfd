/**
 * Changes of the recordings that the known-text model was not trained with: speeds and pitches between those of
 * recordings.py, cuts that mix.py leaves out, other noise and other music.
 */
import type { Random } from '../fuzz/random.ts'

const RATE = 16_000

export interface Change {
  readonly tempo: number
  readonly pitch: number
}

export type NoiseKind = 'none' | 'pink' | 'brown' | 'band'

/** Whether the place before a word is cut at only in measuring; the same rule as in recordings.py. */
export const isHeldOut = (boundary: number): boolean => boundary % 5 === 2

/** Another speed at the same pitch, and another pitch at the same speed. */
export function changeFilter({ tempo, pitch }: Change): string {
  const rate = Math.round(RATE * pitch)
  return `aresample=${RATE},asetrate=${rate},aresample=${RATE},atempo=${(tempo / pitch).toFixed(6)}`
}

/** Noise with an RMS level of 1. Brown falls with frequency; band is the hum of a fan that swells and fades. */
export function makeNoise(random: Random, count: number, kind: NoiseKind): Float32Array {
  const noise = new Float32Array(count)
  if (kind === 'none') return noise
  const rows = new Float32Array(12)
  let low = 0
  let high = 0
  for (let at = 0; at < count; at += 1) {
    const white = random.next() + random.next() - 1
    if (kind === 'pink') {
      rows[Math.min(11, Math.clz32(at & -at) ^ 31)] = white
      noise[at] = rows.reduce((sum, row) => sum + row, white)
      continue
    }
    low += (white - low) * (kind === 'brown' ? 0.01 : 0.35)
    high += (low - high) * 0.1
    noise[at] = kind === 'brown' ? low : (low - high) * (1 + 0.6 * Math.sin((at / RATE) * 2.3))
  }
  const level = Math.sqrt(noise.reduce((sum, value) => sum + value * value, 0) / Math.max(1, count))
  return noise.map((value) => value / Math.max(1e-9, level))
}

/** Music with peaks of 1: an organ's long chords, or quick notes of a synthesiser. */
export function makeMusic(random: Random, seconds: number): Float32Array {
  const count = Math.round(seconds * RATE)
  const sound = new Float32Array(count)
  const organ = random.chance(0.5)
  const step = organ ? 0.9 : 0.16
  const root = 100 + 120 * random.next()
  for (let start = 0; start < seconds; start += step) {
    for (const interval of organ ? [0, 4, 7] : [random.pick([0, 3, 5, 7, 10, 12])])
      addNote(sound, { start, length: step, pitch: root * 2 ** (interval / 12), organ })
  }
  const peak = sound.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-9)
  return sound.map((value) => value / peak)
}

interface Note {
  readonly start: number
  readonly length: number
  readonly pitch: number
  readonly organ: boolean
}

function addNote(sound: Float32Array, { start, length, pitch, organ }: Note): void {
  const first = Math.round(start * RATE)
  const last = Math.min(sound.length, Math.round((start + length) * RATE))
  for (let at = first; at < last; at += 1) {
    const time = (at - first) / RATE
    const phase = 2 * Math.PI * pitch * (time + 0.0006 * Math.sin(2 * Math.PI * 5.5 * time))
    const shape = Math.min(1, time / 0.02, (last - at) / RATE / 0.02)
    const tone = organ
      ? Math.sin(phase) + 0.6 * Math.sin(2 * phase) + 0.4 * Math.sin(3 * phase) + 0.2 * Math.sin(8 * phase)
      : Math.sin(phase + 2.5 * Math.exp(-9 * time) * Math.sin(1.41 * phase))
    sound[at] = (sound[at] ?? 0) + tone * shape
  }
}
