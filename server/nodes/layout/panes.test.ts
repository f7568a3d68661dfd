import { describe, expect, it } from 'vitest'
import { canFitPerson, halves, paneRects, screenAndPerson } from './panes.ts'
import { cropAt, percentOf } from './view-at.ts'

const rect = (x: number, y: number, width: number, height: number) => ({ x, y, width, height })
const TALL = { width: 1080, height: 1920 }
const BROAD = { width: 1920, height: 1080 }
const close = (box: ReturnType<typeof rect>) =>
  Object.fromEntries(Object.entries(box).map(([side, value]) => [side, expect.closeTo(value, 6) as number]))

describe('panes', () => {
  it('lie one above the other, in a wide output side by side, four in quarters', () => {
    expect(paneRects(2, TALL)).toEqual([rect(0, 0, 1080, 960), rect(0, 960, 1080, 960)])
    expect(paneRects(3, TALL)).toEqual([
      rect(0, 0, 1080, 640),
      rect(0, 640, 1080, 640),
      rect(0, 1280, 1080, 640),
    ])
    expect(paneRects(2, BROAD)).toEqual([rect(0, 0, 960, 1080), rect(960, 0, 960, 1080)])
    expect(paneRects(4, TALL)).toEqual([
      rect(0, 0, 540, 960),
      rect(540, 0, 540, 960),
      rect(0, 960, 540, 960),
      rect(540, 960, 540, 960),
    ])
    // Wide begins above 1.2.
    expect(paneRects(2, { width: 1200, height: 1000 })[1]?.x).toBe(0)
    expect(paneRects(2, { width: 1202, height: 1000 })[1]?.x).toBeGreaterThan(0)
  })

  it('of a source without people show its halves, as much of each as fits', () => {
    // A pane of 1.125 to 1 takes 960 x 853.33 of a half of 960 x 1080.
    const height = 960 / 1.125
    const top = (1080 - height) / 2
    expect(halves(BROAD, TALL).map(({ crop }) => crop)).toEqual([
      close(rect(0, top, 960, height)),
      close(rect(960, top, 960, height)),
    ])
    // The halves of a tall source have the shape of the panes.
    expect(halves(TALL, TALL).map(({ crop }) => crop)).toEqual([
      close(rect(0, 0, 1080, 960)),
      close(rect(0, 960, 1080, 960)),
    ])
  })
})

describe('a screen with its presenter', () => {
  const inset = rect(1500, 700, 400, 300)

  it('fills the width, and the presenter what is left below', () => {
    const [screen, person] = screenAndPerson(inset, null, BROAD, TALL)
    expect(screen).toEqual({ crop: rect(0, 0, 1920, 1080), rect: rect(0, 0, 1080, 607.5) })
    expect(person?.rect).toEqual(rect(0, 607.5, 1080, 1312.5))
    const width = (300 * 1080) / 1312.5
    // 1576.57, on an even pixel.
    expect(person?.crop).toEqual(close(rect(1576, 700, width, 300)))
    const [, looking] = screenAndPerson(inset, { x: 1520, y: 800 }, BROAD, TALL)
    expect(looking?.crop).toEqual(close(rect(1500, 700, width, 300)))
  })

  it('takes 72 % of a wide output, in the middle of its height', () => {
    const [screen, person] = screenAndPerson(inset, null, BROAD, BROAD)
    expect(screen?.rect).toEqual(close(rect(0, 151.2, 1382.4, 777.6)))
    expect(person?.rect).toEqual(close(rect(1382.4, 0, 537.6, 1080)))
  })

  it('has room beside it where more than a quarter of the height is left', () => {
    expect(canFitPerson(BROAD, TALL)).toBe(true)
    expect(canFitPerson(TALL, TALL)).toBe(false)
    expect(canFitPerson({ width: 1080, height: 1440 }, TALL)).toBe(false)
    expect(canFitPerson({ width: 1080, height: 1439 }, TALL)).toBe(true)
    expect(canFitPerson(TALL, BROAD)).toBe(true)
  })
})

describe('a point of the source in the output', () => {
  const crop = { kind: 'crop' as const, startFrame: 10, endFrame: 20, crop: rect(100, 200, 400, 800) }
  const fit = {
    kind: 'fit' as const,
    startFrame: 0,
    endFrame: 9,
    crop: rect(0, 0, 1920, 1080),
    zoom: 1,
    background: 'black' as const,
  }

  it('is its share of the crop, and nowhere outside of it', () => {
    const at = (x: number, y: number) => percentOf(crop, 10, { x, y }, TALL)
    expect(at(200, 600)).toEqual({ xPercent: 25, yPercent: 50 })
    expect([at(100, 200), at(500, 1000)]).toEqual([
      { xPercent: 0, yPercent: 0 },
      { xPercent: 100, yPercent: 100 },
    ])
    expect([at(99, 600), at(501, 600), at(300, 199), at(300, 1001)]).toEqual([null, null, null, null])
  })

  it('goes with a crop that moves', () => {
    const cropTo = rect(500, 200, 200, 400)
    expect(cropAt({ ...crop, cropTo }, 15)).toEqual(rect(300, 200, 300, 600))
    // 0.2 of the time is 0.104 of the way.
    expect(cropAt({ ...crop, cropTo, eased: true }, 12)).toEqual(close(rect(141.6, 200, 379.2, 758.4)))
    expect(cropAt(crop, 15)).toEqual(crop.crop)
    expect(percentOf({ ...crop, cropTo }, 15, { x: 450, y: 500 }, TALL)).toEqual({
      xPercent: 50,
      yPercent: 50,
    })
  })

  it('is where the whole picture lies, with its zoom and its offset', () => {
    // 607.5 of 1,920 lines are 31.640625 %.
    expect(percentOf(fit, 0, { x: 0, y: 0 }, TALL)).toEqual({ xPercent: 0, yPercent: 50 - 31.640625 / 2 })
    const near = { ...fit, zoom: 2, yOffsetPercent: 10 }
    expect(percentOf(near, 0, { x: 1440, y: 540 }, TALL)).toEqual({ xPercent: 100, yPercent: 60 })
    expect(
      percentOf({ ...crop, kind: 'panes', panes: [], background: 'black' }, 0, { x: 0, y: 0 }, TALL),
    ).toBeNull()
  })
})
