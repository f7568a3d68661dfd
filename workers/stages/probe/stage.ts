/** Determines what a stored source is: evaluates ffprobe's JSON and then verifies that what it declares can be read. */
import { stat } from 'node:fs/promises'
import { AppError } from '../../../server/contract/errors.ts'
import type { StageContext, StageHandler } from '../context.ts'
import { readFileHead, storeSource, writeSynced } from '../ingest/keep.ts'
import { sniff, describeNonVideo } from '../ingest/pure/media-type.ts'
import { decodes, endsByReading, notVideo, readFacts, wasKilled } from './look.ts'
import { findHole, frameTimes, realEnd, type PacketSource } from './packets.ts'
import {
  chooseStreams,
  sourceFacts,
  startSeconds,
  type ChosenStreams,
  attachedPicture,
} from './pure/facts.ts'
import {
  hasNotBegun,
  isGuessedLength,
  numberOf,
  streamSeconds,
  type ProbeJson,
  type ProbeStream,
} from './pure/probe-json.ts'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { PictureAsset } from '../../../server/contract/composition.ts'
import { coverArguments } from '../../media/arguments/probe.ts'
import { runFfmpeg } from '../../media/run-tool.ts'
import { inspectPicture } from '../fetch-asset/picture.ts'

type Context = StageContext<'source'>

/** Fails with SOURCE_NOT_VIDEO and a sentence. */
export const runProbe: StageHandler<'probe'> = async (context) => {
  const path = context.input('source')
  const { size } = await stat(path)
  await refuseNonVideo(path, size)
  const probe = await readFacts(context, path)
  const warnings: string[] = []
  const chosen = await decodable(context, path, chooseStreams(probe), warnings)
  if (
    chosen.audio === null &&
    (probe.streams ?? []).some((one) => one.codec_type === 'audio' && hasNotBegun(one))
  )
    warnings.push(
      'The file declares a sound track, but has no sound in its first minute; only the picture is used.',
    )
  context.progress(0.4)
  const source: PacketSource = { ffprobe: context.tools.ffprobe, path, signal: context.signal }
  const durationSeconds = await checkedDuration(source, probe, chosen, warnings)
  await warnHole(source, probe, chosen, durationSeconds, warnings)
  context.progress(0.8)
  const places = samplePlaces(startSeconds(probe), durationSeconds)
  const times = chosen.video === null ? [] : await frameTimes(source, chosen.video.index, places, 120)
  const cover =
    chosen.video === null ? await storeCover(context, probe, (message) => void warnings.push(message)) : null
  const facts = sourceFacts(probe, chosen, {
    bytes: size,
    durationSeconds,
    frameTimes: times,
    cover,
    warnings,
  })
  for (const warning of facts.warnings) context.warn(warning)
  return facts
}

async function refuseNonVideo(path: string, size: number): Promise<void> {
  if (size === 0) throw notVideo('The file is empty (0 bytes).')
  const why = describeNonVideo(sniff(await readFileHead(path)))
  if (why !== null) throw notVideo(why)
}

/** Drops streams that cannot be decoded; fails when none can. */
async function decodable(context: Context, path: string, chosen: ChosenStreams, warnings: string[]) {
  if (chosen.video === null && chosen.audio === null) {
    throw notVideo('The file has neither a picture nor sound that can be read.')
  }
  const check = async (stream: ProbeStream | null, kind: 'video' | 'audio'): Promise<ProbeStream | null> =>
    stream !== null && (await decodes(context, path, stream.index, kind)) ? stream : null
  const video = await check(chosen.video, 'video')
  const audio = await check(chosen.audio, 'audio')
  if (video === null && audio === null) {
    throw notVideo('The file declares video or sound, but none of it can be decoded. It is damaged.')
  }
  if (video === null && chosen.video !== null)
    warnings.push('The picture cannot be decoded; only the sound is used.')
  if (audio === null && chosen.audio !== null)
    warnings.push('The sound cannot be decoded; only the picture is used.')
  return { ...chosen, video, audio }
}

/** The container's length, or the readable length when the two differ by much. */
async function checkedDuration(
  source: PacketSource,
  probe: ProbeJson,
  chosen: ChosenStreams,
  warnings: string[],
): Promise<number> {
  const start = startSeconds(probe)
  const declared = numberOf(probe.format?.duration)
  // Sound has no long gaps, so its last packet is the best indication of the end.
  const stream = chosen.audio ?? chosen.video
  if (stream === null) throw notVideo('The file has neither a picture nor sound that can be read.')
  if (declared === null || declared <= 0 || isGuessedLength(probe, await readFileHead(source.path)))
    return readLength(source, chosen, start, warnings)
  const ends = [await realEnd(source, stream.index, start, start + declared)]
  if (chosen.video !== null && chosen.video !== stream && differs(ends[0] ?? null, start + declared)) {
    ends.push(await realEnd(source, chosen.video.index, start, start + declared))
  }
  const end = Math.max(...ends.map((value) => value ?? start)) - start
  if (end <= 0) throw notVideo('Nothing in the file can be read. It is damaged.')
  if (chosen.audio !== null) warnSoundEnds((ends[0] ?? start) - start, end, warnings)
  if (!differs(end, declared)) return declared
  if (end < declared) {
    const declaredEnd = findDeclaredEnd(probe, chosen, declared)
    if (declaredEnd !== null && differs(end, declaredEnd)) throw truncated(end, declaredEnd)
    warnings.push(
      `The file states ${declared.toFixed(0)} seconds; picture and sound end at ${end.toFixed(0)}.`,
    )
  }
  return end
}

async function readLength(
  source: PacketSource,
  { audio, video }: ChosenStreams,
  start: number,
  warnings: string[],
): Promise<number> {
  const streams = [audio, video].flatMap((stream) => stream?.index ?? [])
  const ends = await endsByReading(source, streams, start)
  const end = Math.max(...ends)
  if (audio !== null) warnSoundEnds(ends[0] ?? end, end, warnings)
  return end
}

/** Warns about sound that ends long before the picture. */
function warnSoundEnds(soundEnd: number, end: number, warnings: string[]): void {
  if (end <= soundEnd || !differs(soundEnd, end)) return
  warnings.push(
    `The sound ends at ${soundEnd.toFixed(0)} seconds and the picture at ${end.toFixed(0)}; after that nothing is heard.`,
  )
}

/** The declared end of picture and sound; null when only a length of the whole is declared. */
function findDeclaredEnd(probe: ProbeJson, chosen: ChosenStreams, declared: number): number | null {
  const used = [chosen.video, chosen.audio].filter((stream) => stream !== null)
  const own = used.map(streamSeconds).filter((seconds) => seconds !== null)
  if (own.length > 0) return Math.max(...own)
  const indexes = new Set(used.map(({ index }) => index))
  return (probe.streams ?? []).every(({ index }) => indexes.has(index)) ? declared : null
}

/** An error, because half a talk would pass for the whole one, and users would notice only by missing clips. */
function truncated(end: number, declaredEnd: number): AppError {
  return notVideo(
    `The file is cut off: it says that it is ${declaredEnd.toFixed(0)} seconds long, and only the first ${end.toFixed(0)} can be read. Copy or download it again; if that is all there is, export that part as a file of its own.`,
  )
}

const differs = (end: number | null, declared: number): boolean =>
  end === null || Math.abs(end - declared) > Math.max(2, declared * 0.02)

/** Only for transport streams: they are concatenated and recorded unchanged, so that each part keeps its own clock. */
async function warnHole(
  source: PacketSource,
  probe: ProbeJson,
  { audio, video }: ChosenStreams,
  duration: number,
  warnings: string[],
): Promise<void> {
  if (probe.format?.format_name !== 'mpegts') return
  const start = startSeconds(probe)
  const streams = [audio, video].flatMap((stream) => stream?.index ?? [])
  const hole = await findHole(source, streams, start, start + duration)
  if (hole !== null)
    warnings.push(
      `The clock of the file jumps ahead: after ${(hole.from - start).toFixed(0)} seconds nothing comes for at least ${hole.seconds.toFixed(0)}, and what is said and shown later has lost its place. To close the gap, write it anew first (ffmpeg -i FILE -c copy NEW.mp4).`,
    )
}

/** Beginning, middle and near the end. */
function samplePlaces(start: number, duration: number): number[] {
  return duration < 30 ? [start] : [start, start + duration / 2, start + duration * 0.85]
}

/** Larger covers are not read into memory. */
const MAX_BYTES = 30 * 1024 * 1024

/** Null without a cover; null with a warning when it cannot be used. */
async function storeCover(
  context: StageContext<'source'>,
  probe: ProbeJson,
  warn: (message: string) => void,
): Promise<PictureAsset | null> {
  const stream = attachedPicture(probe)
  if (stream === null) return null
  try {
    const bytes = await readCover(context, stream.index)
    if (bytes === null) {
      warn('The cover picture in the file is too large and is not used.')
      return null
    }
    const digest = createHash('sha256').update(bytes).digest('hex')
    const path = join(context.temporary, 'cover')
    await writeSynced(path, bytes)
    const { picture } = await inspectPicture(path, digest, warn)
    await storeSource(context.sources, path, digest, bytes.length)
    return picture
  } catch (error) {
    if (!(error instanceof AppError) || !UNUSABLE.has(error.code) || wasKilled(error)) throw error
    warn('The cover picture in the file cannot be read and is not used.')
    return null
  }
}

const UNUSABLE: ReadonlySet<string> = new Set(['SOURCE_NOT_VIDEO', 'SOURCE_TOO_LARGE', 'STAGE_FAILED'])

/** The bytes of the picture as they are in the file; null when there are too many. */
async function readCover(context: StageContext<'source'>, stream: number): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let size = 0
  await runFfmpeg(context, coverArguments(context.input('source'), stream), {
    timeoutSeconds: 60,
    onStdout: (chunk) => {
      size += chunk.length
      if (size <= MAX_BYTES) chunks.push(Buffer.from(chunk))
    },
  })
  return size > MAX_BYTES ? null : Buffer.concat(chunks)
}
