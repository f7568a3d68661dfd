/** Runs on sound alone: from an mp3 with captions beside it to finished clips whose wave moves with the sound. */
import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getRun } from '../../server/db/runs.ts'
import { ask, makeMedia } from '../support/make-media.ts'
import { node } from '../support/node-values.ts'
import { plainPng } from '../support/pictures.ts'
import { openRunEnvironment, pinned, type RunEnvironment } from '../support/run-environment.ts'
import { slotsOf } from '../support/run-on-jobs.ts'
import { makeTinyTalk, type TinyTalk } from '../support/tiny-talk.ts'
import { colourOf, loudnessOf, lumaOf, make, probeStreams, samplesOf } from './render-support.ts'

let house: RunEnvironment
let talk: TinyTalk
let podcast: string

beforeAll(async () => {
  house = await openRunEnvironment()
  const { root } = house
  talk = await makeTinyTalk(root)
  const cover = join(root, 'cover.png')
  await writeFile(cover, await plainPng(300, 300, '#d020d0'))
  const attached = ['-map', '0:a', '-map', '1:v', '-c:v', 'copy', '-disposition:v:0', 'attached_pic']
  podcast = await makeMedia(root, 'podcast.mp3', [
    '-i',
    talk.video,
    '-i',
    cover,
    ...attached,
    '-id3v2_version',
    '3',
  ])
  await copyFile(talk.captions, join(root, 'podcast.srt'))
}, 60_000)
afterAll(() => house.close())

/** On each frame, how many pixels of a column are bright green. */
async function greenHeights(
  file: string,
  column: { x: number; y: number; height: number },
): Promise<number[]> {
  const crop = `crop=2:${column.height}:${column.x}:${column.y}`
  const filter = `${crop},scale=in_color_matrix=bt709,format=rgb24`
  const bytes = await make(['-i', file, '-map', '0:v', '-vf', filter, '-vsync', '0', '-f', 'rawvideo', '-'])
  const size = 2 * column.height * 3
  return Array.from({ length: bytes.length / size }, (_, frame) => {
    let count = 0
    for (let at = frame * size; at < (frame + 1) * size; at += 6) {
      if ((bytes[at + 1] ?? 0) > 150 && (bytes[at] ?? 0) < 110) count += 1
    }
    return count
  })
}

/** Loudness of each frame as it comes out of the file, decibels, not below -60. */
async function frameLoudness(file: string, frames: number, rate: number): Promise<number[]> {
  const samples = await samplesOf(file)
  const each = 48_000 / rate
  return Array.from({ length: frames }, (_, frame) => {
    const part = samples.subarray(Math.round(frame * each), Math.round((frame + 1) * each))
    const power = part.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, part.length)
    return Math.max(-60, 10 * Math.log10(power + 1e-12))
  })
}

function correlation(a: readonly number[], b: readonly number[]): number {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length
  const meanA = mean(a)
  const meanB = mean(b)
  const product = (x: readonly number[], mx: number, y: readonly number[], my: number): number =>
    x.reduce((sum, value, index) => sum + (value - mx) * ((y[index] ?? my) - my), 0)
  return product(a, meanA, b, meanB) / Math.sqrt(product(a, meanA, a, meanA) * product(b, meanB, b, meanB))
}

describe('a podcast', () => {
  it('becomes an upright clip with cover, captions, sound and a wave that follows it', async () => {
    const { runId, file } = await house.clipOf(podcast, [
      pinned(4, 9),
      node('convert_to_vertical', { aspect_ratio: '9:16' }),
      node('add_audiogram', {
        audiogram_config: { backgroundColor: '#000050', waveColor: '#00ff00', y: 62, height: 10 },
      }),
      node('add_subtitles'),
    ])
    expect(getRun(house.db, runId)?.warnings).toEqual([])
    const { video, audio } = await probeStreams(file)
    expect([video.width, video.height, video.nb_frames]).toEqual([1080, 1920, '150'])
    expect(Number(audio.duration)).toBeCloseTo(5, 1)
    const { integrated, peak } = await loudnessOf(file)
    expect(Math.abs(integrated + 14)).toBeLessThan(1)
    expect(peak).toBeLessThan(-1)

    const [red, green, blue] = await colourOf(file, 40, '100:100:20:20')
    expect([red < 8, green < 8, Math.abs(blue - 80) < 8]).toEqual([true, true, true])
    // The file's own cover, in the upper half.
    const cover = await colourOf(file, 40, '200:200:440:660')
    expect(cover.map((value, at) => Math.abs(value - [208, 32, 208][at]!) < 14)).toEqual([true, true, true])
    // White letters come and go where captions are.
    const captions = await lumaOf(file, '900:200:90:1282')
    expect(Math.max(...captions) - Math.min(...captions)).toBeGreaterThan(8)

    // The bar in the middle is on the lower edge of its place: 62 % and half of 10 % down.
    const heights = await greenHeights(file, { x: 539, y: 1094, height: 200 })
    const loudness = await frameLoudness(file, heights.length, 30)
    expect(Math.max(...heights)).toBeGreaterThan(150)
    // There is no speech from 7.2 to 8 s: the bar has shrunk to a dot.
    expect(Math.max(...heights.slice(112, 118))).toBeLessThan(30)
    expect(correlation(heights, loudness)).toBeGreaterThan(0.8)
    const steps = heights.slice(1, 90).filter((height, index) => Math.abs(height - (heights[index] ?? 0)) > 3)
    expect(steps.length).toBeGreaterThan(45)
  }, 120_000)

  it('is cut as sound, with its waveform, words and a thumbnail', async () => {
    const { clip } = await house.clipOf(podcast, [pinned(20, 22), node('add_audiogram')])
    const { document } = clip
    expect([document.aspectRatio, document.videoResolution, document.fps]).toEqual(['16:9', '1920x1080', 30])
    const raw = house.mediaOf(document.media.extended)
    expect([raw.mediaType, raw.name.endsWith('-extended.m4a')]).toEqual(['audio/mp4', true])
    expect((await ask(raw.path, 'stream=codec_type')).trim()).toBe('codec_type=audio')
    // Sample-exact: the talk's four seconds begin with sound and end with 0.8 s of silence.
    const { extended } = document
    const samples = await samplesOf(raw.path)
    expect(samples.length / 48_000).toBeCloseTo(extended.end - extended.fileStart, 1)
    const loudAt = (second: number): number => {
      const from = Math.round((second - extended.fileStart) * 48_000)
      return Math.max(...samples.subarray(from, from + 2400).map(Math.abs))
    }
    expect([loudAt(19.1) > 0.05, loudAt(19.4) < 0.01, loudAt(19.9) < 0.01, loudAt(20.05) > 0.05]).toEqual([
      true,
      true,
      true,
      true,
    ])
    expect(house.mediaOf(document.media.source)).toMatchObject({
      mediaType: 'audio/mpeg',
      name: 'podcast.mp3',
    })
    const thumbnail = house.mediaOf(document.media.thumbnail)
    expect([thumbnail.mediaType, thumbnail.name.endsWith('-rendered.jpg')]).toEqual(['image/jpeg', false])
    expect(await ask(thumbnail.path, 'stream=width,height')).toMatch(/width=1920\s+height=1080/)
    expect([document.media.peaks, document.media.transcriptSrt].map((id) => typeof id)).toEqual([
      'string',
      'string',
    ])
    expect(slotsOf(house.db, clip.runId ?? '').get('clip:0:thumbnail')).toMatchObject({ state: 'finished' })
  }, 120_000)

  it('is refused by a workflow without an audiogram, right after the probe', async () => {
    const { runId, state } = await house.run(podcast, [pinned(4, 9), node('add_subtitles')])
    expect(state).toBe('failed')
    const run = getRun(house.db, runId)
    expect(run).toMatchObject({ status: 'Error', errorCode: 'SOURCE_NOT_VIDEO' })
    expect(run?.error).toMatch(/no picture.*add_audiogram.*Audiogram/)
    expect([...slotsOf(house.db, runId).keys()].toSorted()).toEqual(['ingest', 'probe'])
  }, 60_000)
})

describe('a video', () => {
  it('keeps its picture, with the wave over it', async () => {
    const nodes = (config: Record<string, unknown>) => [
      pinned(4, 6),
      node('add_audiogram', { audiogram_config: { waveColor: '#00ff00', y: 50, height: 40, ...config } }),
    ]
    const bare = (await house.clipOf(talk.video, [pinned(4, 6)])).file
    const waved = (await house.clipOf(talk.video, nodes({}))).file
    const corners = await Promise.all([bare, waved].map((file) => colourOf(file, 30, '40:20:4:4')))
    expect(corners[0]?.map((value, at) => Math.abs(value - (corners[1]?.[at] ?? 0)) < 6)).toEqual([
      true,
      true,
      true,
    ])
    const heights = await greenHeights(waved, { x: 159, y: 54, height: 72 })
    expect(Math.max(...heights)).toBeGreaterThan(50)
    expect(Math.max(...heights) - Math.min(...heights.slice(5))).toBeGreaterThan(15)
    const covered = (await house.clipOf(talk.video, nodes({ backgroundColor: '#000050' }))).file
    const [red, green, blue] = await colourOf(covered, 30, '40:20:4:4')
    expect([red < 8, green < 8, Math.abs(blue - 80) < 8]).toEqual([true, true, true])
  }, 120_000)
})
