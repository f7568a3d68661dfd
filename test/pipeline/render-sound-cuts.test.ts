/** Fifty cuts: no click at any of them, and picture and sound together after the last. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { frameToTicks, type Rational } from '../../server/contract/time.ts'
import { sampleAt } from '../../workers/media/arguments/render-time.ts'
import { channel, HERTZ, keepSound, mixOf, sharpest, trackOf } from '../support/sounds.ts'
import { LOSSLESS, lumaOf, make, plain, QUIET, RATE, renderForTest, samplesOf } from './render-support.ts'

let root = ''
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-cuts-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

const CUTS = 50
/** Spans of 8 to 12 frames, with 3 to 9 frames left out between them; the one in the middle is long, so that it is sought over. */
function fiftyCuts(rate: Rational) {
  let at = 0
  let from = 4
  return Array.from({ length: CUTS + 1 }, (_, index) => {
    const frames = 8 + (index % 5)
    const span = {
      startFrame: at,
      endFrame: at + frames,
      playbackRate: 1,
      sourceStart: frameToTicks(from, rate),
      sourceEnd: frameToTicks(from + frames, rate),
    }
    at += frames
    from += frames + (index === 24 ? 260 : 3 + ((index * 5) % 7))
    return span
  })
}
const LENGTH = fiftyCuts(RATE).at(-1)?.endFrame ?? 0
const SOURCE_SECONDS = 40

const WAVE = '0.3*sin(2*PI*210.7*t)+0.15*sin(2*PI*523.3*t)'
/** The wave's own sharpest corner, all its tones at once. */
const OWN = (0.3 * 210.7 ** 2 + 0.15 * 523.3 ** 2) * ((2 * Math.PI) / HERTZ) ** 2
const REACH = Math.round(0.012 * HERTZ)

describe('fifty cuts', () => {
  const cuts = fiftyCuts(RATE)
    .slice(1)
    .map(({ startFrame }) => sampleAt(startFrame, RATE))
  const picture = { width: 64, height: 36 }
  const composition = {
    ...plain({ ...picture, durationFrames: LENGTH, source: picture }),
    timeMap: fiftyCuts(RATE),
  }
  let source = ''
  beforeAll(async () => {
    source = join(root, 'tones.mkv')
    const sound = `aevalsrc='${WAVE}|${WAVE}':s=48000:d=${SOURCE_SECONDS}`
    const gray = `color=c=gray:s=64x36:r=30:d=${SOURCE_SECONDS}`
    await make(['-f', 'lavfi', '-i', gray, '-f', 'lavfi', '-i', sound, ...LOSSLESS, source])
  })
  const corners = (samples: Float32Array): number[] =>
    cuts.map((cut) => sharpest(samples, cut - REACH, cut + REACH))

  it('make no click at any of them, with and without music beside them', async () => {
    const mixed = async (audio: typeof composition.audio): Promise<number[]> => {
      composition.audio = audio
      const samples = channel(await mixOf(composition, root, source))
      expect(samples.length).toBe(sampleAt(LENGTH, RATE))
      return corners(samples)
    }
    expect(cuts).toHaveLength(CUTS)
    for (const [index, corner] of (await mixed(QUIET)).entries())
      expect(corner, `cut ${index}`).toBeLessThan(OWN * 1.5)
    // Music continues over all cuts, lowered by the speech in between.
    const hum = await keepSound(root, { expression: '0.2*sin(2*PI*100*t)', seconds: 2.3, lufs: -20 })
    const music = { ...QUIET, tracks: [trackOf(hum, { loop: true, duckDb: 12 })] }
    for (const [index, corner] of (await mixed(music)).entries())
      expect(corner, `cut ${index} with music`).toBeLessThan(OWN * 1.6)
    // The measure is one that can fail: cuts without a crossfade click.
    const bare = await mixed({ ...QUIET, crossfadeMs: 0 })
    expect(bare.filter((corner) => corner > OWN * 4).length).toBeGreaterThan(CUTS * 0.8)
  })

  it('stand out of the finished file at none of them', async () => {
    composition.audio = QUIET
    const { clip } = await renderForTest(composition, source, join(root, 'tones'))
    const samples = await samplesOf(clip)
    // Between the cuts there is the tone and what encoding does to it.
    const between = cuts.slice(1).map((cut, index) => {
      const middle = Math.round((cut + (cuts[index] ?? 0)) / 2)
      return sharpest(samples, middle - REACH, middle + REACH)
    })
    const usual = between.toSorted((a, b) => a - b)[Math.floor(between.length * 0.9)] ?? 0
    expect(usual).toBeLessThan(OWN * 3)
    for (const [index, corner] of corners(samples).entries())
      expect(corner, `cut ${index}`).toBeLessThan(usual * 2)
  })

  it.each([
    ['30', RATE],
    ['30000/1001', { numerator: 30_000, denominator: 1001 }],
  ])('leave flash and beep together at %s frames a second', async (name, frameRate) => {
    const source = join(root, 'flashes.mkv')
    const seconds = SOURCE_SECONDS
    // One frame in seven is white, and the sound beeps from the moment that it is shown, for as long.
    const flash = `color=c=black:s=32x18:r=${name}:d=${seconds},format=yuv420p,geq=lum='if(eq(mod(N\\,7)\\,3)\\,235\\,16)':cb=128:cr=128,scale=320:180:flags=neighbor`
    const place = `mod(t*${frameRate.numerator}/${frameRate.denominator}+0.0001\\,7)`
    const beep = `aevalsrc='0.5*sin(2*PI*3000*t)*gte(${place}\\,3)*lt(${place}\\,4)':s=48000:d=${seconds}`
    await make(['-f', 'lavfi', '-i', flash, '-f', 'lavfi', '-i', beep, ...LOSSLESS, '-shortest', source])
    const composition = {
      ...plain({
        width: 320,
        height: 180,
        durationFrames: LENGTH,
        frameRate,
        source: { width: 320, height: 180 },
      }),
      timeMap: fiftyCuts(frameRate),
    }
    composition.audio = { ...QUIET, integratedLufs: -14 }
    const { clip } = await renderForTest(composition, source, join(root, `flash-${frameRate.denominator}`))
    const frameSeconds = frameRate.denominator / frameRate.numerator
    const white = (await lumaOf(clip, '64:64:128:58')).flatMap((luma, frame) => (luma > 128 ? [frame] : []))
    const samples = await samplesOf(clip)
    const loud = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0) / 3
    const beeps: number[] = []
    let last = -HERTZ
    samples.forEach((sample, at) => {
      if (Math.abs(sample) < loud) return
      if (at - last > HERTZ * 0.01) beeps.push(at / HERTZ)
      last = at
    })
    // Those whose beginning a cut did not take away: the frame before is of the same span.
    const inside = white.filter((frame) =>
      composition.timeMap.some(({ startFrame, endFrame }) => startFrame < frame && frame + 1 < endFrame),
    )
    expect(inside.length).toBeGreaterThan(CUTS)
    expect(inside.at(-1)).toBeGreaterThan(LENGTH - 16)
    const apart = inside.map((frame) => {
      const shown = frame * frameSeconds
      const nearest = beeps.reduce((best, at) => (Math.abs(at - shown) < Math.abs(best - shown) ? at : best))
      return nearest - shown
    })
    for (const [index, seconds] of apart.entries())
      expect(Math.abs(seconds), `flash at frame ${inside[index]}`).toBeLessThan(frameSeconds / 4)
  })
})
