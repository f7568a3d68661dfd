/** A run whose brand has an intro: it plays before the clip, and everything of the clip comes as much later. */
import { existsSync } from 'node:fs'
import { copyFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rationalToNumber } from '../../server/contract/time.ts'
import { getRunClip } from '../../server/db/run-clips.ts'
import { exportClip } from '../../server/domain/rendering/export-clip.ts'
import { planRender } from '../../server/domain/rendering/render-clip.ts'
import { mixClip } from '../../workers/stages/render/pure/mix/mix.ts'
import type { Stereo } from '../../workers/stages/render/pure/mix/stereo.ts'
import { serveBytes, startBadServer, type BadServer } from '../support/bad-server.ts'
import { node } from '../support/node-values.ts'
import { plainPng } from '../support/pictures.ts'
import { openRunEnvironment, pinned, type MadeClip, type RunEnvironment } from '../support/run-environment.ts'
import { colourOf, make, probeStreams, samplesOf } from './render-support.ts'

const media = join(import.meta.dirname, '..', '..', '..', 'shared', 'media')
const present = existsSync(media)
const filmOf = (name: string): string => join(media, 'people', name)

const RATE = 48_000
const INTRO_SECONDS = 3

let house: RunEnvironment
let web: BadServer
let plain: MadeClip
let branded: MadeClip
/** Frames of the intro. */
let head = 0
let fps = 0

/** A narrated film with its captions beside it, and of another shape and rate the film of a singer as its intro. */
beforeAll(async () => {
  if (!present) return
  house = await openRunEnvironment()
  const film = join(house.root, 'webb.mp4')
  await copyFile(filmOf('nasa_13013.mp4'), film)
  await copyFile(filmOf('nasa.srt'), join(house.root, 'webb.srt'))
  const intro = await readFile(filmOf('hamilton.mp4'))
  const card = await plainPng(64, 36, '#00ff00')
  web = await startBadServer({
    '/intro.mp4': serveBytes(intro, { type: 'video/mp4' }),
    '/card.png': serveBytes(card, { type: 'image/png' }),
  })
  const brand = { outro_card_url: web.url('/card.png') }
  const nodes = [pinned(1, 9), node('add_subtitles', { subtitle_config: { animationStyle: 'none' } })]
  plain = await house.clipOf(film, [...nodes, node('apply_branding', brand)])
  branded = await house.clipOf(film, [
    ...nodes,
    node('apply_branding', { ...brand, intro_url: web.url('/intro.mp4'), intro_seconds: INTRO_SECONDS }),
  ])
  const { composition } = planRender(house.services, branded.clip.id)
  head = composition.headFrames ?? 0
  fps = rationalToNumber(composition.output.frameRate)
}, 300_000)
afterAll(async () => {
  if (!present) return
  await house.close()
  await web.close()
})

const framesOf = async (file: string): Promise<number> => Number((await probeStreams(file)).video.nb_frames)

/** How alike pictures are, frame by frame: 1 is equal. */
async function likeness(graph: string, files: readonly string[]): Promise<number[]> {
  const inputs = files.flatMap((file) => ['-i', file])
  const told = await make([...inputs, '-lavfi', `${graph}ssim=stats_file=-`, '-f', 'null', '-'])
  return [...told.toString('utf8').matchAll(/All:([\d.]+)/gu)].map(([, value]) => Number(value))
}

/** How alike two sounds are at the shift at which they are most alike, of up to four milliseconds. */
function bestShift(a: Float32Array, b: Float32Array) {
  const reach = RATE / 250
  const length = Math.min(a.length, b.length) - 2 * reach
  const likenessAt = (shift: number): number => {
    let both = 0
    let own = 0
    let other = 0
    for (let at = reach; at < reach + length; at++) {
      const x = a[at] ?? 0
      const y = b[at + shift] ?? 0
      both += x * y
      own += x * x
      other += y * y
    }
    return both / Math.sqrt(own * other)
  }
  return Array.from({ length: 2 * reach + 1 }, (_, at) => at - reach)
    .map((shift) => ({ shift, likeness: likenessAt(shift) }))
    .reduce((best, one) => (one.likeness > best.likeness ? one : best))
}

async function stereoOf(file: string, stream?: number): Promise<Stereo> {
  const form = ['-ac', '2', '-ar', String(RATE), '-f', 'f32le', '-']
  const bytes = await make(['-i', file, '-map', stream === undefined ? '0:a:0' : `0:${stream}`, ...form])
  const both = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2)
  const side = (first: number): Float32Array<ArrayBuffer> =>
    Float32Array.from({ length: both.length >> 1 }, (_, at) => both[2 * at + first] ?? 0)
  return { left: side(0), right: side(1) }
}

describe.skipIf(!present)('an intro', () => {
  it('makes the file longer by itself, and the clip as long as its file', async () => {
    expect(branded.warnings).toEqual([])
    expect(head).toBe(Math.round(INTRO_SECONDS * fps))
    expect(await framesOf(branded.file)).toBe(head + (await framesOf(plain.file)))
    for (const { clip, file } of [plain, branded]) {
      const { video } = await probeStreams(file)
      const { duration } = getRunClip(house.db, clip.id)?.document ?? { duration: 0 }
      expect(Math.abs(duration - Number(video.duration))).toBeLessThan(1 / fps)
    }
  })

  it('is seen whole and alone, and then the clip as it is without it, captions and card included', async () => {
    const { width = 0, height = 0 } = (await probeStreams(branded.file)).video
    const fitted = `scale=${width}:${height}:force_original_aspect_ratio=decrease,pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2`
    const own = await likeness(
      `[0:v]trim=end_frame=${head},settb=1/1000,setpts=N[a];[1:v]fps=${fps}:round=near:start_time=0,trim=end_frame=${head},${fitted},settb=1/1000,setpts=N[b];[a][b]`,
      [branded.file, filmOf('hamilton.mp4')],
    )
    expect(own).toHaveLength(head)
    expect(Math.min(...own)).toBeGreaterThan(0.9)
    const rest = await likeness(
      `[0:v]trim=start_frame=${head},settb=1/1000,setpts=N[a];[1:v]settb=1/1000,setpts=N[b];[a][b]`,
      [branded.file, plain.file],
    )
    expect(rest).toHaveLength(await framesOf(plain.file))
    expect(Math.min(...rest)).toBeGreaterThan(0.97)
    const [red, green, blue] = await colourOf(branded.file, head + rest.length - 2, '20:20:200:100')
    expect([red < 20, green > 235, blue < 20]).toEqual([true, true, true])
  })

  it('is heard before the clip, whose sound is where its pictures are', async () => {
    const whole = await samplesOf(branded.file)
    const own = await samplesOf(plain.file)
    const start = Math.round((head / fps) * RATE)
    const played = bestShift(whole.subarray(start), own)
    expect(Math.abs(played.shift)).toBeLessThanOrEqual(2)
    expect(played.likeness).toBeGreaterThan(0.99)
    const intro = bestShift(whole.subarray(0, start), await samplesOf(filmOf('hamilton.mp4')))
    expect(Math.abs(intro.shift)).toBeLessThanOrEqual(2)
    expect(intro.likeness).toBeGreaterThan(0.98)
  })

  it('sounds in the preview as in the file', async () => {
    const { composition } = planRender(house.services, branded.clip.id)
    const { source, audio } = composition
    const intro = await stereoOf(filmOf('hamilton.mp4'))
    const { sound } = await mixClip(composition, {
      own: await stereoOf(filmOf('nasa_13013.mp4'), source.audioStream),
      ownStart: 0,
      tracks: new Map((audio.tracks ?? []).map(({ asset }) => [asset.digest, intro])),
    })
    const mono = sound.left.map((value, at) => (value + (sound.right[at] ?? 0)) / 2)
    const { shift, likeness: alike } = bestShift(mono, await samplesOf(branded.file))
    expect(Math.abs(shift)).toBeLessThanOrEqual(2)
    expect(alike).toBeGreaterThan(0.99)
  })

  it('moves the captions of files beside the clip', () => {
    const [first = Number.NaN, later = 0] = [plain, branded].map(({ clip }) => {
      const request = { clipId: clip.id, companyId: 'c', references: 'names' } as const
      const { text } = exportClip(house.services, { ...request, format: 'srt' })
      const [, hours = 0, minutes = 0, seconds = 0] = /(\d+):(\d+):([\d,]+) -->/u
        .exec(text)!
        .map((part) => Number(part.replace(',', '.')))
      return hours * 3600 + minutes * 60 + seconds
    })
    expect(Math.abs(later - first - head / fps)).toBeLessThan(0.002)
  })
})
