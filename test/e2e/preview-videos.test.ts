/**
 * The preview's moving pictures against a file that ffmpeg rendered, in a real Chromium: video layers, and the clip's own
 * picture as it is cut, laid out and looked at closer.
 */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createCanvas, ImageData, type Canvas } from '@napi-rs/canvas'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Composition } from '../../server/contract/composition.ts'
import { TRANSITION_NAMES } from '../../server/contract/transitions/registry.ts'
import { sourcePath } from '../../workers/paths.ts'
import { contactSheet } from '../golden/draw.ts'
import { BT709, make, plain, renderForTest, spans } from '../pipeline/render-support.ts'
import { findChromium, NO_CHROMIUM, openPreviewPage, type PreviewPage } from './preview/browser.ts'
import { cut, distance, GROUND, pictureOf, type Distance } from './preview/compare.ts'
import { SOURCE_CASES, TEST_VIDEO, VIDEO_CASES, type VideoCase } from './preview/video-cases.ts'

const ARTIFACTS = join(import.meta.dirname, '..', '.artifacts', 'preview')
const FILMED = join(import.meta.dirname, '../../../shared/media/people/hamilton.mp4')
const chromium = findChromium()
if (chromium === null) process.stderr.write(`preview tests are skipped: ${NO_CHROMIUM}\n`)

let open: PreviewPage
let root: string
let source: string

/** Four colours under a grid, and a strip of white and dark marks, 120 pixels apart, that moves 13 pixels a frame. */
const PICTURE = [
  'color=c=0xc03020:s=640x360:r=30:d=2,drawbox=320:0:320:180:0x3060d0:fill,drawbox=0:180:320:180:0x30a050:fill',
  'drawbox=320:180:320:180:0xd0b030:fill,drawgrid=w=40:h=40:t=4:c=0x101014[a]',
  'color=c=0xf0f0f0:s=800x120:r=30:d=2,drawgrid=w=120:h=1000:t=60:c=0x101014[b]',
  '[a][b]overlay=x=-mod(n*13\\,120):y=120:format=rgb,scale=out_color_matrix=bt709,format=yuv420p',
]

beforeAll(async () => {
  if (chromium === null) return
  root = await mkdtemp(join(tmpdir(), 'cutroom-preview-videos-'))
  source = join(root, 'source.mp4')
  const [first = '', second = '', ...others] = PICTURE
  const graph = [`${first},${second}`, ...others].join(';')
  await make([
    '-f',
    'lavfi',
    '-i',
    graph,
    '-f',
    'lavfi',
    '-i',
    'aevalsrc=0:s=48000:d=2',
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-crf',
    '4',
    '-g',
    '25',
    '-bf',
    '0',
    ...BT709,
    '-c:a',
    'aac',
    '-movflags',
    '+faststart',
    source,
  ])
  const bytes = await readFile(source)
  const stored = sourcePath(join(root, 'sources'), TEST_VIDEO)
  await mkdir(dirname(stored), { recursive: true })
  await writeFile(stored, bytes)
  open = await openPreviewPage(chromium)
  open.videos.set(TEST_VIDEO, bytes)
  open.videos.set('0'.repeat(64), bytes)
}, 60_000)
afterAll(async () => {
  if (chromium === null) return
  await open.close()
  await rm(root, { recursive: true, force: true })
})

/** Frames of files that were rendered before, by case: the controls look at them again. */
const made = new Map<string, readonly Canvas[]>()

/** These frames of the file that the export makes, in ascending order. */
async function rendered(
  composition: Composition,
  frames: readonly number[],
  from = source,
): Promise<Canvas[]> {
  const { clip } = await renderForTest(composition, from, root)
  const { width, height } = composition.output
  const chosen = frames.map((frame) => `eq(n\\,${frame})`).join('+')
  const filter = `select=${chosen},scale=in_color_matrix=bt709:in_range=tv,format=rgba`
  const bytes = await make(['-i', clip, '-vf', filter, '-vsync', '0', '-f', 'rawvideo', '-'])
  const size = width * height * 4
  return frames.map((_, index) => {
    const canvas = createCanvas(width, height)
    const rgba = new Uint8ClampedArray(bytes.subarray(index * size, (index + 1) * size))
    canvas.getContext('2d').putImageData(new ImageData(rgba, width, height), 0, 0)
    return canvas
  })
}

const shownBy = (composition: Composition, frames: readonly number[]) =>
  open.page.evaluate(([given, list, ground]) => window.cutroom.drawFrames(given, list, ground, true), [
    composition,
    frames,
    GROUND,
  ] as const)

async function distances({ name, composition, frames }: VideoCase, moved = frames): Promise<Distance[]> {
  const wanted = made.get(name) ?? (await rendered(composition, frames))
  made.set(name, wanted)
  const shown = await shownBy(composition, moved)
  return Promise.all(
    wanted.map(async (here, index) => {
      const there = await pictureOf(shown.pictures[index] ?? '')
      const result = distance(here, there)
      if (process.env['PREVIEW_MEASURE'] !== undefined) {
        process.stderr.write(`${name} ${frames[index]}: ${JSON.stringify(result)}\n`)
      }
      if (!isAlike(result) && moved === frames) {
        await mkdir(ARTIFACTS, { recursive: true })
        const sheet = await contactSheet(here, there).encode('png')
        await writeFile(join(ARTIFACTS, `${name.replaceAll(/\W+/g, '-')}-${frames[index]}.png`), sheet)
      }
      return result
    }),
  )
}

/**
 * Over the whole output. Decoders and their way from YCbCr to RGB differ by one or two of 255 everywhere, and a colour of
 * half the size is spread over its edges in other ways, of which the grid is full. What is alike measures 0.983 to 0.999
 * in similarity, at most 2.3 % of pixels off by more than 32 of 255, and 0.6 to 3.0 in the mean of all channels. One frame
 * too late measures 0.95 and less, 3.9 % and more, 7.4 and more (the controls here).
 */
const ALIKE = { mean: 0.98, seen: 0.028, difference: 3.5 } as const

function isAlike({ mean, seen, difference }: Distance): boolean {
  return mean >= ALIKE.mean && seen <= ALIKE.seen && difference <= ALIKE.difference
}

const cases = [...VIDEO_CASES, ...SOURCE_CASES]

describe.skipIf(chromium === null)('moving pictures in preview and export', () => {
  it.each(cases.map((one) => [one.name, one] as const))('%s', async (_name, one) => {
    for (const [index, { mean, seen, difference }] of (await distances(one)).entries()) {
      const at = `at frame ${one.frames[index]}`
      expect.soft(mean, `similarity ${at}`).toBeGreaterThanOrEqual(ALIKE.mean)
      expect.soft(seen, `share of pixels ${at}`).toBeLessThanOrEqual(ALIKE.seen)
      expect.soft(difference, `difference ${at}`).toBeLessThanOrEqual(ALIKE.difference)
    }
  })

  it.skipIf(!existsSync(FILMED))(
    'joins takes of a filmed person alike, by every kind of transition',
    async () => {
      const filmed = join(root, 'filmed.mp4')
      const shape = 'scale=640:360:force_original_aspect_ratio=increase,crop=640:360,setsar=1,fps=30'
      const coded = [
        '-c:v',
        'libx264',
        '-preset',
        'ultrafast',
        '-crf',
        '4',
        '-g',
        '10',
        '-bf',
        '0',
        '-pix_fmt',
        'yuv420p',
        ...BT709,
      ]
      const sound = ['-c:a', 'aac', '-movflags', '+faststart']
      await make(['-ss', '1', '-i', FILMED, '-t', '8', '-vf', shape, ...coded, ...sound, filmed])
      const digest = 'f'.repeat(64)
      open.videos.set(digest, await readFile(filmed))
      const takes = TRANSITION_NAMES.map((_, take) => [5 + take * 40, 20] as const)
      const timeMap = spans([...takes, [200, 20]])
      const base = plain({ durationFrames: timeMap.at(-1)?.endFrame ?? 0, width: 360, height: 640 })
      const composition: Composition = {
        ...base,
        source: { ...base.source, digest },
        timeMap,
        transitions: TRANSITION_NAMES.map((kind, index) => {
          return { kind, cutFrame: 20 * (index + 1), frames: 12, colour: 'white', soundMs: 200 }
        }),
      }
      const frames = TRANSITION_NAMES.flatMap((_, index) => [-2, 2].map((at) => 20 * (index + 1) + at))
      const wanted = await rendered(composition, frames, filmed)
      const shown = await shownBy(composition, frames)
      for (const [index, frame] of frames.entries()) {
        const there = await pictureOf(shown.pictures[index] ?? '')
        const { mean, seen, difference } = distance(wanted[index] ?? createCanvas(16, 16), there)
        expect.soft(mean, `similarity at frame ${frame}`).toBeGreaterThanOrEqual(ALIKE.mean)
        expect.soft(seen, `share of pixels at frame ${frame}`).toBeLessThanOrEqual(ALIKE.seen)
        expect.soft(difference, `difference at frame ${frame}`).toBeLessThanOrEqual(ALIKE.difference)
      }
      // Without its transitions it is another picture.
      const { transitions: _joined, ...hard } = composition
      const some = frames.slice(0, 4)
      const without = await shownBy(hard, some)
      const unlike = await Promise.all(
        some.map(async (_, index) => {
          const there = await pictureOf(without.pictures[index] ?? '')
          return !isAlike(distance(wanted[index] ?? createCanvas(16, 16), there))
        }),
      )
      expect(unlike.every(Boolean)).toBe(true)
    },
  )

  it.each(['video covering', 'source cropped', 'source looked at closer', 'source joined by cross_fade'])(
    'detects a difference of one frame: %s',
    async (name) => {
      const one = cases.find((given) => given.name === name)
      if (one === undefined) throw new Error('no such case')
      const late = await distances(
        one,
        one.frames.map((frame) => frame + 1),
      )
      for (const result of late) expect(isAlike(result)).toBe(false)
    },
  )

  it('detects a logo that was not removed, and that nothing else is replaced', async () => {
    const one = cases.find(({ name }) => name === 'source without its logos')
    if (one === undefined) throw new Error('no such case')
    const wanted = made.get(one.name) ?? (await rendered(one.composition, one.frames))
    const { patches = [], ...source } = one.composition.source
    const [shown, bare] = await Promise.all([
      shownBy(one.composition, one.frames),
      shownBy({ ...one.composition, source }, one.frames),
    ])
    for (const [index, frame] of one.frames.entries()) {
      const pictures = [shown, bare].map(({ pictures }) => pictureOf(pictures[index] ?? ''))
      const [here, there] = [wanted[index], await Promise.all(pictures)] as const
      for (const { rect, startFrame, endFrame } of patches) {
        const part = (picture: Canvas | undefined): Canvas => cut(picture ?? createCanvas(16, 16), rect)
        const [mine, untouched] = there.map((picture) => distance(part(here), part(picture)).difference)
        const isThere = startFrame <= frame && frame < endFrame
        expect.soft(mine, `frame ${frame}, ${JSON.stringify(rect)}`).toBeLessThan(4)
        if (isThere) expect.soft(untouched, `without, frame ${frame}`).toBeGreaterThan(8)
        else expect.soft(untouched).toBe(mine)
      }
    }
    expect(shown.warnings).toEqual([])
  })

  it('detects a position that is four pixels off', async () => {
    const one = cases.find(({ name }) => name === 'source cropped')
    if (one === undefined) throw new Error('no such case')
    const [here] = made.get(one.name) ?? (await rendered(one.composition, one.frames))
    const layout = one.composition.layout.map((span) =>
      span.kind === 'crop' ? { ...span, crop: { ...span.crop, x: span.crop.x + 4 } } : span,
    )
    const shown = await shownBy({ ...one.composition, layout }, one.frames)
    if (here === undefined) throw new Error('nothing was rendered')
    expect(isAlike(distance(here, await pictureOf(shown.pictures[0] ?? '')))).toBe(false)
  })
})
