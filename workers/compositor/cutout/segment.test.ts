import { describe, expect, it } from 'vitest'
import { colourOf, drawPicture, randomNumbers } from '../../../test/support/small-pictures.ts'
import { colourModel } from './colour-model.ts'
import { minCut } from './min-cut.ts'
import type { PersonPrior } from './person-prior.ts'
import type { Pixels } from './pixels.ts'
import { findPreferences, linkNeighbours, segmentPerson } from './segment.ts'

type Colour = readonly number[]
const apart = (a: Colour, b: Colour): number => a.reduce((sum, value, at) => sum + (value - b[at]!) ** 2, 0)

/** Pairs of numbers of pixels that lie so far from each other. */
function pairsOf({ width, height }: Pixels, right: number, down: number): { from: number; to: number }[] {
  const places = Array.from({ length: width * height }, (_, at) => at)
  const isPair = (from: number, to: number): boolean =>
    (to % width) - (from % width) === right && Math.floor(to / width) - Math.floor(from / width) === down
  return places.flatMap((from) => places.filter((to) => isPair(from, to)).map((to) => ({ from, to })))
}

const random = randomNumbers(11)
const noise = (width: number, height: number): Pixels =>
  drawPicture(width, height, () => [random() * 60, 100 + random() * 40, random() * 255])

describe('links between neighbours', () => {
  const cases = {
    noise: noise(3, 3),
    wide: noise(4, 3),
    tall: noise(2, 5),
    'two colours': drawPicture(4, 3, (x) => (x < 2 ? [10, 20, 30] : [210, 120, 130])),
    // No difference at all, and one of no consequence.
    flat: drawPicture(3, 3, () => [50, 60, 70]),
    'one row': drawPicture(4, 1, (x) => [x * 60, 0, 0]),
  }

  it.each(Object.entries(cases))('are as strong as colours are alike: %s', (_, picture) => {
    const { width, height } = picture
    const away = ({ from, to }: { from: number; to: number }): number =>
      apart(colourOf(picture, from), colourOf(picture, to))
    // The mean change, over the pairs side by side and one above the other.
    const near = [...pairsOf(picture, 1, 0), ...pairsOf(picture, 0, 1)]
    const sum = near.reduce((before, pair) => before + away(pair), 0)
    const mean = sum / near.length
    const links = linkNeighbours(picture)
    for (const [values, right, down] of [
      [links.right, 1, 0],
      [links.downLeft, -1, 1],
      [links.down, 0, 1],
      [links.downRight, 1, 1],
    ] as const) {
      const expected = new Int32Array(width * height)
      for (const pair of pairsOf(picture, right, down)) {
        const alike = sum === 0 ? 1 : Math.exp(-away(pair) / (2 * mean))
        expected[pair.from] = Math.round((1000 * (0.04 + alike)) / Math.hypot(right, down))
      }
      expect([...values]).toEqual([...expected])
    }
  })
})

describe('preferences', () => {
  const RED: Colour = [200, 40, 40]
  const BLUE: Colour = [190, 46, 43]
  const one = (colour: Colour) =>
    colourModel(
      drawPicture(1, 1, () => colour),
      Float32Array.of(1),
    )
  const picture = drawPicture(4, 1, (x) => [RED, BLUE, [195, 43, 41], [20, 250, 250]][x]!)
  const preferences = (likely: number[], fixed: number[], bias: number): number[] => [
    ...findPreferences(
      picture,
      { likely: Float32Array.from(likely), fixed: Uint8Array.from(fixed) },
      one(RED),
      one(BLUE),
      bias,
    ),
  ]
  /** Both models are one cloud of the noise's width, so what counts is how much nearer a colour is to one than the other. */
  const nearer = (x: number): number =>
    (apart(colourOf(picture, x), BLUE) - apart(colourOf(picture, x), RED)) / 36

  it.each([
    [[0.5, 0.5, 0.5, 0.5], 0],
    [[0.2, 0.9, 0.6, 0.985], 0],
    [[0.2, 0.9, 0.6, 0.01], 0.5],
    [[0.7, 0.1, 0.5, 0.5], -1],
  ])('add up what colours, place %j and bias %d say', (likely, bias) => {
    const expected = likely.map((chance, x) => {
      const colour = 4 * Math.tanh(nearer(x) / 4)
      return Math.round(100 * (colour + 1.5 * Math.log(chance / (1 - chance)) + 2 * bias))
    })
    preferences(likely, [0, 0, 0, 0], bias).forEach((own, x) =>
      expect(Math.abs(own - expected[x]!)).toBeLessThanOrEqual(1),
    )
  })

  it('are by colour alone where place and bias say nothing', () => {
    const [red = 0, blue = 0, between = 0, other = 0] = preferences([0.5, 0.5, 0.5, 0.5], [0, 0, 0, 0], 0)
    expect([red, blue]).toEqual([-blue, Math.round(-400 * Math.tanh(145 / 36 / 4))])
    expect(Math.abs(between)).toBeLessThan(red)
    // The limit of what a colour can say.
    expect(other).toBe(-400)
  })

  it('are certain where a pixel is fixed, whatever else is', () => {
    expect(preferences([0.1, 0.9, 0, 1], [1, 2, 2, 1], 3)).toEqual([1e6, -1e6, -1e6, 1e6])
  })
})

/** A prior from rows of text: tenths, '#' for certainly the person, '.' for certainly not. */
function priorOf(rows: readonly string[]): PersonPrior {
  const marks = [...rows.join('')]
  return {
    likely: Float32Array.from(marks, (mark) =>
      mark === '#' ? 0.985 : mark === '.' ? 0.01 : Number(mark) / 10,
    ),
    fixed: Uint8Array.from(marks, (mark) => (mark === '#' ? 1 : mark === '.' ? 2 : 0)),
  }
}

/** A picture from rows of text: each letter is a colour, and `c` is as far from `a` as from `b`. */
const COLOURS: Record<string, Colour> = { a: [200, 60, 50], b: [40, 90, 180], c: [120, 75, 115] }
const pictureOf = (rows: readonly string[]): Pixels =>
  drawPicture(rows[0]!.length, rows.length, (x, y) => COLOURS[rows[y]![x]!]!)

const show = (mask: Uint8Array, width: number): string[] =>
  Array.from({ length: mask.length / width }, (_, y) =>
    [...mask.subarray(y * width, (y + 1) * width)].map((one) => (one === 1 ? 'X' : '-')).join(''),
  )
const segment = (picture: readonly string[], prior: readonly string[], bias?: number): string[] =>
  show(segmentPerson(pictureOf(picture), priorOf(prior), bias), picture[0]!.length)

describe('a person', () => {
  const picture = ['bbbbbbbb', 'bbaabbbb', 'baaaabbb', 'baaaabbb', 'baaaabbb', 'baaaabbb']
  const prior = ['........', '.5555555', '.5##5555', '.5##5555', '.5555555', '.5555555']

  it('reaches as far as their colours do', () => {
    expect(segment(picture, prior)).toEqual([
      '--------',
      '--XX----',
      '-XXXX---',
      '-XXXX---',
      '-XXXX---',
      '-XXXX---',
    ])
  })

  it('ends at what is certainly not theirs, and has what certainly is', () => {
    expect(
      segment(picture, ['........', '.5555555', '.5##5555', '.5##5555', '.5555#55', '..5.5555']),
    ).toEqual(['--------', '--XX----', '-XXXX---', '-XXXX---', '-XXXXX--', '--X-X---'])
  })

  it('is learned from likely places, and the rest from unlikely ones', () => {
    expect(segment(['aaabbb', 'aaabbb'], ['956552', '555551'])).toEqual(['XXX---', 'XXX---'])
    expect(segment(['aaabbb', 'aaabbb'], ['155559', '255555'])).toEqual(['---XXX', '---XXX'])
  })

  it('is what was taken for sure where there is nothing to learn the other side from', () => {
    expect(segment(['aab', 'aab'], ['##5', '555'])).toEqual(['XX-', '---'])
    expect(segment(['aab', 'aab'], ['..5', '555'])).toEqual(['---', '---'])
    expect(segment(['aab', 'aab'], ['9#5', '574'])).toEqual(['XX-', '---'])
    expect(segment(['aab', 'aab'], ['555', '555'])).toEqual(['---', '---'])
  })

  it('is not learned from a likely place that is certainly not theirs, nor the rest from one that certainly is', () => {
    const flat = (colours: string, likely: number[], fixed: number[]): string[] =>
      show(
        segmentPerson(pictureOf([colours]), {
          likely: Float32Array.from(likely),
          fixed: Uint8Array.from(fixed),
        }),
        colours.length,
      )
    expect(flat('aba', [0.9, 0.01, 0.5], [2, 2, 0])).toEqual(['---'])
    expect(flat('baa', [0.1, 0.95, 0.5], [1, 1, 0])).toEqual(['XX-'])
  })

  it('takes more of a colour that could be either with a bias, and less against it', () => {
    const both = ['aaaaccbbbb', 'aaaaccbbbb', 'aaaaccbbbb']
    const open = ['##55555...', '##55555...', '##55555...']
    expect(segment(both, open, 0.5)).toEqual(['XXXXXX----', 'XXXXXX----', 'XXXXXX----'])
    expect(segment(both, open, -0.5)).toEqual(['XXXX------', 'XXXX------', 'XXXX------'])
    expect(segment(picture, prior, 0)).toEqual(segment(picture, prior))
  })
})

it('ends where what was found teaches the same again', () => {
  const width = 24
  const height = 3
  const next = randomNumbers(9)
  for (let run = 0; run < 14; run++) {
    // From one colour to another, with the person on the left for sure: for some, the first cut is not the last.
    const picture = drawPicture(width, height, (x) =>
      [150 - 4 * x, 80, 90 + 4 * x].map((value) => value + next() * 10),
    )
    const likely = Float32Array.from({ length: width * height }, (_, at) => {
      const x = at % width
      if (x < 4) return 0.9 - 0.02 * x
      return x > 19 ? 0.02 * (x - 15) : 0.45 + 0.1 * next()
    })
    const prior = { likely, fixed: new Uint8Array(likely.length) }
    const person = segmentPerson(picture, prior, 0.1)
    const learn = (value: number) =>
      colourModel(
        picture,
        Float32Array.from(person, (one, at) =>
          one === value ? 0.1 + 0.9 * (value === 1 ? likely[at]! : 1 - likely[at]!) : 0,
        ),
      )
    const again = findPreferences(picture, prior, learn(1), learn(0), 0.1)
    expect(show(minCut(width, height, again, linkNeighbours(picture)), width)).toEqual(show(person, width))
  }
})
