/** Panes, moving crops, closer looks and patches: rendered by ffmpeg from generated sources, and measured. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Composition, LayoutSpan, Rect, Zoom } from '../../server/contract/composition.ts'
import { MOST_OFF } from '../../workers/media/arguments/crop-steps.ts'
import {
  LOSSLESS,
  QUIET,
  SIZE,
  colourOf,
  lumaOf,
  make,
  plain,
  renderForTest,
  spans,
} from './render-support.ts'

let root = ''
let number = 0
const nextRoot = (): string => join(root, `run-${(number += 1)}`)
const source = async (name: string, picture: string, seconds = 3): Promise<string> => {
  const file = join(root, `${name}.mkv`)
  const sound = ['-f', 'lavfi', '-i', 'anullsrc', '-t', String(seconds)]
  await make(['-f', 'lavfi', '-i', picture, ...sound, ...LOSSLESS, file])
  return file
}
const QUARTERS =
  'color=c=0xc02020:s=640x360:r=30:d=3,drawbox=x=320:y=0:w=320:h=180:color=0x20c020:t=fill,' +
  'drawbox=x=0:y=180:w=320:h=180:color=0x2020c0:t=fill,drawbox=x=320:y=180:w=320:h=180:color=0xd0d020:t=fill'
/** Left of x=320 dark, right of it bright; neither so much that resampling would be clipped. */
const EDGE = "color=c=black:s=640x360:r=30:d=3,geq=lum='if(lt(X,320),60,190)':cb=128:cr=128,format=yuv420p"

let quarters = ''
let edge = ''
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-layout-test-'))
  quarters = await source('quarters', QUARTERS)
  edge = await source('edge', EDGE)
})
afterAll(() => rm(root, { recursive: true, force: true }))

type Name = 'red' | 'green' | 'blue' | 'yellow' | 'black' | 'other'
async function nameAt(clip: string, frame: number, x: number, y: number): Promise<Name> {
  const [red, green, blue] = (await colourOf(clip, frame, `16:16:${x - 8}:${y - 8}`)).map(
    (value) => value > 100,
  )
  const key = `${red === true ? 'r' : ''}${green === true ? 'g' : ''}${blue === true ? 'b' : ''}`
  const names: Record<string, Name> = { r: 'red', g: 'green', b: 'blue', rg: 'yellow', '': 'black' }
  return names[key] ?? 'other'
}

function upright(layout: LayoutSpan[], durationFrames: number): Composition {
  return { ...plain({ width: 360, height: 640, durationFrames }), layout }
}
const UNIT = 3
const rect = (x: number, y: number, width: number, height: number): Rect => ({ x, y, width, height })
const reference = (x: number, y: number, width: number, height: number): Rect =>
  rect(x * UNIT, y * UNIT, width * UNIT, height * UNIT)

const levelOf = (luma: number): number => Math.round(((luma - 16) * 255) / 219)
/** Length of the dark part of a line of pixels whose mean is this. */
function darkPart(mean: number, length: number): number {
  return (length * (levelOf(190) - mean)) / (levelOf(190) - levelOf(60))
}

/** Where dark turns to bright along the middle row of each frame: pixels, with a fraction. */
async function edgePlaces(clip: string, width: number, height: number): Promise<number[]> {
  const row = await lumaOf(clip, `${width}:2:0:${height / 2}`)
  return row.map((mean) => darkPart(mean, width))
}

/** How far each step is from the step that an even movement takes, pixels. */
function unevenness(places: readonly number[]): number {
  const first = places[0] ?? 0
  const step = ((places.at(-1) ?? 0) - first) / (places.length - 1)
  return Math.max(...places.map((place, index) => Math.abs(place - (first + step * index))))
}

describe('panes', () => {
  it('move as crops do, evenly and by fractions of a pixel, while others rest', async () => {
    const upper = { crop: rect(200, 0, 180, 160), rect: reference(0, 0, 360, 320) }
    const leg = { startFrame: 0, endFrame: 60, crop: upper.crop, cropTo: rect(260, 0, 180, 160) }
    const rests = { startFrame: 60, endFrame: 90, crop: rect(260, 0, 180, 160) }
    const lower = { crop: rect(230, 100, 180, 160), rect: reference(0, 320, 360, 320) }
    const panes = [{ ...upper, legs: [leg, rests] }, lower]
    const layout = [
      { kind: 'panes' as const, startFrame: 0, endFrame: 90, background: 'black' as const, panes },
    ]
    const { clip } = await renderForTest(upright(layout, 90), edge, nextRoot())
    const row = async (y: number) => (await lumaOf(clip, `360:2:0:${y}`)).map((mean) => darkPart(mean, 360))
    const moving = await row(160)
    // Twice as large as in the source: from 240 to 120 pixels over two seconds, then at rest.
    expect(moving[0]).toBeCloseTo(240, -0.5)
    expect(moving[75]).toBeCloseTo(120, -0.5)
    expect(unevenness(moving.slice(0, 60))).toBeLessThan(1)
    const resting = await row(480)
    expect(Math.max(...resting) - Math.min(...resting)).toBeLessThan(0.5)
  })

  it('stacks two halves, three bands, four quarters, each from its own place of the source', async () => {
    const wide = { width: 320, height: 180 }
    const cells = [
      rect(0, 0, 202, 180),
      rect(438, 0, 202, 180),
      rect(0, 180, 202, 180),
      rect(438, 180, 202, 180),
    ]
    const layout: LayoutSpan[] = [
      {
        kind: 'panes',
        startFrame: 0,
        endFrame: 10,
        background: 'black',
        panes: [
          { crop: rect(0, 180, 202, 180), rect: reference(0, 0, 360, 320) },
          { crop: rect(438, 0, 202, 180), rect: reference(0, 320, 360, 320) },
        ],
      },
      {
        kind: 'panes',
        startFrame: 10,
        endFrame: 20,
        background: 'black',
        panes: [
          { crop: rect(0, 0, 304, 180), rect: reference(0, 0, 360, 213) },
          { crop: rect(330, 180, 304, 180), rect: reference(0, 213, 360, 214) },
          { crop: rect(0, 180, 304, 180), rect: reference(0, 427, 360, 213) },
        ],
      },
      {
        kind: 'panes',
        startFrame: 20,
        endFrame: 30,
        background: 'black',
        panes: cells.map((crop, index) => ({
          crop,
          rect: reference((index % 2) * 180, Math.floor(index / 2) * 320, 180, 320),
        })),
      },
      {
        kind: 'panes',
        startFrame: 30,
        endFrame: 40,
        background: 'blur',
        panes: [{ crop: rect(320, 0, wide.width, wide.height), rect: reference(0, 200, 360, 202) }],
      },
    ]
    const { clip } = await renderForTest(upright(layout, 40), quarters, nextRoot())
    const column = (frame: number, rows: readonly number[]) =>
      Promise.all(rows.map((y) => nameAt(clip, frame, 100, y)))
    expect(await column(0, [20, 310, 330, 620])).toEqual(['blue', 'blue', 'green', 'green'])
    expect(await column(9, [20, 620])).toEqual(['blue', 'green'])
    expect(await column(10, [20, 200, 226, 416, 440, 620])).toEqual([
      'red',
      'red',
      'yellow',
      'yellow',
      'blue',
      'blue',
    ])
    expect(await column(25, [160, 480])).toEqual(['red', 'blue'])
    expect(await Promise.all([160, 480].map((y) => nameAt(clip, 25, 300, y)))).toEqual(['green', 'yellow'])
    // One pane over the blur of the whole: its surroundings are neither black nor its own green.
    expect(await nameAt(clip, 35, 180, 300)).toBe('green')
    const [red, green] = await colourOf(clip, 35, '40:40:40:60')
    expect(red).toBeGreaterThan(60)
    expect(green).toBeLessThan(80)
  })
})

describe('moving crops', () => {
  it('moves evenly by fractions of a pixel, sideways', async () => {
    // 0.17 source pixels a frame: pairs of pixels would be one step in twelve frames.
    const crop = rect(220, 0, 202, 360)
    const layout: LayoutSpan[] = [
      { kind: 'crop', startFrame: 0, endFrame: 60, crop, cropTo: { ...crop, x: 220 + 10.2 } },
    ]
    const { clip } = await renderForTest(upright(layout, 60), edge, nextRoot())
    const places = await edgePlaces(clip, 360, 640)
    expect((places[0] ?? 0) - (places[59] ?? 0)).toBeCloseTo((10.2 * (59 / 60) * 360) / 202, 0)
    expect(unevenness(places)).toBeLessThan(0.12)
  }, 20_000)

  // By the pixels of the source that one of the output is: as many, twice as many, and numbers without a common divisor but large ones.
  it.each([
    [360, { width: 360, height: 360 }],
    [360, { width: 180, height: 180 }],
    [270, { width: 360, height: 480 }],
    [202, { width: 540, height: 960 }],
    [202, { width: 180, height: 320 }],
    [288, { width: 360, height: 450 }],
  ])('moves %i pixels evenly into %o, up to the edges of the source', async (width, output) => {
    const crop = { ...rect(0, 0, width, 360), x: 320 - width * 0.75 }
    const over = 640 - width
    const layout: LayoutSpan[] = [
      { kind: 'crop', startFrame: 0, endFrame: 60, crop, cropTo: { ...crop, x: crop.x + 10.2 } },
      { kind: 'crop', startFrame: 60, endFrame: 70, crop: { ...crop, x: 0 } },
      { kind: 'crop', startFrame: 70, endFrame: 80, crop: { ...crop, x: over } },
    ]
    const composition = { ...plain({ ...output, durationFrames: 80 }), layout }
    const { clip } = await renderForTest(composition, edge, nextRoot())
    const all = await edgePlaces(clip, output.width, output.height)
    const scale = output.width / width
    const off = all.slice(0, 60).map((place, frame) => place - (width * 0.75 - (10.2 * frame) / 60) * scale)
    // Half of how far the edge is to the left and to the right of where it should be: the middle is the ratio's rounding.
    expect((Math.max(...off) - Math.min(...off)) / 2).toBeLessThan(MOST_OFF + 0.02)
    expect(Math.max(...off.map(Math.abs))).toBeLessThan(0.5)
    expect(Math.abs((all[65] ?? 0) - Math.min(320, width) * scale)).toBeLessThan(0.5)
    expect(Math.abs((all[75] ?? 0) - Math.max(0, 320 - over) * scale)).toBeLessThan(0.5)
  })

  it('meets what is held before and after it, at the edges of the source too', async () => {
    const crop = rect(200, 0, 202, 360)
    const end = { ...crop, x: 438 }
    const layout: LayoutSpan[] = [
      { kind: 'crop', startFrame: 0, endFrame: 10, crop },
      { kind: 'crop', startFrame: 10, endFrame: 30, crop, cropTo: { ...crop, x: 210 } },
      { kind: 'crop', startFrame: 30, endFrame: 40, crop: { ...crop, x: 210 } },
      { kind: 'crop', startFrame: 40, endFrame: 60, crop: end },
    ]
    const { clip } = await renderForTest(upright(layout, 60), edge, nextRoot())
    const places = await edgePlaces(clip, 360, 640)
    const scale = 360 / 202
    const expected = places.map((_, frame) => {
      if (frame < 10) return 120 * scale
      if (frame < 30) return (120 - ((frame - 10) / 20) * 10) * scale
      return frame < 40 ? 110 * scale : 0
    })
    const off = Math.max(...places.map((place, frame) => Math.abs(place - (expected[frame] ?? -1))))
    expect(off).toBeLessThan(0.5)
  }, 20_000)

  it('starts and stops gently where it is to', async () => {
    const crop = rect(200, 0, 202, 360)
    const layout: LayoutSpan[] = [
      { kind: 'crop', startFrame: 0, endFrame: 10, crop },
      { kind: 'crop', startFrame: 10, endFrame: 50, crop, cropTo: { ...crop, x: 240 }, eased: true },
      { kind: 'crop', startFrame: 50, endFrame: 60, crop: { ...crop, x: 240 } },
    ]
    const { clip } = await renderForTest(upright(layout, 60), edge, nextRoot())
    const off = (await edgePlaces(clip, 360, 640)).map((place, frame) => {
      const t = Math.min(1, Math.max(0, (frame - 10) / 40))
      return Math.abs(place - ((120 - 40 * t * t * (3 - 2 * t)) * 360) / 202)
    })
    expect(Math.max(...off)).toBeLessThan(0.5)
  }, 20_000)

  it('moves evenly over HDR, after its tone mapping', async () => {
    const file = join(root, 'hdr.mkv')
    const picture =
      "color=c=black:s=640x360:r=30:d=1,format=yuv420p10,geq=lum='if(lt(X,320),300,500)':cb=512:cr=512"
    const tags = ['-colorspace', 'bt2020nc', '-color_primaries', 'bt2020', '-color_trc', 'smpte2084']
    const sound = ['-f', 'lavfi', '-i', 'anullsrc', '-t', '1', '-c:a', 'pcm_s16le']
    await make(['-f', 'lavfi', '-i', picture, ...sound, '-c:v', 'ffv1', ...tags, file])
    const crop = rect(220, 0, 202, 360)
    const layout: LayoutSpan[] = [
      { kind: 'crop', startFrame: 0, endFrame: 20, crop, cropTo: { ...crop, x: 226 } },
    ]
    const composition = upright(layout, 20)
    composition.source.hdr = true
    const { clip } = await renderForTest(composition, file, nextRoot())
    const means = await lumaOf(clip, '360:2:0:320')
    const dark = (await lumaOf(clip, '8:2:0:320'))[0] ?? 0
    const bright = (await lumaOf(clip, '8:2:352:320'))[0] ?? 0
    expect(bright - dark).toBeGreaterThan(40)
    const places = means.map((mean) => (360 * (bright - mean)) / (bright - dark))
    expect((places[0] ?? 0) - (places[19] ?? 0)).toBeCloseTo((6 * (19 / 20) * 360) / 202, 0)
    expect(unevenness(places)).toBeLessThan(0.25)
  }, 20_000)

  it('moves up and down', async () => {
    const deck = await source(
      'deck',
      "color=c=black:s=640x360:r=30:d=3,geq=lum='if(lt(Y,180),60,190)':cb=128:cr=128,format=yuv420p",
    )
    const crop = rect(0, 60, 320, 180)
    const layout: LayoutSpan[] = [
      { kind: 'crop', startFrame: 0, endFrame: 40, crop, cropTo: { ...crop, y: 67 } },
    ]
    const composition = { ...plain({ durationFrames: 40 }), layout }
    const { clip } = await renderForTest(composition, deck, nextRoot())
    const places = (await lumaOf(clip, '2:360:300:0')).map((mean) => darkPart(mean, 360))
    expect((places[0] ?? 0) - (places[39] ?? 0)).toBeCloseTo(7 * (39 / 40) * 2, 0)
    expect(unevenness(places)).toBeLessThan(0.15)
  }, 20_000)
})

it('renders everything at once, over cuts', async () => {
  const crop = rect(200, 0, 202, 360)
  const composition: Composition = {
    ...upright(
      [
        { kind: 'crop', startFrame: 0, endFrame: 10, crop, cropTo: { ...crop, x: 230 }, eased: true },
        {
          kind: 'panes',
          startFrame: 10,
          endFrame: 20,
          background: 'blur',
          panes: [{ crop: rect(0, 180, 202, 180), rect: reference(0, 0, 360, 320) }],
        },
        {
          kind: 'fit',
          startFrame: 20,
          endFrame: 40,
          crop: rect(0, 0, 640, 360),
          zoom: 1,
          background: 'blur',
        },
      ],
      40,
    ),
    timeMap: spans([[0, 10], [20, 10], [35, 10], [60, 10]]), // prettier-ignore
    zooms: [
      {
        startFrame: 2,
        endFrame: 9,
        scale: 1.3,
        xPercent: 50,
        yPercent: 50,
        easeInFrames: 2,
        easeOutFrames: 2,
      },
      {
        startFrame: 12,
        endFrame: 18,
        scale: 1.2,
        xPercent: 50,
        yPercent: 0,
        easeInFrames: 0,
        easeOutFrames: 0,
      },
    ],
  }
  composition.source.patches = [{ rect: rect(20, 20, 40, 40), startFrame: 5, endFrame: 25 }]
  const { clip } = await renderForTest(composition, quarters, nextRoot())
  expect(await nameAt(clip, 15, 180, 100)).toBe('blue')
  expect(await nameAt(clip, 30, 90, 300)).toBe('red')
  expect(await lumaOf(clip, '8:8:0:0')).toHaveLength(40)
}, 20_000)

describe('closer looks', () => {
  const zoomed = async (
    zooms: Zoom[],
    frames: number,
    more: Partial<Composition> = {},
  ): Promise<number[]> => {
    const composition = { ...plain({ durationFrames: frames }), zooms, ...more }
    const { clip } = await renderForTest(composition, edge, nextRoot())
    return edgePlaces(clip, SIZE.width, SIZE.height)
  }

  it('cuts in and out on the frame', async () => {
    const places = await zoomed(
      [
        {
          startFrame: 10,
          endFrame: 20,
          scale: 1.25,
          xPercent: 20,
          yPercent: 50,
          easeInFrames: 0,
          easeOutFrames: 0,
        },
      ],
      30,
    )
    // The edge in the middle moves away from the point at 128: 128 + 192 * 1.25.
    places.forEach((place, frame) =>
      expect(Math.abs(place - (frame >= 10 && frame < 20 ? 368 : 320)), `frame ${frame}`).toBeLessThan(1),
    )
  }, 20_000)

  it('grows and shrinks without a jerk, by smoothstep', async () => {
    const zoom = { scale: 1.2, xPercent: 0, yPercent: 45, easeInFrames: 30, easeOutFrames: 20 }
    const places = await zoomed([{ startFrame: 5, endFrame: 75, ...zoom }], 80)
    const smooth = (t: number): number => t * t * (3 - 2 * t)
    const view = 534
    const expected = places.map((_, frame) => {
      const way =
        frame < 5 || frame >= 75
          ? 0
          : frame < 35
            ? smooth((frame - 5) / 30)
            : frame < 55
              ? 1
              : smooth((75 - frame) / 20)
      return (320 * 640) / (640 + (view - 640) * way)
    })
    const off = places.map((place, frame) => place - (expected[frame] ?? 0))
    expect(Math.max(...off.map(Math.abs))).toBeLessThan(0.5)
    // What is left of the difference does not shake from frame to frame.
    const shake = off.slice(6, 34).map((value, index) => Math.abs(value - (off[index + 5] ?? 0)))
    expect(Math.max(...shake)).toBeLessThan(0.2)
    expect(places[40]).toBeCloseTo((320 * 640) / view, 0)
  }, 20_000)

  it('holds the closer look through the tail', async () => {
    const zoom = { scale: 1.25, xPercent: 20, yPercent: 50, easeInFrames: 0, easeOutFrames: 0 }
    const base = plain({ durationFrames: 20 })
    const places = await zoomed([{ startFrame: 10, endFrame: 30, ...zoom }], 20, {
      durationFrames: 30,
      tailFrames: 10,
      layout: base.layout,
    })
    expect(places).toHaveLength(30)
    expect(places.slice(10).every((place) => Math.abs(place - 368) < 1)).toBe(true)
  }, 20_000)
})

describe('patches', () => {
  const LOGO =
    'color=c=0x406080:s=640x360:r=30:d=3,drawbox=x=500:y=30:w=80:h=40:color=white:t=fill,drawbox=x=560:y=300:w=80:h=60:color=white:t=fill'
  const patch = (area: Rect, startFrame: number, endFrame: number) => ({ rect: area, startFrame, endFrame })

  it('blends away several logos, each in its time, inside the picture and in its corner', async () => {
    const file = await source('logo', LOGO)
    const composition = plain({ durationFrames: 40 })
    composition.source.patches = [
      patch(rect(494, 24, 92, 52), 0, 20),
      patch(rect(556, 296, 84, 64), 10, 40),
      patch(rect(900, 900, 50, 50), 0, 40),
      patch(rect(0, 0, 640, 360), 50, 60),
    ]
    const { clip } = await renderForTest(composition, file, nextRoot())
    const upper = await lumaOf(clip, '80:40:500:30')
    const corner = await lumaOf(clip, '80:60:560:300')
    const ground = (await lumaOf(clip, '64:64:100:100'))[0] ?? 0
    expect(upper[19]).toBeLessThan(ground + 3)
    expect(upper[20]).toBeGreaterThan(250)
    expect(corner[9]).toBeGreaterThan(250)
    expect(corner[10]).toBeLessThan(ground + 3)
    expect(corner[39]).toBeLessThan(ground + 3)
    expect(await colourOf(clip, 5, '60:20:510:40')).toEqual(await colourOf(clip, 5, '60:20:110:140'))
  }, 20_000)

  it('finds its place in a turned source, before a cut and after one', async () => {
    const flat = join(root, 'flat.mp4')
    const turned = join(root, 'turned.mp4')
    const picture = 'color=c=0x406080:s=640x360:r=30:d=3,drawbox=x=500:y=30:w=80:h=40:color=white:t=fill'
    const sound = ['-f', 'lavfi', '-i', 'anullsrc', '-t', '3']
    await make(['-f', 'lavfi', '-i', picture, ...sound, '-c:v', 'libx264', '-qp', '0', '-preset', 'ultrafast', '-c:a', 'aac', flat]) // prettier-ignore
    await make(['-i', flat, '-c', 'copy', '-metadata:s:v', 'rotate=90', turned])
    const composition = plain({
      width: 360,
      height: 640,
      durationFrames: 30,
      source: { width: 360, height: 640 },
    })
    // Turned by a quarter, the top to the left.
    composition.source.patches = [patch(rect(24, 54, 52, 92), 0, 20)]
    composition.timeMap = spans([[0, 15], [40, 15]]) // prettier-ignore
    composition.audio = QUIET
    const { clip } = await renderForTest(composition, turned, nextRoot())
    const logo = await lumaOf(clip, '40:80:30:60')
    expect(Math.max(...logo.slice(0, 20))).toBeLessThan(110)
    expect(Math.min(...logo.slice(20))).toBeGreaterThan(250)
  }, 20_000)
})
