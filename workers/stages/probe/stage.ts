/** Probe: what a kept source is. Decides on ffprobe's JSON, then checks that what it promises can be read. */
import { stat } from 'node:fs/promises'
import type { AppError } from '../../../server/contract/errors.ts'
import type { StageContext, StageHandler } from '../context.ts'
import { readFileHead } from '../ingest/head-of-file.ts'
import { sniff, describeNonVideo } from '../ingest/pure/media-type.ts'
import { decodes, endsByReading, notVideo, readFacts } from './look.ts'
import { findHole, frameTimes, realEnd, type PacketSource } from './packets.ts'
import { storeCover } from './cover.ts'
import { chooseStreams, sourceFacts, startSeconds, type ChosenStreams } from './pure/facts.ts'
import {
  hasNotBegun,
  isGuessedLength,
  numberOf,
  streamSeconds,
  type ProbeJson,
  type ProbeStream,
} from './pure/probe-json.ts'

type Context = StageContext<'source'>

/** Fails with SOURCE_NOT_VIDEO and a sentence; see declaration. */
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
      'The file names a sound, but nothing of it was found in its first minute; only the picture is used.',
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

/** Leaves out what does not decode; fails when nothing does. */
async function decodable(
  context: Context,
  path: string,
  chosen: ChosenStreams,
  warnings: string[],
): Promise<ChosenStreams> {
  if (chosen.video === null && chosen.audio === null) {
    throw notVideo('The file has neither a picture nor sound that can be read.')
  }
  const check = async (stream: ProbeStream | null, kind: 'video' | 'audio'): Promise<ProbeStream | null> =>
    stream !== null && (await decodes(context, path, stream.index, kind)) ? stream : null
  const video = await check(chosen.video, 'video')
  const audio = await check(chosen.audio, 'audio')
  if (video === null && audio === null) {
    throw notVideo(
      'The file says that it holds video or sound, but none of it can be decoded. It is damaged.',
    )
  }
  if (video === null && chosen.video !== null)
    warnings.push('The picture cannot be decoded; only the sound is used.')
  if (audio === null && chosen.audio !== null)
    warnings.push('The sound cannot be decoded; only the picture is used.')
  return { ...chosen, video, audio }
}

/** The container's length, or the length that can be read when the two differ by much. */
async function checkedDuration(
  source: PacketSource,
  probe: ProbeJson,
  chosen: ChosenStreams,
  warnings: string[],
): Promise<number> {
  const start = startSeconds(probe)
  const stated = numberOf(probe.format?.duration)
  // Sound has no long gaps, so its last packet says best where a file ends.
  const stream = chosen.audio ?? chosen.video
  if (stream === null) throw notVideo('The file has neither a picture nor sound that can be read.')
  if (stated === null || stated <= 0 || isGuessedLength(probe, await readFileHead(source.path)))
    return readLength(source, chosen, start, warnings)
  const ends = [await realEnd(source, stream.index, start, start + stated)]
  if (chosen.video !== null && chosen.video !== stream && differs(ends[0] ?? null, start + stated)) {
    ends.push(await realEnd(source, chosen.video.index, start, start + stated))
  }
  const end = Math.max(...ends.map((value) => value ?? start)) - start
  if (end <= 0) throw notVideo('Nothing in the file can be read. It is damaged.')
  if (chosen.audio !== null) warnHushed((ends[0] ?? start) - start, end, warnings)
  if (!differs(end, stated)) return stated
  if (end < stated) {
    const promised = promisedEnd(probe, chosen, stated)
    if (promised !== null && differs(end, promised)) throw cutOff(end, promised)
    warnings.push(`The file states ${stated.toFixed(0)} seconds; picture and sound end at ${end.toFixed(0)}.`)
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
  if (audio !== null) warnHushed(ends[0] ?? end, end, warnings)
  return end
}

/** Sound that ends long before the picture does: nothing is found after it, and whoever made the file should know. */
function warnHushed(soundEnd: number, end: number, warnings: string[]): void {
  if (end <= soundEnd || !differs(soundEnd, end)) return
  warnings.push(
    `The sound ends at ${soundEnd.toFixed(0)} seconds and the picture at ${end.toFixed(0)}; after that nothing is heard.`,
  )
}

/**
 * How long the file says that its picture and sound are; null when it only states a length of the whole, which
 * subtitles or data that go on longer may explain.
 */
function promisedEnd(probe: ProbeJson, chosen: ChosenStreams, stated: number): number | null {
  const used = [chosen.video, chosen.audio].filter((stream) => stream !== null)
  const own = used.map(streamSeconds).filter((seconds) => seconds !== null)
  if (own.length > 0) return Math.max(...own)
  const indexes = new Set(used.map(({ index }) => index))
  return (probe.streams ?? []).every(({ index }) => indexes.has(index)) ? stated : null
}

/** Half a talk would pass for the whole one: whoever sent it must hear of it, not find out from missing clips. */
function cutOff(end: number, promised: number): AppError {
  return notVideo(
    `The file is cut off: it says that it is ${promised.toFixed(0)} seconds long, and only the first ${end.toFixed(0)} can be read. Copy or download it again; if that is all there is, export that part as a file of its own.`,
  )
}

const differs = (end: number | null, stated: number): boolean =>
  end === null || Math.abs(end - stated) > Math.max(2, stated * 0.02)

/** Only in transport streams: they are joined and recorded on as they are, and each part keeps its own clock. */
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
