/** Finished files whose sound is cleaned: a recorded voice in noise, two voices of unequal loudness, hum; the same in the preview. */
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Composition, SoundCleaning } from '../../server/contract/composition.ts'
import { AppError } from '../../server/contract/errors.ts'
import { secondsToTicks } from '../../server/contract/time.ts'
import { stemsArguments } from '../../workers/media/arguments/export.ts'
import { detectDialect } from '../../workers/media/dialect.ts'
import { makeCleanSound } from '../../workers/stages/render/clean.ts'
import { mixClip } from '../../workers/stages/render/pure/mix/mix.ts'
import { runStageForTest } from '../support/stage-harness.ts'
import {
  ffmpeg,
  LOSSLESS,
  loudnessOf,
  make,
  plain,
  renderForTest,
  samplesOf,
  spans,
} from './render-support.ts'

const MEDIA = join(import.meta.dirname, '..', '..', '..', 'shared', 'media')
/** A speech of 1961, and two voices that take turns of four seconds. */
const VOICE = join(MEDIA, 'jfk.flac')
const TWO = join(MEDIA, 'two_speakers_flite.wav')
const isHere = existsSync(VOICE) && existsSync(TWO)
if (!isHere) process.stderr.write('cleaned recordings are skipped: ../shared/media is not here\n')

const RATE = 48_000
const SMALL = { width: 160, height: 90 }
const OFF: SoundCleaning = { noise: 'off', hum: false, reverb: false }
const PICTURE = ['-f', 'lavfi', '-i', 'color=c=gray:s=160x90:r=30:d=26']

let root = ''
let number = 0
const nextRoot = (): string => join(root, `run-${(number += 1)}`)
const sources: Record<string, string> = {}

async function source(name: string, inputs: readonly string[], graph: string): Promise<void> {
  sources[name] = join(root, `${name}.mkv`)
  const filters = ['-filter_complex', graph, '-map', '0:v', '-map', '[sound]', '-shortest']
  await make([...PICTURE, ...inputs, ...filters, ...LOSSLESS, sources[name] ?? ''])
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-clean-'))
  if (!isHere) return
  const voice = ['-i', VOICE]
  const noise = ['-f', 'lavfi', '-i', 'anoisesrc=color=pink:r=48000:seed=7:a=0.12:d=11']
  const form = 'aresample=48000,pan=mono|c0=c0'
  await source('clear', voice, `[1:a]${form}[sound]`)
  await source('noisy', [...voice, ...noise], `[1:a]${form}[a];[a][2:a]amix=duration=first,volume=2[sound]`)
  const mains = 'aevalsrc=0.05*sin(2*PI*50*t)+0.03*sin(2*PI*100*t)+0.02*sin(2*PI*150*t):s=48000:d=11'
  const humming = [...voice, '-f', 'lavfi', '-i', mains]
  await source('humming', humming, `[1:a]${form}[a];[a][2:a]amix=duration=first,volume=2[sound]`)
  const quieter =
    "volume=0.2:eval=frame:enable='between(t\\,4.15\\,8.45)+between(t\\,12.75\\,17.05)+gt(t\\,21.35)'"
  await source('uneven', ['-i', TWO], `[1:a]${form},${quieter}[sound]`)
}, 120_000)
afterAll(() => rm(root, { recursive: true, force: true }))

function composed(frames: number, cleaning?: SoundCleaning): Composition {
  const composition = plain({ ...SMALL, durationFrames: frames, source: { ...SMALL, hasAudio: true } })
  composition.audio = {
    integratedLufs: -14,
    truePeakDb: -1.5,
    crossfadeMs: 10,
    edgeFadeMs: 15,
    ...(cleaning === undefined ? {} : { cleaning }),
  }
  return composition
}
async function soundOf(name: string, composition: Composition) {
  const run = await renderForTest(composition, sources[name] ?? '', nextRoot())
  return { run, samples: await samplesOf(run.clip) }
}

const level = (samples: Float32Array, from: number, to: number): number => {
  const part = samples.subarray(from * RATE, to * RATE)
  return 10 * Math.log10(part.reduce((sum, value) => sum + value * value, 0) / part.length)
}
/** By how many dB what is like the reference is over all else. */
function likeness(reference: Float32Array, samples: Float32Array): number {
  const length = Math.min(reference.length, samples.length)
  let both = 0
  let own = 0
  for (let at = 0; at < length; at++) {
    both += (reference[at] ?? 0) * (samples[at] ?? 0)
    own += (reference[at] ?? 0) ** 2
  }
  let wanted = 0
  let rest = 0
  for (let at = 0; at < length; at++) {
    const part = (both / own) * (reference[at] ?? 0)
    wanted += part ** 2
    rest += ((samples[at] ?? 0) - part) ** 2
  }
  return 10 * Math.log10(wanted / rest)
}

describe.skipIf(!isHere)('a recorded voice in noise', () => {
  it('is nearer to the recording, with quieter pauses and its own loudness, for all of its length', async () => {
    const frames = 320
    const [clear, noisy, light, strong] = await Promise.all([
      soundOf('clear', composed(frames)),
      soundOf('noisy', composed(frames)),
      soundOf('noisy', composed(frames, { ...OFF, noise: 'light' })),
      soundOf('noisy', composed(frames, { ...OFF, noise: 'strong' })),
    ])
    const before = likeness(clear.samples, noisy.samples)
    expect(likeness(clear.samples, light.samples)).toBeGreaterThan(before + 2)
    expect(likeness(clear.samples, strong.samples)).toBeGreaterThan(before + 2)
    // Nobody speaks in the third second.
    const pause = ({ samples }: { samples: Float32Array }): number =>
      level(samples, 2.5, 3.1) - level(samples, 3.4, 7.5)
    expect(pause(light)).toBeLessThan(pause(noisy) - 6)
    expect(pause(strong)).toBeLessThan(pause(noisy) - 10)
    for (const { samples, run } of [light, strong]) {
      expect(Math.abs(samples.length - noisy.samples.length)).toBe(0)
      expect(run.warnings).toEqual([])
      expect(Math.abs((await loudnessOf(run.clip)).integrated + 14)).toBeLessThan(0.6)
    }
  })

  it('sounds in the preview as in the file, over cuts and at another speed', async () => {
    const composition = composed(200, { noise: 'strong', hum: true, reverb: true })
    composition.timeMap = spans([
      [15, 100],
      [150, 50],
      [220, 50, 1.5],
    ])
    const { samples } = await soundOf('noisy', composition)
    const own = await samplesOf(sources['noisy'] ?? '')
    // One side of a mono sound, as ffmpeg makes two of it.
    const side = own.map((value) => value * Math.SQRT1_2)
    const files = { own: { left: side, right: side.slice() }, ownStart: 0, tracks: new Map() }
    const { sound } = await mixClip(composition, files)
    // At another speed only the places are the same.
    const same = 150 * (RATE / 30)
    const mixed = sound.left.subarray(0, same)
    expect(likeness(mixed, samples.subarray(0, same))).toBeGreaterThan(20)
    const rest = (one: Float32Array): number => level(one, 5.1, 6.6) - level(one, 0, 1.5)
    expect(Math.abs(rest(sound.left) - rest(samples))).toBeLessThan(0.5)
  })

  it('says how far it is, further and further, and nothing goes on after a cancel', async () => {
    const composition = composed(320, { ...OFF, noise: 'light' })
    const { run } = await soundOf('noisy', composition)
    expect(run.progress).toEqual(run.progress.toSorted((a, b) => a - b))
    expect(new Set(run.progress.filter((share) => share < 0.2)).size).toBeGreaterThan(10)
    const stop = new AbortController()
    const shares: number[] = []
    const cleaning = runStageForTest(
      async (context) => {
        const progress = (share: number): void => {
          shares.push(share)
          if (share > 0.1) stop.abort(new AppError('CANCELLED'))
        }
        await makeCleanSound({ ...context, progress }, composition, await detectDialect(ffmpeg))
        return {}
      },
      {},
      { root: nextRoot(), inputs: { source: sources['noisy'] ?? '' }, signal: stop.signal },
    )
    await expect(cleaning).rejects.toMatchObject({ code: 'CANCELLED' })
    expect(shares.filter((share) => share > 0.1)).toHaveLength(1)
  })

  it('has no hum', async () => {
    const [humming, clean] = await Promise.all([
      soundOf('humming', composed(320)),
      soundOf('humming', composed(320, { ...OFF, hum: true })),
    ])
    const low = async (clip: string): Promise<number> => {
      const bytes = await make([
        '-i',
        clip,
        '-map',
        '0:a',
        '-af',
        'lowpass=f=70:p=2,lowpass=f=70:p=2',
        '-ac',
        '1',
        '-f',
        'f32le',
        '-',
      ])
      return level(new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2), 0.5, 10)
    }
    expect(await low(clean.run.clip)).toBeLessThan((await low(humming.run.clip)) - 12)
  })
})

describe.skipIf(!isHere)('two voices of unequal loudness', () => {
  const turns = [0, 4.3, 8.6, 12.9, 17.2, 21.5].map((start, at) => ({
    speaker: at % 2,
    start: secondsToTicks(start),
    end: secondsToTicks(start + 4),
  }))
  const apart = (samples: Float32Array): number =>
    (level(samples, 0.2, 3.8) +
      level(samples, 8.8, 12.4) -
      level(samples, 4.5, 8.1) -
      level(samples, 13.1, 16.7)) /
    2

  it('are equally loud, and each turn is as even as before', async () => {
    const [uneven, levelled] = await Promise.all([
      soundOf('uneven', composed(765)),
      soundOf('uneven', composed(765, { ...OFF, turns })),
    ])
    expect(apart(uneven.samples)).toBeGreaterThan(7)
    expect(Math.abs(apart(levelled.samples))).toBeLessThan(2)
    const swing = (samples: Float32Array): number => level(samples, 4.6, 6) - level(samples, 6.5, 8)
    expect(Math.abs(swing(levelled.samples) - swing(uneven.samples))).toBeLessThan(0.3)
  })

  it('are so in the stems, whose sum is the mix', async () => {
    const composition = composed(600, { ...OFF, noise: 'light', turns })
    const stems = { speech: join(root, 's.wav'), music: join(root, 'm.wav'), mix: join(root, 'x.wav') }
    const sourceFile = sources['uneven'] ?? ''
    await runStageForTest(
      async (context) => {
        const cleanFile = await makeCleanSound(context, composition, await detectDialect(ffmpeg))
        expect(cleanFile).not.toBeNull()
        const gain = { gainDb: 3, ceilingDb: -1 }
        const args = stemsArguments({ composition, sourceFile, gain, trackFiles: [], cleanFile, stems })
        await make(args)
        return {}
      },
      {},
      { root: nextRoot(), inputs: { source: sourceFile } },
    )
    const [speech, mix] = await Promise.all([samplesOf(stems.speech), samplesOf(stems.mix)])
    expect(speech.length).toBe(20 * RATE)
    expect(Math.abs(apart(speech))).toBeLessThan(2)
    expect(likeness(speech, mix)).toBeGreaterThan(20)
  })
})
