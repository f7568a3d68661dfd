import { describe, expect, it } from 'vitest'
import type { ImageLayer, Layer } from '../../../server/contract/composition.ts'
import { SOURCE_FRAME } from '../../../server/contract/composition-pictures.ts'
import { cutOutDigest, cutOutJob, cutOutLayers, cutOutSize } from './cut-out-job.ts'

const STILL = { kind: 'none', frames: 0 } as const
const LAYER: ImageLayer = {
  kind: 'image',
  id: 'thumbnail:c',
  rect: { x: 5, y: 6, width: 300, height: 200 },
  part: { x: 400, y: 300, width: 200, height: 100 },
  asset: { digest: SOURCE_FRAME, width: 1000, height: 800, opaque: true },
  fit: 'fill',
  background: null,
  opacity: 1,
  startFrame: 0,
  endFrame: 1,
  intro: STILL,
  outro: STILL,
  ellipse: true,
  person: { faces: [], others: [] },
}
const FULL = { width: 1000, height: 800 }

describe('layers that are cut out', () => {
  const { person: _, ...plain } = LAYER
  const other: ImageLayer = { ...LAYER, asset: { ...LAYER.asset, digest: 'a'.repeat(64) } }
  const shape = { ...LAYER, kind: 'shape' } as unknown as Layer

  it('are pictures of the source with a person', () => {
    const second = { ...LAYER, id: 'second' }
    expect(cutOutLayers([plain, LAYER, other, shape, second])).toEqual([LAYER, second])
    expect(cutOutLayers([plain])).toEqual([])
    expect(cutOutLayers([other])).toEqual([])
    expect(cutOutLayers([shape])).toEqual([])
  })

  it('have a key of their own', () => {
    expect(cutOutDigest({ id: 'x' })).toBe(`${SOURCE_FRAME} x`)
  })
})

describe('the size of a cut-out', () => {
  const size = (width: number, height: number, unit: number, ring?: number) =>
    cutOutSize(
      {
        rect: { x: 9, y: 9, width, height },
        ...(ring !== undefined && { ring: { colour: '#fff', width: ring } }),
      },
      unit,
    )

  it.each([
    [100, 50, 1, { width: 100, height: 50 }],
    [100, 50, 2.5, { width: 250, height: 125 }],
    [33, 17, 0.5, { width: 17, height: 9 }],
    [0.2, 0.1, 1, { width: 1, height: 1 }],
    [1920, 100, 1, { width: 1920, height: 100 }],
    [3840, 1000, 1, { width: 1920, height: 500 }],
    [1000, 3840, 1, { width: 500, height: 1920 }],
    [960, 480, 4, { width: 1920, height: 960 }],
  ])('%d x %d units of %d pixels', (width, height, unit, expected) => {
    expect(size(width, height, unit)).toEqual({ ...expected, ring: 0, margin: 0 })
  })

  it.each([
    [100, 1, 12, 12, 14],
    [100, 1, 11.2, 11.2, 14],
    [100, 2, 3, 6, 8],
    [100, 1, 0, 0, 0],
    [3840, 1, 9, 4.5, 7],
  ])('%d units of %d pixels, with a ring of %d: %d wide, margin %d', (width, unit, ring, wide, margin) => {
    expect(size(width, 50, unit, ring)).toMatchObject({ ring: wide, margin })
  })
})

describe('a job', () => {
  it('analyses more than it shows: 35 % beside, 30 % above, 10 % below', () => {
    // A region of 340 x 140 is more than is analysed: it is scaled to 40,000 pixels.
    const zoom = Math.sqrt(40_000 / (340 * 140))
    const job = cutOutJob(LAYER, FULL, 1)
    expect(job).toEqual({
      region: { x: 330, y: 270, width: 340, height: 140 },
      part: LAYER.part,
      work: { width: Math.round(340 * zoom), height: Math.round(140 * zoom) },
      size: { width: 300, height: 200 },
      margin: 0,
      ring: null,
      box: {
        x: expect.closeTo((70 * 312) / 340, 9) as number,
        y: expect.closeTo((30 * 128) / 140, 9) as number,
        width: expect.closeTo((200 * 312) / 340, 9) as number,
        height: expect.closeTo((100 * 128) / 140, 9) as number,
      },
      faces: [],
      others: [],
      bias: 0,
    })
    expect(job.work).toEqual({ width: 312, height: 128 })
  })

  const regionOf = (x: number, y: number, width: number, height: number) =>
    cutOutJob({ ...LAYER, part: { x, y, width, height } }, FULL, 1).region

  it.each([
    [[10, 300, 200, 100], { x: 0, y: 270, width: 280, height: 140 }],
    [[400, 25, 200, 100], { x: 330, y: 0, width: 340, height: 135 }],
    [[790, 300, 200, 100], { x: 720, y: 270, width: 280, height: 140 }],
    [[400, 695, 200, 100], { x: 330, y: 665, width: 340, height: 135 }],
    [[0, 0, 1000, 800], { x: 0, y: 0, width: 1000, height: 800 }],
    // To whole pixels, outwards.
    [[100.5, 100.5, 11, 11], { x: 96, y: 97, width: 20, height: 16 }],
    [[2000, 300, 200, 100], { x: 1930, y: 270, width: 1, height: 140 }],
    [[400, 2000, 200, 100], { x: 330, y: 1970, width: 340, height: 1 }],
  ] as const)('keeps to the picture: %j', ([x, y, width, height], expected) => {
    expect(regionOf(x, y, width, height)).toEqual(expected)
  })

  it('shows the whole picture without a part', () => {
    const { part: _, ...whole } = LAYER
    const job = cutOutJob(whole, FULL, 1)
    expect([job.part, job.region]).toEqual([
      { x: 0, y: 0, width: 1000, height: 800 },
      { x: 0, y: 0, width: 1000, height: 800 },
    ])
  })

  it('never makes a small region larger, but for one of less than 8 pixels', () => {
    const job = cutOutJob({ ...LAYER, part: { x: 400, y: 300, width: 20, height: 3 } }, FULL, 1)
    expect(job.region).toEqual({ x: 393, y: 299, width: 34, height: 5 })
    expect(job.work).toEqual({ width: 34, height: 8 })
    expect(job.box).toEqual({ x: 7, y: 1.6, width: 20, height: expect.closeTo(4.8, 9) as number })
    const thin = cutOutJob({ ...LAYER, part: { x: 400, y: 300, width: 2, height: 30 } }, FULL, 1)
    expect(thin.work).toEqual({ width: 8, height: thin.region.height })
  })

  it('scales what it knows to the picture that it has, and from there to the region', () => {
    // The picture has half the width and a quarter of the height of the source.
    const person = {
      faces: [
        { x: 440, y: 320, width: 40, height: 48 },
        { x: 540, y: 340, width: 20, height: 24 },
      ],
      others: [{ x: 340, y: 280, width: 20, height: 24 }],
      bias: -0.5,
    }
    const job = cutOutJob({ ...LAYER, person }, { width: 500, height: 200 }, 2)
    expect(job.part).toEqual({ x: 200, y: 75, width: 100, height: 25 })
    expect(job.region).toEqual({ x: 165, y: 67, width: 170, height: 36 })
    expect(job.work).toEqual({ width: 170, height: 36 })
    expect(job.box).toEqual({ x: 35, y: 8, width: 100, height: 25 })
    expect(job.faces).toEqual([
      { x: 55, y: 13, width: 20, height: 12 },
      { x: 105, y: 18, width: 10, height: 6 },
    ])
    expect(job.others).toEqual([{ x: 5, y: 3, width: 10, height: 6 }])
    expect([job.bias, job.size]).toEqual([-0.5, { width: 600, height: 400 }])
  })

  it('has a ring only where it is wider than nothing', () => {
    const ringed = (width: number) => cutOutJob({ ...LAYER, ring: { colour: '#123456', width } }, FULL, 2)
    expect(ringed(3)).toMatchObject({ ring: { colour: '#123456', width: 6 }, margin: 8 })
    expect(ringed(0)).toMatchObject({ ring: null, margin: 0 })
    expect(ringed(3).size).toEqual({ width: 600, height: 400 })
  })

  it('knows no faces of a layer without a person', () => {
    const { person: _, ...plain } = LAYER
    expect(cutOutJob(plain, FULL, 1)).toMatchObject({ faces: [], others: [], bias: 0 })
  })
})
