import { describe, expect, it } from 'vitest'
import { sampleComposition } from '../../test/support/sample-composition.ts'
import type { Composition } from '../../server/contract/composition.ts'
import { secondsToTicks } from '../../server/contract/time.ts'
import { placeSource, zoomView } from './source-place.ts'
import { sourceMoment } from '../../server/contract/time-map/frames.ts'

const rect = (x: number, y: number, width: number, height: number) => ({ x, y, width, height })
const composition = (more: Partial<Composition>): Composition => ({
  ...sampleComposition({ frameRate: { numerator: 25, denominator: 1 }, durationFrames: 40 }),
  ...more,
})
const WHOLE = rect(0, 0, 1920, 1080)
const OUTPUT = rect(0, 0, 1080, 1920)

describe('the moment of the source', () => {
  const span = (startFrame: number, endFrame: number, seconds: number, playbackRate: number) => ({
    startFrame,
    endFrame,
    sourceStart: secondsToTicks(seconds),
    sourceEnd: secondsToTicks(seconds + ((endFrame - startFrame) / 25) * playbackRate),
    playbackRate,
  })
  const clip = composition({
    timeMap: [span(0, 20, 2, 1), span(20, 30, 8, 2), span(30, 40, 20, 0.5)],
    durationFrames: 45,
    tailFrames: 5,
  })

  it.each([
    [0, 2.02],
    [19, 2.78],
    // At twice the speed each frame covers two pictures, and shows the second.
    [20, 8.06],
    [21, 8.14],
    // At half of it each picture is shown twice.
    [30, 20.02],
    [31, 20.02],
    [32, 20.06],
    [39, 20.18],
    [40, 20.18],
    [44, 20.18],
  ])('on frame %i is %f s, in the middle of a picture', (frame, seconds) => {
    expect(sourceMoment(clip, frame)).toBeCloseTo(seconds, 9)
  })
})

describe('a pane that moves', () => {
  it('is where its leg is on each frame', () => {
    const crop = rect(100, 0, 540, 480)
    const legs = [
      { startFrame: 10, endFrame: 20, crop, cropTo: rect(200, 0, 540, 480) },
      { startFrame: 20, endFrame: 30, crop: rect(200, 0, 540, 480) },
    ]
    const panes = [{ crop, rect: rect(0, 0, 1080, 960), legs }]
    const layout = [
      { kind: 'panes' as const, startFrame: 10, endFrame: 30, background: 'black' as const, panes },
    ]
    const shown = (frame: number) => placeSource(composition({ layout }), frame).views[0]?.from
    expect(shown(10)).toEqual(crop)
    expect(shown(15)).toEqual(rect(150, 0, 540, 480))
    expect(shown(25)).toEqual(rect(200, 0, 540, 480))
  })
})

describe('a crop', () => {
  const crop = (x: number, y: number, width: number, height: number, more = {}) => ({
    kind: 'crop' as const,
    startFrame: 10,
    endFrame: 20,
    crop: rect(x, y, width, height),
    ...more,
  })
  const shown = (layout: Composition['layout'][number], frame = 10) => {
    const { blurred, views } = placeSource(composition({ layout: [layout] }), frame)
    expect(blurred).toBeNull()
    expect(views[0]?.to).toEqual(OUTPUT)
    return views[0]?.from
  }

  it('that stays is cut at whole pairs of pixels, inside the picture', () => {
    expect(shown(crop(656.25, 0, 607.5, 1080))).toEqual(rect(656, 0, 608, 1080))
    expect(shown(crop(1919, 900, 607.5, 500))).toEqual(rect(1312, 580, 608, 500))
    expect(shown(crop(-10, -3, 607.5, 500))).toEqual(rect(0, 0, 608, 500))
    expect(shown(crop(0, 0, 1920, 1080))).toEqual(WHOLE)
    expect(shown(crop(5, 5, 1920, 1080))).toEqual(WHOLE)
    expect(shown(crop(5, 8, 1920, 500))).toEqual(rect(0, 8, 1920, 500))
    expect(shown(crop(8, 5, 500, 1080))).toEqual(rect(8, 0, 500, 1080))
  })

  it('that moves goes evenly from place to place, or gently', () => {
    const cropTo = rect(1312.5, 0, 607.5, 1080)
    const moving = crop(0, 0, 607.5, 1080, { cropTo })
    expect([10, 15, 20].map((frame) => shown(moving, frame)?.x)).toEqual([0, 656, 1312])
    expect(shown(moving, 15)).toEqual(rect(656, 0, 608, 1080))
    const eased = crop(0, 0, 607.5, 1080, { cropTo, eased: true })
    // 0.2 of the time is 0.104 of the way.
    expect(shown(eased, 12)?.x).toBeCloseTo(1312 * 0.104, 9)
    const down = crop(100, 600, 500, 400, { cropTo: rect(100, -40, 500, 400) })
    expect(shown(down, 15)).toEqual(rect(100, 300, 500, 400))
  })

  it('that grows is resampled, and one that goes nowhere stays', () => {
    const growing = crop(0, 0, 600, 1000, { cropTo: rect(100, 50, 300, 500) })
    expect(shown(growing, 15)).toEqual(rect(50, 25, 450, 750))
    expect(shown(crop(0, 0, 600, 1000, { cropTo: rect(0, 0, 600, 500) }), 15)).toEqual(rect(0, 0, 600, 750))
    const staying = crop(3, 4, 601, 1000, { cropTo: rect(3, 4, 601, 1000) })
    expect(shown(staying, 15)).toEqual(rect(2, 4, 602, 1000))
  })
})

describe('a whole picture', () => {
  const fit = (more: Partial<Extract<Composition['layout'][number], { kind: 'fit' }>> = {}) => {
    const span = {
      kind: 'fit' as const,
      startFrame: 0,
      endFrame: 40,
      crop: WHOLE,
      zoom: 1,
      background: 'black' as const,
      ...more,
    }
    const { blurred, views } = placeSource(composition({ layout: [span] }), 0)
    return { blurred, ...views[0]! }
  }

  it('is in the middle, or above or below it, over black or its own blur', () => {
    expect(fit()).toEqual({ blurred: null, from: WHOLE, to: rect(0, 656, 1080, 608) })
    expect(fit({ background: 'blur' })).toEqual({ blurred: WHOLE, from: WHOLE, to: rect(0, 656, 1080, 608) })
    expect(fit({ yOffsetPercent: 10 }).to.y).toBe(848)
    expect(fit({ yOffsetPercent: -10, background: 'blur' }).to.y).toBe(464)
  })

  it('stays inside the output over black', () => {
    expect(fit({ yOffsetPercent: 60 }).to.y).toBe(1312)
    expect(fit({ yOffsetPercent: -60 }).to.y).toBe(0)
    expect(fit({ yOffsetPercent: 60, background: 'blur' }).to.y).toBe(1808)
    expect(fit({ yOffsetPercent: -60, background: 'blur' }).to.y).toBe(-496)
  })

  it('that is enlarged loses its sides, and needs nothing behind it where it covers everything', () => {
    expect(fit({ zoom: 2, background: 'blur' })).toEqual({
      blurred: WHOLE,
      from: rect(480, 0, 960, 1080),
      to: rect(0, 352, 1080, 1216),
    })
    const { blurred, from, to } = fit({ zoom: 4, background: 'blur' })
    expect([blurred, to, from.x, from.width]).toEqual([null, OUTPUT, 720, 480])
    // 1,920 of 2,430 lines.
    expect(from.height).toBeCloseTo((1080 * 1920) / 2430, 9)
    expect(from.y).toBeCloseTo((1080 - from.height) / 2, 9)
  })
})

it('shows panes at whole pairs of pixels, over black or a blur, and the last layout in the tail', () => {
  const output = { width: 540, height: 960, frameRate: { numerator: 25, denominator: 1 } }
  const panes = (background: 'black' | 'blur') => ({
    kind: 'panes' as const,
    startFrame: 20,
    endFrame: 35,
    background,
    panes: [
      { crop: rect(0, 0, 1920, 1080), rect: rect(0, 0, 1080, 961) },
      { crop: rect(101, 51, 500, 501), rect: rect(2, 961, 1078, 959) },
      { crop: rect(0, 0, 500, 500), rect: rect(1200, 2000, 100, 100) },
    ],
  })
  const crop = { kind: 'crop' as const, startFrame: 0, endFrame: 20, crop: WHOLE }
  const at = (background: 'black' | 'blur', frame: number) =>
    placeSource(composition({ output, layout: [crop, panes(background)], tailFrames: 5 }), frame)
  expect(at('blur', 20)).toEqual({
    blurred: WHOLE,
    views: [
      { from: WHOLE, to: rect(0, 0, 540, 480) },
      { from: rect(100, 50, 500, 502), to: rect(2, 480, 538, 480) },
      { from: rect(0, 0, 500, 500), to: rect(538, 958, 2, 2) },
    ],
  })
  expect(at('black', 39).blurred).toBeNull()
  expect(at('black', 39).views).toHaveLength(3)
  expect(at('black', 19).views).toHaveLength(1)
})

describe('a zoom', () => {
  const zoom = {
    startFrame: 10,
    endFrame: 30,
    scale: 2,
    xPercent: 50,
    yPercent: 25,
    easeInFrames: 4,
    easeOutFrames: 4,
  }
  const at = (frame: number, more: Partial<typeof zoom> = {}, clip: Partial<Composition> = {}) =>
    zoomView(composition({ zooms: [{ ...zoom, ...more }], ...clip }), frame)
  const full = rect(270, 240, 540, 960)
  const half = rect(135, 120, 810, 1440)
  // A quarter of the time is 0.15625 of the way.
  const little = rect(42.1875, 37.5, 995.625, 1770)

  it('grows gently to its place, stays and goes back', () => {
    expect([9, 10, 11, 12, 14, 25, 26, 28, 29, 30].map((frame) => at(frame))).toEqual([
      null,
      OUTPUT,
      little,
      half,
      full,
      full,
      full,
      half,
      little,
      null,
    ])
  })

  it('that is a cut is there at once', () => {
    expect([10, 29].map((frame) => at(frame, { easeInFrames: 0, easeOutFrames: 0 }))).toEqual([full, full])
    expect(at(15, { scale: 1 })).toBeNull()
    expect(zoomView(composition({}), 15)).toBeNull()
  })

  it('leaves sooner where there is no time for both ways', () => {
    const share = (frame: number) => {
      const view = at(frame, { easeInFrames: 15, easeOutFrames: 15 })
      return (1080 - (view?.width ?? 0)) / 540
    }
    expect(share(25)).toBeCloseTo(1, 9)
    expect(share(27)).toBeCloseTo(0.648, 9)
    expect(share(20)).toBeCloseTo((2 / 3) ** 2 * (3 - 4 / 3), 9)
  })

  it('ends with the source, and the tail holds its last picture', () => {
    const tail = { durationFrames: 25, tailFrames: 5 }
    expect([19, 20, 24].map((frame) => at(frame, {}, tail))).toEqual([little, little, little])
  })

  it('is of even size at an even place', () => {
    expect(at(15, { scale: 1.7, xPercent: 33, yPercent: 100 })).toEqual(rect(146, 790, 636, 1130))
  })
})
