/** Any valid Composition compiles to a filter graph that ffmpeg accepts, and comes out to the frame and the sample. */
import { createHash } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Value } from '@sinclair/typebox/value'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Composition } from '../../server/contract/composition.ts'
import { TICKS_PER_SECOND } from '../../server/contract/time.ts'
import { sampleAt } from '../../workers/media/arguments/render-time.ts'
import { sourcePath } from '../../workers/paths.ts'
import { anyComposition, type AnyMaterial } from '../support/any-composition.ts'
import { keepPicture, plainPng } from '../support/pictures.ts'
import { make, probeStreams, renderForTest, samplesOf } from './render-support.ts'

const RUNS = 30
/** Fixed, so that runs are reproducible; `CUTROOM_SEED=... vitest run render-any` tries others. */
const SEED = Number(process.env['CUTROOM_SEED'] ?? 20_260)

let root = ''
let source = ''
let material: AnyMaterial

async function keep(file: string): Promise<string> {
  const digest = createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
  const path = sourcePath(join(root, 'sources'), digest)
  await mkdir(dirname(path), { recursive: true })
  await copyFile(file, path)
  return digest
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-any-'))
  const at = (name: string): string => join(root, name)
  source = at('source.mp4')
  const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '12', '-c:a', 'aac']
  const filmed = (size: string, rate: string, seconds: number): string[] => [
    '-f',
    'lavfi',
    '-i',
    `testsrc2=s=${size}:r=${rate}:d=${seconds}`,
    '-f',
    'lavfi',
    '-i',
    `sine=f=440:d=${seconds}:sample_rate=48000`,
  ]
  await make([...filmed('128x72', '25', 3), ...x264, source])
  await make([...filmed('64x48', '24', 1), ...x264, at('video.mp4')])
  await make(['-f', 'lavfi', '-i', 'sine=f=220:d=1:sample_rate=44100', '-c:a', 'pcm_s16le', at('music.wav')])
  material = {
    digest: await keep(source),
    width: 128,
    height: 72,
    seconds: 3,
    picture: await keepPicture(root, await plainPng(40, 30, '#ff453980'), {
      width: 40,
      height: 30,
      opaque: false,
    }),
    video: {
      digest: await keep(at('video.mp4')),
      width: 64,
      height: 48,
      duration: TICKS_PER_SECOND,
      frameRate: { numerator: 24, denominator: 1 },
      hasAudio: true,
      videoStream: 0,
      hdr: false,
      interlaced: false,
      opaque: true,
    },
    sound: {
      digest: await keep(at('music.wav')),
      audioStream: 0,
      duration: TICKS_PER_SECOND,
      integratedLufs: -20,
    },
  }
})
afterAll(() => rm(root, { recursive: true, force: true }))

describe('any valid Composition', () => {
  it('is one by the contract', () => {
    fc.assert(
      fc.property(anyComposition(material), (composition) => {
        expect([...Value.Errors(Composition, composition)]).toEqual([])
      }),
      { seed: SEED, numRuns: 200 },
    )
  })

  it('renders: ffmpeg takes the graph, and frames and samples are as many as they should be', async () => {
    await fc.assert(
      fc.asyncProperty(anyComposition(material), async (composition) => {
        const { clip } = await renderForTest(composition, source, root)
        const { video } = await probeStreams(clip)
        expect(Number(video.nb_frames)).toBe(composition.durationFrames)
        expect([video.width, video.height]).toEqual([composition.output.width, composition.output.height])
        // AAC comes in blocks of 1024 samples, the last one filled up with silence.
        const samples = sampleAt(composition.durationFrames, composition.output.frameRate)
        expect((await samplesOf(clip)).length).toBe(Math.ceil(samples / 1024) * 1024)
        expect((await stat(clip)).size).toBeGreaterThan(0)
      }),
      { seed: SEED, numRuns: RUNS, endOnFailure: true },
    )
  }, 180_000)
})
