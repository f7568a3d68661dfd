/** What colours something has: a few clouds of them, each with its own spread. The same colours give the same model. */
import type { Pixels } from './pixels.ts'

const CLOUDS = 5
const ROUNDS = 4
/** Added to each cluster's variance: camera and compression noise, so that no cluster becomes a point. */
const NOISE = 18

interface Cloud {
  readonly mean: readonly [number, number, number]
  /** Of the inverse of its covariance: xx, xy, xz, yy, yz, zz. */
  readonly inverse: readonly [number, number, number, number, number, number]
  /** Logarithm of its share and of what its spread takes from its height. */
  readonly height: number
}
export type ColourModel = readonly Cloud[]

/** `weights`: how much each pixel counts, 0 for not at all. Empty where none counts. */
export function colourModel({ data }: Pixels, weights: Float32Array): ColourModel {
  const taken: number[] = []
  for (let at = 0; at < weights.length; at++) if (weights[at]! > 0) taken.push(at)
  if (taken.length === 0) return []
  const own = assign(data, weights, taken)
  const total = taken.reduce((sum, at) => sum + weights[at]!, 0)
  return Array.from({ length: CLOUDS }, (_, cloud) =>
    cloudOf(data, weights, taken, own, cloud, total),
  ).flatMap((cloud) => cloud ?? [])
}

/** Which cloud each pixel belongs to: begun by cutting the widest one in two, then mended by nearness to their middles. */
function assign(data: Uint8ClampedArray, weights: Float32Array, taken: readonly number[]): Uint8Array {
  const own = new Uint8Array(taken.length)
  for (let count = 1; count < CLOUDS; count++) {
    const widest = widestOf(data, weights, taken, own, count)
    taken.forEach((at, index) => {
      if (own[index] === widest.cloud && data[at * 4 + widest.channel]! > widest.middle) own[index] = count
    })
  }
  for (let round = 0; round < ROUNDS; round++) {
    const middles = Array.from({ length: CLOUDS }, (_, cloud) => spreadOf(data, weights, taken, own, cloud))
    taken.forEach((at, index) => {
      let nearest = Infinity
      middles.forEach(({ mean, weight }, cloud) => {
        if (weight === 0) return
        const red = data[at * 4]! - mean[0]!
        const green = data[at * 4 + 1]! - mean[1]!
        const blue = data[at * 4 + 2]! - mean[2]!
        const away = red * red + green * green + blue * blue
        if (away < nearest) [nearest, own[index]] = [away, cloud]
      })
    })
  }
  return own
}

interface Spread {
  weight: number
  readonly mean: number[]
  readonly variance: number[]
}

function spreadOf(
  data: Uint8ClampedArray,
  weights: Float32Array,
  taken: readonly number[],
  own: Uint8Array,
  cloud: number,
): Spread {
  const spread: Spread = { weight: 0, mean: [0, 0, 0], variance: [0, 0, 0] }
  const { mean, variance } = spread
  for (let index = 0; index < taken.length; index++) {
    if (own[index] !== cloud) continue
    const at = taken[index]!
    const weight = weights[at]!
    spread.weight += weight
    for (let channel = 0; channel < 3; channel++) {
      const value = data[at * 4 + channel]!
      mean[channel]! += weight * value
      variance[channel]! += weight * value * value
    }
  }
  for (let channel = 0; channel < 3 && spread.weight > 0; channel++) {
    mean[channel]! /= spread.weight
    variance[channel] = variance[channel]! / spread.weight - mean[channel]! ** 2
  }
  return spread
}

function widestOf(
  data: Uint8ClampedArray,
  weights: Float32Array,
  taken: readonly number[],
  own: Uint8Array,
  count: number,
): { readonly cloud: number; readonly channel: number; readonly middle: number } {
  let widest = { cloud: 0, channel: 0, middle: 255, width: -1 }
  for (let cloud = 0; cloud < count; cloud++) {
    const { weight, mean, variance } = spreadOf(data, weights, taken, own, cloud)
    for (let channel = 0; channel < 3; channel++) {
      const width = weight * variance[channel]!
      if (width > widest.width) widest = { cloud, channel, middle: mean[channel]!, width }
    }
  }
  return widest
}

function cloudOf(
  data: Uint8ClampedArray,
  weights: Float32Array,
  taken: readonly number[],
  own: Uint8Array,
  cloud: number,
  total: number,
): Cloud | null {
  let weight = 0
  const sum = new Float64Array(3)
  const square = new Float64Array(6)
  for (let index = 0; index < taken.length; index++) {
    if (own[index] !== cloud) continue
    const at = taken[index]!
    const share = weights[at]!
    const red = data[at * 4]!
    const green = data[at * 4 + 1]!
    const blue = data[at * 4 + 2]!
    weight += share
    sum[0]! += share * red
    sum[1]! += share * green
    sum[2]! += share * blue
    square[0]! += share * red * red
    square[1]! += share * red * green
    square[2]! += share * red * blue
    square[3]! += share * green * green
    square[4]! += share * green * blue
    square[5]! += share * blue * blue
  }
  if (weight < 1e-3 * total) return null
  const r = sum[0]! / weight
  const g = sum[1]! / weight
  const b = sum[2]! / weight
  const xx = square[0]! / weight - r * r + NOISE
  const xy = square[1]! / weight - r * g
  const xz = square[2]! / weight - r * b
  const yy = square[3]! / weight - g * g + NOISE
  const yz = square[4]! / weight - g * b
  const zz = square[5]! / weight - b * b + NOISE
  const size = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz)
  return {
    mean: [r, g, b],
    inverse: [
      (yy * zz - yz * yz) / size,
      (xz * yz - xy * zz) / size,
      (xy * yz - xz * yy) / size,
      (xx * zz - xz * xz) / size,
      (xy * xz - xx * yz) / size,
      (xx * yy - xy * xy) / size,
    ],
    height: Math.log(weight / total) - 0.5 * Math.log(size),
  }
}

/** Logarithm of how usual a colour is in the model, but for a constant. */
export function logLikelihood(model: ColourModel, red: number, green: number, blue: number): number {
  let highest = -Infinity
  let sum = 0
  for (const { mean, inverse, height } of model) {
    const x = red - mean[0]
    const y = green - mean[1]
    const z = blue - mean[2]
    const away =
      x * x * inverse[0] +
      y * y * inverse[3] +
      z * z * inverse[5] +
      2 * (x * y * inverse[1] + x * z * inverse[2] + y * z * inverse[4])
    const own = height - 0.5 * away
    if (own > highest) {
      sum = sum * Math.exp(highest - own) + 1
      highest = own
    } else sum += Math.exp(own - highest)
  }
  return highest + Math.log(sum)
}
