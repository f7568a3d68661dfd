/** The README's first command, as a person runs it: the bundled sample through a real appliance, and what comes out. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cutroom, type CommandResult } from '../support/appliance-process.ts'
import {
  createNetworkNamespace,
  type NoNamespace,
  type NetworkNamespace,
} from '../support/network-namespace.ts'
import { bundledTools } from '../support/stage-harness.ts'

const execute = promisify(execFile)
const { ffmpeg, ffprobe } = bundledTools()
const SAMPLE = join(import.meta.dirname, '..', '..', 'resources', 'sample', 'sample.mp4')
/** Bounds of the default vertical workflow, seconds. */
const SHORTEST = 20
const LONGEST = 60

interface Outcome {
  readonly clips: readonly {
    path: string
    title: string
    score: number
    duration: number
    resolution: string
  }[]
  readonly warnings: readonly string[]
  readonly studioUrl: string
}

let folder = ''
let result: CommandResult
let outcome: Outcome
let room: NetworkNamespace | NoNamespace

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cutroom-demo-test-'))
  const temporary = join(folder, 'temporary')
  await mkdir(temporary)
  // In a network namespace without network, where available: a whole run of the sample connects to no other machine.
  room = createNetworkNamespace(folder)
  result = await cutroom(['demo', '--json', '--out', join(folder, 'clips')], {
    ...('why' in room ? {} : { inside: room.prefix }),
    environment: { TMPDIR: temporary, CUTROOM_NETWORK: 'off' },
    timeoutMs: 9 * 60_000,
  })
  expect([result.code, result.code === 0 ? '' : result.stderr]).toEqual([0, ''])
  outcome = JSON.parse(result.stdout) as Outcome
}, 10 * 60_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

test('writes finished clips, ordered by score, and removes the temporary home', async () => {
  expect(outcome.clips.length).toBeGreaterThanOrEqual(3)
  const scores = outcome.clips.map(({ score }) => score)
  expect(scores).toEqual([...scores].sort((a, b) => b - a))
  expect(scores.every((score) => score >= 0 && score <= 100)).toBe(true)
  expect((await readdir(join(folder, 'clips'))).sort()).toEqual(
    outcome.clips.map(({ path }) => basename(path)).sort(),
  )
  expect(new Set(outcome.clips.map(({ title }) => title)).size).toBe(outcome.clips.length)
  expect((await readdir(join(folder, 'temporary'))).filter((name) => name.startsWith('cutroom'))).toEqual([])
})

test('connects to no other machine from the sample’s address to the finished clips', ({ skip }) => {
  if ('why' in room) return skip(room.why)
  expect(room.attempts()).toBe(0)
})

test('a person sees progress and the studio address', () => {
  // Which early steps are seen depends on when the demo polls; progress never decreases.
  const percents = [...result.stderr.matchAll(/^ *(\d+) % {2}\S/gm)].map(([, percent]) => Number(percent))
  expect(percents.length).toBeGreaterThan(3)
  expect(percents).toEqual(percents.toSorted((a, b) => a - b))
  const clips = [...result.stderr.matchAll(/Rendering the clip \((\d+) of \d+\)/g)].map(([, clip]) =>
    Number(clip),
  )
  expect(clips).toEqual(clips.toSorted((a, b) => a - b))
  expect(result.stderr).toMatch(/Rendering/)
  expect(outcome.studioUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/studio\/sign-in\?token=/)
})

test('each clip is an upright H.264 and AAC file of the reported length, inside the bounds', async () => {
  for (const clip of outcome.clips) {
    const { stdout } = await execute(ffprobe, [
      '-v',
      'error',
      '-print_format',
      'json',
      '-show_format',
      '-show_streams',
      clip.path,
    ])
    const { streams, format } = JSON.parse(stdout) as {
      streams: { codec_name: string; width?: number; height?: number; duration: string }[]
      format: { duration: string }
    }
    const [video, audio] = streams
    expect(streams).toHaveLength(2)
    expect(video).toMatchObject({ codec_name: 'h264', width: 1080, height: 1920 })
    expect(audio).toMatchObject({ codec_name: 'aac' })
    const seconds = Number(format.duration)
    expect(Math.abs(seconds - clip.duration)).toBeLessThan(0.15)
    expect(Math.abs(Number(video?.duration) - Number(audio?.duration))).toBeLessThan(0.1)
    expect(seconds).toBeGreaterThan(SHORTEST - 0.5)
    expect(seconds).toBeLessThan(LONGEST + 0.5)
    expect((await stat(clip.path)).size).toBeGreaterThan(200_000)
  }
})

test('sound is there and not clipped', async () => {
  for (const clip of outcome.clips) {
    const { stderr } = await execute(ffmpeg, [
      '-hide_banner',
      '-i',
      clip.path,
      '-af',
      'volumedetect',
      '-vn',
      '-f',
      'null',
      '-',
    ])
    const mean = Number(/mean_volume: (\S+) dB/.exec(stderr)?.[1])
    expect(mean).toBeGreaterThan(-35)
    expect(mean).toBeLessThan(-8)
  }
})

/** Share of frames, one a second, that show the caption's emphasis colour in the band where captions are. */
async function emphasisedShare(file: string): Promise<number> {
  const width = 270
  const height = 480
  const { stdout } = await execute(
    ffmpeg,
    [
      '-v',
      'error',
      '-i',
      file,
      '-vf',
      `fps=1,scale=${width}:${height}:flags=area,crop=${width}:100:0:310`,
      '-f',
      'rawvideo',
      '-pix_fmt',
      'rgb24',
      '-',
    ],
    { encoding: 'buffer', maxBuffer: 512 * 1024 * 1024 },
  )
  const bytes = width * 100 * 3
  const frames = Math.floor(stdout.length / bytes)
  let emphasised = 0
  for (let frame = 0; frame < frames; frame += 1) {
    let yellow = 0
    for (let at = frame * bytes; at < (frame + 1) * bytes; at += 3) {
      const red = stdout[at] ?? 0
      const green = stdout[at + 1] ?? 0
      const blue = stdout[at + 2] ?? 0
      if (red > 215 && green > 170 && blue < 90) yellow += 1
    }
    if (yellow > 40) emphasised += 1
  }
  return emphasised / frames
}

test('captions with the spoken word in yellow are burned in, and are not in the source', async () => {
  expect(await emphasisedShare(SAMPLE)).toBeLessThan(0.05)
  for (const clip of outcome.clips) expect(await emphasisedShare(clip.path), clip.title).toBeGreaterThan(0.5)
})
