import { describe, expect, it } from 'vitest'
import { colourOf, drawPicture, randomNumbers } from '../../../test/support/small-pictures.ts'
import { paintCutOut, replaceEdgeColours } from './paint.ts'
import type { Mask, Pixels } from './pixels.ts'

const maskOf = (width: number, height: number, opacityAt: (x: number, y: number) => number): Mask => ({
  width,
  height,
  data: Float32Array.from({ length: width * height }, (_, at) =>
    opacityAt(at % width, Math.floor(at / width)),
  ),
})
const pixel = ({ width, data }: Pixels, x: number, y: number): number[] => [
  ...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4),
]
const pixels = (picture: Pixels): number[][] =>
  Array.from({ length: picture.width * picture.height }, (_, at) =>
    pixel(picture, at % picture.width, Math.floor(at / picture.width)),
  )

const random = randomNumbers(21)
const picture = drawPicture(4, 3, () => [0, 1, 2].map(() => Math.round(random() * 255)))
const NOTHING = [0, 0, 0, 0]

describe('a cut-out without a ring', () => {
  it('has the colours of the picture and the opacity of the matte', () => {
    const matte = maskOf(4, 3, (x, y) => (x + y * 4) / 11)
    const cut = paintCutOut({ ring: null, margin: 0 }, picture, matte)
    expect([cut.width, cut.height]).toEqual([4, 3])
    pixels(cut).forEach((own, at) =>
      expect(own).toEqual(at === 0 ? NOTHING : [...colourOf(picture, at), Math.round((at / 11) * 255)]),
    )
  })

  it('lies inside its margin', () => {
    const cut = paintCutOut(
      { ring: null, margin: 2 },
      picture,
      maskOf(4, 3, () => 1),
    )
    expect([cut.width, cut.height]).toEqual([8, 7])
    pixels(cut).forEach((own, at) => {
      const x = (at % 8) - 2
      const y = Math.floor(at / 8) - 2
      const isInside = x >= 0 && y >= 0 && x < 4 && y < 3
      expect(own).toEqual(isInside ? pixel(picture, x, y) : NOTHING)
    })
  })
})

describe('a ring', () => {
  const dot = (opacity: number): Mask => maskOf(1, 1, () => opacity)
  const own = drawPicture(1, 1, () => [200, 100, 40])
  const around = (colour: string, width: number, margin: number, matte = dot(1)): Pixels =>
    paintCutOut({ ring: { colour, width }, margin }, own, matte)

  it.each([1, 2, 2.75, 4])('is so many pixels wide, with a soft border of one: %d', (width) => {
    const margin = 7
    const cut = around('#0a141e', width, margin)
    expect([cut.width, cut.height]).toEqual([15, 15])
    pixels(cut).forEach((found, at) => {
      const away = Math.hypot((at % 15) - margin, Math.floor(at / 15) - margin)
      if (away === 0) return expect(found).toEqual([200, 100, 40, 255])
      const opacity = 255 * Math.min(1, Math.max(0, width + 0.5 - away))
      expect(Math.abs(found[3]! - opacity)).toBeLessThan(0.51)
      return expect(found.slice(0, 3)).toEqual(opacity === 0 ? [0, 0, 0] : [10, 20, 30])
    })
  })

  it.each([
    [1, 1],
    [0.75, 1],
    [0.6, 0.5],
    [0.25, 0],
  ])('shines through a matte of %d with its alpha of %d', (opacity, alpha) => {
    // What is half opaque or less is not of the form, so nothing lies around it.
    const ringed = opacity > 0.5 ? alpha * (1 - opacity) : 0
    const found = pixel(around(`rgba(0, 200, 250, ${alpha})`, 3, 3, dot(opacity)), 3, 3)
    const whole = opacity + ringed
    const expected = [200, 100, 40].map(
      (value, channel) => (opacity * value + ringed * [0, 200, 250][channel]!) / whole,
    )
    found.forEach((value, channel) =>
      expect(Math.abs(value - [...expected, 255 * whole][channel]!)).toBeLessThan(0.51),
    )
  })

  it('has the opacity of its colour, and is white where the colour cannot be read', () => {
    expect(pixel(around('rgba(0, 200, 250, 0.4)', 3, 3), 1, 3)).toEqual([0, 200, 250, 102])
    expect(pixel(around('transparent', 3, 3), 1, 3)).toEqual(NOTHING)
    expect(pixel(around('no colour', 3, 3), 1, 3)).toEqual([255, 255, 255, 255])
  })

  it('follows the outline of all that is more than half opaque', () => {
    const matte = maskOf(4, 3, (x, y) => (x === 0 && y === 1 ? 1 : x === 3 ? 0.4 : 0))
    const cut = paintCutOut({ ring: { colour: '#ff0000', width: 1.5 }, margin: 1 }, picture, matte)
    const opacities = Array.from({ length: 5 }, (_, y) =>
      Array.from({ length: 6 }, (_, x) => pixel(cut, x, y)[3]),
    )
    const corner = Math.round(255 * (2 - Math.SQRT2))
    expect(opacities).toEqual([
      [0, 0, 0, 0, 0, 0],
      [corner, 255, corner, 0, 102, 0],
      [255, 255, 255, 0, 102, 0],
      [corner, 255, corner, 0, 102, 0],
      [0, 0, 0, 0, 0, 0],
    ])
    expect(pixel(cut, 1, 2)).toEqual(pixel(picture, 0, 1))
    expect(pixel(cut, 1, 1)).toEqual([255, 0, 0, 255])
    expect(pixel(cut, 4, 2).slice(0, 3)).toEqual(colourOf(picture, 7))
  })
})

describe('colours of the edge', () => {
  /** Mixed with the mean of all certain colours in reach, as much as the pixel is not the person's. */
  function expectEdges(from: Pixels, matte: Mask, reach: number): void {
    const { width } = from
    const found = replaceEdgeColours(from, matte)
    const certain = [...matte.data.keys()].filter((at) => matte.data[at]! >= 0.97)
    matte.data.forEach((opacity, at) => {
      const near = certain.filter(
        (other) =>
          Math.abs((other % width) - (at % width)) <= reach &&
          Math.abs(Math.floor(other / width) - Math.floor(at / width)) <= reach,
      )
      const isEdge = opacity > 0 && opacity < 0.97 && near.length > 0
      for (let channel = 0; channel < 3; channel++) {
        const own = from.data[at * 4 + channel]!
        const theirs = near.reduce((sum, other) => sum + from.data[other * 4 + channel]!, 0) / near.length
        const expected = isEdge ? own * opacity + theirs * (1 - opacity) : own
        expect(Math.abs(found.data[at * 4 + channel]! - expected)).toBeLessThan(0.501)
      }
      expect(found.data[at * 4 + 3]).toBe(from.data[at * 4 + 3])
    })
    expect([found.width, found.height]).toEqual([from.width, from.height])
  }

  it.each([
    [9, 7, 0.3],
    [6, 10, 0.1],
    [12, 5, 0.03],
    [5, 5, 0],
  ])('are what the person has nearby: %d x %d pixels, %d of them certain', (width, height, share) => {
    const next = randomNumbers(width)
    const from = drawPicture(width, height, () => [0, 1, 2].map(() => Math.round(next() * 255)))
    const matte = maskOf(width, height, () =>
      next() < share ? 0.97 + next() * 0.03 : next() < 0.3 ? 0 : next() * 0.96,
    )
    expectEdges(from, matte, 2)
  })

  it.each([
    [224, 1, 2],
    [225, 1, 3],
    [1, 270, 3],
    [1, 320, 4],
  ])('are looked for within a ninetieth of the longer side: %d x %d pixels, %d', (width, height, reach) => {
    const long = Math.max(width, height)
    const from = drawPicture(width, height, (x, y) => [x + y < 30 ? 250 : 10, (x + y) % 200, 90])
    // Every eleventh is certain.
    const matte = maskOf(width, height, (x, y) => ((x + y) % 11 === 5 && x + y < long ? 1 : 0.5))
    expectEdges(from, matte, reach)
  })
})
