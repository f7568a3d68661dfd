/** Video layers in real renders: the right pictures of the right file, at the right frames, in the right place. */
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createCanvas } from '@napi-rs/canvas'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Layer, VideoAsset, VideoLayer } from '../../server/contract/composition.ts'
import { frameToTicks, secondsToTicks } from '../../server/contract/time.ts'
import { drawFrame, prepare } from '../../workers/compositor/compositor.ts'
import { stanceOf } from '../../workers/compositor/picture-moves.ts'
import { sourcePath } from '../../workers/paths.ts'
import { keepPicture, plainPng } from '../support/pictures.ts'
import { CAPTION_STYLE, captionLayer } from '../support/sample-composition.ts'
import { colourOf, LOSSLESS, lumaOf, make, plain, RATE, renderForTest, SIZE } from './render-support.ts'

let root: string
let source: string
/** 60 frames of 30 a second, frame `n` of luma 40 + 3n. */
let counting: VideoAsset
/** Left half red, right half blue, 160x90. */
let halves: VideoAsset

/** Darker than any picture of the counting video. */
const BEHIND = '#000000'

type Size = { readonly width: number; readonly height: number }

async function keepVideo(args: readonly string[], size: Size, seconds: number): Promise<VideoAsset> {
  const file = join(root, 'made.mp4')
  await make([...args, ...LOSSLESS.slice(0, 8), '-an', file])
  return { ...(await keepFile(file, size, seconds)), colourMatrix: 'bt709' }
}

/** Stores a file where renders look for it; its colour matrix is unspecified. */
async function keepFile(file: string, size: Size, seconds: number): Promise<VideoAsset> {
  const bytes = await readFile(file)
  const digest = createHash('sha256').update(bytes).digest('hex')
  const target = sourcePath(join(root, 'sources'), digest)
  await mkdir(dirname(target), { recursive: true })
  await writeFile(target, bytes)
  return {
    digest,
    ...size,
    frameRate: RATE,
    duration: secondsToTicks(seconds),
    hasAudio: false,
    videoStream: 0,
    hdr: false,
    interlaced: false,
    opaque: true,
  }
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-videos-'))
  source = join(root, 'source.mkv')
  const silence = ['-f', 'lavfi', '-i', 'aevalsrc=0:s=48000:d=3']
  await make([
    '-f',
    'lavfi',
    '-i',
    `color=c=${BEHIND}:s=640x360:r=30:d=3,format=yuv420p`,
    ...silence,
    ...LOSSLESS,
    source,
  ])
  const grey =
    'color=c=black:s=32x18:r=30:d=2,format=yuv420p,geq=lum=40+3*N:cb=128:cr=128,scale=160:90:flags=neighbor'
  counting = await keepVideo(['-f', 'lavfi', '-i', grey], { width: 160, height: 90 }, 2)
  const two =
    'color=c=red:s=160x90:r=30:d=1[a];color=c=blue:s=80x90:r=30:d=1[b];[a][b]overlay=80:0:format=rgb'
  const tagged = ['-vf', 'scale=out_color_matrix=bt709,format=yuv420p', '-colorspace', 'bt709']
  halves = await keepVideo(['-f', 'lavfi', '-i', two, ...tagged], { width: 160, height: 90 }, 1)
}, 60_000)
afterAll(() => rm(root, { recursive: true, force: true }))

const FONTS = { fallbackFamily: 'Montserrat', scriptFamilies: [], fonts: [], parts: [] }
const STILL = { kind: 'none' as const, frames: 0 }
const layer = (more: Partial<VideoLayer> = {}): VideoLayer => ({
  kind: 'video',
  id: 'v',
  asset: counting,
  sourceStart: 0,
  loop: false,
  fit: 'fill',
  focusX: 50,
  focusY: 50,
  // Reference units are three to a pixel at 640x360: this is 160x90 at 100, 50.
  rect: { x: 300, y: 150, width: 480, height: 270 },
  background: null,
  opacity: 1,
  startFrame: 10,
  endFrame: 30,
  intro: STILL,
  outro: STILL,
  ...more,
})

const render = async (layers: Layer[], durationFrames = 40) =>
  (await renderForTest(plain({ durationFrames, layers }), source, root)).clip

/** The frame of the counting video in the middle of a place, null where it is not on. */
async function counted(clip: string, crop = '40:20:160:85'): Promise<(number | null)[]> {
  const luma = await lumaOf(clip, crop)
  return luma.map((gray) => {
    const y = (gray * 219) / 255 + 16
    return y < 30 ? null : Math.round((y - 40) / 3)
  })
}
const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, n) => from + n)
const none = (count: number): null[] => Array.from({ length: count }, () => null)

describe('video layers', () => {
  it('show the file frame by frame, from the requested time, on their frames only', async () => {
    const clip = await render([layer({ sourceStart: frameToTicks(4, RATE), endFrame: 27 })])
    expect(await counted(clip)).toEqual([...none(10), ...range(4, 21), ...none(13)])
  })

  it('hold the last picture, or begin again, when the file ends first', async () => {
    const start = { sourceStart: frameToTicks(52, RATE), startFrame: 0, endFrame: 30 }
    expect(await counted(await render([layer(start)]))).toEqual([
      ...range(52, 60),
      ...Array.from({ length: 22 }, () => 59),
      ...none(10),
    ])
    const looping = layer({ ...start, loop: true, endFrame: 140 })
    const clip = await render([looping], 140)
    expect(await counted(clip)).toEqual([...range(52, 60), ...range(0, 60), ...range(0, 60), ...range(0, 12)])
  })

  it('start past the end of their file on its last picture, or round again', async () => {
    const late = { sourceStart: secondsToTicks(30), endFrame: 20 }
    expect((await counted(await render([layer(late)]))).slice(9, 21)).toEqual([
      null,
      ...range(0, 10).map(() => 59),
      null,
    ])
    const round = layer({ ...late, loop: true, sourceStart: secondsToTicks(4.5) })
    expect((await counted(await render([round]))).slice(10, 20)).toEqual(range(15, 25))
  })

  it('are in painting order with pictures and captions', async () => {
    const white = await keepPicture(root, await plainPng(8, 8, '#ffffff'), {
      width: 8,
      height: 8,
      opaque: true,
    })
    const image = (id: string, x: number): Layer => ({
      kind: 'image',
      id,
      asset: white,
      fit: 'fill',
      background: null,
      opacity: 1,
      intro: STILL,
      outro: STILL,
      rect: { x, y: 210, width: 60, height: 60 },
      startFrame: 0,
      endFrame: 40,
    })
    const captions = captionLayer('MM', 40, 1, {
      ...CAPTION_STYLE,
      xPercent: 28,
      yPercent: 26,
      animation: 'none',
    })
    const clip = await render([image('under', 330), layer(), image('over', 630), captions])
    const under = '8:8:116:76'
    const over = '8:8:216:76'
    expect((await lumaOf(clip, under))[5]).toBeGreaterThan(250)
    expect((await lumaOf(clip, under))[20]).toBeLessThan(120)
    expect((await lumaOf(clip, over))[20]).toBeGreaterThan(250)
    // The letters' yellow, over the grey video.
    const letters = await make([
      '-i',
      clip,
      '-vf',
      'select=eq(n\\,20),crop=160:90:100:50,format=rgb24',
      '-vsync',
      '0',
      '-frames:v',
      '1',
      '-f',
      'rawvideo',
      '-',
    ])
    const yellow = Array.from({ length: letters.length / 3 }, (_, at) => letters.subarray(3 * at, 3 * at + 3))
    expect(yellow.filter(([r = 0, g = 0, b = 0]) => r > 220 && g > 180 && b < 80).length).toBeGreaterThan(50)
  })

  it('fill their rectangle whole, cropped around the focus, or stretched', async () => {
    const tall = {
      asset: halves,
      rect: { x: 600, y: 90, width: 270, height: 810 },
      startFrame: 0,
      endFrame: 10,
    }
    // 90x270 at 200, 30. Cropped to it, a video of 160x90 shows a strip of 30x90.
    const at = (clip: string, x: number, y: number) => colourOf(clip, 5, `6:6:${x}:${y}`)
    // Renders leave their file in one place: each is looked at before the next.
    const left = await render([layer({ ...tall, fit: 'cover', focusX: 0 })])
    expect([await at(left, 204, 150), await at(left, 280, 150)].map(nameOf)).toEqual(['red', 'red'])
    const right = await render([layer({ ...tall, fit: 'cover', focusX: 100 })])
    expect([await at(right, 204, 150), await at(right, 280, 150)].map(nameOf)).toEqual(['blue', 'blue'])
    const both = await render([layer({ ...tall, fit: 'fill' })])
    expect([await at(both, 210, 40), await at(both, 280, 290)].map(nameOf)).toEqual(['red', 'blue'])
    const whole = await render([layer({ ...tall, fit: 'contain', background: '#00ff00' })])
    // Whole it is 90x50 in the middle, and the rest of the rectangle is exactly the requested green.
    expect([await at(whole, 210, 162), await at(whole, 280, 162)].map(nameOf)).toEqual(['red', 'blue'])
    expect([await at(whole, 240, 40), await at(whole, 240, 280)].map(nameOf)).toEqual(['green', 'green'])
    expect(nameOf(await at(whole, 190, 160))).toBe('black')
  })

  it('are painted by a preview where and as the export has them', async () => {
    const white = createCanvas(160, 90)
    const paint = white.getContext('2d')
    const image = { image: white, width: 160, height: 90 }
    paint.fillStyle = '#ff0000'
    paint.fillRect(0, 0, 80, 90)
    paint.fillStyle = '#0000ff'
    paint.fillRect(80, 0, 80, 90)
    const move = { kind: 'right' as const, frames: 8 }
    const some: Partial<VideoLayer>[] = [
      { fit: 'cover', focusX: 30, rect: { x: 301, y: -99, width: 311, height: 800 } },
      {
        fit: 'contain',
        background: '#20c040',
        rect: { x: 900, y: 100, width: 700, height: 700 },
        opacity: 0.6,
      },
      { rect: { x: 200, y: 300, width: 1500, height: 700 }, intro: move },
      {
        rect: { x: 400, y: 300, width: 900, height: 500 },
        intro: { kind: 'small', frames: 9 },
        background: '#fff',
      },
    ]
    for (const more of some) {
      const composition = plain({
        durationFrames: 20,
        layers: [layer({ asset: halves, ...more, startFrame: 3 })],
      })
      const canvas = createCanvas(SIZE.width, SIZE.height)
      const prepared = prepare(composition, canvas.getContext('2d'), FONTS, new Map(), () => image)
      expect(prepared.bands).toEqual([])
      const { clip } = await renderForTest(composition, source, root)
      for (const frame of [2, 6, 15]) {
        drawFrame(canvas.getContext('2d'), prepared, frame)
        const drawn = canvas.getContext('2d').getImageData(0, 0, SIZE.width, SIZE.height).data
        const shown = await pictureOf(clip, frame)
        let wrong = 0
        for (let at = 0; at < SIZE.width * SIZE.height; at++) {
          const alpha = (drawn[4 * at + 3] ?? 0) / 255
          const off = [0, 1, 2].map((c) =>
            Math.abs((drawn[4 * at + c] ?? 0) * alpha - (shown[3 * at + c] ?? 0)),
          )
          if (Math.max(...off) > 24) wrong++
        }
        // Edges are soft, and their colour is half as fine as the picture.
        expect(wrong / (SIZE.width * SIZE.height), `${JSON.stringify(more)} ${frame}`).toBeLessThan(0.02)
      }
    }
  })

  it.each([
    [
      'BT.601, as small files are',
      'out_color_matrix=bt601,format=yuv420p',
      ['-c:v', 'libx264', '-qp', '0'],
      {},
    ],
    ['full range', 'out_color_matrix=bt601:out_range=pc,format=yuvj420p', ['-c:v', 'mjpeg', '-q:v', '1'], {}],
    ['RGB', 'in_range=pc,format=rgb24', ['-c:v', 'qtrle'], {}],
    ['see-through', 'in_range=pc,format=rgba,colorchannelmixer=aa=0.5', ['-c:v', 'qtrle'], { opaque: false }],
  ] as const)('keep their colours: %s', async (_name, form, coder, more) => {
    const file = join(root, 'colour.mov')
    const patch = 'color=c=0xc86432:s=160x90:r=30:d=1,format=rgb24'
    await make(['-f', 'lavfi', '-i', `${patch},scale=${form}`, ...coder, file])
    const asset = { ...(await keepFile(file, { width: 160, height: 90 }, 1)), ...more }
    const clip = await render([layer({ asset, startFrame: 0 })])
    const colour = await colourOf(clip, 10, '40:20:160:85')
    const share = 'opaque' in more ? 0.5 : 1
    const off = [200, 100, 50].map((value, at) => Math.abs(value * share - (colour[at] ?? 0)))
    expect(Math.max(...off), String(colour)).toBeLessThan(6)
  })

  it('fade with their opacity as pictures do, one step from nothing to one step from nothing', async () => {
    const fade = { kind: 'fade' as const, frames: 4 }
    const white = { asset: { ...counting }, sourceStart: frameToTicks(59, RATE) }
    const moving = layer({ ...white, startFrame: 5, endFrame: 25, intro: fade, outro: fade, opacity: 0.8 })
    const luma = (await lumaOf(await render([moving]), '40:20:160:85')).map((gray) => (gray * 219) / 255)
    const full = 40 + 3 * 59 - 16
    const shares = [0.2, 0.4, 0.6, 0.8, ...Array.from({ length: 12 }, () => 1), 0.8, 0.6, 0.4, 0.2]
    const wanted = [0, 0, 0, 0, 0, ...shares, ...Array.from({ length: 15 }, () => 0)]
    wanted.forEach((share, frame) => {
      expect(Math.abs((luma[frame] ?? 0) - full * share * 0.8), `frame ${frame}`).toBeLessThan(2.5)
    })
  })

  it.each([
    ['fade', 12, 12],
    ['fade', 25, 8],
    ['left', 12, 14],
  ] as const)(
    'come before they go where both overlap: %s, %i and %i frames of 20',
    async (kind, comes, goes) => {
      const intro = { kind, frames: comes }
      const outro = { kind: 'fade' as const, frames: goes }
      const asset = { asset: counting, sourceStart: frameToTicks(59, RATE) }
      const moving = layer({ ...asset, rect: { x: 0, y: 0, width: 1920, height: 1080 }, intro, outro })
      const given = { ...moving, startFrame: 5, endFrame: 25 }
      const luma = (await lumaOf(await render([given]), '20:20:4:170')).map((gray) => (gray * 219) / 255)
      const rest = { x: 0, y: 0, ...SIZE }
      for (let frame = 5; frame < 25; frame++) {
        const { alpha, x } = stanceOf(given, frame, rest, SIZE)
        // Sliding, the picture's right edge passes the place that is measured at once.
        if (x + SIZE.width < 40) continue
        const wanted = alpha * (40 + 3 * 59 - 16)
        expect(Math.abs((luma[frame] ?? 0) - wanted), `frame ${frame}`).toBeLessThan(2.5)
      }
    },
  )

  it('slide and grow by the same steps as a picture of the same size', async () => {
    const white = await keepPicture(root, await plainPng(16, 9, '#eaeaea'), {
      width: 16,
      height: 9,
      opaque: true,
    })
    for (const kind of ['left', 'bottom', 'small', 'large'] as const) {
      const moves = { startFrame: 3, endFrame: 30, intro: { kind, frames: 9 }, outro: { kind, frames: 6 } }
      const plate = layer({ ...moves, asset: counting, sourceStart: frameToTicks(59, RATE) })
      const { asset: _asset, sourceStart: _start, loop: _loop, focusX: _x, focusY: _y, ...same } = plate
      const video = await wholeLuma(await render([plate]))
      const image = await wholeLuma(await render([{ ...same, kind: 'image', asset: white }]))
      for (const frame of [2, 3, 5, 8, 11, 12, 20, 24, 26, 29, 30]) {
        const a = video[frame]
        const b = image[frame]
        // ffmpeg's sizes and places are even pixels: two of ninety are 2.2 percent.
        const most = 20 + 0.03 * (b?.mass ?? 0)
        expect(Math.abs((a?.mass ?? 0) - (b?.mass ?? 0)), `${kind} ${frame}`).toBeLessThan(most)
        if ((b?.mass ?? 0) < 200) continue
        expect(Math.abs((a?.x ?? 0) - (b?.x ?? 0)), `${kind} ${frame} x`).toBeLessThan(2.1)
        expect(Math.abs((a?.y ?? 0) - (b?.y ?? 0)), `${kind} ${frame} y`).toBeLessThan(2.1)
      }
    }
  })
})

function nameOf([r, g, b]: readonly number[]): string {
  const [red = 0, green = 0, blue = 0] = [r, g, b].map((value = 0) => (value > 240 ? 1 : value < 15 ? 0 : 2))
  const names: Record<string, string> = { '100': 'red', '010': 'green', '001': 'blue', '000': 'black' }
  return names[`${red}${green}${blue}`] ?? `${r}, ${g}, ${b}`
}

async function pictureOf(clip: string, frame: number): Promise<Buffer> {
  const filter = `select=eq(n\\,${frame}),scale=in_color_matrix=bt709:in_range=tv,format=rgb24`
  return make(['-i', clip, '-vf', filter, '-vsync', '0', '-frames:v', '1', '-f', 'rawvideo', '-'])
}

/** How much is bright (whole pixels of white) on each frame, and where its middle is. */
async function wholeLuma(clip: string): Promise<{ mass: number; x: number; y: number }[]> {
  const size = SIZE.width * SIZE.height
  const bytes = await make(['-i', clip, '-vf', 'format=gray', '-vsync', '0', '-f', 'rawvideo', '-'])
  const frames: { mass: number; x: number; y: number }[] = []
  for (let from = 0; from < bytes.length; from += size) frames.push(weigh(bytes.subarray(from, from + size)))
  return frames
}

function weigh(picture: Uint8Array): { mass: number; x: number; y: number } {
  let mass = 0
  let x = 0
  let y = 0
  for (let at = 0; at < picture.length; at++) {
    const value = picture[at] ?? 0
    if (value < 3) continue
    mass += value
    x += value * (at % SIZE.width)
    y += value * Math.floor(at / SIZE.width)
  }
  const whole = Math.max(1, mass)
  return { mass: mass / 255, x: x / whole, y: y / whole }
}

describe('a video that keyframes move', () => {
  const SECOND = { sourceStart: frameToTicks(0, RATE), startFrame: 0, endFrame: 30 }
  const linear = (property: string, ...points: readonly (readonly [frame: number, value: number])[]) => ({
    property,
    points: points.map(([frame, value]) => ({ frame, value, easing: 'linear' as const })),
  })
  let white: VideoAsset
  let glass: VideoAsset
  beforeAll(async () => {
    const lit = 'color=c=white:s=160x90:r=30:d=1,scale=out_color_matrix=bt709,format=yuv420p'
    white = await keepVideo(['-f', 'lavfi', '-i', lit], { width: 160, height: 90 }, 1)
    // White, half opaque; its right half is not there.
    const file = join(root, 'glass.mov')
    const half =
      "color=c=white@0.5:s=160x90:r=30:d=1,format=rgba,geq=r=255:g=255:b=255:a='if(lt(X,80),128,0)'"
    await make(['-f', 'lavfi', '-i', half, '-c:v', 'qtrle', '-pix_fmt', 'argb', file])
    glass = { ...(await keepFile(file, { width: 160, height: 90 }, 1)), opaque: false }
  }, 60_000)

  /** Light in a row, or a column, of each frame: how many pixels of white that is, and where its middle is. */
  async function lightOf(clip: string, crop: string): Promise<{ size: number; middle: number }[]> {
    const [width = 0, height = 0] = crop.split(':').map(Number)
    const gray = ['-vf', `format=gray,crop=${crop}`, '-vsync', '0', '-f', 'rawvideo', '-']
    const bytes = await make(['-i', clip, '-map', '0:v', ...gray])
    const length = width * height
    return Array.from({ length: bytes.length / length }, (_, frame) => {
      let size = 0
      let moment = 0
      for (let at = 0; at < length; at++) {
        const value = (bytes[frame * length + at] ?? 0) / 255
        size += value
        moment += value * (at + 0.5)
      }
      return { size, middle: moment / size }
    })
  }
  const ROW = '640:1:0:94'

  it('goes between pixels, and stands still before and after', async () => {
    // 160 pixels wide; its left edge goes from 50 to 303 pixels, 12.65 a frame.
    const keyframes = [linear('rect.x', [5, 150], [25, 909])]
    const light = await lightOf(await render([layer({ ...SECOND, asset: white, keyframes })], 30), ROW)
    for (const [frame, edge] of [
      [2, 50],
      [6, 62.65],
      [13, 151.2],
      [24, 290.35],
      [29, 303],
    ] as const) {
      expect.soft(Math.abs((light[frame]?.size ?? 0) - 160), `width at ${frame}`).toBeLessThan(1)
      expect.soft(Math.abs((light[frame]?.middle ?? 0) - edge - 80), `middle at ${frame}`).toBeLessThan(0.35)
    }
  })

  it('grows from 40 to 240 pixels, and is cut by the edge of the output', async () => {
    const keyframes = [linear('rect.width', [0, 120], [20, 720]), linear('rect.height', [0, 135], [20, 405])]
    const rect = { x: 1500, y: 150, width: 120, height: 135 }
    const clip = await render([layer({ ...SECOND, asset: white, rect, keyframes })], 30)
    const across = await lightOf(clip, ROW)
    const down = await lightOf(clip, '1:360:510:0')
    for (const frame of [0, 7, 10, 20, 28]) {
      const share = Math.min(1, frame / 20)
      const width = Math.min(140, 40 + 200 * share)
      expect.soft(Math.abs((across[frame]?.size ?? 0) - width), `width at ${frame}`).toBeLessThan(1)
      expect.soft(Math.abs((down[frame]?.size ?? 0) - 45 - 90 * share), `height at ${frame}`).toBeLessThan(1)
    }
  })

  it('shows another part of its picture, frame by frame at the right moment', async () => {
    // A square of 90 by 90 that fills 270 by 270: of 160 pixels the left half is red, the right one blue.
    const rect = { x: 300, y: 150, width: 810, height: 810 }
    const keyframes = [linear('focusX', [0, 0], [20, 100])]
    const fit = 'cover' as const
    const clip = await render([layer({ ...SECOND, asset: halves, fit, rect, keyframes })], 30)
    /** Where red ends, as a share of the square. */
    const redIn = async (frame: number): Promise<number> => {
      const row = `select=eq(n\\,${frame}),crop=266:2:102:184,scale=in_color_matrix=bt709,format=rgb24`
      const bytes = await make(['-i', clip, '-vf', row, '-frames:v', '1', '-f', 'rawvideo', '-'])
      const lit = Array.from({ length: 266 }, (_, x) => (bytes[3 * x] ?? 0) / 255)
      return lit.reduce((sum, value) => sum + value, 0) / 266
    }
    for (const frame of [0, 5, 10, 20, 28]) {
      const from = (Math.min(1, frame / 20) * 70) / 160
      expect
        .soft(Math.abs((await redIn(frame)) - (80 / 160 - from) / (90 / 160)), `at ${frame}`)
        .toBeLessThan(0.02)
    }
    const numbers = await render(
      [layer({ ...SECOND, asset: counting, keyframes: [linear('rect.x', [0, 0], [29, 900])] })],
      30,
    )
    const seen = await Promise.all(
      [0, 9, 28].map(
        async (frame) => (await counted(numbers, `20:20:${Math.round((frame * 300) / 29) + 60}:85`))[frame],
      ),
    )
    expect(seen).toEqual([0, 9, 28])
  })

  it('keeps what shines through it, and what lies behind it', async () => {
    const rect = { x: 300, y: 150, width: 480, height: 270 }
    const keyframes = [linear('opacity', [0, 0], [20, 1]), linear('rect.x', [20, 300], [29, 330])]
    const through = await render([layer({ ...SECOND, asset: glass, rect, keyframes })], 30)
    const left = await lumaOf(through, '60:60:110:65')
    const right = await lumaOf(through, '60:60:190:65')
    for (const [frame, value] of [
      [0, 0],
      [10, 64],
      [20, 128],
    ] as const)
      expect.soft(Math.abs((left[frame] ?? 0) - value), `at ${frame}`).toBeLessThan(4)
    expect(Math.max(...right)).toBeLessThan(3)

    // On a ground that is half there: white stays white, grey is half of the ground's light.
    const background = 'rgba(255, 255, 255, 0.5)'
    const wide = { x: 300, y: 150, width: 960, height: 270 }
    const fit = 'contain' as const
    const grown = [linear('rect.width', [0, 960], [29, 963])]
    const framed = await render(
      [layer({ ...SECOND, asset: white, fit, background, rect: wide, keyframes: grown })],
      30,
    )
    const middle = await lumaOf(framed, '100:60:210:65')
    const bars = await lumaOf(framed, '40:60:110:65')
    expect.soft(middle[5]).toBeGreaterThan(250)
    expect.soft(bars[5]).toBeCloseTo(128, -1)
  })

  it('is not there while all of it is outside, and nowhere where it never is inside', async () => {
    const out = [linear('rect.x', [0, -600], [10, 300], [20, 2500])]
    const light = await lightOf(await render([layer({ ...SECOND, asset: white, keyframes: out })], 30), ROW)
    expect([0, 10, 20].map((frame) => Math.round((light[frame]?.size ?? -1) / 2))).toEqual([0, 80, 0])
    const never = [linear('rect.x', [0, -900], [20, -600])]
    const dark = await lightOf(await render([layer({ ...SECOND, asset: white, keyframes: never })], 30), ROW)
    expect(Math.max(...dark.map(({ size }) => size))).toBeLessThan(0.01)
  })
})
