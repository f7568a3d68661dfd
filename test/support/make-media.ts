/** Tiny media made by ffmpeg's own generators, for tests. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { bundledTools } from './stage-harness.ts'

const run = promisify(execFile)

/** Runs ffmpeg with these arguments and answers the path of `name` in `folder`. */
export async function makeMedia(folder: string, name: string, args: readonly string[]): Promise<string> {
  const path = join(folder, name)
  await run(bundledTools().ffmpeg, ['-v', 'error', '-nostdin', '-y', ...args, path])
  return path
}

/** A moving test picture. */
export const picture = (seconds: number, size = '320x180', rate = '25'): string[] => [
  '-f',
  'lavfi',
  '-i',
  `testsrc=duration=${seconds}:size=${size}:rate=${rate}`,
]

/** A tone. */
export const tone = (seconds: number, frequency = 440): string[] => [
  '-f',
  'lavfi',
  '-i',
  `sine=frequency=${frequency}:duration=${seconds}:sample_rate=48000`,
]

/** H.264 as cameras and phones write it, a key frame every `gop` frames. */
export const h264 = (gop = 25): string[] => [
  '-c:v',
  'libx264',
  '-preset',
  'ultrafast',
  '-pix_fmt',
  'yuv420p',
  '-g',
  String(gop),
  '-c:a',
  'aac',
  '-b:a',
  '64k',
]

/** Prints ffprobe's output in flat `key=value` form, for checks that do not use our own code. */
export async function ask(path: string, entries: string, more: readonly string[] = []): Promise<string> {
  const args = ['-v', 'error', ...more, '-show_entries', entries, '-of', 'default=nw=1', path]
  return (await run(bundledTools().ffprobe, args)).stdout
}

/** The first frame (after `filters`) as grey bytes, small enough to compare. */
export async function grey(path: string, more: readonly string[], seekSeconds = 0): Promise<Buffer> {
  // A lone picture gives nothing after any seek, even to 0.
  const seek = seekSeconds > 0 ? ['-ss', String(seekSeconds)] : []
  const args = ['-v', 'error', '-nostdin', ...seek, '-i', path, ...more, '-frames:v', '1']
  const out = await run(bundledTools().ffmpeg, [...args, '-f', 'rawvideo', '-pix_fmt', 'gray', 'pipe:1'], {
    encoding: 'buffer',
    maxBuffer: 64 * 1024 * 1024,
  })
  return out.stdout
}
