/**
 * Runs whose brand has an intro, of a film and of a recorded voice: it plays before the clip, and everything of the clip comes
 * as much later. A reviewer's copy has its watermark over both.
 */
import { existsSync } from 'node:fs'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rationalToNumber } from '../../server/contract/time.ts'
import { findShareClip } from '../../server/db/share-copies.ts'
import { getRunClip } from '../../server/db/run-clips.ts'
import { exportClip } from '../../server/domain/rendering/export-clip.ts'
import { planRender } from '../../server/domain/rendering/render-clip.ts'
import { createShare } from '../../server/domain/sharing/links.ts'
import { mixClip } from '../../workers/stages/render/pure/mix/mix.ts'
import type { Stereo } from '../../workers/stages/render/pure/mix/stereo.ts'
import { serveBytes, startBadServer, type BadServer } from '../support/bad-server.ts'
import { node } from '../support/node-values.ts'
import { plainPng } from '../support/pictures.ts'
import { openRunEnvironment, pinned, type MadeClip, type RunEnvironment } from '../support/run-environment.ts'
import { until } from '../support/run-on-jobs.ts'
import { colourOf, make, probeStreams, samplesOf } from './render-support.ts'

const media = join(import.meta.dirname, '..', '..', '..', 'shared', 'media')
const present = existsSync(media)
const filmOf = (name: string): string => join(media, 'people', name)

const RATE = 48_000
const INTRO_SECONDS = 3
/** Where the text of a watermark stands, shares of width and height. */
const MARKED = [
  [0.3, 0.13],
  [0.7, 0.38],
  [0.3, 0.62],
  [0.7, 0.87],
] as const
const SMALL = { width: 640, height: 360 }
const ADDRESS = `1
00:00:00,290 --> 00:00:03,300
And so, my fellow Americans,

2
00:00:03,300 --> 00:00:07,700
ask not what your country can do for you;

3
00:00:07,700 --> 00:00:10,500
ask what you can do for your country.
`

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
  ;({ head, fps } = openingOf(branded))
}, 300_000)
afterAll(async () => {
  if (!present) return
  await house.close()
  await web.close()
})

/** Frames of the intro, and how many are shown a second. */
function openingOf({ clip }: MadeClip) {
  const { headFrames = 0, output } = planRender(house.services, clip.id).composition
  return { head: headFrames, fps: rationalToNumber(output.frameRate) }
}

const framesOf = async (file: string): Promise<number> => Number((await probeStreams(file)).video.nb_frames)

/** A byte of luma for each pixel of a frame, of a small size. */
const lumaAt = (file: string, frame: number): Promise<Buffer> => {
  const graph = `select=eq(n\\,${frame}),scale=${SMALL.width}:${SMALL.height},format=gray`
  return make(['-i', file, '-vf', graph, '-frames:v', '1', '-f', 'rawvideo', '-'])
}

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

/** The film of the intro is all that is seen for its length, and what comes then is the clip without one. */
async function expectSeen(made: MadeClip, bare: MadeClip): Promise<void> {
  const { head, fps } = openingOf(made)
  const { width = 0, height = 0 } = (await probeStreams(made.file)).video
  const fitted = `scale=${width}:${height}:force_original_aspect_ratio=decrease,pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2`
  const own = await likeness(
    `[0:v]trim=end_frame=${head},settb=1/1000,setpts=N[a];[1:v]fps=${fps}:round=near:start_time=0,trim=end_frame=${head},${fitted},settb=1/1000,setpts=N[b];[a][b]`,
    [made.file, filmOf('hamilton.mp4')],
  )
  expect(own).toHaveLength(head)
  expect(Math.min(...own)).toBeGreaterThan(0.9)
  const rest = await likeness(
    `[0:v]trim=start_frame=${head},settb=1/1000,setpts=N[a];[1:v]settb=1/1000,setpts=N[b];[a][b]`,
    [made.file, bare.file],
  )
  expect(rest).toHaveLength(await framesOf(bare.file))
  expect(Math.min(...rest)).toBeGreaterThan(0.97)
}

/** The same of what is heard, to a few samples. */
async function expectHeard(made: MadeClip, bare: MadeClip): Promise<void> {
  const { head, fps } = openingOf(made)
  const whole = await samplesOf(made.file)
  const own = await samplesOf(bare.file)
  const start = Math.round((head / fps) * RATE)
  const played = bestShift(whole.subarray(start), own)
  expect(Math.abs(played.shift)).toBeLessThanOrEqual(2)
  expect(played.likeness).toBeGreaterThan(0.99)
  const intro = bestShift(whole.subarray(0, start), await samplesOf(filmOf('hamilton.mp4')))
  expect(Math.abs(intro.shift)).toBeLessThanOrEqual(2)
  expect(intro.likeness).toBeGreaterThan(0.98)
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
    await expectSeen(branded, plain)
    const [red, green, blue] = await colourOf(
      branded.file,
      (await framesOf(branded.file)) - 2,
      '20:20:200:100',
    )
    expect([red < 20, green > 235, blue < 20]).toEqual([true, true, true])
  })

  it('is heard before the clip, whose sound is where its pictures are', () => expectHeard(branded, plain))

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

describe.skipIf(!present)('an intro of a recorded voice', () => {
  it('is seen and heard whole, and then the voice with its wave and captions', async () => {
    const voice = join(house.root, 'address.flac')
    await copyFile(join(media, 'jfk.flac'), voice)
    await writeFile(join(house.root, 'address.srt'), ADDRESS)
    const nodes = [
      pinned(8.5, 10.5),
      node('convert_to_vertical', { aspect_ratio: '1:1' }),
      node('add_audiogram', { audiogram_config: { backgroundColor: '#000050', waveColor: '#00ff00' } }),
      node('add_subtitles', { subtitle_config: { animationStyle: 'none' } }),
    ]
    const bare = await house.clipOf(voice, nodes)
    const brand = { intro_url: web.url('/intro.mp4'), intro_seconds: INTRO_SECONDS }
    const made = await house.clipOf(voice, [...nodes, node('apply_branding', brand)])
    expect(made.warnings).toEqual([])
    const { head: opening, fps: rate } = openingOf(made)
    expect(opening).toBe(Math.round(INTRO_SECONDS * rate))
    expect(await framesOf(made.file)).toBe(opening + (await framesOf(bare.file)))
    await expectSeen(made, bare)
    await expectHeard(made, bare)
  }, 300_000)
})

describe.skipIf(!present)('a watermark for reviewers', () => {
  it('is over the intro as over the clip and its card, and changes nothing else', async () => {
    const { clip, file } = branded
    const request = { title: 'For the client', clipIds: [clip.id], watermark: 'For review · Northlight' }
    const address = { companyId: clip.companyId, by: 'Owner', baseUrl: 'http://x' }
    const { link } = await createShare(house.services, { ...request, ...address })
    const copyOf = () => findShareClip(house.db, link.id, clip.id)?.copyMedia ?? null
    await until(copyOf, 180_000, () => 'there is no copy')
    const copy = house.fileOf(copyOf())
    const frames = await framesOf(file)
    expect(await framesOf(copy)).toBe(frames)
    for (const frame of [0, head - 1, head, head + 100, frames - 1]) {
      const [own, marked] = await Promise.all([file, copy].map((one) => lumaAt(one, frame)))
      const changed = [...(own ?? []).keys()].filter(
        (at) => Math.abs((own?.[at] ?? 0) - (marked?.[at] ?? 0)) > 24,
      )
      for (const [x, y] of MARKED) {
        const here = changed.filter(
          (at) =>
            Math.abs((at % SMALL.width) / SMALL.width - x) <= 0.29 &&
            Math.abs(Math.floor(at / SMALL.width) / SMALL.height - y) <= 0.075,
        )
        expect(here.length, `frame ${frame} at ${x}, ${y}`).toBeGreaterThan(50)
      }
      expect(changed.length / (SMALL.width * SMALL.height), `frame ${frame}`).toBeLessThan(0.12)
    }
    const { shift, likeness: alike } = bestShift(await samplesOf(copy), await samplesOf(file))
    expect([shift, alike > 0.99]).toEqual([0, true])
  }, 300_000)
})
