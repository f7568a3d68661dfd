/** Tiny sources for render tests, and ways to look at what came out. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Composition, TimeSpan } from '../../server/contract/composition.ts'
import { frameToTicks, type Rational } from '../../server/contract/time.ts'
import { sampleComposition, type SampleOptions } from '../support/sample-composition.ts'
import { runTool } from '../../workers/media/run-tool.ts'
import { runRender } from '../../workers/stages/render/stage.ts'
import type { StageContext } from '../../workers/stages/context.ts'
import { bundledTools, runStageForTest, type StageRunForTest } from '../support/stage-harness.ts'
import { omitUndefined } from '../../server/contract/omit-undefined.ts'

export const { ffmpeg, ffprobe } = bundledTools()

/** Tags of the colours of a file, as cameras write them. */
export const BT709 = [
  '-colorspace',
  'bt709',
  '-color_primaries',
  'bt709',
  '-color_trc',
  'bt709',
  '-color_range',
  'tv',
]

/** Runs ffmpeg quietly; returns stdout. */
export async function make(args: readonly string[]): Promise<Buffer> {
  return (await runTool({ executable: ffmpeg, args: ['-v', 'error', '-y', ...args], timeoutSeconds: 240 }))
    .stdout
}

interface RenderForTest extends StageRunForTest<{
  file: string
  thumbnailFile: string
  integratedLufs: number | null
}> {
  readonly clip: string
}

/** Renders with the fastest encoder that preserves the picture well enough to be measured. */
export async function renderForTest(
  composition: Composition,
  source: string,
  root: string,
  signal?: AbortSignal,
): Promise<RenderForTest> {
  const params = { composition, encoder: { preset: 'ultrafast', crf: 8 } }
  const run = await runStageForTest(
    (context: StageContext, given: typeof params) => runRender(context, given),
    params,
    { root, inputs: { source }, ...omitUndefined({ signal }) },
    // As the pool does; the next clip of a test is another one.
  ).finally(() => rm(join(root, 'temporary'), { recursive: true, force: true, maxRetries: 5 }))
  return { ...run, clip: join(run.folder, run.output.file) }
}

export interface StreamFacts {
  readonly codec_type: string
  readonly codec_name: string
  readonly width?: number
  readonly height?: number
  readonly nb_frames?: string
  readonly duration: string
  readonly start_time: string
  readonly pix_fmt?: string
  readonly sample_aspect_ratio?: string
  readonly color_space?: string
  readonly color_transfer?: string
  readonly color_primaries?: string
  readonly color_range?: string
  readonly avg_frame_rate: string
  readonly sample_rate?: string
  readonly channels?: number
}

export async function probeStreams(file: string): Promise<{ video: StreamFacts; audio: StreamFacts }> {
  const { stdout } = await runTool({
    executable: ffprobe,
    args: ['-v', 'error', '-show_streams', '-of', 'json', file],
    timeoutSeconds: 30,
  })
  const { streams } = JSON.parse(stdout.toString('utf8')) as { streams: StreamFacts[] }
  const [video, audio] = ['video', 'audio'].map((type) =>
    streams.find((stream) => stream.codec_type === type),
  )
  if (video === undefined || audio === undefined) throw new Error(`${file} lacks a stream`)
  return { video, audio }
}

/** Mean luma of a rectangle (`width:height:x:y`) for every frame, 0 to 255 full range. */
export async function lumaOf(file: string, crop: string): Promise<number[]> {
  const [width = 0, height = 0] = crop.split(':').map(Number)
  const filter = `crop=${crop},format=gray`
  const bytes = await make(['-i', file, '-map', '0:v', '-vf', filter, '-vsync', '0', '-f', 'rawvideo', '-'])
  const size = width * height
  return Array.from({ length: bytes.length / size }, (_, frame) => {
    let sum = 0
    for (let at = frame * size; at < (frame + 1) * size; at++) sum += bytes[at] ?? 0
    return sum / size
  })
}

/** Mean R, G, B of a rectangle at one frame. */
export async function colourOf(file: string, frame: number, crop: string): Promise<[number, number, number]> {
  const filter = `select=eq(n\\,${frame}),crop=${crop},scale=1:1:flags=area:in_color_matrix=bt709,format=rgb24`
  const bytes = await make([
    '-i',
    file,
    '-vf',
    filter,
    '-vsync',
    '0',
    '-frames:v',
    '1',
    '-f',
    'rawvideo',
    '-',
  ])
  return [bytes[0] ?? -1, bytes[1] ?? -1, bytes[2] ?? -1]
}

/** Samples of the sound, mono, 48 kHz, -1 to 1. */
export async function samplesOf(file: string): Promise<Float32Array> {
  const bytes = await make(['-i', file, '-map', '0:a', '-ac', '1', '-ar', '48000', '-f', 'f32le', '-'])
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2)
}

export async function loudnessOf(file: string): Promise<{ integrated: number; peak: number }> {
  const args = ['-hide_banner', '-nostats', '-i', file, '-map', '0:a']
  const { stderr } = await runTool({
    executable: ffmpeg,
    args: [...args, '-af', 'ebur128=peak=true:framelog=verbose', '-f', 'null', '-'],
    timeoutSeconds: 60,
  })
  const summary = stderr.slice(stderr.lastIndexOf('Summary:'))
  return {
    integrated: Number(/\bI:\s+(-?[\d.]+) LUFS/.exec(summary)?.[1]),
    peak: Number(/\bPeak:\s+(-?[\d.]+) dBFS/.exec(summary)?.[1]),
  }
}

/**
 * A source whose every frame encodes its number: a grey whose luma is 16 + frame / `framesPerStep`, and a sound that
 * beeps at every whole second. 640x360, 30 frames a second.
 */
export function countingSource(frames: number, framesPerStep = 1): string[] {
  const seconds = frames / 30
  const grey = `geq=lum=16+floor(N/${framesPerStep}):cb=128:cr=128`
  const picture = `color=c=black:s=32x18:r=30:d=${seconds},format=yuv420p,${grey},scale=640:360:flags=neighbor`
  const tone = `aevalsrc=0.5*sin(2*PI*1000*t)*lt(mod(t\\,1)\\,0.1):s=48000:d=${seconds}`
  return ['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', tone]
}

export const LOSSLESS = [
  '-c:v',
  'libx264',
  '-preset',
  'ultrafast',
  '-qp',
  '0',
  '-g',
  '25',
  '-c:a',
  'pcm_s16le',
]

export const RATE: Rational = { numerator: 30, denominator: 1 }
export const SIZE = { width: 640, height: 360 }
export const MIDDLE = '64:64:288:148'
export const QUIET = { integratedLufs: null, truePeakDb: -1, crossfadeMs: 10, edgeFadeMs: 0 }

/** Same size out as in, nothing scaled, so that luma identifies the source frame exactly. */
export function plain(options: SampleOptions = {}): Composition {
  const composition = sampleComposition({ ...SIZE, durationFrames: 40, source: SIZE, ...options })
  return { ...composition, source: { ...composition.source, colourMatrix: 'bt709' }, audio: QUIET }
}

/** Every picture comes out of the encoder as it went in. */
export const LOSSLESS_ENCODER = {
  name: 'libx264',
  globalArguments: [],
  filters: '',
  arguments: ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '0', '-g', '30', '-pix_fmt', 'yuv420p'],
}

/** A digest for each picture of a file. */
export async function pictureDigests(file: string): Promise<string[]> {
  const text = (await make(['-i', `file:${file}`, '-map', '0:v', '-f', 'framemd5', 'pipe:1'])).toString(
    'utf8',
  )
  return text
    .split('\n')
    .filter((line) => !line.startsWith('#') && line !== '')
    .map((line) => line.split(',').at(-1) ?? '')
}

/** A digest of a file's sound. */
export const soundDigest = async (file: string): Promise<string> =>
  (await make(['-i', `file:${file}`, '-map', '0:a', '-f', 'md5', 'pipe:1'])).toString('utf8')

/** Pieces of the source, one after the other from output frame `first` on. */
export function spans(
  pieces: readonly (readonly [from: number, frames: number, rate?: number])[],
  first = 0,
): TimeSpan[] {
  let at = first
  return pieces.map(([from, frames, playbackRate = 1]) => {
    const span = {
      startFrame: at,
      endFrame: at + frames,
      sourceStart: frameToTicks(from, RATE),
      sourceEnd: frameToTicks(from + frames * playbackRate, RATE),
      playbackRate,
    }
    at += frames
    return span
  })
}

/** Source frame that each output frame shows. */
export async function shownFrames(clip: string): Promise<number[]> {
  return (await lumaOf(clip, MIDDLE)).map((gray) => Math.round((gray * 219) / 255))
}
