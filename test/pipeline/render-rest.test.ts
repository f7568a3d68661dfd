/** A clip that comes to rest is made up to there, and is the clip that is made to its end. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCanvas } from '@napi-rs/canvas'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Composition, ImageLayer, VideoLayer } from '../../server/contract/composition.ts'
import { partsArguments, renderArguments } from '../../workers/media/arguments/render.ts'
import { detectDialect } from '../../workers/media/dialect.ts'
import { runTool } from '../../workers/media/run-tool.ts'
import { prepare } from '../../workers/compositor/compositor.ts'
import { registerFontsFor } from '../../workers/render-support/fonts.ts'
import { feedBand } from '../../workers/stages/render/bands.ts'
import { bandInputOf } from '../../workers/stages/render/drawing.ts'
import { findStillEnding } from '../../workers/stages/render/still-ending.ts'
import { BROLL, IMAGE } from '../support/export-clip.ts'
import { listInstalledFfmpegs } from '../support/installed-ffmpegs.ts'
import { captionLayer, sampleComposition, TITLE } from '../support/sample-composition.ts'
import { bundledTools } from '../support/stage-harness.ts'
import { LOSSLESS_ENCODER, pictureDigests, RATE, soundDigest, spans } from './render-support.ts'

const FRAMES = 120
const resources = join(import.meta.dirname, '..', '..', 'resources')
const builds = [bundledTools().ffmpeg, ...listInstalledFfmpegs().map(({ path }) => path)]

let folder = ''
let source = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cutroom-rest-'))
  source = join(folder, 'source.mp4')
  const picture = 'testsrc2=s=640x360:r=30:d=8'
  const sound = 'sine=f=330:d=8:beep_factor=3'
  const coded = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', source]
  const lavfi = ['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', sound]
  await runTool({ executable: bundledTools().ffmpeg, args: ['-v', 'error', ...lavfi, ...coded] })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The card's picture by its digest: opaque, and one with a hole. */
const PICTURES = new Map(
  ['full', 'holed'].map((digest) => {
    const canvas = createCanvas(216, 384)
    const context = canvas.getContext('2d')
    context.fillStyle = '#20304a'
    context.fillRect(0, 0, 216, 384)
    if (digest === 'holed') context.clearRect(100, 200, 1, 1)
    return [digest, canvas] as const
  }),
)

const card = (more: Partial<ImageLayer> = {}, digest = 'full'): ImageLayer => ({
  ...IMAGE,
  asset: { digest, width: 216, height: 384, opaque: digest === 'full' },
  fit: 'fill',
  rect: { x: 0, y: 0, width: 1080, height: 1920 },
  intro: { kind: 'fade', frames: 12 },
  startFrame: 60,
  endFrame: FRAMES,
  ...more,
})

const CAPTIONS = captionLayer('this is said before the card comes', 8, 3)

/** Two takes and a crop that moves to the end, with these layers over them. */
function composition(layers: Composition['layers'], more: Partial<Composition> = {}): Composition {
  const base = sampleComposition({
    width: 216,
    height: 384,
    durationFrames: FRAMES,
    frameRate: RATE,
    source: { width: 640, height: 360 },
  })
  const crop = (x: number) => ({ x, y: 0, width: 202.5, height: 360 })
  const startFrame = more.headFrames ?? 0
  const endFrame = FRAMES - (more.tailFrames ?? 0)
  const cut = Math.min(100, endFrame - 10)
  return {
    ...base,
    timeMap: spans(
      [
        [12, cut - startFrame],
        [130, endFrame - cut],
      ],
      startFrame,
    ),
    layout: [{ kind: 'crop', startFrame, endFrame, crop: crop(20), cropTo: crop(300) }],
    layers,
    ...more,
  }
}

async function prepared(of: Composition) {
  const fonts = await registerFontsFor(of, resources, folder)
  return prepare(of, createCanvas(2, 2).getContext('2d'), fonts, PICTURES)
}

const endingOf = async (of: Composition): Promise<number | null> => findStillEnding(of, await prepared(of))

const video = (more: Partial<VideoLayer>): VideoLayer => ({
  ...BROLL,
  rect: { x: 100, y: 100, width: 400, height: 300 },
  startFrame: 0,
  endFrame: FRAMES,
  ...more,
})

describe('where a clip comes to rest', () => {
  it('is where a picture that fills it has come, whatever goes on below', async () => {
    const layers = [CAPTIONS, { ...TITLE, endFrame: FRAMES }, video({})]
    expect(await endingOf(composition([...layers, card()]))).toBe(72)
  })
  it('is where all above that picture rests, too', async () => {
    const title = { ...TITLE, startFrame: 70, endFrame: FRAMES + 30, fadeFrames: 10 }
    expect(await endingOf(composition([card(), title]))).toBe(80)
    expect(await endingOf(composition([card(), video({ endFrame: 90 })]))).toBeNull()
    expect(await endingOf(composition([card(), video({ endFrame: 70 })]))).toBe(72)
  })
  it('is the last picture of the source where that is held', async () => {
    expect(await endingOf(composition([CAPTIONS], { tailFrames: 20 }))).toBe(FRAMES - 21)
    expect(await endingOf(composition([CAPTIONS]))).toBeNull()
  })
  it.each([
    ['it lets through a pixel', card({}, 'holed')],
    ['it lets through some of everything', card({ opacity: 0.99 })],
    ['it does not reach the edge', card({ rect: { x: 0, y: 0, width: 1080, height: 1910 } })],
    ['it drifts', card({ drift: 0.1 })],
    ['it goes', card({ outro: { kind: 'fade', frames: 8 } })],
    ['it ends before the clip does', card({ endFrame: FRAMES - 1 })],
  ])('is nowhere with a picture if %s', async (_why, layer) => {
    expect(await endingOf(composition([layer]))).toBeNull()
  })
})

const transition = { kind: 'cross_fade', cutFrame: 100, frames: 20, colour: 'black', soundMs: 200 } as const

describe.each(builds)('a clip that comes to rest, with %s', (ffmpeg) => {
  const run = (args: readonly string[], inputs: Parameters<typeof runTool>[0]['inputs'] = []) =>
    runTool({ executable: ffmpeg, args, inputs })

  it.each([
    ['under a card', composition([CAPTIONS, card()])],
    ['under a card that hides a transition', composition([CAPTIONS, card()], { transitions: [transition] })],
    ['on a picture that is held', composition([CAPTIONS], { tailFrames: 30 })],
    ['under a card after a black head', composition([card()], { headFrames: 10 })],
  ])(
    'has all its pictures and its sound: %s',
    async (_what, whole) => {
      const { bands, width, height } = await prepared(whole)
      const dialect = await detectDialect(ffmpeg)
      const restsFrom = findStillEnding(whole, { bands, width, height })
      if (restsFrom === null) throw new Error('it does not rest')
      const gain = { gainDb: 2, ceilingDb: -1 }
      const command = {
        composition: whole,
        sourceFile: source,
        bands: bands.map(bandInputOf),
        encoder: LOSSLESS_ENCODER,
        gain,
        dialect,
        stillFile: null,
      }
      const statistics = { pictures: 0, bytes: 0, drawMilliseconds: 0 }
      const { blending } = dialect
      const feeds = (from: number) =>
        bands.map(
          (band) => (pipe: Parameters<typeof feedBand>[0]) =>
            feedBand(pipe, band, RATE, statistics, { blending }, from),
        )
      const [made, held] = ['made.mp4', 'held.mp4'].map((name) => join(folder, name)) as [string, string]
      await run(renderArguments({ ...command, outputFile: made }), feeds(0))
      await run(renderArguments({ ...command, outputFile: held, restsFrom }), feeds(0))
      const expected = await pictureDigests(made)
      expect(expected).toHaveLength(FRAMES)
      expect(await pictureDigests(held)).toEqual(expected)
      expect(await soundDigest(held)).toBe(await soundDigest(made))

      // Parts begin on pictures of the source, and with no head.
      const places = whole.headFrames === undefined ? [0, 45, 85] : [0]
      for (const from of places) {
        const partFile = join(folder, `from-${from}-%d.mp4`)
        const part = { from, partFile, listFile: join(folder, 'list.csv'), partSeconds: 1, restsFrom }
        await run(partsArguments({ ...command, ...part }), feeds(from))
        const names = (await readdir(folder)).filter((name) => name.startsWith(`from-${from}-`)).sort()
        const parts = await Promise.all(names.map((name) => pictureDigests(join(folder, name))))
        expect(parts.flat()).toEqual(expected.slice(from))
        await Promise.all(names.map((name) => rm(join(folder, name))))
      }
    },
    120_000,
  )
})
