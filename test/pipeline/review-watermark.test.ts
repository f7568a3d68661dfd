/** A reviewer's copy against the clip's own file, pixel by pixel: the text is all over the picture, and nothing else changes. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Composition } from '../../server/contract/composition.ts'
import { withReviewWatermark } from '../../server/nodes/index.ts'
import { renderKeyOf } from '../../server/domain/runs/plan/plan-clips.ts'
import { LOSSLESS, SIZE, make, plain, renderForTest } from './render-support.ts'

const { width: WIDTH, height: HEIGHT } = SIZE
/** Where the picture may differ: rows about 13, 38, 62 and 87 percent of the height, alternating left and right. */
const MARKED = [
  { x: 0.3, y: 0.13 },
  { x: 0.7, y: 0.38 },
  { x: 0.3, y: 0.62 },
  { x: 0.7, y: 0.87 },
]

let root = ''
let source = ''
let composition: Composition
let plainFile = ''
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-watermark-'))
  source = join(root, 'source.mkv')
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=640x360:r=30:d=2']
  await make([...picture, '-f', 'lavfi', '-i', 'sine=d=2:sample_rate=48000', ...LOSSLESS, source])
  composition = plain({ durationFrames: 40, layers: [] })
  plainFile = await renderTo('plain', composition)
}, 120_000)
afterAll(() => rm(root, { recursive: true, force: true }))

async function renderTo(name: string, given: Composition): Promise<string> {
  const folder = join(root, name)
  await mkdir(folder)
  return (await renderForTest(given, source, folder)).clip
}

/** One frame, a byte of luma for each pixel. */
const frameOf = (file: string, frame: number): Promise<Buffer> =>
  make(['-i', file, '-vf', `select=eq(n\\,${frame}),format=gray`, '-frames:v', '1', '-f', 'rawvideo', '-'])

async function changedPixels(file: string, frame: number): Promise<{ x: number; y: number }[]> {
  const [before, after] = await Promise.all([frameOf(plainFile, frame), frameOf(file, frame)])
  return [...before.keys()].flatMap((at) =>
    Math.abs((before[at] ?? 0) - (after[at] ?? 0)) > 24
      ? [{ x: (at % WIDTH) / WIDTH, y: Math.floor(at / WIDTH) / HEIGHT }]
      : [],
  )
}

describe('a watermark for reviewers', () => {
  it.each([
    ['latin', 'For review · Northlight'],
    ['hebrew', 'לעיון בלבד · סטודיו צפון'],
    ['arabic', 'للمراجعة فقط · استوديو'],
    ['japanese', '確認用 · 北光スタジオ'],
    ['long', 'For review · The client whose name goes on and on until it fills it all'],
  ])('is in every quarter of the picture, first frame to last: %s', async (name, text) => {
    const file = await renderTo(name, withReviewWatermark(composition, text))
    const shots = process.env['CUTROOM_SHOTS']
    if (shots !== undefined)
      await make(['-i', file, '-vf', 'select=eq(n\\,20)', '-frames:v', '1', join(shots, `mark-${name}.png`)])
    for (const frame of [0, 20, 39]) {
      const changed = await changedPixels(file, frame)
      for (const { x, y } of MARKED) {
        const here = changed.filter((at) => Math.abs(at.x - x) <= 0.29 && Math.abs(at.y - y) <= 0.075)
        expect(here.length, `${name}: frame ${frame} at ${x}, ${y}`).toBeGreaterThan(100)
      }
      const elsewhere = changed.filter(({ x, y }) =>
        MARKED.every((one) => Math.abs(x - one.x) > 0.29 || Math.abs(y - one.y) > 0.075),
      )
      expect(elsewhere.length / (WIDTH * HEIGHT)).toBeLessThan(0.001)
      // It does not hide the picture.
      expect(changed.length / (WIDTH * HEIGHT)).toBeLessThan(0.12)
    }
  })

  it('has a render key of its own, for each text', () => {
    const keys = [composition, withReviewWatermark(composition, 'A'), withReviewWatermark(composition, 'B')]
    expect(new Set(keys.map(renderKeyOf)).size).toBe(3)
  })
})
