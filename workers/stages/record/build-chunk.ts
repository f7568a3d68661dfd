/** Joins received segments to files that can be used as sources: by bytes, then by ffmpeg, without encoding. */
import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { AppError } from '../../../server/contract/errors.ts'
import { chunkArguments, formArguments, stretchArguments, type Joined } from '../../media/arguments/record.ts'
import { toDiskFull } from '../../media/disk.ts'
import { readByFfprobe, runFfmpeg, type ToolContext } from '../../media/run-tool.ts'
import { readFileHead } from '../ingest/keep.ts'
import type { SpoolSegment, TrackIndex } from './spool.ts'

/** A file of segments with one form, and the segments of the first track that are in it. */
export interface BuiltFile {
  readonly path: string
  readonly segments: readonly SpoolSegment[]
}

/** Copying is hundreds of times faster than the stream, so a tool that makes no progress for this long is stopped. */
const STALL_SECONDS = 120

/** Builds one file, or several where the form (size, codec) changes, in `folder`, which the caller empties. */
export async function buildFiles(
  tools: ToolContext,
  folder: string,
  segments: readonly SpoolSegment[],
): Promise<BuiltFile[]> {
  const runs = stretches(segments)
  const files: BuiltFile[] = []
  let group: Stretch[] = []
  for (const [index, run] of runs.entries()) {
    const stretch = await joinStretch(tools, folder, run, index)
    const before = group.at(-1)
    if (before !== undefined && before.form !== stretch.form) {
      files.push(await writeFile(tools, folder, group, files.length))
      group = []
    }
    group.push(stretch)
  }
  if (group.length > 0) files.push(await writeFile(tools, folder, group, files.length))
  return files
}

/** Groups segments without a break in their timestamps. */
function stretches(segments: readonly SpoolSegment[]): SpoolSegment[][] {
  const numbers = [...new Set(segments.filter(({ track }) => track === 0).map(({ run }) => run))]
  return numbers.map((run) => segments.filter((segment) => segment.run === run))
}

interface Stretch extends Joined {
  readonly segments: readonly SpoolSegment[]
  readonly form: string
}

async function joinStretch(
  tools: ToolContext,
  folder: string,
  segments: readonly SpoolSegment[],
  index: number,
) {
  const own = (track: TrackIndex) => segments.filter((segment) => segment.track === track)
  const join1 = async (track: TrackIndex): Promise<string> => {
    const path = join(folder, `joined-${index}-${track}`)
    await concatenate(folder, own(track), path, tools.signal)
    return path
  }
  const path = await join1(0)
  const soundPath = own(1).length === 0 ? null : await join1(1)
  const facts = [
    await probeForm(tools, path),
    ...(soundPath === null ? [] : [await probeForm(tools, soundPath)]),
  ]
  const form = facts.map((fact) => fact.form).join('|')
  const [firstSound] = own(1)
  const clock = firstSound === undefined ? null : await packed(join(folder, firstSound.file))
  const start = clock === null ? {} : { soundStart: clock.seconds }
  return { path, soundPath, ...start, output: '', segments: own(0), form }
}

/** Concatenates files, with the initialisation section wherever it changes. */
async function concatenate(
  folder: string,
  segments: readonly SpoolSegment[],
  path: string,
  signal: AbortSignal,
): Promise<void> {
  async function* bytes(): AsyncGenerator<Buffer> {
    let map: string | null = null
    for (const segment of segments) {
      if (segment.map !== null && segment.map !== map) yield* readBytes(join(folder, segment.map))
      map = segment.map
      const file = join(folder, segment.file)
      // The tags between segments of packed audio are not sound.
      yield* readBytes(file, (await packed(file))?.tagBytes ?? 0)
    }
  }
  try {
    await pipeline(bytes, createWriteStream(path, { mode: 0o600 }), { signal })
  } catch (error) {
    throw signal.aborted ? new AppError('CANCELLED', { cause: error }) : toDiskFull(error)
  }
}

const packed = async (path: string): Promise<PackedSound | null> => readPackedSound(await readFileHead(path))

async function* readBytes(path: string, start = 0): AsyncGenerator<Buffer> {
  for await (const chunk of createReadStream(path, { start })) yield chunk as Buffer
}

/** Writes a group of stretches with one form as one file. */
async function writeFile(tools: ToolContext, folder: string, group: readonly Stretch[], index: number) {
  const [first] = group
  if (first === undefined) throw new Error('a file is made of something')
  const whole = group.length === 1 ? first : await concatenateStretches(tools, folder, group, index)
  const output = join(folder, `chunk-${index}`)
  const segments = group.flatMap((stretch) => stretch.segments)
  try {
    await copy(tools, chunkArguments({ ...whole, output }, 'mp4'))
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'STAGE_FAILED') throw error
    // Streams that mp4 does not support.
    await copy(tools, chunkArguments({ ...whole, output }, 'matroska'))
  }
  return { path: output, segments }
}

const copy = (tools: ToolContext, args: readonly string[]) =>
  runFfmpeg(tools, args, { onProgress: () => undefined, stallSeconds: STALL_SECONDS })

async function concatenateStretches(
  tools: ToolContext,
  folder: string,
  group: readonly Stretch[],
  index: number,
) {
  const parts: string[] = []
  let start = 0
  for (const [number, stretch] of group.entries()) {
    const output = join(folder, `stretch-${index}-${number}`)
    const path = stretch.soundPath === null ? stretch.path : join(folder, `stretch-both-${index}-${number}`)
    if (stretch.soundPath !== null) await copy(tools, chunkArguments({ ...stretch, output: path }, 'mpegts'))
    await copy(tools, stretchArguments({ path, output }, start))
    parts.push(output)
    start = (await probeForm(tools, output)).end
  }
  const path = join(folder, `stretches-${index}`)
  async function* bytes(): AsyncGenerator<Buffer> {
    for (const part of parts) yield* readBytes(part)
  }
  await pipeline(bytes, createWriteStream(path, { mode: 0o600 }), { signal: tools.signal })
  return { path, soundPath: null, output: '' }
}

interface Probed {
  readonly format?: { readonly duration?: string; readonly start_time?: string }
  readonly streams?: readonly (Readonly<Record<string, unknown>> & { readonly duration?: string })[]
}

/** The form of a file's streams as text for comparison, and when it ends on its own clock, in seconds. */
async function probeForm(tools: ToolContext, path: string): Promise<{ form: string; end: number }> {
  const { format = {}, streams = [] } = await readByFfprobe<Probed>(tools, formArguments(path))
  const used = ['video', 'audio'].flatMap((type) =>
    streams.filter((stream) => stream['codec_type'] === type).slice(0, 1),
  )
  const form = used.map((stream) => JSON.stringify({ ...stream, duration: undefined })).join(' ')
  return { form, end: (Number(format.start_time) || 0) + (Number(format.duration) || 0) }
}

/** The clock of packed audio (bare AAC or MP3), in an ID3 tag before each segment. */
interface PackedSound {
  /** Bytes of tags before the sound. */
  readonly tagBytes: number
  /** When the segment begins on the stream's clock, in seconds. */
  readonly seconds: number
}

const OWNER = 'com.apple.streaming.transportStreamTimestamp'
const CLOCK = 90_000
/** The clock of a transport stream has 33 bits. */
const CLOCK_BITS = 2 ** 33

/** The clock in the first bytes of a segment; null: it is not packed audio, or has a clock of its own. */
function readPackedSound(head: Uint8Array): PackedSound | null {
  if (head[0] !== 0x49 || head[1] !== 0x44 || head[2] !== 0x33 || head.length < 10) return null
  const tagBytes = 10 + sevenBits(head, 6)
  const at = find(head.subarray(0, tagBytes), OWNER)
  // A zero ends the owner's name; eight bytes of clock follow.
  const clock = at + OWNER.length + 1
  if (at < 0 || clock + 8 > head.length) return null
  let ticks = 0
  for (const byte of head.subarray(clock, clock + 8)) ticks = ticks * 256 + byte
  return { tagBytes, seconds: (ticks % CLOCK_BITS) / CLOCK }
}

const sevenBits = (bytes: Uint8Array, at: number): number =>
  [0, 1, 2, 3].reduce((sum, index) => sum * 128 + ((bytes[at + index] ?? 0) & 127), 0)

function find(bytes: Uint8Array, text: string): number {
  for (let at = 0; at + text.length <= bytes.length; at++) {
    let same = 0
    while (same < text.length && bytes[at + same] === text.charCodeAt(same)) same++
    if (same === text.length) return at
  }
  return -1
}
