/** The render stage on tiny media: what is shown when, and the file itself. */
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAMAGED } from '../../workers/stages/render/encode.ts'
import { captionLayer, TITLE } from '../support/sample-composition.ts'
import {
  LOSSLESS,
  countingSource,
  make,
  plain,
  probeStreams,
  renderForTest,
  samplesOf,
  shownFrames,
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

const count = (from: number, frames: number): number[] =>
  Array.from({ length: frames }, (_, index) => from + index)

describe('time', () => {
  it.each([0, 1, 37, 60])('starts on the exact frame %i', async (fromFrame) => {
    const run = await renderForTest(plain({ fromFrame }), counting, nextRoot())
    expect(await shownFrames(run.clip)).toEqual(count(fromFrame, 40))
  })

  it('cuts frame by frame, near and far', async () => {
    const timeMap = spans([
      [10, 7],
      [20, 5],
      [31, 11],
      [150, 9],
    ])
    const run = await renderForTest({ ...plain({ durationFrames: 32 }), timeMap }, counting, nextRoot())
    expect(await shownFrames(run.clip)).toEqual([
      ...count(10, 7),
      ...count(20, 5),
      ...count(31, 11),
      ...count(150, 9),
    ])
  })

  it('reads far apart and backward spans by seeking again', async () => {
    const far = join(root, 'far.mkv')
    await make([...countingSource(630, 6), ...LOSSLESS, far])
    const timeMap = spans([
      [600, 12],
      [6, 6],
    ])
    const run = await renderForTest({ ...plain({ durationFrames: 18 }), timeMap }, far, nextRoot())
    const truth = [...count(600, 12), ...count(6, 6)].map((frame) => Math.floor(frame / 6))
    expect(await shownFrames(run.clip)).toEqual(truth)
  })

  it('plays faster and slower', async () => {
    const timeMap = spans([
      [10, 10],
      [30, 10, 2],
      [60, 10, 0.5],
    ])
    const run = await renderForTest({ ...plain({ durationFrames: 30 }), timeMap }, counting, nextRoot())
    const shown = await shownFrames(run.clip)
    expect(shown).toHaveLength(30)
    expect(shown.slice(0, 10)).toEqual(count(10, 10))
    shown
      .slice(10, 20)
      .forEach((frame, index) => expect(Math.abs(frame - (30 + index * 2))).toBeLessThanOrEqual(1))
    shown
      .slice(20, 30)
      .forEach((frame, index) => expect(Math.abs(frame - (60 + index / 2))).toBeLessThanOrEqual(1))
    const { audio } = await probeStreams(run.clip)
    expect(Number(audio.duration)).toBeCloseTo(1, 2)
  })

  it('holds the last picture where the source ends early', async () => {
    const run = await renderForTest(plain({ fromFrame: 180, durationFrames: 30 }), counting, nextRoot())
    expect(await shownFrames(run.clip)).toEqual([...count(180, 20), ...Array.from({ length: 10 }, () => 199)])
  })

  it('conforms a variable frame rate by time and not by count', async () => {
    const vfr = join(root, 'vfr.mkv')
    // Every frame from 60 to 119 is missing but each third: there pictures last a tenth of a second.
    const keep = "select='lt(n,60)+gte(n,120)+not(mod(n,3))'"
    await make(['-i', counting, '-vf', keep, '-vsync', 'vfr', ...LOSSLESS, vfr])
    const run = await renderForTest(plain({ fromFrame: 50, durationFrames: 90 }), vfr, nextRoot())
    const shown = await shownFrames(run.clip)
    const truth = count(50, 90).map((frame) => (frame < 60 || frame >= 120 ? frame : frame - (frame % 3)))
    expect(shown).toHaveLength(90)
    shown.forEach((frame, index) => expect(Math.abs(frame - (truth[index] ?? 0))).toBeLessThanOrEqual(1))
    expect(shown.slice(72)).toEqual(truth.slice(72))
  })

  it('keeps sound and picture together through cuts', async () => {
    // The beep of second 2 sits 10 frames into the second span, that of second 5 5 frames into the third.
    const timeMap = spans([
      [5, 20],
      [50, 20],
      [145, 20],
    ])
    const run = await renderForTest({ ...plain({ durationFrames: 60 }), timeMap }, counting, nextRoot())
    const samples = await samplesOf(run.clip)
    for (const frame of [30, 45]) {
      const expected = (frame / 30) * 48_000
      const onset = samples.findIndex((value, index) => index > expected - 4000 && Math.abs(value) > 0.1)
      expect(Math.abs(onset - expected) / 48).toBeLessThan(4)
    }
  })
})

describe('file', () => {
  it('warns where the source is damaged in the clip, and only there', async () => {
    const whole = join(root, 'whole.mp4')
    const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-c:a', 'aac', '-b:a', '32k']
    await make([
      '-f',
      'lavfi',
      '-i',
      'testsrc2=s=640x360:r=30:d=5',
      ...countingSource(150).slice(4),
      ...x264,
      whole,
    ])
    const bytes = await readFile(whole)
    const middle = Math.floor(bytes.length / 2)
    bytes.fill(0xa5, middle, middle + 20_000)
    const damaged = join(root, 'damaged.mp4')
    await writeFile(damaged, bytes)
    const before = await renderForTest(plain({ fromFrame: 5, durationFrames: 20 }), damaged, nextRoot())
    expect(before.warnings).toEqual([])
    const inside = await renderForTest(plain({ fromFrame: 60, durationFrames: 30 }), damaged, nextRoot())
    expect(inside.warnings).toEqual([DAMAGED])
  })

  it('is the same bytes for the same composition', async () => {
    const composition = plain({
      layers: [captionLayer('Same bytes again', 10, 3), { ...TITLE, endFrame: 30 }],
    })
    const first = await renderForTest(composition, counting, nextRoot())
    const second = await renderForTest(composition, counting, nextRoot())
    expect((await readFile(first.clip)).equals(await readFile(second.clip))).toBe(true)
  })

  it('writes a manifest and reports progress', async () => {
    const composition = plain({ layers: [captionLayer('One two three', 10, 3)] })
    composition.layers = composition.layers.map((layer) =>
      layer.kind === 'captions'
        ? {
            ...layer,
            styles: layer.styles.map((style) => ({
              ...style,
              face: { ...style.face, fontFamily: 'Papyrus' },
            })),
          }
        : layer,
    )
    const run = await renderForTest(composition, counting, nextRoot())
    const manifest = JSON.parse(await readFile(join(run.folder, 'render-manifest.json'), 'utf8')) as Record<
      string,
      unknown
    >
    expect(manifest).toMatchObject({
      compositionSha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      sourceSha256: '0'.repeat(64),
      assetSha256: [],
      tools: {
        ffmpeg: expect.stringMatching(/^ffmpeg version \S+/) as string,
        ffprobe: expect.stringMatching(/^ffprobe version \S+/) as string,
      },
      models: [],
      encoder: { name: 'libx264' },
      milliseconds: { render: expect.any(Number) as number },
      output: { width: 640, height: 360, frames: 40, bytes: (await stat(run.clip)).size },
    })
    expect(run.warnings.join()).toContain('Papyrus')
    const lost = { code: 'FONT_NOT_FOUND', field: 'subtitleConfig.fontFamily' }
    expect([manifest, run.output]).toMatchObject([{ warnings: [lost] }, { warnings: [lost] }])
    expect(run.progress.at(-1)).toBe(1)
    expect(run.progress).toEqual(run.progress.toSorted((a, b) => a - b))
  })

  it('stops when cancelled', async () => {
    const controller = new AbortController()
    const composition = plain({
      width: 1080,
      height: 1920,
      durationFrames: 180,
      layers: [captionLayer('a b c d e f', 20, 2)],
    })
    const run = renderForTest(composition, counting, nextRoot(), controller.signal)
    setTimeout(() => controller.abort(), 700)
    await expect(run).rejects.toMatchObject({ code: 'CANCELLED' })
  })

  it('reports a failed render when the source is invalid', async () => {
    const junk = join(root, 'junk.mp4')
    await make(['-f', 'lavfi', '-i', 'sine=d=1', '-c:a', 'aac', '-f', 'adts', junk])
    await expect(renderForTest(plain(), junk, nextRoot())).rejects.toMatchObject({ code: 'RENDER_FAILED' })
  })
})
