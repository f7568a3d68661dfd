import { execFile } from 'node:child_process'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { secondsToTicks, ticksToSeconds } from '../../server/contract/time.ts'
import { runAudio } from '../../workers/stages/audio/stage.ts'
import { runCut } from '../../workers/stages/cut/stage.ts'
import { runProbe } from '../../workers/stages/probe/stage.ts'
import { ask, grey, makeMedia, picture, tone } from '../support/make-media.ts'
import { bundledTools, runStageForTest } from '../support/stage-harness.ts'
import { samplesOf } from './render-support.ts'

const SECONDS = 20
let folder: string
const sources: Record<string, string> = {}

/** Every second a white flash of two frames and a beep begin together, over a picture that differs in each frame. */
async function flashes(name: string, encoder: readonly string[], rate = '30'): Promise<string> {
  const beep = `aevalsrc='if(lt(mod(t,1),0.06),0.5*sin(2*PI*1000*t),0)':s=48000:d=${SECONDS}`
  const flash =
    "drawbox=y=ih/2:h=ih/2:color=black:t=fill,drawbox=y=ih/2:h=ih/2:color=white:t=fill:enable='lt(mod(t,1),0.06)'"
  return makeMedia(folder, name, [
    ...picture(SECONDS, '320x180', rate),
    '-f',
    'lavfi',
    '-i',
    beep,
    '-vf',
    flash,
    '-pix_fmt',
    'yuv420p',
    ...encoder,
  ])
}

const x264 = [
  '-c:v',
  'libx264',
  '-preset',
  'veryfast',
  '-bf',
  '3',
  '-g',
  '75',
  '-sc_threshold',
  '0',
  '-c:a',
  'aac',
]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cutroom-cut-'))
  sources['mp4'] = await flashes('a.mp4', x264)
  sources['ntsc'] = await flashes('n.mp4', x264, '30000/1001')
  sources['mkv'] = await makeMedia(folder, 'a.mkv', ['-i', sources['mp4'], '-c', 'copy'])
  sources['ts'] = await makeMedia(folder, 'a.ts', ['-i', sources['mp4'], '-c', 'copy'])
  sources['webm'] = await flashes('a.webm', [
    '-c:v',
    'libvpx',
    '-deadline',
    'realtime',
    '-cpu-used',
    '8',
    '-b:v',
    '1M',
  ])
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function cut(source: string, from: number, to: number) {
  const facts = (await runStageForTest(runProbe, {}, { inputs: { source }, root: folder })).output
  const { output, folder: at } = await runStageForTest(
    runCut,
    { start: secondsToTicks(from), end: secondsToTicks(to) },
    { inputs: { source, probe: folder }, results: { probe: facts }, root: folder },
  )
  return { ...output, facts, path: join(at, output.file), from: ticksToSeconds(output.sourceStart) }
}

/** First moments, seconds, at which picture and sound of a file flash and beep. */
async function firstFlash(path: string): Promise<{ video: number; audio: number }> {
  const { stdout } = await promisify(execFile)(
    bundledTools().ffmpeg,
    [
      '-v',
      'error',
      '-i',
      path,
      '-vf',
      'crop=iw:ih/4:0:ih*3/4,scale=1:1,fps=120',
      '-f',
      'rawvideo',
      '-pix_fmt',
      'gray',
      'pipe:1',
    ],
    { encoding: 'buffer', maxBuffer: 1e8 },
  )
  const made = await runStageForTest(
    runAudio,
    { streamIndex: 1, durationSeconds: 5 },
    { inputs: { source: path } },
  )
  const { readFile } = await import('node:fs/promises')
  const raw = await readFile(join(made.folder, made.output.envelopeFile))
  const envelope = new Float32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.length))
  await rm(join(made.folder, '..'), { recursive: true, force: true })
  return {
    video: stdout.findIndex((value) => value > 128) / 120,
    audio: envelope.findIndex((db) => db > -30) / 100,
  }
}

describe('extended cuts', () => {
  it.each([
    ['mp4', true],
    ['ntsc', true],
    ['mkv', true],
    ['ts', false],
    ['webm', false],
  ])('%s: starts where it says, frame for frame, with sound in step (copied: %s)', async (kind, copies) => {
    const made = await cut(sources[kind] ?? '', 7.3, 12.1)
    expect(made.copied).toBe(copies)
    expect(made.from).toBeLessThanOrEqual(7.3)
    expect(made.from).toBeGreaterThan(copies ? 4.5 : 7.25)
    expect(made.bytes).toBe((await stat(made.path)).size)
    const end = made.from + ticksToSeconds(made.duration)
    expect([end > 12, end < 12.5]).toEqual([true, true])
    const start = /start_time=([\d.-]+)/.exec(
      await ask(made.path, 'stream=start_time', ['-select_streams', 'v']),
    )?.[1]
    expect(Math.abs(Number(start))).toBeLessThan(0.001)
    const small = ['-vf', 'scale=160:90']
    const first = await grey(made.path, small)
    const there = await grey(sources[kind] ?? '', small, Math.max(0, made.from - 0.004))
    const difference =
      first.reduce((sum, value, index) => sum + Math.abs(value - (there[index] ?? 0)), 0) / first.length
    expect(difference).toBeLessThan(copies ? 0.01 : 3)
    const flash = await firstFlash(made.path)
    expect(Math.abs(flash.video - flash.audio)).toBeLessThan(0.04)
    expect(Math.abs(((made.from + flash.video) % 1) - 0.5)).toBeGreaterThan(0.5 - 0.05)
  })

  it('is playable from its first byte and keeps a turned picture upright', async () => {
    const turned = await makeMedia(folder, 'turned.mp4', [
      '-i',
      sources['mp4'] ?? '',
      '-c',
      'copy',
      '-metadata:s:v',
      'rotate=270',
    ])
    const made = await cut(turned, 3, 6)
    expect(made.copied).toBe(true)
    const again = (
      await runStageForTest(runProbe, {}, { inputs: { source: made.path }, root: join(folder, 'turned') })
    ).output
    expect(again.video).toMatchObject({ rotation: 90, width: 180, height: 320 })
    const { readFile } = await import('node:fs/promises')
    const bytes = await readFile(made.path)
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'))
  })

  it('takes sound alone, ends with the source, and halves a high frame rate', async () => {
    const sound = await makeMedia(folder, 'only.mp3', [...tone(6), '-b:a', '64k'])
    const made = await cut(sound, 2, 60)
    expect([made.from, Math.abs(ticksToSeconds(made.duration) - 4) < 0.2]).toEqual([2, true])
    // Each frame of a low-level MP3 depends on many before it, which a seek to it would leave out.
    const quiet = await makeMedia(folder, 'quiet.mp3', [...tone(6), '-q:a', '5'])
    const begins = (await samplesOf((await cut(quiet, 2, 3)).path)).findIndex(
      (value) => Math.abs(value) > 0.03,
    )
    expect(begins).toBeLessThan(48 * 25)
    const fast = await makeMedia(folder, 'fast.mkv', [
      ...picture(2, '160x90', '60'),
      '-c:v',
      'libx265',
      '-preset',
      'ultrafast',
      '-x265-params',
      'log-level=error',
    ])
    const slower = await cut(fast, 0.5, 1.5)
    expect(slower.copied).toBe(false)
    expect(await ask(slower.path, 'stream=codec_name,avg_frame_rate')).toMatch(/h264[^]*avg_frame_rate=30\/1/)
  })
})

it('cuts HDR to the light of ordinary video', async () => {
  const path = await makeMedia(folder, 'hdr.mkv', [
    ...picture(7),
    '-pix_fmt',
    'yuv420p10le',
    '-c:v',
    'libx265',
    '-preset',
    'ultrafast',
    '-x265-params',
    'log-level=error:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc',
    '-color_primaries',
    'bt2020',
    '-color_trc',
    'smpte2084',
    '-colorspace',
    'bt2020nc',
  ])
  const facts = (await runStageForTest(runProbe, {}, { inputs: { source: path }, root: folder })).output
  expect(facts.video).toMatchObject({ hdr: true, bitsPerSample: 10, colourTransfer: 'smpte2084' })
  const made = await cut(path, 2.3, 4)
  const tags = await ask(made.path, 'stream=pix_fmt,color_transfer')
  expect([made.copied, tags]).toEqual([
    false,
    expect.stringMatching(/pix_fmt=yuv420p\s+color_transfer=bt709/),
  ])
})
