/** The file of each delivery profile, as others read it: streams, colours, order of fields, loudness, transparency. */
import { execFile } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openPromise } from 'yauzl'
import { tryProfile } from '../../server/adapters/profile-trials.ts'
import { loadConfig } from '../../server/config/config.ts'
import type { Composition } from '../../server/contract/composition.ts'
import type { Delivery, Profile } from '../../server/contract/profiles/profile.ts'
import { PROFILES } from '../../server/contract/profiles/registry.ts'
import { frameToTicks, secondsToTicks } from '../../server/contract/time.ts'
import { composeFor } from '../../server/domain/rendering/plan-delivery.ts'
import { sourcePath } from '../../workers/artefacts.ts'
import { runTool } from '../../workers/media/run-tool.ts'
import type { StageContext } from '../../workers/stages/context.ts'
import { runExport } from '../../workers/stages/export/stage.ts'
import { runRender } from '../../workers/stages/render/stage.ts'
import { judge, LOUDNESS, whyNoJudge } from '../support/delivery.ts'
import { captionLayer, sampleComposition } from '../support/sample-composition.ts'
import { runStageForTest } from '../support/stage-harness.ts'
import { ffmpeg, ffprobe, loudnessOf, lumaOf, make, samplesOf } from './render-support.ts'

const media = join(import.meta.dirname, '..', '..', '..', 'shared', 'media')
const film = join(media, 'people', 'hamilton.mp4')
const voice = join(media, 'jfk.flac')
const present = existsSync(film) && existsSync(voice)
if (!present)
  console.log(
    'export-profiles: a made picture is used, because the development media are not beside the project',
  )

const SECONDS = 2
/** Full HD in software, while other tests run. */
vi.setConfig({ testTimeout: 300_000 })

let root = ''
let source = ''
/** Of each profile that can be made here: the encoder, and the ffmpeg that has it. */
const ways = new Map<string, { readonly encoder: string; readonly ffmpeg: string }>()

/** A filmed singer whose sound is a recorded speech, which a drawn picture and tones stand for where neither is here. */
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-export-'))
  source = join(root, 'source.mkv')
  const inputs = present
    ? ['-i', film, '-i', voice]
    : ['-f', 'lavfi', '-i', 'testsrc2=s=640x360:r=25:d=9', '-f', 'lavfi', '-i', 'aevalsrc=0.3*sin(700*t)*(0.5+0.5*sin(9*t)):s=48000:d=9'] // prettier-ignore
  const streams = [
    '-map',
    '0:v',
    '-map',
    '1:a',
    '-t',
    '5',
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-qp',
    '4',
  ]
  await make([...inputs, ...streams, '-pix_fmt', 'yuv420p', '-r', '25', '-c:a', 'pcm_s16le', source])
}, 240_000)
afterAll(() => rm(root, { recursive: true, force: true }))

/** Everything at the profile's own rate; 16:9 for films, upright where a fixed frame gets black sides. */
function clipFor({ frameRate, delivery }: Profile, upright = false, seconds = SECONDS): Composition {
  const rate = frameRate ?? { numerator: 25, denominator: 1 }
  const frames = Math.round((seconds * rate.numerator) / rate.denominator)
  const size = upright ? { width: 202, height: 360 } : { width: 640, height: 360 }
  const long = delivery.kind === 'captions' ? 12 : 18
  const composition = sampleComposition({
    ...size,
    frameRate: rate,
    durationFrames: frames,
    source: { width: 640, height: 360, colourMatrix: 'bt709' },
    layers: [captionLayer('ask not what your country can do for you', long, 3)],
  })
  const [span] = composition.timeMap
  if (span === undefined) throw new Error('the sample plays nothing')
  const timeMap = [{ ...span, sourceStart: frameToTicks(0, rate), sourceEnd: frameToTicks(frames, rate) }]
  return { ...composition, timeMap, audio: { ...composition.audio, integratedLufs: -14, truePeakDb: -1.5 } }
}

/** `stored`: files of the composition's tracks by their digests. */
async function exported(
  profile: Profile,
  composition: Composition,
  stored: Readonly<Record<string, string>> = {},
  from = source,
) {
  const folder = await mkdtemp(join(root, `${profile.name}-`))
  for (const [digest, file] of Object.entries(stored)) {
    const path = sourcePath(join(folder, 'sources'), digest)
    await mkdir(dirname(path), { recursive: true })
    await copyFile(file, path)
  }
  const params = {
    composition: composeFor(profile, composition),
    delivery: profile.delivery as Delivery,
    encoder: ways.get(profile.name)?.encoder ?? '',
  }
  const run = await runStageForTest(
    (context: StageContext, given: typeof params) => runExport(context, given),
    params,
    {
      root: folder,
      inputs: { source: from },
      tools: { ffmpeg: ways.get(profile.name)?.ffmpeg ?? ffmpeg, ffprobe },
    },
  )
  return { ...run, file: join(run.folder, run.output.file) }
}

interface Stream {
  readonly codec_type: string
  readonly codec_name: string
  readonly profile?: string
  readonly pix_fmt?: string
  readonly field_order?: string
  readonly avg_frame_rate?: string
  readonly color_space?: string
  readonly color_transfer?: string
  readonly color_primaries?: string
  readonly sample_rate?: string
  readonly bits_per_raw_sample?: string
  readonly width?: number
  readonly height?: number
}

async function streamsOf(file: string): Promise<Stream[]> {
  const args = ['-v', 'error', '-show_streams', '-of', 'json', file]
  const { stdout } = await runTool({ executable: ffprobe, args, timeoutSeconds: 60 })
  return (JSON.parse(stdout.toString('utf8')) as { streams: Stream[] }).streams
}

const named = (name: string): Profile => {
  const found = PROFILES.find((profile) => profile.name === name)
  if (found === undefined) throw new Error(`no profile ${name}`)
  return found
}

/** A newer build of `npm run install:ffmpegs`, for what the bundled one cannot make; empty: there is none. */
const newer = globSync(join(import.meta.dirname, '../../.venv/ffmpeg-9/imageio_ffmpeg/binaries/ffmpeg-*'))

/** Why no ffmpeg here can make it; it is printed, because the test is skipped then. */
async function whyNot(profile: Profile): Promise<string | null> {
  const reasons: string[] = []
  for (const build of [ffmpeg, ...newer]) {
    const config = loadConfig({ home: root }, { CUTROOM_FFMPEG: build, CUTROOM_FFPROBE: ffprobe })
    const trial = await tryProfile(config, profile)
    if (trial.available) {
      ways.set(profile.name, { encoder: trial.encoder, ffmpeg: build })
      return null
    }
    reasons.push(trial.why)
    console.log(`export-profiles: ${profile.name} by ${build === ffmpeg ? 'the bundled ffmpeg' : 'a newer one'}: ${trial.why}`) // prettier-ignore
  }
  return reasons.join(' ')
}

const BT709 = { color_space: 'bt709', color_transfer: 'bt709', color_primaries: 'bt709' }
const FULL_HD = { width: 1920, height: 1080 }

describe('films', () => {
  it.each([
    [
      'social-1080',
      { codec_name: 'h264', pix_fmt: 'yuv420p', avg_frame_rate: '25/1', width: 640, ...BT709 },
      'aac',
    ],
    ['social-4k', { codec_name: 'h264', pix_fmt: 'yuv420p', width: 3840, height: 2160, ...BT709 }, 'aac'],
    ['hevc', { codec_name: 'hevc', pix_fmt: 'yuv420p', avg_frame_rate: '25/1', ...BT709 }, 'aac'],
    ['av1', { codec_name: 'av1', pix_fmt: 'yuv420p', ...BT709 }, 'aac'],
    [
      'broadcast-r128-25p',
      {
        codec_name: 'mpeg2video',
        pix_fmt: 'yuv422p',
        avg_frame_rate: '25/1',
        field_order: 'progressive',
        ...FULL_HD,
        ...BT709,
      },
      'pcm_s24le',
    ],
    [
      'broadcast-r128-50p',
      {
        codec_name: 'h264',
        pix_fmt: 'yuv422p10le',
        avg_frame_rate: '50/1',
        field_order: 'progressive',
        ...FULL_HD,
        ...BT709,
      },
      'pcm_s24le',
    ],
    [
      'broadcast-r128-25i',
      {
        codec_name: 'mpeg2video',
        pix_fmt: 'yuv422p',
        avg_frame_rate: '25/1',
        field_order: 'tt',
        ...FULL_HD,
        ...BT709,
      },
      'pcm_s24le',
    ],
    [
      'broadcast-a85',
      {
        codec_name: 'mpeg2video',
        avg_frame_rate: '30000/1001',
        field_order: 'progressive',
        ...FULL_HD,
        ...BT709,
      },
      'pcm_s24le',
    ],
    [
      'broadcast-a85-5994p',
      { codec_name: 'h264', avg_frame_rate: '60000/1001', ...FULL_HD, ...BT709 },
      'pcm_s24le',
    ],
    [
      'broadcast-a85-2997i',
      { codec_name: 'mpeg2video', avg_frame_rate: '30000/1001', field_order: 'tt', ...FULL_HD, ...BT709 },
      'pcm_s24le',
    ],
    ['prores-422-hq', { codec_name: 'prores', pix_fmt: 'yuv422p10le', ...BT709 }, 'pcm_s24le'],
    ['dnxhr-hq', { codec_name: 'dnxhd', profile: 'DNXHR HQ', pix_fmt: 'yuv422p', ...BT709 }, 'pcm_s24le'],
  ])('%s', async (name, wanted, sound) => {
    const profile = named(name)
    if ((await whyNot(profile)) !== null) return
    // Of the largest ones a second is enough work.
    const wide =
      name === 'social-4k' || (profile.frameRate?.numerator ?? 0) / (profile.frameRate?.denominator ?? 1) > 30
    const { file, output } = await exported(profile, clipFor(profile, false, wide ? 1 : SECONDS))
    const streams = await streamsOf(file)
    expect(streams.find(({ codec_type: type }) => type === 'video')).toMatchObject(wanted)
    expect(streams.find(({ codec_type: type }) => type === 'audio')).toMatchObject({
      codec_name: sound,
      sample_rate: '48000',
    })
    expect(Math.abs(output.durationSeconds - (wide ? 1 : SECONDS))).toBeLessThan(0.04)
    if (profile.loudness === null) return
    const { integrated, peak } = await loudnessOf(file)
    expect(Math.abs(integrated - profile.loudness.integratedLufs)).toBeLessThanOrEqual(0.3)
    expect(peak).toBeLessThanOrEqual(profile.loudness.truePeakDb)
    const why = whyNoJudge('pyloudnorm')
    if (why !== null) return console.log(`export-profiles: the independent meter is skipped: ${why}`)
    const wav = `${file}.wav`
    await make(['-i', file, '-map', '0:a', '-c:a', 'pcm_s16le', '-bitexact', wav])
    const measured = Number(await judge(LOUDNESS, [wav]))
    console.log(`export-profiles: ${name} measures ${measured.toFixed(2)} LUFS by pyloudnorm, ${peak} dBTP`)
    expect(Math.abs(measured - profile.loudness.integratedLufs)).toBeLessThanOrEqual(0.3)
  })
})

describe('captions alone', () => {
  it('as ProRes 4444 over the picture equal the burned-in render', async () => {
    const profile = named('captions-prores-4444')
    if ((await whyNot(profile)) !== null) return
    const composition = clipFor(profile, false, 2)
    const { file } = await exported(profile, composition)
    const [stream] = await streamsOf(file)
    // The decoder of some versions gives its twelve bits, whatever was encoded.
    expect(stream?.pix_fmt).toMatch(/^yuva444p1[02]le$/u)
    expect(stream).toMatchObject({ codec_name: 'prores', ...BT709 })
    expect(await likeness(composition, ['-i', file])).toBeGreaterThanOrEqual(0.999)
  })

  it('as PNG pictures over the picture equal it too, one for each frame', async () => {
    const profile = named('captions-png')
    const composition = clipFor(profile, false, 2)
    const { file, output, folder } = await exported(profile, composition)
    const pictures = join(folder, 'pictures')
    await unpack(file, pictures)
    const names = await readdir(pictures)
    expect([names.length, output.frames]).toEqual([composition.durationFrames, composition.durationFrames])
    const input = ['-framerate', '25', '-i', join(pictures, 'captions-%06d.png')]
    expect(await likeness(composition, input)).toBeGreaterThanOrEqual(0.999)
  })

  it('are refused where the clip shows none', async () => {
    const profile = named('captions-png')
    const composition = { ...clipFor(profile, false, 1), layers: [] }
    await expect(exported(profile, composition)).rejects.toMatchObject({ code: 'RENDER_FAILED' })
  })
})

/** Structural similarity of the render with its captions and of that without, with `captions` laid over it. */
async function likeness(composition: Composition, captions: readonly string[]): Promise<number> {
  const folder = await mkdtemp(join(root, 'like-'))
  const [whole, bare] = await Promise.all([
    nearlyLossless(composition, join(folder, 'whole')),
    nearlyLossless({ ...composition, layers: [] }, join(folder, 'bare')),
  ])
  const graph = [
    '[1:v]scale=out_color_matrix=bt709:out_range=tv,format=yuva420p[captions]',
    '[0:v][captions]overlay=format=yuv420[over]',
    '[over][2:v]ssim',
  ]
  const args = ['-hide_banner', '-nostats', '-i', bare, ...captions, '-i', whole]
  // Not by runTool, whose ffmpeg sees no pictures that only a pattern names.
  const { stderr } = await promisify(execFile)(ffmpeg, [
    ...args,
    '-lavfi',
    graph.join(';'),
    '-f',
    'null',
    '-',
  ])
  const measured = Number(/SSIM .*All:([\d.]+)/u.exec(stderr)?.[1])
  console.log(`export-profiles: captions laid over the picture: SSIM ${measured}`)
  return measured
}

/** The render, so well encoded that the comparison is not one of encoders. */
async function nearlyLossless(composition: Composition, folder: string): Promise<string> {
  const params = { composition, encoder: { preset: 'veryfast', crf: 1 } }
  const run = await runStageForTest(
    (context: StageContext, given: typeof params) => runRender(context, given),
    params,
    { root: folder, inputs: { source } },
  )
  return join(run.folder, run.output.file)
}

async function unpack(archive: string, folder: string): Promise<void> {
  await mkdir(folder)
  const zip = await openPromise(archive)
  for await (const entry of zip.eachEntry())
    await writeFile(join(folder, entry.fileName), await zip.openReadStreamPromise(entry))
}

describe('stems', () => {
  it('start together, and speech and music add up to the mix', async () => {
    const profile = named('audio-stems')
    if ((await whyNot(profile)) !== null) return
    const music = join(root, 'music.wav')
    await make(['-f', 'lavfi', '-i', 'aevalsrc=0.2*sin(1400*t)+0.1*sin(2100*t):s=48000:d=6', music])
    const composition = withMusic(clipFor(profile))
    const { file, folder } = await exported(profile, composition, { [MUSIC_DIGEST]: music })
    const stems = join(folder, 'stems')
    await unpack(file, stems)
    expect((await readdir(stems)).toSorted()).toEqual(['mix.wav', 'music.wav', 'speech.wav'])
    for (const name of ['speech', 'music', 'mix'])
      expect((await streamsOf(join(stems, `${name}.wav`)))[0]).toMatchObject({
        codec_name: 'pcm_s24le',
        sample_rate: '48000',
      })
    const [speech, tracks, mix] = await Promise.all(
      ['speech', 'music', 'mix'].map((name) => samplesOf(join(stems, `${name}.wav`))),
    )
    if (speech === undefined || tracks === undefined || mix === undefined)
      throw new Error('a stem is missing')
    expect([speech.length, tracks.length, mix.length]).toEqual(Array(3).fill(SECONDS * 48_000))
    expect(level(tracks)).toBeGreaterThan(0.001)
    expect(level(speech)).toBeGreaterThan(0.01)
    // Nothing of the one is in the other: what is left of the mix is rounding, and what the limiter took from a few peaks.
    const rest = mix.map((value, at) => value - (speech[at] ?? 0) - (tracks[at] ?? 0))
    expect(level(rest) / level(mix)).toBeLessThan(0.01)
    const { integrated } = await loudnessOf(join(stems, 'mix.wav'))
    expect(Math.abs(integrated + 23)).toBeLessThanOrEqual(0.3)
  })
})

it('reaches the loudness under the ceiling where a few peaks are much louder than the rest', async () => {
  const profile = named('audio-stems')
  if ((await whyNot(profile)) !== null) return
  const claps = join(root, 'claps.mkv')
  const clap = 'if(lt(mod(t\\,0.9)\\,0.0015)\\,0.95*sin(6000*t)\\,0)'
  const graph = `[0:a]volume=0.1[said];aevalsrc=${clap}:s=48000:d=4[clap];[said]aresample=48000,pan=mono|c0=c0[mono];[mono][clap]amerge=inputs=2,pan=mono|c0=c0+c1[sound]`
  await make(['-i', source, '-filter_complex', graph, '-map', '0:v', '-map', '[sound]', '-c:v', 'copy', '-c:a', 'pcm_s16le', '-t', '4', claps]) // prettier-ignore
  const { file, folder } = await exported(profile, clipFor(profile), {}, claps)
  await unpack(file, join(folder, 'stems'))
  const mix = join(folder, 'stems', 'mix.wav')
  const { integrated, peak } = await loudnessOf(mix)
  console.log(`export-profiles: claps over quiet speech come to ${integrated} LUFS, ${peak} dBTP`)
  expect(Math.abs(integrated + 23)).toBeLessThanOrEqual(0.3)
  expect(peak).toBeLessThanOrEqual(-1)
  // Without the limiter the peaks would be over the ceiling.
  expect((await loudnessOf(join(folder, 'stems', 'speech.wav'))).peak).toBeGreaterThan(-1)
})

const MUSIC_DIGEST = 'c'.repeat(64)

function withMusic(composition: Composition): Composition {
  const asset = { digest: MUSIC_DIGEST, audioStream: 0, duration: secondsToTicks(6), integratedLufs: -17 }
  const track = {
    id: 'music',
    asset,
    sourceStart: 0,
    startFrame: 0,
    endFrame: composition.durationFrames,
    loop: false,
    levelDb: -12,
    duckDb: 9,
    fadeInMs: 0,
    fadeOutMs: 0,
  }
  return { ...composition, audio: { ...composition.audio, tracks: [track] } }
}

const level = (samples: Float32Array): number =>
  Math.sqrt(samples.reduce((sum, value) => sum + value * value, 0) / samples.length)

describe('previews', () => {
  it.each(['gif', 'webp'])('%s moves, small and without sound', async (name) => {
    const profile = named(name)
    if ((await whyNot(profile)) !== null) return
    const { file, output } = await exported(profile, clipFor(profile, false, 2))
    const { delivery } = profile
    if (delivery.kind !== 'preview') throw new Error('no preview')
    expect(Math.max(output.width, output.height)).toBe(delivery.longSide)
    expect(lengthOf(await readFile(file))).toBeCloseTo(2, 0.5)
  })
})

/** Seconds that all pictures of a GIF or an animated WebP are shown; equal ones may be one. */
function lengthOf(bytes: Buffer): number {
  const isGif = bytes.toString('latin1', 0, 4) === 'GIF8'
  const mark = isGif ? Buffer.from([0x21, 0xf9, 0x04]) : Buffer.from('ANMF')
  let sum = 0
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1))
    sum += isGif ? bytes.readUInt16LE(at + 4) / 100 : bytes.readUIntLE(at + 20, 3) / 1000
  return sum
}

it('puts an upright clip into a broadcast frame with black beside it', async () => {
  const profile = named('broadcast-r128-25p')
  if ((await whyNot(profile)) !== null) return
  const { file } = await exported(profile, clipFor(profile, true, 1))
  const [left = 255] = await lumaOf(file, '400:1080:0:0')
  const [middle = 0] = await lumaOf(file, '400:600:760:240')
  expect(left).toBeLessThan(1)
  expect(middle).toBeGreaterThan(5)
})
