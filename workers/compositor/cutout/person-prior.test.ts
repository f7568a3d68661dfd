import { describe, expect, it } from 'vitest'
import type { Rect } from '../../../server/contract/composition.ts'
import { personPrior, type PriorRequest } from './person-prior.ts'

/** Rows of text: '#' certainly the person, '.' certainly not, else tenths of likelihood. */
function draw(
  request: Partial<PriorRequest> & { readonly width: number; readonly height: number },
): string[] {
  const { likely, fixed } = personPrior({
    box: { x: 0, y: 0, width: request.width, height: request.height },
    faces: [],
    others: [],
    ...request,
  })
  const mark = (at: number): string =>
    fixed[at] === 1 ? '#' : fixed[at] === 2 ? '.' : String(Math.floor(likely[at]! * 10))
  return Array.from({ length: request.height }, (_, y) =>
    Array.from({ length: request.width }, (_, x) => mark(y * request.width + x)).join(''),
  )
}

describe('where a person is likely to be', () => {
  it('with a face: a head, a neck, and shoulders that widen', () => {
    const face = { x: 9.2, y: 5.1, width: 5, height: 6.5 }
    expect(draw({ width: 24, height: 22, faces: [face] })).toEqual([
      '...00000000000000000....',
      '...00000001110000000....',
      '...00000013432000000....',
      '...00000136775200000....',
      '...00000268987410000....',
      '...00001489998510000....',
      '...0000158###9720000....',
      '...0000159####720000....',
      '...0000158####720000....',
      '...0000148###9620000....',
      '...00000379##8410000....',
      '00000000147#762000000000',
      '00000001379#985200000000',
      '00000014799#998520000000',
      '000013689999999974100000',
      '000247899999999997521000',
      '001368999999999998742100',
      '013578999999999999864210',
      '124689999999999999875310',
      '135789999999999999876421',
      '235789999999999999876421',
      '245789999999999999876431',
    ])
  })

  it('without a face: the middle of the box, and what is below it', () => {
    const box = { x: 4, y: 2, width: 14, height: 12 }
    expect(draw({ width: 20, height: 16, box })).toEqual([
      '....................',
      '....................',
      '....11223333332211..',
      '....12234555543221..',
      '....12356677665321..',
      '....23467788776432..',
      '....24577888877542..',
      '....34678888887643..',
      '....356788##887653..',
      '....356788##887653..',
      '....346788##887643..',
      '....34678888887643..',
      '....24678888887642..',
      '....24678888887642..',
      '....24678888887642..',
      '....24678888887642..',
    ])
  })

  it('with two faces: around each, and nowhere that is far from both', () => {
    const faces = [
      { x: 4, y: 3, width: 4, height: 5 },
      { x: 17, y: 6, width: 5, height: 6 },
    ]
    const expected = [
      '0000122100000000000000000000..',
      '0001366310000000000000000000..',
      '0002788720000000001110000000..',
      '0004899840000000013431000000..',
      '00159##951000000146764100000..',
      '0015####51000000378987300000..',
      '00048##840000001589998510000..',
      '00027##72000000169###9610000..',
      '00037##73000000269###9620000..',
      '01479##97410000169###9610000..',
      '368999999863000148###8410000..',
      '6899999999863100368#8630000000',
      '8999999999985310368#8630000000',
    ]
    expect(draw({ width: 30, height: 13, faces })).toEqual(expected)
    expect(draw({ width: 30, height: 13, faces: faces.toReversed() })).toEqual(expected)
  })

  it("with another person's face: nothing of it, even where it covers the person's own", () => {
    const faces = [{ x: 4, y: 4, width: 4, height: 5 }]
    const others = [
      { x: 11, y: 5, width: 5, height: 6 },
      { x: 0, y: 10, width: 2, height: 2 },
      { x: 6, y: 4, width: 4, height: 4 },
    ]
    expect(draw({ width: 20, height: 12, faces, others })).toEqual([
      '0000000000000.......',
      '0000122100000.......',
      '0001366310000.......',
      '0002788720000.......',
      '0004899..0000.......',
      '00159#....00........',
      '0015##....0.........',
      '00048##..00.........',
      '00027##7200.....0000',
      '00037##7300.....0000',
      '..479##97410...00000',
      '..899999986300000000',
    ])
  })

  it('with a face that is cut by the edge of the picture', () => {
    const faces = [{ x: -2, y: -1, width: 4, height: 5 }]
    expect(draw({ width: 12, height: 10, faces })).toEqual([
      '#951000.....',
      '##51000.....',
      '#840000.....',
      '#72000000000',
      '#73000000000',
      '#97410000000',
      '999863000000',
      '999986310000',
      '999998531000',
      '999998742000',
    ])
  })
})

const soft = (value: number): number => 1 / (1 + Math.exp(-value))

/** Prior of one pixel whose centre lies so far from the middle of a face, in sizes of the face. */
function byFace(u: number, v: number): { likely: number; fixed: number } {
  const face = { width: 30, height: 40 }
  const place = { x: 0.5 - (u + 0.5) * face.width, y: 0.5 - (v + 0.5) * face.height }
  return onePixel({ faces: [{ ...face, ...place }] })
}

/** The same from the middle of a box, in halves of the box. */
function inBox(u: number, v: number): { likely: number; fixed: number } {
  const box = { width: 30, height: 40 }
  const place = { x: 0.5 - (u + 1) * 15, y: 0.5 - (v + 1) * 20 }
  return onePixel({ box: { ...box, ...place } })
}

function onePixel(request: { box?: Rect; faces?: Rect[] }): { likely: number; fixed: number } {
  const box = { x: 0, y: 0, width: 1, height: 1 }
  const { likely, fixed } = personPrior({ width: 1, height: 1, box, faces: [], others: [], ...request })
  return { likely: likely[0]!, fixed: fixed[0]! }
}

describe('by a face', () => {
  it.each([
    ['at the side of the head', 0.67, -0.1],
    ['at the top of the hair', 0, -0.87],
    ['at the shoulders', 1.35, 1.05],
    ['between shoulders and arms', 1.575, 1.275],
    ['at the arms', 1.8, 1.5],
    ['below them', 1.9, 1.85],
    ['at the elbows', 2, 2.2],
    ['below the elbows', 2, 4],
  ])('a border is as likely as not, on both sides: %s', (_, u, v) => {
    expect(byFace(u, v)).toEqual({ likely: expect.closeTo(0.5, 3) as number, fixed: 0 })
    expect(byFace(-u, v).likely).toBeCloseTo(0.5, 3)
    expect(byFace(u * 0.9, v).likely).toBeGreaterThanOrEqual(0.5)
    expect(byFace(u * 1.1 + 0.05, v).likely).toBeLessThan(0.5)
  })

  it.each([
    // So many widths of the border inside and outside, of head and of body.
    [0, -0.1 - 0.77 * 0.7, soft(2)],
    [0.67 * 1.15, -0.1, soft(-1)],
    [2 - (0.06 + 0.11 * 3), 3, soft(1)],
    [2 + (0.06 + 0.11 * 3) * 2, 3, soft(-2)],
    // Where the neck ends, the body begins.
    [0.57, 0.625, 0.5 * soft(0.205 / 0.06)],
    [0.72, 0.75, 0.5 * soft(0.33 / 0.06)],
    // High above the hair it is still less likely.
    [0, -1.2, soft((1 - 1.1 / 0.77) / 0.15 - 0.8)],
  ])('%d to the side and %d down it is %d', (u, v, likely) => {
    expect(byFace(u, v).likely).toBeCloseTo(likely, 2)
  })

  it('nothing is believed wholly', () => {
    expect(byFace(0, 0).likely).toBeCloseTo(0.985, 6)
    expect(byFace(0, -5).likely).toBeCloseTo(0.01, 6)
    expect(byFace(0, 3).likely).toBeCloseTo(0.985, 6)
  })

  it.each([
    ['the face', 0.39, 0, 1],
    ['beside the face', 0.41, 0, 0],
    ['its lower half', 0, 0.39, 1],
    ['the brow', 0, -0.39, 1],
    ['above the brow', 0, -0.41, 0],
    ['the cheek', 0.27, 0.27, 1],
    ['off the cheek', 0.3, 0.3, 0],
    ['the neck', 0.15, 0.84, 1],
    ['beside the neck', 0.17, 0.84, 0],
    ['below the neck', 0.15, 0.86, 0],
    ['just above the head', 0, -1.69, 0],
    ['far above the head', 0, -1.71, 2],
    ['near beside the head', 1.69, 0.34, 0],
    ['far beside the head', 1.71, 0.34, 2],
    ['beside the shoulders', 1.71, 0.36, 0],
    ['far beside the shoulders', 3.59, 0.36, 0],
    ['further still', 3.61, 2, 2],
  ])('%s: %d to the side and %d down, fixed as %d', (_, u, v, fixed) => {
    expect([byFace(u, v).fixed, byFace(-u, v).fixed]).toEqual([fixed, fixed])
  })
})

describe('by a box', () => {
  it.each([
    ['the side', 0.8, 0.15, 0.5],
    ['the top', 0, -0.8, 0.5],
    ['halfway up', 0, 0.15 - 0.475, 0.1 + 0.8 * soft(2.5)],
    ['lower', 0, 0.5, 0.1 + 0.8 * soft((1 - (0.35 * 0.8) / 0.95) / 0.2)],
    ['below', 0, 0.6, 0.1 + 0.8 * soft((1 - (0.45 * 0.8) / 0.95) / 0.2)],
    ['far below', 0, 3, 0.1 + 0.8 * soft((1 - (0.45 * 0.8) / 0.95) / 0.2)],
    ['a corner', 0.99, -0.99, 0.1 + 0.8 * soft((1 - Math.hypot(0.99 / 0.8, 1.14 / 0.95)) / 0.2)],
  ])('%s: %d to the side and %d down it is %d, and open', (_, u, v, likely) => {
    expect(inBox(u, v)).toEqual({ likely: expect.closeTo(likely, 5) as number, fixed: 0 })
    expect(inBox(-u, v).likely).toBeCloseTo(likely, 5)
  })

  it.each([
    ['the middle', 0.19, 0.15, 1],
    ['beside it', 0.21, 0.15, 0],
    ['above it', 0, 0.15 - 0.25, 0],
    ['inside the box', 0.99, -0.99, 0],
    ['its side', 1, 0, 0],
    ['its upper edge', 0, -1, 0],
    ['outside of it', 1.01, 0, 2],
    ['above it', 0, -1.01, 2],
    ['below it', 0.5, 1.5, 0],
  ])('%s: %d to the side and %d down, fixed as %d', (_, u, v, fixed) => {
    expect([inBox(u, v).fixed, inBox(-u, v).fixed]).toEqual([fixed, fixed])
    if (fixed === 2) expect(inBox(u, v).likely).toBeCloseTo(0.01, 6)
  })
})
