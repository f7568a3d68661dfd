/**
 * Integrated loudness and true peak (ITU-R BS.1770-4, EBU R 128), as ffmpeg's `ebur128` measures them: blocks of 400 ms
 * every 100 ms, gated at -70 LUFS and 10 LU under the rest.
 */
import { SAMPLE_RATE } from '../../../../media/arguments/render-time.ts'
import type { LoudnessMeasure } from '../gain.ts'
import type { Stereo } from './stereo.ts'

/** b0, b1, b2, a1, a2 at 48 kHz, from the recommendation: the head, and the high pass. */
const STAGES = [
  [1.53512485958697, -2.69169618940638, 1.19839281085285, -1.69065929318241, 0.73248077421585],
  [1, -2, 1, -1.99004745483398, 0.99007225036621],
] as const
const HOP = SAMPLE_RATE / 10
const HOPS_PER_BLOCK = 4
const OFFSET = -0.691

export function measureLoudness(sound: Stereo): LoudnessMeasure {
  const hops = new Float64Array(Math.floor(sound.left.length / HOP))
  addWeighted(hops, sound.left)
  addWeighted(hops, sound.right)
  const blocks: number[] = []
  for (let at = 0; at + HOPS_PER_BLOCK <= hops.length; at++) {
    let sum = 0
    for (let hop = at; hop < at + HOPS_PER_BLOCK; hop++) sum += hops[hop] ?? 0
    blocks.push(sum / (HOP * HOPS_PER_BLOCK))
  }
  const loud = blocks.filter((power) => lufsOf(power) > -70)
  const gate = lufsOf(meanOf(loud)) - 10
  const counted = loud.filter((power) => lufsOf(power) > gate)
  const peak = truePeak(sound)
  return {
    // As precise as what ffmpeg prints, by which the export decides.
    integratedLufs: counted.length === 0 ? null : Math.round(lufsOf(meanOf(counted)) * 10) / 10,
    truePeakDb: peak === 0 ? null : Math.round(200 * Math.log10(peak)) / 10,
  }
}

export const lufsOf = (power: number): number => OFFSET + 10 * Math.log10(power)
const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** Adds the weighted energy of a channel to the sums of each tenth of a second. */
function addWeighted(hops: Float64Array, samples: Float32Array): void {
  const weigh = createWeighting()
  for (let at = 0; at < hops.length * HOP; at++) {
    const hop = Math.floor(at / HOP)
    hops[hop] = (hops[hop] ?? 0) + weigh(samples[at] ?? 0) ** 2
  }
}

/** Weighs the samples of a channel, one after the other, as they are heard. */
export function createWeighting(): (sample: number) => number {
  const [head, pass] = STAGES
  const [h0, h1, h2, ha1, ha2] = head
  const [p0, p1, p2, pa1, pa2] = pass
  let x1 = 0
  let x2 = 0
  let y1 = 0
  let y2 = 0
  let z1 = 0
  let z2 = 0
  return (x) => {
    const y = h0 * x + h1 * x1 + h2 * x2 - ha1 * y1 - ha2 * y2
    const z = p0 * y + p1 * y1 + p2 * y2 - pa1 * z1 - pa2 * z2
    x2 = x1
    x1 = x
    y2 = y1
    y1 = y
    z2 = z1
    z1 = z
    return z
  }
}

const TAPS = 12
/** Where between two samples is looked, in samples. */
const BETWEEN = [0.25, 0.5, 0.75] as const
/** A windowed sinc for each place between two samples. */
const KERNELS = BETWEEN.map((offset) =>
  Array.from({ length: TAPS }, (_, tap) => {
    const x = tap - TAPS / 2 + 1 - offset
    const window = 0.5 + 0.5 * Math.cos((Math.PI * x) / (TAPS / 2))
    return (Math.sin(Math.PI * x) / (Math.PI * x)) * window
  }),
)

/** The highest peak of the wave through the samples, at four times as many of them. */
function truePeak({ left, right }: Stereo): number {
  let peak = 0
  for (const samples of [left, right]) for (const value of samples) peak = Math.max(peak, Math.abs(value))
  // Only near samples that are almost as high can the wave between them be higher.
  const near = peak * 0.7
  for (const samples of [left, right]) {
    for (let at = 0; at < samples.length; at++) {
      if (Math.abs(samples[at] ?? 0) < near) continue
      for (const kernel of KERNELS) {
        for (const from of [at - TAPS / 2 + 1, at - TAPS / 2]) {
          let sum = 0
          for (let tap = 0; tap < TAPS; tap++) sum += (samples[from + tap] ?? 0) * (kernel[tap] ?? 0)
          peak = Math.max(peak, Math.abs(sum))
        }
      }
    }
  }
  return peak
}
