import { describe, expect, it } from 'vitest'
import { layoutContext, recordingCanvas } from '../../../test/support/recording-canvas.ts'
import type { ImageLayer, ShapeLayer, VideoLayer } from '../../../server/contract/composition.ts'
import { secondsToTicks } from '../../../server/contract/time.ts'
import { prepareImage } from './image.ts'
import { joinRanges, nearestRange, type PreparedLayer } from './layer.ts'
import { prepareShape } from './shape.ts'
import { prepareVideo } from './video.ts'

const rect = (x: number, y: number, width: number, height: number) => ({ x, y, width, height })
const none = { kind: 'none', frames: 0 } as const
const drawn = (layer: PreparedLayer, frame: number) => {
  const { canvas, calls } = recordingCanvas()
  layer.draw(canvas, frame)
  return calls
}
/** Every sort of answer about one frame. */
const facts = (layer: PreparedLayer, frame: number) => [layer.stateAt(frame), layer.paintedAt(frame)]

describe('a shape', () => {
  const shape: ShapeLayer = {
    kind: 'shape',
    id: 'shape',
    rect: rect(10, 20, 100, 60),
    colour: '#102030',
    radius: 8,
    startFrame: 5,
    endFrame: 9,
  }
  const prepared = (more: Partial<ShapeLayer> = {}, context = layoutContext()) =>
    prepareShape({ ...shape, ...more }, context)

  it('is shown from its first frame to before its last, with a pixel around it', () => {
    const layer = prepared()
    const box = rect(9, 19, 102, 62)
    expect([layer.id, layer.box, layer.shown]).toEqual(['shape', box, [{ startFrame: 5, endFrame: 9 }]])
    expect([4, 5, 8, 9].map((frame) => facts(layer, frame))).toEqual([
      ['', null],
      ['shown', box],
      ['shown', box],
      ['', null],
    ])
    expect([layer.damage(4, 5), layer.damage(5, 8), layer.damage(8, 9)]).toEqual([box, null, box])
    expect([drawn(layer, 4), drawn(layer, 9)]).toEqual([[], []])
  })

  it('is filled with its colour, in units of the output', () => {
    expect(drawn(prepared({}, layoutContext({ unit: 0.5 })), 5)).toEqual([
      'fillStyle = "rgba(16, 32, 48, 1)"',
      'beginPath()',
      'moveTo(9, 10)',
      'arcTo(55, 10, 55, 40, 4)',
      'arcTo(55, 40, 5, 40, 4)',
      'arcTo(5, 40, 5, 10, 4)',
      'arcTo(5, 10, 55, 10, 4)',
      'closePath()',
      'fill()',
    ])
  })

  it('runs from one colour to another from its top to its bottom', () => {
    expect(drawn(prepared({ colourTo: '#ffffff', radius: 0 }), 5)).toEqual([
      'createLinearGradient(0, 20, 0, 80)',
      'addColorStop(0, "rgba(16, 32, 48, 1)")',
      'addColorStop(1, "rgba(255, 255, 255, 1)")',
      'fillStyle = gradient',
      'beginPath()',
      'rect(10, 20, 100, 60)',
      'fill()',
    ])
    expect(drawn(prepared({ colourTo: '#102030', radius: 0 }), 5)[0]).toBe(
      'fillStyle = "rgba(16, 32, 48, 1)"',
    )
    expect(drawn(prepared({ ellipse: true }), 5)).toContain('scale(50, 30)')
  })

  it('is white where its colour is none, and says so', () => {
    const context = layoutContext()
    expect(drawn(prepared({ colour: 'reddish' }, context), 5)[0]).toBe('fillStyle = "rgba(255, 255, 255, 1)"')
    expect(context.warnings).toEqual([
      {
        code: 'VALUE_IGNORED',
        field: 'titleConfig',
        message: '"reddish" is not a colour; white is used in its place.',
      },
    ])
    const good = layoutContext()
    prepared({}, good)
    expect(good.warnings).toEqual([])
  })

  it('of no size or time, or outside, is nothing', () => {
    for (const more of [
      { rect: rect(10, 20, 0, 60) },
      { rect: rect(10, 20, 100, 0) },
      { rect: rect(1090, 20, 100, 60) },
      { endFrame: 5 },
      { startFrame: 100, endFrame: 120 },
      { startFrame: -9, endFrame: 0 },
    ])
      expect([prepared(more).box, prepared(more).shown]).toEqual([null, []])
    expect(prepared({ startFrame: -9, endFrame: 200 }).shown).toEqual([{ startFrame: 0, endFrame: 100 }])
  })
})

describe('a picture', () => {
  const image: ImageLayer = {
    kind: 'image',
    id: 'logo',
    asset: { digest: 'd', width: 400, height: 200, opaque: true },
    rect: rect(100, 200, 300, 300),
    fit: 'contain',
    background: null,
    opacity: 0.8,
    startFrame: 10,
    endFrame: 50,
    intro: none,
    outro: none,
  }
  const pictures = new Map([['d', { width: 800, height: 400 }]])
  const prepared = (more: Partial<ImageLayer> = {}, context = layoutContext({ pictures })) =>
    prepareImage({ ...image, ...more }, context)
  const draws = (more: Partial<ImageLayer> = {}, frame = 10) =>
    drawn(prepared(more), frame).filter((call) => /drawImage|globalAlpha/.test(call))
  const PICTURE = '{"width":800,"height":400}'

  it('is drawn whole in the middle, cropped to its rectangle, or stretched', () => {
    expect(drawn(prepared(), 10)).toEqual([
      'save()',
      'globalAlpha = 0.8',
      `drawImage(${PICTURE}, 0, 0, 800, 400, 100, 275, 300, 150)`,
      'restore()',
    ])
    expect(draws({ fit: 'cover' })[1]).toBe(`drawImage(${PICTURE}, 200, 0, 400, 400, 100, 200, 300, 300)`)
    expect(draws({ fit: 'fill' })[1]).toBe(`drawImage(${PICTURE}, 0, 0, 800, 400, 100, 200, 300, 300)`)
    // A part is given in pixels of the file; the decoded picture is twice as large.
    expect(draws({ part: rect(10, 20, 30, 40) })[1]).toBe(
      `drawImage(${PICTURE}, 20, 40, 60, 80, 100, 200, 300, 300)`,
    )
  })

  it('stands on whole pixels', () => {
    expect(draws({ rect: rect(100.4, 200.4, 301, 301) })[1]).toBe(
      `drawImage(${PICTURE}, 0, 0, 800, 400, 100, 276, 301, 151)`,
    )
  })

  it('is shown from its first frame to before its last, with a pixel around it', () => {
    const layer = prepared()
    const box = rect(99, 199, 302, 302)
    expect([layer.id, layer.box, layer.shown]).toEqual(['logo', box, [{ startFrame: 10, endFrame: 50 }]])
    expect([9, 10, 49, 50].map((frame) => facts(layer, frame))).toEqual([
      ['', null],
      ['1.000 1.000 0.000 0.000', box],
      ['1.000 1.000 0.000 0.000', box],
      ['', null],
    ])
    expect([layer.damage(9, 10), layer.damage(10, 49), layer.damage(49, 50)]).toEqual([box, null, box])
    expect([drawn(layer, 9), drawn(layer, 50)]).toEqual([[], []])
  })

  it('is nothing without opacity or time', () => {
    for (const more of [{ opacity: 0 }, { endFrame: 10 }, { startFrame: 100, endFrame: 120 }])
      expect([prepared(more).box, prepared(more).shown, prepared(more).stateAt(10)]).toEqual([null, [], ''])
    expect(prepared({ startFrame: -5, endFrame: 400 }).shown).toEqual([{ startFrame: 0, endFrame: 100 }])
  })

  it('that is not there is left out with a warning', () => {
    const context = layoutContext()
    expect(prepared({}, context).box).toBeNull()
    expect(context.warnings).toEqual([
      {
        code: 'FILE_LEFT_OUT',
        field: 'titleConfig',
        message: 'The picture of logo is not there, so it is left out.',
      },
    ])
    const there = layoutContext({ pictures })
    prepared({}, there)
    expect(there.warnings).toEqual([])
  })

  it('comes in on its way: its box is all that it passes', () => {
    const layer = prepared({ intro: { kind: 'left', frames: 3 }, outro: { kind: 'fade', frames: 3 } })
    // A quarter of the time over, 0.421875 of the 400 pixels are left.
    expect(layer.paintedAt(10)).toEqual(rect(0, 199, 232.25, 302))
    expect(layer.box).toEqual(rect(0, 199, 401, 302))
    expect(layer.stateAt(10)).toBe('1.000 1.000 -168.750 0.000')
    expect(layer.stateAt(49)).toBe('0.250 1.000 0.000 0.000')
    expect(drawn(layer, 49)[1]).toBe('globalAlpha = 0.2')
    expect(layer.damage(10, 13)).toEqual(rect(0, 199, 401, 302))
    const leaving = prepared({ outro: { kind: 'right', frames: 3 } })
    // On the last frame 413.4375 of 980 pixels are behind it.
    expect(leaving.box).toEqual(rect(99, 199, 715.4375, 302))
  })

  it('grows slowly from its middle', () => {
    const drift = { drift: 0.5, fit: 'fill' } as const
    expect(draws(drift, 10)[1]).toBe(`drawImage(${PICTURE}, 0, 0, 800, 400, 100, 200, 300, 300)`)
    // Halfway it is a quarter larger: four fifths of it are left.
    expect(draws(drift, 30)[1]).toBe(`drawImage(${PICTURE}, 80, 40, 640, 320, 100, 200, 300, 300)`)
    expect(prepared(drift).stateAt(30)).toBe('1.000 1.000 0.000 0.000 1.250000')
    expect(prepared(drift).damage(29, 30)).toEqual(rect(99, 199, 302, 302))
  })

  it('has round corners, a ring around them, and a background beside an opaque picture', () => {
    const layer = { radius: 20, ring: { colour: '#ff0000', width: 10 }, background: '#00ff00' }
    expect(drawn(prepared(layer), 10)).toEqual([
      'save()',
      'globalAlpha = 0.8',
      'fillStyle = "rgba(255, 0, 0, 1)"',
      'beginPath()',
      'moveTo(120, 190)',
      'arcTo(410, 190, 410, 510, 30)',
      'arcTo(410, 510, 90, 510, 30)',
      'arcTo(90, 510, 90, 190, 30)',
      'arcTo(90, 190, 410, 190, 30)',
      'closePath()',
      'fill()',
      'beginPath()',
      'moveTo(120, 200)',
      'arcTo(400, 200, 400, 500, 20)',
      'arcTo(400, 500, 100, 500, 20)',
      'arcTo(100, 500, 100, 200, 20)',
      'arcTo(100, 200, 400, 200, 20)',
      'closePath()',
      'clip()',
      'fillStyle = "#00ff00"',
      'fillRect(100, 200, 300, 75)',
      'fillRect(100, 425, 300, 75)',
      'fillRect(100, 275, 0, 150)',
      'fillRect(400, 275, 0, 150)',
      `drawImage(${PICTURE}, 0, 0, 800, 400, 100, 275, 300, 150)`,
      'restore()',
    ])
    expect(prepared(layer).box).toEqual(rect(89, 189, 322, 322))
  })

  it('has a square ring around square corners, and an ellipse around an ellipse', () => {
    const ring = { colour: 'nonsense', width: 10 }
    const square = drawn(prepared({ ring }), 10)
    expect(square.slice(2, 6)).toEqual([
      'fillStyle = "rgba(255, 255, 255, 1)"',
      'beginPath()',
      'rect(90, 190, 320, 320)',
      'fill()',
    ])
    expect(square).not.toContain('clip()')
    const round = drawn(prepared({ ring, ellipse: true }), 10)
    expect(round.filter((call) => /^(translate|scale|clip)/.test(call))).toEqual([
      'translate(90, 190)',
      'scale(160, 160)',
      'translate(100, 200)',
      'scale(150, 150)',
      'clip()',
    ])
    expect(drawn(prepared({ ring: { ...ring, width: 0 } }), 10)).not.toContain('fill()')
  })

  it('that something shines through keeps the background behind it', () => {
    const asset = { ...image.asset, opaque: false }
    expect(drawn(prepared({ asset, background: '#00ff00' }), 10)).toContain('fillRect(100, 200, 300, 300)')
  })

  it('has a ring that shrinks with it', () => {
    const small = { intro: { kind: 'small', frames: 3 }, ring: { colour: '#ff0000', width: 10 } } as const
    // 0.7046875 of its size, about its middle.
    const calls = drawn(prepared(small), 10)
    expect(calls).toContain('rect(137.25, 237.25, 225.5, 225.5)')
  })
})

describe('a video', () => {
  const video: VideoLayer = {
    kind: 'video',
    id: 'broll',
    asset: {
      digest: 'v',
      width: 1600,
      height: 900,
      frameRate: { numerator: 25, denominator: 1 },
      duration: secondsToTicks(2),
      hasAudio: false,
      videoStream: 0,
      hdr: false,
      interlaced: false,
      opaque: true,
    },
    sourceStart: 0,
    loop: false,
    rect: rect(0, 0, 1080, 1920),
    fit: 'cover',
    focusX: 50,
    focusY: 50,
    background: null,
    opacity: 0.5,
    startFrame: 10,
    endFrame: 40,
    intro: none,
    outro: none,
  }
  const asked: [string, number][] = []
  const frame = { image: { width: 8, height: 9 }, width: 800, height: 450 }
  const videos = (digest: string, seconds: number) => {
    asked.push([digest, Math.round(seconds * 1000) / 1000])
    return frame
  }
  const prepared = (more: Partial<VideoLayer> = {}, context = layoutContext({ videos })) =>
    prepareVideo({ ...video, ...more }, context)

  it('draws the part of its picture that fills the rectangle, at the moment of the frame', () => {
    asked.length = 0
    // 0.31640625 of 800 pixels are 253.125.
    expect(drawn(prepared(), 25)).toEqual([
      'save()',
      'globalAlpha = 0.5',
      'drawImage({"width":8,"height":9}, 273.438, 0, 253.125, 450, 0, 0, 1080, 1920)',
      'restore()',
    ])
    expect(asked).toEqual([['v', 0.517]])
  })

  it('moves on even pixels, and shrinks on any', () => {
    const sliding = drawn(
      prepared({ rect: rect(100, 200, 300, 300), intro: { kind: 'left', frames: 3 } }),
      10,
    )
    // 168.75 to the left.
    expect(sliding[2]).toMatch(/, -68, 200, 300, 300\)$/)
    const small = drawn(prepared({ rect: rect(100, 200, 300, 300), intro: { kind: 'small', frames: 3 } }), 10)
    expect(small.slice(1, 3)).toEqual([
      'globalAlpha = 0.125',
      expect.stringMatching(/, 144.297, 244.297, 211.406, 211.406\)$/),
    ])
  })

  it('has its background beside it', () => {
    const calls = drawn(prepared({ fit: 'contain', background: '#00ff00' }), 10)
    expect(calls.filter((call) => call.startsWith('fillRect'))).toEqual([
      'fillRect(0, 0, 1080, 656)',
      'fillRect(0, 1264, 1080, 656)',
      'fillRect(0, 656, 0, 608)',
      'fillRect(1080, 656, 0, 608)',
    ])
    expect(calls.at(-2)).toMatch(/, 0, 656, 1080, 608\)$/)
  })

  it('is not drawn before and after, without a picture, or for the export', () => {
    const layer = prepared()
    expect([9, 10, 39, 40].map((at) => drawn(layer, at).length > 0)).toEqual([false, true, true, false])
    expect(drawn(prepared({ opacity: 0 }), 20)).toEqual([])
    expect(drawn(prepared({}, layoutContext({ videos: () => null })), 20)).toEqual([])
    expect(drawn(prepared({}, layoutContext()), 20)).toEqual([])
    expect(drawn(prepared({ rect: rect(1080, 0, 10, 10) }), 20)).toEqual([])
    const { id, box, shown } = layer
    expect({ id, box, shown }).toEqual({ id: 'broll', box: null, shown: [] })
    expect([layer.stateAt(20), layer.paintedAt(20), layer.damage(9, 20)]).toEqual(['', null, null])
  })
})

describe('ranges of frames', () => {
  const range = (startFrame: number, endFrame: number) => ({ startFrame, endFrame })

  it('are sorted and joined where they touch', () => {
    expect(joinRanges([range(20, 30), range(0, 5), range(5, 9), range(22, 25), range(7, 7)])).toEqual([
      range(0, 9),
      range(20, 30),
    ])
    expect(joinRanges([range(10, 12), range(0, 9), range(3, 11)])).toEqual([range(0, 12)])
    expect(joinRanges([range(5, 4)])).toEqual([])
  })

  it('are found by a frame: the one that is on, the later of two, else the nearest', () => {
    const ranges = [range(0, 10), range(20, 30)]
    expect([0, 9, 14, 15, 19, 20, 99].map((frame) => nearestRange(ranges, frame)?.startFrame)).toEqual([
      0, 0, 0, 20, 20, 20, 20,
    ])
    expect(nearestRange([range(0, 10), range(5, 10)], 7)).toEqual(range(5, 10))
    expect(nearestRange([], 7)).toBeNull()
  })
})
