/** Sounds mixed with the source's by the filter graph: exact, looped without a seam, lowered under speech. */
import fc from 'fast-check'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Composition, SoundAsset, SoundTrack } from '../../server/contract/composition.ts'
import { secondsToTicks } from '../../server/contract/time.ts'
import { planTime, sampleAt } from '../../workers/media/arguments/render-time.ts'
import { channel, HERTZ, keepSound, mixOf, sharpest, toneLevel, trackOf } from '../support/sounds.ts'
import { make, plain, QUIET, RATE, spans } from './render-support.ts'

let root = ''
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-tracks-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

/** A clip of a source without sound. */
function mute(durationFrames: number, tracks: SoundTrack[]): Composition {
  const composition = plain({ durationFrames, source: { hasAudio: false } })
  return { ...composition, audio: { ...QUIET, tracks } }
}
const level = (asset: SoundAsset): SoundAsset => ({ ...asset, integratedLufs: -20 })

describe('tracks', () => {
  it('start and end on their samples, at any rate, with everything they are given', async () => {
    // A ramp: each sample encodes its own position in the file.
    const seconds = 3
    const ramp = await keepSound(root, { expression: 't/10+0.05', seconds, lufs: -20 })
    const track = fc.record({
      start: fc.integer({ min: -20, max: 50 }),
      frames: fc.integer({ min: 1, max: 60 }),
      /** Milliseconds. */
      skip: fc.integer({ min: 0, max: 4000 }),
      loop: fc.boolean(),
      duckDb: fc.constantFrom(0, 12),
    })
    const rates = fc.constantFrom(
      RATE,
      { numerator: 30_000, denominator: 1001 },
      { numerator: 24, denominator: 1 },
    )
    const given = fc.array(track, { minLength: 1, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(given, rates, async (wishes, frameRate) => {
        const tracks = wishes.map(({ start, frames, skip, loop, duckDb }, index) =>
          trackOf(ramp, {
            id: String(index),
            startFrame: start,
            endFrame: start + frames,
            loop,
            duckDb,
            sourceStart: secondsToTicks(skip / 1000),
          }),
        )
        const composition = mute(45, tracks)
        composition.output.frameRate = frameRate
        const samples = channel(await mixOf(composition, root, null))
        expect(samples.length).toBe(sampleAt(45, frameRate))
        const places = wishes.map(({ start, frames, skip, loop }) => ({
          loop,
          from: sampleAt(Math.max(0, start), frameRate),
          to: sampleAt(Math.min(45, start + frames), frameRate),
          first: Math.round((skip * HERTZ) / 1000) + sampleAt(Math.max(0, -start), frameRate),
        }))
        /** What this sample should be; null near the seam of a loop, which is looked at below. */
        const expected = (sample: number): number | null => {
          let sum = 0
          for (const { loop, from, to, first } of places) {
            if (sample < from || sample >= to) continue
            const at = (loop ? first % (seconds * HERTZ) : first) + sample - from
            if (loop && at > (seconds - 0.05) * HERTZ) return null
            if (at < seconds * HERTZ) sum += at / HERTZ / 10 + 0.05
          }
          return sum
        }
        for (const edge of places.flatMap(({ from, to }) => [from, to])) {
          for (const sample of [edge - 2, edge - 1, edge, edge + 1]) {
            const wanted = expected(sample)
            if (sample < 0 || sample >= samples.length || wanted === null) continue
            expect(Math.abs((samples[sample] ?? 0) - wanted)).toBeLessThan(1e-5)
          }
        }
      }),
      { numRuns: 15 },
    )
  })

  // None of these is a multiple of the tone's period or of ffmpeg's block size: a bare loop would jump.
  it.each([0.05, 0.437, 1.3, 2.0001])(
    'of %d s go round without a corner at the seam, and without a gap',
    async (seconds) => {
      const hertz = 440.37
      const tone = await keepSound(root, { expression: `0.4*sin(2*PI*${hertz}*t)`, seconds, lufs: -20 })
      const looped = trackOf(tone, { loop: true, sourceStart: secondsToTicks(seconds / 4) })
      const samples = channel(await mixOf(mute(150, [looped]), root, null))
      expect(samples.length).toBe(5 * HERTZ)
      // A sine's own sharpest corner; the seam is where it would be passed.
      const own = 0.4 * (2 * Math.PI * (hertz / HERTZ)) ** 2
      expect(sharpest(samples, 0, samples.length)).toBeLessThan(own * (seconds < 0.1 ? 2.5 : 1.6))
      for (let at = 0; at + 0.06 <= 5; at += 0.02) {
        const heard = samples.subarray(Math.round(at * HERTZ), Math.round((at + 0.06) * HERTZ))
        expect(heard.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)).toBeGreaterThan(0.2)
      }
    },
  )

  it('fade in and out', async () => {
    const tone = await keepSound(root, { expression: '0.4*sin(2*PI*500*t)', seconds: 5, lufs: -20 })
    const faded = trackOf(tone, { fadeInMs: 500, fadeOutMs: 1000, startFrame: 30, endFrame: 120 })
    const samples = channel(await mixOf(mute(150, [faded]), root, null))
    const full = 20 * Math.log10(0.4)
    const at = (second: number): number => toneLevel(samples, 500, second - 0.02, second + 0.02) - full
    expect(at(1.25)).toBeCloseTo(-6, 0)
    expect(at(2)).toBeCloseTo(0, 1)
    expect(at(3.5)).toBeCloseTo(-6, 0)
    expect(at(3.95)).toBeLessThan(-25)
    expect(Math.max(...samples.subarray(4 * HERTZ).map(Math.abs))).toBe(0)
    expect(sharpest(samples, 0, samples.length)).toBeLessThan(0.4 * (2 * Math.PI * (500 / HERTZ)) ** 2 * 1.1)
  })
})

describe('ducking', () => {
  /** Words of 0.15 s, three or four in a row, from 2 to 6 s and from 9 to 12 s, over background noise. */
  const WORDS =
    '(0.25*sin(2*PI*190*t)+0.2*sin(2*PI*420*t))*lt(mod(t\\,0.2)\\,0.15)*lt(mod(t\\,0.8)\\,0.6)*(between(t\\,2\\,6)+between(t\\,9\\,12))'
  /** A tone of 0.2 with a declared loudness of -20 is brought to -14. */
  const FULL = 20 * Math.log10(0.2) + 6
  let talk = ''
  let tone: SoundAsset
  beforeAll(async () => {
    talk = join(root, 'talk.wav')
    await make(['-f', 'lavfi', '-i', `aevalsrc='${WORDS}+0.003*(random(0)-0.5)':s=48000:d=15`, talk])
    tone = await keepSound(root, { expression: '0.2*sin(2*PI*1700*t)', seconds: 15, lufs: -20 })
  })
  const lowered = async (duckDb: number, gainDb: number, over: Partial<Composition['audio']> = {}) => {
    const composition = plain({ durationFrames: 450, source: { audioStream: 0 } })
    composition.audio = { ...QUIET, integratedLufs: -14, ...over, tracks: [trackOf(tone, { duckDb })] }
    const samples = channel(await mixOf(composition, root, talk, { gainDb, ceilingDb: null, mixDb: 0 }))
    return (from: number, to: number, hertz = 1700): number => toneLevel(samples, hertz, from, to) - FULL
  }

  it.each([0, 6, 12, 18])('lowers by %d dB under speech and not at all in pauses', async (depth) => {
    const at = await lowered(depth, 3)
    for (const [from, to] of [
      [2.1, 5.9],
      [3, 3.4],
      [9.1, 11.9],
    ] as const)
      expect(Math.abs(at(from, to) + depth)).toBeLessThan(0.3)
    for (const [from, to] of [
      [0, 0.1],
      [0.2, 1.6],
      [7.3, 8.6],
      [13.3, 14.8],
    ] as const)
      expect(Math.abs(at(from, to))).toBeLessThan(0.5)
  })

  it('is as deep under a loud voice as under one 12 dB below', async () => {
    const loud = await lowered(12, 6)
    const soft = await lowered(12, -6)
    expect(Math.abs(loud(3, 5.9) - soft(3, 5.9))).toBeLessThan(0.2)
  })

  it('has done its work when the first word begins, and stays down between words', async () => {
    const at = await lowered(12, 3)
    expect(at(1.96, 2.02)).toBeLessThan(-11.5)
    for (let second = 2; second < 5.8; second += 0.05) expect(at(second, second + 0.05)).toBeLessThan(-11.5)
  })

  it('goes down and up without a tick', async () => {
    const composition = plain({ durationFrames: 450, source: { audioStream: 0 } })
    const gain = { gainDb: 3, ceilingDb: null, mixDb: 0 }
    const mixed = async (level: number): Promise<Float32Array> => {
      const tracks = [trackOf(tone, { duckDb: 18, levelDb: level })]
      composition.audio = { ...QUIET, integratedLufs: -14, tracks }
      return channel(await mixOf(composition, root, talk, gain))
    }
    const heard = await mixed(0)
    const unheard = await mixed(-200)
    const alone = heard.map((sample, at) => sample - (unheard[at] ?? 0))
    const own = 0.4 * (2 * Math.PI * (1700 / HERTZ)) ** 2
    for (let second = 0.1; second < 14.9; second += 0.1)
      expect(sharpest(alone, second * HERTZ, (second + 0.1) * HERTZ), `at ${second}`).toBeLessThan(own * 1.02)
  })

  it.each(['beep', 'silence'] as const)('goes on as it was under a word that is a %s', async (kind) => {
    const masks = [{ start: secondsToTicks(3.2), end: secondsToTicks(3.6), kind }]
    const at = await lowered(12, 3, { masks })
    for (let second = 2.9; second < 3.8; second += 0.05)
      expect(Math.abs(at(second, second + 0.05) + 12)).toBeLessThan(0.5)
    // The word is removed, with or without a tone in its place.
    expect(at(3.22, 3.58, 190) + FULL).toBeLessThan(-50)
    expect(at(2.4, 2.55, 190) + FULL).toBeGreaterThan(-20)
    const beep = at(3.22, 3.58, 1000) + FULL
    if (kind === 'beep') expect(Math.abs(beep + 19)).toBeLessThan(1)
    else expect(beep).toBeLessThan(-60)
  })
})

describe('a mix', () => {
  it('adds what it is given and halves nothing', async () => {
    const source = join(root, 'steady.wav')
    await make([
      '-f',
      'lavfi',
      '-i',
      "aevalsrc='0.1*sin(2*PI*300*t)|0.1*sin(2*PI*300*t)':s=48000:d=4",
      source,
    ])
    const tones = await Promise.all(
      [700, 1100, 1900].map((hertz) =>
        keepSound(root, { expression: `0.1*sin(2*PI*${hertz}*t)`, seconds: 4, lufs: -20 }),
      ),
    )
    const composition = plain({ durationFrames: 90, source: { audioStream: 0 } })
    composition.audio = { ...QUIET, tracks: tones.map((tone, index) => trackOf(tone, { id: String(index) })) }
    const mixed = await mixOf(composition, root, source)
    for (const side of [0, 1] as const)
      for (const hertz of [300, 700, 1100, 1900])
        expect(toneLevel(channel(mixed, side), hertz, 0.5, 2.5)).toBeCloseTo(-20, 1)
  })

  it('goes on in the tail after the source', async () => {
    const source = join(root, 'steady.wav')
    const tone = await keepSound(root, { expression: '0.1*sin(2*PI*700*t)', seconds: 4, lufs: -20 })
    const composition = {
      ...plain({ durationFrames: 90, source: { audioStream: 0 } }),
      durationFrames: 120,
      tailFrames: 30,
    }
    composition.audio = { ...QUIET, tracks: [trackOf(level(tone))] }
    const samples = channel(await mixOf(composition, root, source))
    expect(samples.length).toBe(planTime(composition).totalSamples)
    expect(toneLevel(samples, 700, 3.1, 3.9)).toBeCloseTo(-20, 1)
    expect(toneLevel(samples, 300, 3.1, 3.9)).toBeLessThan(-80)
    expect(toneLevel(samples, 300, 1, 2)).toBeCloseTo(-20, 1)
  })

  it('cuts the source beside them as exactly as alone', async () => {
    const source = join(root, 'steady.wav')
    const tone = await keepSound(root, { expression: '0', seconds: 1, lufs: null })
    const composition = plain({ durationFrames: 30, source: { audioStream: 0 } })
    composition.timeMap = spans([[5, 10], [40, 20]]) // prettier-ignore
    composition.audio = QUIET
    const alone = await mixOf(composition, root, source)
    composition.audio = { ...QUIET, tracks: [trackOf(tone)] }
    expect(await mixOf(composition, root, source)).toEqual(alone)
  })
})
