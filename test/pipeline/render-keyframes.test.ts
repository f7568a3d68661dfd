/** Keyframes in rendered files: a shape that moves, and a level that falls. */
import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ShapeLayer } from '../../server/contract/composition.ts'
import { secondsToTicks } from '../../server/contract/time.ts'
import { sourcePath } from '../../workers/paths.ts'
import {
  LOSSLESS,
  QUIET,
  countingSource,
  lumaOf,
  make,
  plain,
  renderForTest,
  samplesOf,
} from './render-support.ts'

let root = ''
let counting = ''
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-keyframes-'))
  counting = join(root, 'counting.mkv')
  await make([...countingSource(100), ...LOSSLESS, counting])
})
afterAll(() => rm(root, { recursive: true, force: true }))

const point = (frame: number, value: number, easing: 'linear' | 'ease_in' = 'linear') => ({
  frame,
  value,
  easing,
})

describe('keyframes', () => {
  it('move a layer, and are the value of its last point after it', async () => {
    // Reference units are three to a pixel at 640x360: 120 pixels wide, from the left edge to 360.
    const shape: ShapeLayer = {
      kind: 'shape',
      id: 'shape',
      rect: { x: 0, y: 0, width: 360, height: 1080 },
      colour: '#ffffff',
      radius: 0,
      startFrame: 0,
      endFrame: 40,
      keyframes: [{ property: 'rect.x', points: [point(10, 0), point(30, 1080)] }],
    }
    const { clip } = await renderForTest(plain({ layers: [shape] }), counting, join(root, 'moves'))
    const strips = await Promise.all([0, 180, 360].map((x) => lumaOf(clip, `60:60:${x + 30}:150`)))
    const isLit = (frame: number): boolean[] => strips.map((values) => (values[frame] ?? 0) > 200)
    expect(isLit(5)).toEqual([true, false, false])
    expect(isLit(20)).toEqual([false, true, false])
    expect(isLit(30)).toEqual([false, false, true])
    expect(isLit(39)).toEqual([false, false, true])
  })

  it('lower a track along their way', async () => {
    const digest = 'd'.repeat(64)
    const stored = sourcePath(join(root, 'sound/sources'), digest)
    await mkdir(dirname(stored), { recursive: true })
    const tone = join(root, 'tone.wav')
    await make(['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000:duration=3', '-ac', '2', tone])
    await writeFile(stored, await readFile(tone))
    const base = plain({ durationFrames: 60 })
    const composition = {
      ...base,
      source: { ...base.source, hasAudio: false },
      audio: {
        ...QUIET,
        tracks: [
          {
            id: 'music',
            asset: { digest, audioStream: 0, duration: secondsToTicks(3), integratedLufs: -21 },
            sourceStart: 0,
            startFrame: 0,
            endFrame: 60,
            loop: false,
            levelDb: 0,
            duckDb: 0,
            fadeInMs: 0,
            fadeOutMs: 0,
            keyframes: [{ property: 'levelDb', points: [point(15, 0), point(45, -20)] }],
          },
        ],
      },
    }
    const samples = await samplesOf((await renderForTest(composition, counting, join(root, 'sound'))).clip)
    const level = (second: number): number => {
      let sum = 0
      for (let at = Math.round((second - 0.05) * 48_000); at < (second + 0.05) * 48_000; at++)
        sum += (samples[at] ?? 0) ** 2
      return 10 * Math.log10(sum)
    }
    expect(level(0.1) - level(0.4)).toBeCloseTo(0, 0)
    expect(level(0.2) - level(1)).toBeCloseTo(10, 0)
    expect(level(0.2) - level(1.8)).toBeCloseTo(20, 0)
  })
})
