/** What the editor looks at while a person scrubs: the filmstrip, and the cut with a key frame every few pictures. */
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { secondsToTicks } from '../../server/contract/time.ts'
import { runCut } from '../../workers/stages/cut/stage.ts'
import { runFilmstrip } from '../../workers/stages/filmstrip/stage.ts'
import { runProbe } from '../../workers/stages/probe/stage.ts'
import { runStageForTest } from '../support/stage-harness.ts'
import { ffprobe, make } from './render-support.ts'

let root: string
let source: string

/** 12 s, each second lighter than the one before by 18; a key frame every 3 s. */
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-strip-'))
  source = join(root, 'source.mp4')
  await make([
    '-f',
    'lavfi',
    '-i',
    "nullsrc=s=160x90:r=10:d=12,geq=lum='30+18*floor(T)':cb=128:cr=128",
    '-f',
    'lavfi',
    '-i',
    'sine=440:duration=12',
    '-c:v',
    'libx264',
    '-g',
    '30',
    '-keyint_min',
    '30',
    '-sc_threshold',
    '0',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
    source,
  ])
})
afterAll(() => rm(root, { recursive: true, force: true }))

async function strip(over: { start: number; spacingSeconds: number; count: number }): Promise<number[]> {
  const folder = join(root, `strip-${over.start}-${over.spacingSeconds}`)
  const params = { ...over, width: 32, height: 18, videoStream: 0, hdr: false }
  const { output, folder: made } = await runStageForTest(runFilmstrip, params, {
    root: folder,
    inputs: { source },
  })
  const image = await loadImage(join(made, output.file))
  expect([image.width, image.height]).toEqual([32 * over.count, 18])
  const canvas = createCanvas(image.width, image.height)
  const context = canvas.getContext('2d')
  context.drawImage(image, 0, 0)
  return Array.from(
    { length: over.count },
    (_, tile) => context.getImageData(tile * 32 + 16, 9, 1, 1).data[0] ?? -1,
  )
}

/** Of the second, as a screen shows it: the source's levels are those of television, 16 to 235. */
const light = (second: number): number => ((30 + 18 * second - 16) * 255) / 219

it('has a picture for each second, also where it begins in the middle', async () => {
  const tiles = await strip({ start: 4, spacingSeconds: 1, count: 6 })
  tiles.forEach((level, tile) => expect(Math.abs(level - light(4 + tile)), `tile ${tile}`).toBeLessThan(14))
})

it('has the key frame before each moment where moments are far apart', async () => {
  const tiles = await strip({ start: 0, spacingSeconds: 5, count: 3 })
  const seconds = tiles.map((level) => Math.round((level - light(0)) / (light(1) - light(0))) + 0)
  expect(seconds).toEqual([0, 3, 9])
})

it('cuts for scrubbing with a key frame at least every eight pictures', async () => {
  const probe = await runStageForTest(
    runProbe,
    {},
    {
      root: join(root, 'probe'),
      inputs: { source },
    },
  )
  const params = { start: secondsToTicks(2), end: secondsToTicks(9), scrub: true as const }
  const { output, folder } = await runStageForTest(runCut, params, {
    root: join(root, 'cut'),
    inputs: { source, probe: probe.folder },
    results: { probe: probe.output },
  })
  expect(output.copied).toBe(false)
  const { stdout } = await promisify(execFile)(ffprobe, [
    '-v',
    'error',
    '-select_streams',
    'v',
    '-show_entries',
    'packet=flags',
    '-of',
    'csv=p=0',
    join(folder, output.file),
  ])
  const flags = stdout.trim().split('\n')
  const keys = flags.flatMap((flag, index) => (flag.startsWith('K') ? [index] : []))
  expect(flags.length).toBeGreaterThanOrEqual(69)
  expect(keys[0]).toBe(0)
  keys.forEach((key, index) => expect((keys[index + 1] ?? flags.length) - key).toBeLessThanOrEqual(8))
})
