/** A clip made in parts: the pictures and the sound of the one pass, wherever an interrupted attempt goes on. */
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCanvas } from '@napi-rs/canvas'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Composition } from '../../server/contract/composition.ts'
import {
  joinArguments,
  partsArguments,
  renderArguments,
  soundArguments,
  type PartsCommand,
} from '../../workers/media/arguments/render.ts'
import { runTool } from '../../workers/media/run-tool.ts'
import { prepare } from '../../workers/compositor/compositor.ts'
import { registerFontsFor } from '../../workers/render-support/fonts.ts'
import { feedBand } from '../../workers/stages/render/bands.ts'
import { bandInputOf } from '../../workers/stages/render/drawing.ts'
import { usableParts } from '../../workers/stages/render/parts.ts'
import { runRender } from '../../workers/stages/render/stage.ts'
import { captionLayer, sampleComposition, TITLE } from '../support/sample-composition.ts'
import { bundledTools, runStageForTest } from '../support/stage-harness.ts'
import { LOSSLESS_ENCODER, pictureDigests, RATE, soundDigest, spans } from './render-support.ts'

const media = join(import.meta.dirname, '..', '..', '..', 'shared', 'media')
const SOURCE = join(media, 'two_faces_two_voices_26s.mp4')
if (!existsSync(SOURCE))
  console.log('render-parts: skipped, because the development media are not beside the project')
const FRAMES = 120
const { ffmpeg } = bundledTools()
const resources = join(import.meta.dirname, '..', '..', 'resources')

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cutroom-parts-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const TEXT = 'nobody wrote any of this down and that is why it has to be told once more from the very start'

/** Three stretches of the source, two of them near each other, and everything that counts frames. */
function fullComposition(): Composition {
  const base = sampleComposition({
    width: 216,
    height: 384,
    durationFrames: FRAMES,
    frameRate: RATE,
    source: { width: 1280, height: 720 },
  })
  const crop = (x: number) => ({ x, y: 0, width: 405, height: 720 })
  const pane = (x: number, y: number) => ({
    crop: { x: 7 * x, y: 0, width: 540, height: 360 },
    rect: { x: 0, y, width: 1080, height: 720 },
  })
  return {
    ...base,
    tailFrames: 8,
    source: {
      ...base.source,
      patches: [{ rect: { x: 500, y: 40, width: 90, height: 60 }, startFrame: 10, endFrame: 75 }],
    },
    timeMap: spans([
      [12, 35],
      [60, 30],
      [500, 47],
    ]),
    layout: [
      { kind: 'crop', startFrame: 0, endFrame: 30, crop: crop(200) },
      { kind: 'crop', startFrame: 30, endFrame: 55, crop: crop(200), cropTo: crop(331), eased: true },
      { kind: 'crop', startFrame: 55, endFrame: 70, crop: crop(331) },
      {
        kind: 'panes',
        startFrame: 70,
        endFrame: 90,
        background: 'blur',
        panes: [pane(10, 0), pane(100, 900)],
      },
      {
        kind: 'fit',
        startFrame: 90,
        endFrame: 112,
        crop: { x: 0, y: 0, width: 1280, height: 720 },
        zoom: 1,
        background: 'blur',
      },
    ],
    zooms: [
      {
        startFrame: 40,
        endFrame: 100,
        scale: 1.4,
        xPercent: 40,
        yPercent: 50,
        easeInFrames: 10,
        easeOutFrames: 15,
      },
    ],
    layers: [captionLayer(TEXT, 6, 3), { ...TITLE, startFrame: 15, endFrame: 105, fadeFrames: 6 }],
  }
}

/** The same with transitions at both of its cuts: frames 30 to 40, and 59 to 71. */
function joinedComposition(): Composition {
  const transition = { colour: 'black', soundMs: 200 } as const
  return {
    ...fullComposition(),
    transitions: [
      { ...transition, kind: 'cross_fade', cutFrame: 35, frames: 10 },
      { ...transition, kind: 'zoom', cutFrame: 65, frames: 12 },
    ],
  }
}

async function bandsOf(composition: Composition) {
  const fonts = await registerFontsFor(composition, resources, folder)
  return prepare(composition, createCanvas(2, 2).getContext('2d'), fonts, new Map())
}

const run = async (args: readonly string[], inputs: Parameters<typeof runTool>[0]['inputs'] = []) =>
  (await runTool({ executable: ffmpeg, args, inputs })).stdout.toString('utf8')

/** The pictures of the parts that an attempt makes from that frame on. */
async function makeParts(composition: Composition, from: number, what: string) {
  const { bands } = await bandsOf(composition)
  const name = `${what}-from-${from}`
  const command: PartsCommand = {
    composition,
    sourceFile: SOURCE,
    bands: bands.map(bandInputOf),
    encoder: LOSSLESS_ENCODER,
    stillFile: null,
    from,
    partFile: join(folder, `${name}-%d.mp4`),
    listFile: join(folder, `${name}.csv`),
    partSeconds: 1,
  }
  const statistics = { pictures: 0, bytes: 0, drawMilliseconds: 0 }
  await run(
    partsArguments(command),
    bands.map((band) => (pipe) => feedBand(pipe, band, RATE, statistics, {}, from)),
  )
  const list = (await readFile(command.listFile, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => line.split(','))
  const script = join(folder, `${name}.ffconcat`)
  const lines = list.map(
    ([file, start, end]) => `file '${file}'\nduration ${(Number(end) - Number(start)).toFixed(6)}`,
  )
  await writeFile(script, ['ffconcat version 1.0', ...lines, ''].join('\n'))
  return { script, count: list.length }
}

describe.skipIf(!existsSync(SOURCE))('a render in parts', () => {
  it.each([
    ['cuts', fullComposition(), [0, 45, 80, 111]],
    ['transitions', joinedComposition(), [0, 29, 40, 45, 80]],
  ] as const)(
    'has the pictures and the sound of one pass, wherever it goes on: %s',
    async (what, composition, places) => {
      const { bands } = await bandsOf(composition)
      const whole = join(folder, `whole-${what}.mp4`)
      const gain = { gainDb: 2, ceilingDb: -1 }
      const one = {
        composition,
        sourceFile: SOURCE,
        bands: bands.map(bandInputOf),
        encoder: LOSSLESS_ENCODER,
        gain,
      }
      const statistics = { pictures: 0, bytes: 0, drawMilliseconds: 0 }
      const inputs = bands.map(
        (band) => (pipe: Parameters<typeof feedBand>[0]) => feedBand(pipe, band, RATE, statistics),
      )
      await run(renderArguments({ ...one, outputFile: whole, stillFile: null }), inputs)
      const expected = await pictureDigests(whole)
      expect(expected).toHaveLength(FRAMES)

      const sound = join(folder, `sound-${what}.mp4`)
      await run(soundArguments({ composition, sourceFile: SOURCE, gain, file: sound }))
      for (const from of places) {
        const { script, count } = await makeParts(composition, from, what)
        expect(count).toBe(Math.ceil((FRAMES - from) / 30))
        const joined = join(folder, `joined-${what}-${from}.mp4`)
        await run(joinArguments(script, sound, joined))
        const made = await pictureDigests(joined)
        const differing = made.flatMap((picture, at) => (picture === expected[from + at] ? [] : [from + at]))
        expect({ from, frames: made.length, differing }).toEqual({
          from,
          frames: FRAMES - from,
          differing: [],
        })
        expect(await soundDigest(joined)).toBe(await soundDigest(whole))
      }
    },
    600_000,
  )

  it('goes on behind no part that ends within a transition', () => {
    const part = (to: number) => ({ from: to - 30, to, encoder: '', file: '', bytes: 0, sha256: '' })
    const ends = (...all: number[]): number[] =>
      usableParts(all.map(part), joinedComposition()).map(({ to }) => to)
    expect(ends(30)).toEqual([30])
    expect(ends(30, 60)).toEqual([30])
    expect(ends(30, 60, 90)).toEqual([30, 60, 90])
    expect(ends(30, 60, 90, 120)).toEqual([30, 60, 90, 120])
  })

  it('goes on behind what an interrupted attempt has kept, and ends with all pictures and the same sound', async () => {
    const { tailFrames: _tail, ...composition } = fullComposition()
    const params = {
      composition: { ...composition, durationFrames: 112 },
      encoder: { preset: 'ultrafast', crf: 28 },
    }
    const work = (root: string, onCheckpoint: (position: number) => void) =>
      runStageForTest(runRender, params, {
        inputs: { source: SOURCE },
        root: join(folder, root),
        onCheckpoint,
      })
    const calm = await work('calm', () => undefined)

    class Death extends Error {}
    const positions: number[] = []
    const die = (position: number): void => {
      if (positions.includes(position) || position === 0) return
      positions.push(position)
      throw new Death(String(position))
    }
    let done: Awaited<ReturnType<typeof work>> | null = null
    for (let lives = 0; done === null && lives < 12; lives += 1)
      done = await work('died', die).catch((error: unknown) => {
        if (error instanceof Death) return null
        throw error
      })
    if (done === null) throw new Error(`it never ends: ${positions.join(', ')}`)
    expect(positions.filter((position) => position > 1)).toEqual([31, 61, 91, 113])
    expect(done.output).toMatchObject({ width: 216, height: 384, integratedLufs: calm.output.integratedLufs })
    const files = [calm, done].map((one) => join(one.folder, 'clip.mp4'))
    const [before = [], after = []] = await Promise.all(files.map(pictureDigests))
    expect(after).toHaveLength(before.length)
    const [sound, soundAfter] = await Promise.all(files.map(soundDigest))
    expect(soundAfter).toBe(sound)
    const [still, stillAfter] = await Promise.all(
      [calm, done].map((one) => readFile(join(one.folder, 'thumbnail.jpg'))),
    )
    expect(stillAfter).toEqual(still)
  }, 600_000)
})
