/** The render stage on tiny media: what the sound is like, and what happens without any. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { captionLayer } from '../support/sample-composition.ts'
import {
  LOSSLESS,
  QUIET,
  SIZE,
  countingSource,
  loudnessOf,
  lumaOf,
  make,
  plain,
  probeStreams,
  renderForTest,
  samplesOf,
  spans,
} from './render-support.ts'

let root = ''
let counting = ''
let number = 0
const nextRoot = (): string => join(root, `run-${(number += 1)}`)

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-render-test-'))
  counting = join(root, 'counting.mkv')
  await make([...countingSource(200), ...LOSSLESS, counting])
})
afterAll(() => rm(root, { recursive: true, force: true }))

describe('sound', () => {
  const speech = async (file: string, volume: number, crest: string): Promise<void> => {
    const bursts = `aevalsrc='${volume}*(${crest})*lt(mod(t\\,0.5)\\,0.35)':s=48000:d=8`
    await make([
      '-f',
      'lavfi',
      '-i',
      'color=c=gray:s=320x180:r=30:d=8',
      '-f',
      'lavfi',
      '-i',
      bursts,
      ...LOSSLESS,
      file,
    ])
  }

  it('is heard from the first moment on where it is an MP3, whose frames lean on those before them', async () => {
    const source = join(root, 'quiet.mp3')
    await make(['-f', 'lavfi', '-i', 'sine=f=300:d=12:r=44100', '-q:a', '5', source])
    const sound = { ...SIZE, hasVideo: false, audioStream: 0 }
    const { clip } = await renderForTest(plain({ fromFrame: 219, source: sound }), source, nextRoot())
    expect((await samplesOf(clip)).findIndex((value) => Math.abs(value) > 0.03)).toBeLessThan(48 * 25)
  })

  it.each([
    ['quiet', 0.02, 'sin(2*PI*300*t)+0.4*sin(2*PI*900*t)'],
    ['loud', 0.9, 'sin(2*PI*300*t)'],
    ['peaky', 0.05, 'sin(2*PI*250*t)+14*lt(mod(t\\,0.31)\\,0.0007)'],
  ])('brings %s sound to -14 LUFS, true peak under -1 dB', async (name, volume, crest) => {
    const source = join(root, `${name}.mkv`)
    await speech(source, volume, crest)
    const composition = { ...plain({ durationFrames: 210, source: { width: 320, height: 180 } }) }
    composition.audio = { integratedLufs: -14, truePeakDb: -1, crossfadeMs: 10, edgeFadeMs: 15 }
    const run = await renderForTest(composition, source, nextRoot())
    const { integrated, peak } = await loudnessOf(run.clip)
    expect(Math.abs(integrated + 14)).toBeLessThanOrEqual(0.5)
    expect(peak).toBeLessThan(-1)
    expect(run.warnings).toEqual([])
  })

  it('cuts without clicks', async () => {
    const tone = join(root, 'tone.mkv')
    await make([
      '-f',
      'lavfi',
      '-i',
      'color=c=gray:s=320x180:r=30:d=8',
      '-f',
      'lavfi',
      '-i',
      "aevalsrc='0.5*sin(2*PI*210.7*t)':s=48000:d=8",
      ...LOSSLESS,
      tone,
    ])
    const timeMap = spans(Array.from({ length: 12 }, (_, index) => [5 + index * 17, 9] as const))
    const composition = { ...plain({ durationFrames: 108, source: { width: 320, height: 180 } }), timeMap }
    composition.audio = { ...QUIET, edgeFadeMs: 15 }
    const run = await renderForTest(composition, tone, nextRoot())
    const samples = await samplesOf(run.clip)
    let steepest = 0
    for (let index = 1; index < samples.length; index++) {
      steepest = Math.max(steepest, Math.abs((samples[index] ?? 0) - (samples[index - 1] ?? 0)))
    }
    // The tone's own steepest step is 0.0138; an unfaded cut jumps by up to 1.
    expect(steepest).toBeLessThan(0.03)
    // And no gap: every hundredth of a second but the faded ends has sound.
    for (let at = 960; at + 480 < (108 / 30) * 48_000 - 960; at += 480) {
      expect(Math.max(...samples.subarray(at, at + 480).map(Math.abs))).toBeGreaterThan(0.2)
    }
    expect(Math.abs(samples.length - (108 / 30) * 48_000)).toBeLessThanOrEqual(1024)
  })

  it('gives a silent track where there is no sound', async () => {
    const mute = join(root, 'mute.mkv')
    await make(['-i', counting, '-an', '-c:v', 'copy', mute])
    const run = await renderForTest(plain({ source: { ...SIZE, hasAudio: false } }), mute, nextRoot())
    const { audio } = await probeStreams(run.clip)
    expect(Number(audio.duration)).toBeCloseTo(40 / 30, 2)
    expect(Math.max(...(await samplesOf(run.clip)))).toBeLessThan(0.001)
  })

  it('gives a black picture where there is none', async () => {
    const blind = join(root, 'blind.m4a')
    await make(['-f', 'lavfi', '-i', 'sine=d=4', '-c:a', 'aac', blind])
    const source = { ...SIZE, hasVideo: false, audioStream: 0 }
    const run = await renderForTest(
      plain({ source, layers: [captionLayer('Only sound', 20, 2)] }),
      blind,
      nextRoot(),
    )
    const { video } = await probeStreams(run.clip)
    expect(video.nb_frames).toBe('40')
    expect(Math.max(...(await lumaOf(run.clip, '640:100:0:230')))).toBeGreaterThan(5)
  })

  it('warns that a clip is silent', async () => {
    const silent = join(root, 'silent.mkv')
    await make([
      '-i',
      counting,
      '-f',
      'lavfi',
      '-i',
      'anullsrc',
      '-map',
      '0:v',
      '-map',
      '1:a',
      '-t',
      '5',
      '-c:v',
      'copy',
      '-c:a',
      'pcm_s16le',
      silent,
    ])
    const composition = plain()
    composition.audio = { ...QUIET, integratedLufs: -14 }
    const run = await renderForTest(composition, silent, nextRoot())
    expect(run.warnings.join()).toContain('silent')
    expect(run.output.integratedLufs).toBeNull()
  })
})
