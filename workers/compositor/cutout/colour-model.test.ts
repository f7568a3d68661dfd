import { describe, expect, it } from 'vitest'
import { colourOf, drawPicture, randomNumbers, solveLinear } from '../../../test/support/small-pictures.ts'
import { colourModel, logLikelihood } from './colour-model.ts'
import type { Pixels } from './pixels.ts'

/** Variance of the noise that is added to each channel. */
const NOISE = 18
type Colour = readonly number[]
interface Dot {
  readonly colour: Colour
  readonly weight: number
}
type Group = readonly Dot[]

const total = (group: Group): number => group.reduce((sum, { weight }) => sum + weight, 0)
const meanOf = (group: Group): number[] =>
  [0, 1, 2].map(
    (channel) => group.reduce((sum, { colour, weight }) => sum + weight * colour[channel]!, 0) / total(group),
  )
const apart = (a: Colour, b: Colour): number => a.reduce((sum, value, at) => sum + (value - b[at]!) ** 2, 0)

/** Logarithm of a mixture of Gaussians at a colour, but for the constant: each group's share, mean and covariance. */
function logMixture(groups: readonly Group[], colour: Colour): number {
  const all = groups.reduce((sum, group) => sum + total(group), 0)
  const logs = groups.map((group) => {
    const mean = meanOf(group)
    const covariance = mean.map((middle, row) =>
      mean.map(
        (other, column) =>
          group.reduce(
            (sum, dot) => sum + dot.weight * (dot.colour[row]! - middle) * (dot.colour[column]! - other),
            0,
          ) /
            total(group) +
          (row === column ? NOISE : 0),
      ),
    )
    const away = colour.map((value, at) => value - mean[at]!)
    const { solution, size } = solveLinear(covariance, away)
    const square = away.reduce((sum, value, at) => sum + value * solution[at]!, 0)
    return Math.log(total(group) / all) - 0.5 * Math.log(size) - 0.5 * square
  })
  const most = Math.max(...logs)
  return most + Math.log(logs.reduce((sum, value) => sum + Math.exp(value - most), 0))
}

const row = (dots: Group): Pixels => drawPicture(dots.length, 1, (x) => dots[x]!.colour)
const weightsOf = (dots: Group): Float32Array => Float32Array.from(dots, ({ weight }) => weight)
const modelOf = (dots: Group) => colourModel(row(dots), weightsOf(dots))
const at = (dots: Group, colour: Colour): number =>
  logLikelihood(modelOf(dots), colour[0]!, colour[1]!, colour[2]!)

const DOTS: Group = [
  { colour: [10, 200, 30], weight: 1 },
  { colour: [240, 20, 90], weight: 4 },
  { colour: [120, 120, 250], weight: 2 },
  { colour: [250, 250, 240], weight: 0.5 },
  { colour: [20, 10, 0], weight: 3 },
]

describe('few colours', () => {
  it.each([1, 2, 3, 4, 5])('%d: each is a cloud of its own, as wide as the noise', (count) => {
    const dots = DOTS.slice(0, count)
    const probe = [...DOTS.map(({ colour }) => colour), [128, 128, 128], [0, 255, 0], [255, 0, 255]]
    for (const colour of probe) {
      // Scaled by the largest term, for far from all clouds each is less than the smallest number.
      const powers = dots.map((dot) => -apart(colour, dot.colour) / (2 * NOISE))
      const most = Math.max(...powers)
      const sum = dots.reduce(
        (before, { weight }, index) =>
          before + ((weight / total(dots)) * Math.exp(powers[index]! - most)) / NOISE ** 1.5,
        0,
      )
      expect(at(dots, colour)).toBeCloseTo(most + Math.log(sum), 6)
    }
  })

  it('are found wherever they stand, and however often', () => {
    const often = [0, 3, 1, 4, 2, 2, 4, 0].map((index) => DOTS[index]!)
    for (const { colour } of DOTS)
      expect(at(often, colour)).toBeCloseTo(
        logMixture(
          DOTS.map((dot) => often.filter((one) => one === dot)),
          colour,
        ),
        6,
      )
  })
})

it('leaves out what weighs less than a thousandth of all', () => {
  const lone = (weight: number): Group => [
    { colour: [0, 0, 0], weight: 999 },
    { colour: [200, 200, 200], weight },
  ]
  expect(modelOf(lone(1))).toHaveLength(2)
  expect(modelOf(lone(0.999))).toHaveLength(1)
})

it('learns nothing from pixels that weigh nothing', () => {
  const [first, second] = DOTS as readonly [Dot, Dot]
  const with_ = [first, { colour: [0, 0, 255], weight: 0 }, second]
  expect(at(with_, [0, 0, 255])).toBeCloseTo(at([first, second], [0, 0, 255]), 9)
  expect(modelOf(with_)).toHaveLength(2)
  expect(modelOf([{ colour: [1, 2, 3], weight: 0 }])).toEqual([])
  expect(modelOf([])).toEqual([])
})

it('finds every colour impossible where nothing was learned', () => {
  expect(logLikelihood([], 10, 20, 30)).toBe(-Infinity)
})

describe('groups of colours', () => {
  const middles = [
    [40, 40, 40],
    [215, 45, 60],
    [60, 210, 50],
    [45, 60, 215],
    [210, 205, 215],
  ]
  /** Around each middle, longer in one direction than in the others, which is another one for each group. */
  const drawGroups = (random: () => number): Group[] =>
    middles.map((middle, group) =>
      Array.from({ length: 12 + 5 * group }, () => {
        const long = (random() - 0.5) * 50
        const bend = [1, 0.7 - group * 0.3, group * 0.25 - 0.5]
        return {
          colour: middle.map((value, channel) =>
            Math.round(value + bend[channel]! * long + (random() - 0.5) * 20),
          ),
          weight: (1 + Math.floor(random() * 8)) / 8,
        }
      }),
    )

  it('that lie far apart: each is a Gaussian with its own covariance', () => {
    const random = randomNumbers(5)
    const groups = drawGroups(random)
    const probe = groups.flatMap((group) => [meanOf(group), group[0]!.colour])
    for (let more = 0; more < 20; more++) probe.push([0, 1, 2].map(() => Math.round(random() * 255)))
    const model = modelOf(groups.flat())
    expect(model).toHaveLength(5)
    for (const colour of probe) {
      const found = logLikelihood(model, colour[0]!, colour[1]!, colour[2]!)
      expect(found).toBeCloseTo(logMixture(groups, colour), 5)
    }
  })

  /** As documented: the widest group is cut at its mean, then the means are mended four times by nearness. */
  function groupColours(dots: Group): Group[] {
    let groups: Group[] = [dots]
    while (groups.length < 5) {
      const widths = groups.flatMap((group) =>
        meanOf(group).map((middle, channel) => ({
          group,
          channel,
          middle,
          width: group.reduce(
            (sum, { colour, weight }) => sum + weight * (colour[channel]! - middle) ** 2,
            0,
          ),
        })),
      )
      const { group, channel, middle } = widths.reduce((best, one) => (one.width > best.width ? one : best))
      const lower = group.filter(({ colour }) => colour[channel]! <= middle)
      const upper = group.filter(({ colour }) => colour[channel]! > middle)
      groups = [...groups.map((one) => (one === group ? lower : one)), upper]
    }
    for (let round = 0; round < 4; round++) {
      const means = groups.map(meanOf)
      const nearest = ({ colour }: Dot): number => {
        const away = means.map((mean) => apart(colour, mean))
        return away.indexOf(Math.min(...away))
      }
      groups = means.map((_, index) => dots.filter((dot) => nearest(dot) === index))
    }
    return groups
  }

  it.each([1, 2, 3, 4, 5, 6])('that run into each other are parted by nearness: %d', (seed) => {
    const random = randomNumbers(seed)
    const dots = Array.from({ length: 60 }, (_, index) => ({
      colour: [0, 1, 2].map((channel) =>
        Math.round(random() * (channel === seed % 3 ? 255 : 90 + 60 * (index % 3))),
      ),
      weight: (1 + Math.floor(random() * 16)) / 16,
    }))
    const groups = groupColours(dots)
    const model = modelOf(dots)
    for (const colour of [...dots.slice(0, 12).map((dot) => dot.colour), ...groups.map(meanOf)]) {
      const found = logLikelihood(model, colour[0]!, colour[1]!, colour[2]!)
      expect(found).toBeCloseTo(logMixture(groups, colour), 5)
    }
  })

  it('reads only the pixels that it is given weights for, each by its place', () => {
    const picture = drawPicture(3, 2, (x, y) => [x * 100, y * 200, 50])
    const model = colourModel(picture, Float32Array.of(0, 0, 1, 0, 1, 0))
    expect(model.map(({ mean }) => mean).sort((a, b) => a[0] - b[0])).toEqual([
      colourOf(picture, 4),
      colourOf(picture, 2),
    ])
  })
})
