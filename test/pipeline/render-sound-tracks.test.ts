/** Sounds beside the source's, as the filter graph mixes them: exact, looped without a seam, lowered under speech. */
import fc from 'fast-check'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Composition, SoundAsset, SoundTrack } from '../../server/contract/composition.ts'
import { secondsToTicks } from '../../server/contract/time.ts'
import { planTime, sampleAt } from '../../workers/media/arguments/render-time.ts'
import { channel, HERTZ, keepSound, mixOf, sharpest, toneLevel, trackOf } from '../support/sounds.ts'
import { make, plain, QUIET, spans } from './render-support.ts'

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
    // A ramp: each sample tells its own place in the file.
    const ramp = await keepSound(root, { expression: 't/10+0.05', seconds: 3, lufs: -20 })
    const track = fc.record({
      start: fc.integer({ min: -20, max: 50 }),
      frames: fc.integer({ min: 1, max: 60 }),
      skip: fc.integer({ min: 0, max: 4000 }),
      loop: fc.boolean(),
      duckDb: fc.constantFrom(0, 12),
    })
    const rates = fc.constantFrom({ numerator: 30, denominator: 1 }, { numerator: 30_000, denominator: 1001 })
    await fc.assert(
      fc.asyncProperty(fc.array(track, { minLength: 1, maxLength: 3 }), rates, async (given, frameRate) => {
        const tracks = given.map(({ start, frames, skip, loop, duckDb }, index) =>
          trackOf(ramp, {
            ...{ id: String(index), startFrame: start, endFrame: start + frames, loop, duckDb },
            sourceStart: secondsToTicks(skip / 1000),
          }),
        )
        const composition = mute(45, tracks)
        composition.output.frameRate = frameRate
        const samples = channel(await mixOf(composition, root, null))
        expect(samples.length).toBe(sampleAt(45, frameRate))
        const heard = tracks.map((one) => [
          sampleAt(Math.max(0, one.startFrame), frameRate),
          sampleAt(Math.min(45, Math.max(0, one.endFrame)), frameRate),
        ])
        const silentAt = (sample: number): boolean =>
          heard.every(([from = 0, to = 0]) => sample < from || sample >= to)
        const expected = (sample: number): number =>
          tracks.reduce((sum, one, index) => {
            const [from = 0, to = 0] = heard[index] ?? []
            if (sample < from || sample >= to) return sum
            const before = sampleAt(Math.max(0, -one.startFrame), frameRate)
            const place = Math.round(
              secondsToTicks(1) === 0 ? 0 : (one.sourceStart / secondsToTicks(1)) * HERTZ,
            )
            const at = place + before + sample - from
            // Inside the first run through the file: a loop's seam is looked at below.
            if (one.loop && at % (3 * HERTZ) > 2.9 * HERTZ) return Number.NaN
            if (one.loop && place + before > 3 * HERTZ) return Number.NaN
            if (one.loop && at >= 2.9 * HERTZ) return Number.NaN
            return at >= 3 * HERTZ ? sum : sum + at / HERTZ / 10 + 0.05
          }, 0)
        for (const [from = 0, to = 0] of heard) {
          for (const sample of [from - 1, from, from + 1, to - 1, to, to + 1]) {
            if (sample < 0 || sample >= samples.length) continue
            if (silentAt(sample)) expect(samples[sample]).toBe(0)
            const value = expected(sample)
            if (!Number.isNaN(value)) expect(samples[sample]).toBeCloseTo(value, 4)
          }
        }
      }),
      { numRuns: 12 },
    )
  })

  it('go round without a corner at the seam, and without a gap', async () => {
    // 440.37 Hz does not fit into 1.3 s: a bare loop would jump. Neither do blocks of samples fit into such a loop.
    const hertz = 440.37
    const tone = await keepSound(root, { expression: `0.4*sin(2*PI*${hertz}*t)`, seconds: 1.3, lufs: -20 })
    const looped = trackOf(tone, { loop: true, sourceStart: secondsToTicks(0.3) })
    const samples = channel(await mixOf(mute(300, [looped]), root, null))
    expect(samples.length).toBe(10 * HERTZ)
    // A sine's own sharpest corner.
    const own = 0.4 * (2 * Math.PI * (hertz / HERTZ)) ** 2
    expect(sharpest(samples, 0, samples.length)).toBeLessThan(own * 1.6)
    for (let at = 0; at + 0.03 <= 10; at += 0.01) {
      const peak = Math.max(...samples.subarray(at * HERTZ, (at + 0.03) * HERTZ).map(Math.abs))
      expect(peak).toBeGreaterThan(0.2)
    }
  })

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
  /** Words of 0.15 s, three or four in a row, from 2 to 6 s and from 9 to 12 s, over the noise of a room. */
  const WORDS =
    '(0.25*sin(2*PI*190*t)+0.2*sin(2*PI*420*t))*lt(mod(t\\,0.2)\\,0.15)*lt(mod(t\\,0.8)\\,0.6)*(between(t\\,2\\,6)+between(t\\,9\\,12))'
  let talk = ''
  let tone: SoundAsset
  beforeAll(async () => {
    talk = join(root, 'talk.wav')
    await make(['-f', 'lavfi', '-i', `aevalsrc='${WORDS}+0.003*(random(0)-0.5)':s=48000:d=15`, talk])
    tone = await keepSound(root, { expression: '0.2*sin(2*PI*1000*t)', seconds: 15, lufs: -20 })
  })
  const lowered = async (duckDb: number, gainDb: number, over: Partial<Composition['audio']> = {}) => {
    const composition = plain({ durationFrames: 450, source: { audioStream: 0 } })
    composition.audio = { ...QUIET, integratedLufs: -14, ...over, tracks: [trackOf(tone, { duckDb })] }
    const samples = channel(await mixOf(composition, root, talk, { gainDb, ceilingDb: null, mixDb: 0 }))
    // A tone said to measure -20 is brought to -14.
    const full = 20 * Math.log10(0.2) + 6
    return (from: number, to: number): number => toneLevel(samples, 1000, from, to) - full
  }

  it.each([0, 6, 12, 18])('lowers by %d dB under speech and not at all in pauses', async (depth) => {
    const at = await lowered(depth, 3)
    for (const [from, to] of [
      [2.1, 5.9],
      [3, 3.4],
      [9.1, 11.9],
    ] as const)
      expect(Math.abs(at(from, to) + depth)).toBeLessThan(1)
    for (const [from, to] of [
      [0.2, 1.6],
      [7.3, 8.6],
      [13.3, 14.8],
    ] as const)
      expect(Math.abs(at(from, to))).toBeLessThan(0.5)
  })

  it('is as deep under a loud voice as under one 12 dB below', async () => {
    const [loud, soft] = [await lowered(12, 6), await lowered(12, -6)]
    expect(Math.abs(loud(3, 6) - soft(3, 6))).toBeLessThan(0.7)
  })

  it('has done its work when the first word begins, and stays down between words', async () => {
    const at = await lowered(12, 3)
    expect(at(1.96, 2.02)).toBeLessThan(-9)
    for (let second = 2; second < 5.9; second += 0.05) expect(at(second, second + 0.05)).toBeLessThan(-10)
  })

  it('goes on under a beep and stays down in a muted word', async () => {
    const mask = (from: number, to: number, kind: 'beep' | 'silence') => ({
      ...{ start: secondsToTicks(from), end: secondsToTicks(to) },
      kind,
    })
    const at = await lowered(12, 3, { masks: [mask(3, 3.5, 'silence')] })
    for (let second = 2.9; second < 3.6; second += 0.05)
      expect(Math.abs(at(second, second + 0.05) + 12)).toBeLessThan(1.5)
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
