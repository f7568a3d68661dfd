/**
 * Pictures in finished files: at their place, with the requested opacity, between their frames; a tail after the
 * source.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ImageLayer, PictureAsset } from '../../server/contract/composition.ts'
import { keepPicture, plainPng } from '../support/pictures.ts'
import {
  colourOf,
  countingSource,
  LOSSLESS,
  lumaOf,
  make,
  MIDDLE,
  plain,
  probeStreams,
  renderForTest,
  samplesOf,
} from './render-support.ts'

let root: string
let source: string
let red: PictureAsset
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-pictures-'))
  source = join(root, 'source.mkv')
  await make([...countingSource(60, 60), ...LOSSLESS, source])
  red = await keepPicture(root, await plainPng(200, 100, '#ff0000'), { width: 200, height: 100 })
})
afterAll(() => rm(root, { recursive: true, force: true }))

/** The output is 640x360, so a reference unit is a third of a pixel. */
const unit = 3
const layer = (over: Partial<ImageLayer> = {}): ImageLayer => ({
  kind: 'image',
  id: 'logo',
  asset: red,
  fit: 'fill',
  background: null,
  opacity: 1,
  rect: { x: 40 * unit, y: 20 * unit, width: 100 * unit, height: 50 * unit },
  startFrame: 10,
  endFrame: 30,
  intro: { kind: 'none', frames: 0 },
  outro: { kind: 'none', frames: 0 },
  ...over,
})

describe('pictures in a render', () => {
  it('are in their place, half as strong at half the opacity, and only between their frames', async () => {
    const { clip, warnings } = await renderForTest(plain({ layers: [layer({ opacity: 0.5 })] }), source, root)
    expect(warnings).toEqual([])
    const inside = '80:30:50:30'
    expect((await colourOf(clip, 20, inside))[0]).toBeGreaterThan(122)
    const [r, g, b] = await colourOf(clip, 20, inside)
    expect([Math.abs(r - 127), g, b].every((value) => value < 8)).toBe(true)
    // Right next to it on each side there is only the black source.
    for (const beside of ['16:50:20:20', '16:50:144:20', '100:8:40:8', '100:8:40:74'])
      expect(Math.max(...(await colourOf(clip, 20, beside)))).toBeLessThan(8)
    const luma = await lumaOf(clip, inside)
    const seen = luma.flatMap((value, frame) => (value > 15 ? [frame] : []))
    expect([seen[0], seen.at(-1), seen.length]).toEqual([10, 29, 20])
  })

  it('fade in, slide out, and are cropped to the picture', async () => {
    const moving = layer({
      rect: { x: 560 * unit, y: 20 * unit, width: 100 * unit, height: 50 * unit },
      intro: { kind: 'fade', frames: 9 },
      outro: { kind: 'bottom', frames: 9 },
    })
    const { clip } = await renderForTest(plain({ layers: [moving] }), source, root)
    const [early, half, full] = await Promise.all(
      [10, 14, 20].map(async (frame) => (await colourOf(clip, frame, '60:30:570:30'))[0]),
    )
    expect(early).toBeGreaterThan(10)
    expect(early).toBeLessThan(45)
    expect(Math.abs((half ?? 0) - 127)).toBeLessThan(8)
    expect(full).toBeGreaterThan(245)
    // On its way out it is lower down and no longer where it was.
    expect((await colourOf(clip, 27, '60:16:570:24'))[0]).toBeLessThan(20)
    expect((await colourOf(clip, 27, '60:200:570:150'))[0]).toBeGreaterThan(20)
  })

  it('stand over a tail that holds the last picture in silence', async () => {
    const card = layer({
      rect: { x: 0, y: 0, width: 640 * unit, height: 360 * unit },
      fit: 'contain',
      background: '#0000ff',
      startFrame: 40,
      endFrame: 70,
      intro: { kind: 'fade', frames: 5 },
    })
    const composition = { ...plain({ layers: [card] }), durationFrames: 70, tailFrames: 30 }
    const { clip } = await renderForTest(composition, source, root)
    const { video, audio } = await probeStreams(clip)
    expect(video.nb_frames).toBe('70')
    expect(Math.abs(Number(audio.duration) - 70 / 30)).toBeLessThan(0.03)
    expect(Math.max(...(await colourOf(clip, 39, MIDDLE)))).toBeLessThan(8)
    expect(await colourOf(clip, 60, MIDDLE)).toEqual([
      expect.toSatisfy((value: number) => value > 245),
      expect.toSatisfy((value: number) => value < 10),
      expect.toSatisfy((value: number) => value < 10),
    ])
    // At full strength from the end of its fade to the last frame, while the next pictures arrive.
    const luma = await lumaOf(clip, MIDDLE)
    expect(luma.slice(0, 40).every((value) => value < 2)).toBe(true)
    expect(luma.slice(40, 45).every((value, index) => Math.abs(value - (54 * (index + 1)) / 6) < 4)).toBe(
      true,
    )
    expect(luma.slice(45).every((value) => Math.abs(value - 54) < 3)).toBe(true)
    // A 2:1 card in a 16:9 picture leaves 20 rows above and below.
    const [, , blue] = await colourOf(clip, 69, '600:12:20:2')
    expect(blue).toBeGreaterThan(240)
    const samples = await samplesOf(clip)
    const peak = (from: number, to: number): number =>
      samples.subarray(from * 48_000, to * 48_000).reduce((most, value) => Math.max(most, Math.abs(value)), 0)
    expect(peak(1, 1.1)).toBeGreaterThan(0.3)
    expect(peak(1.36, 2.3)).toBeLessThan(0.001)
  })

  it('fail with a message when a picture is missing from the home', async () => {
    const gone = layer({ asset: { ...red, digest: 'a'.repeat(64) } })
    await expect(renderForTest(plain({ layers: [gone] }), source, root)).rejects.toMatchObject({
      code: 'RENDER_FAILED',
      message: expect.stringContaining('picture') as string,
    })
  })
})
