/** The development media and models, and the sounds and timings that benches of quality share. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadConfig } from '../../server/config/config.ts'
import { runTool } from '../../workers/media/run-tool.ts'
import { bundledTools } from '../support/stage-harness.ts'

const SHARED = join(import.meta.dirname, '..', '..', '..', 'shared')
export const MEDIA = join(SHARED, 'media')
export const hasMedia = existsSync(MEDIA)
export const NO_MEDIA = 'the development media (../shared/media) are not beside the project'

/** Where models are searched: in the development folder, then where the appliance has them installed. */
export function modelFolders(): string[] {
  return [join(SHARED, 'models'), ...loadConfig().modelFolders].filter((folder) => existsSync(folder))
}

export const media = (name: string): string => join(MEDIA, name)

export interface AlignedWord {
  readonly word: string
  /** Seconds. */
  readonly start: number
  readonly end: number
}

/** Words of an alignment with their times; what is not a word is left out. */
export async function alignedWords(name: string): Promise<AlignedWord[]> {
  return parseAlignment(await readFile(media(`${name}.align.txt`), 'utf8'))
}

/** The words of a file of pocketsphinx: a word, its first and its last hundredth of a second in each line. */
export function parseAlignment(text: string): AlignedWord[] {
  return text.split('\n').flatMap((line) => {
    const [word = '', from, to] = line.trim().split(/\s+/)
    if (to === undefined || !Number.isFinite(Number(from)) || /^[<[]/.test(word)) return []
    return [{ word: word.replace(/\(\d+\)$/, ''), start: Number(from), end: Number(to) + 0.01 }]
  })
}

export const RATE = 16_000

/** Mono samples at 16 kHz of a file, or of one of ffmpeg's own sources. `more`: options that choose or filter its sound. */
export async function samplesOf(
  input: string,
  generated = false,
  more: readonly string[] = [],
): Promise<Int16Array> {
  const chunks: Buffer[] = []
  await runTool({
    executable: bundledTools().ffmpeg,
    args: [
      '-v',
      'error',
      ...(generated ? ['-f', 'lavfi'] : []),
      '-i',
      input,
      ...more,
      '-ac',
      '1',
      '-ar',
      String(RATE),
      '-f',
      's16le',
      'pipe:1',
    ],
    onStdout: (chunk) => void chunks.push(Buffer.from(chunk)),
  })
  const bytes = Buffer.concat(chunks)
  return new Int16Array(
    bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length - (bytes.length % 2)),
  )
}

/** Raw pictures (BGR, interleaved) of a file or one of ffmpeg's sources, as `filter` leaves them. */
export async function picturesOf(
  input: string,
  filter: string,
  size: { width: number; height: number },
  options: { generated?: boolean; most?: number } = {},
): Promise<Uint8Array[]> {
  const chunks: Buffer[] = []
  await runTool({
    executable: bundledTools().ffmpeg,
    args: [
      '-v',
      'error',
      ...(options.generated === true ? ['-f', 'lavfi'] : []),
      '-i',
      input,
      '-an',
      ...(options.most === undefined ? [] : ['-frames:v', String(options.most)]),
      '-vf',
      `${filter},format=bgr24`,
      '-f',
      'rawvideo',
      'pipe:1',
    ],
    onStdout: (chunk) => void chunks.push(Buffer.from(chunk)),
  })
  const bytes = Buffer.concat(chunks)
  const each = size.width * size.height * 3
  return Array.from({ length: Math.floor(bytes.length / each) }, (_, at) =>
    Uint8Array.from(bytes.subarray(at * each, (at + 1) * each)),
  )
}

/** Seconds of processor time of this process and of those it started and that have ended. */
async function processorSeconds(): Promise<number> {
  if (process.platform !== 'linux') return performance.now() / 1000
  const stat = await readFile('/proc/self/stat', 'utf8')
  // After the name, which may hold spaces: user, system, and the same of ended children are fields 14 to 17.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100
}

/** Result of the work, and the seconds of media that it processes in one second of one core. */
export async function timed<T>(
  mediaSeconds: number,
  work: () => Promise<T>,
): Promise<{ result: T; speed: number }> {
  const before = await processorSeconds()
  const result = await work()
  return { result, speed: mediaSeconds / Math.max(0.001, (await processorSeconds()) - before) }
}

export const times = (speed: number): string => `${speed >= 10 ? speed.toFixed(0) : speed.toFixed(1)}×`
