/** Makes the clip with its padding as a file for browsers, by copying if possible and by encoding otherwise. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  manyChannels,
  seekingIn,
  type SourceFacts,
  type VideoFacts,
} from '../../../server/contract/source-facts.ts'
import {
  secondsToTicks,
  ticksToSeconds,
  rationalToNumber,
  timesRaised,
} from '../../../server/contract/time.ts'
import { copyCutArguments, encodeCutArguments, type CutPicture } from '../../media/arguments/cut.ts'
import { timingArguments } from '../../media/arguments/probe.ts'
import { readByFfprobe, runFfmpeg } from '../../media/run-tool.ts'
import type { StageContext, StageHandler } from '../context.ts'
import { eachPacket, type Packet } from '../probe/packets.ts'
import { readResult } from '../read-results.ts'
import { hdrColours } from '../../../server/contract/colour-matrix.ts'

type Context = StageContext<'source' | 'probe'>

/** Seconds before the start in which keyframes are searched for. */
const SEARCH_BACK_SECONDS = 13
const FILE = 'cut.mp4'

export const runCut: StageHandler<'cut'> = async (context, params) => {
  const facts = await readResult(context, 'probe')
  const path = context.input('source')
  const start = Math.max(0, ticksToSeconds(params.start))
  const end = Math.min(ticksToSeconds(params.end), ticksToSeconds(facts.duration))
  const starts = await findStarts(context, facts, path, start)
  const scrub = params.scrub === true
  const copied = !scrub && starts.keyFrame !== null && canCopy(facts)
  const from = (copied ? starts.keyFrame : starts.frame) ?? start
  const output = join(context.folder, FILE)
  const duration = Math.max(0.04, end - from)
  const stretch = {
    path,
    output,
    start: from,
    duration,
    videoStream: facts.video?.streamIndex ?? null,
    audioStream: facts.audio?.streamIndex ?? null,
    ...manyChannels(facts.audio),
    ...seekingIn(facts),
    pictureStart: ticksToSeconds(facts.video?.startTime ?? 0),
  }
  const args = copied
    ? copyCutArguments(stretch)
    : encodeCutArguments(stretch, scrub ? scrubPicture(facts) : cutPicture(facts), scrub)
  await runFfmpeg(context, args, {
    stallSeconds: 180,
    onProgress: (done) => context.progress(Math.min(1, done / duration), copied ? 'Copying' : 'Encoding'),
  })
  const made = await timing(context, output)
  return {
    file: FILE,
    bytes: (await stat(output)).size,
    sourceStart: secondsToTicks(from),
    duration: secondsToTicks(made.duration),
    copied,
  }
}

/** Frames around the start, read as packets without decoding. */
async function findStarts(context: Context, facts: SourceFacts, path: string, start: number) {
  if (facts.video === null) return { keyFrame: null, frame: null }
  const zero = (await timing(context, path)).start
  const rate = facts.video.frameRate
  const frames: NearFrame[] = []
  const packets = Math.ceil((SEARCH_BACK_SECONDS + 2) * Math.max(30, rate.numerator / rate.denominator))
  const source = { ffprobe: context.tools.ffprobe, path, signal: context.signal }
  const interval = { from: zero + Math.max(0, start - SEARCH_BACK_SECONDS), packets }
  await eachPacket(source, facts.video.streamIndex, [interval], (packet) => {
    frames.push({ time: packet.time - zero, keyFrame: packet.keyFrame })
  })
  return cutStarts(frames, start)
}

/** Start and duration of a container, in seconds on its own clock. */
async function timing(context: Context, path: string): Promise<{ start: number; duration: number }> {
  type Facts = { format?: { start_time?: string; duration?: string } }
  const { format } = await readByFfprobe<Facts>(context, timingArguments(path))
  return { start: Number(format?.start_time) || 0, duration: Number(format?.duration) || 0 }
}

/** Containers in which seeking is accurate. */
const SEEKABLE = new Set(['mp4', 'mov', 'matroska'])
const COPY_AUDIO = new Set(['aac', 'mp3'])
/** If the keyframe or the held picture lies further back than this, the cut would begin too early, so it is encoded. */
const MAX_BACK_SECONDS = 12
const MAX_SIDE = 1920
const MAX_FRAME_RATE = 30
/** Short side of files for scrubbing, which is the size of the editor's preview. */
const SCRUB_SIDE = 540

/** Whether browsers can play the source's streams unchanged. */
export function canCopy(facts: SourceFacts): boolean {
  const { video, audio } = facts
  if (video === null || !SEEKABLE.has(facts.container)) return false
  const picture = video.codec === 'h264' && video.pixelFormat === 'yuv420p' && video.bitsPerSample === 8
  return picture && !video.interlaced && !video.hdr && (audio === null || COPY_AUDIO.has(audio.codec))
}

type NearFrame = Omit<Packet, 'end'>

/**
 * The last keyframe and the last frame at or before the start, null where they are too far back, from frames in any order with
 * half a millisecond of tolerance for rounding. Seconds from the source's time 0.
 */
export function cutStarts(frames: readonly NearFrame[], start: number) {
  const before = frames.filter(({ time }) => time <= start + 0.0005)
  const latest = (list: readonly NearFrame[]): number | null =>
    list.reduce<number | null>((best, { time }) => (best === null || time > best ? time : best), null)
  const near = (time: number | null) => (time !== null && start - time <= MAX_BACK_SECONDS ? time : null)
  return { keyFrame: near(latest(before.filter((frame) => frame.keyFrame))), frame: near(latest(before)) }
}

/** Size and rate of an encoded cut: at most 1920 on the long side and 30 frames per second; null without video. */
export function cutPicture({ video }: SourceFacts): CutPicture | null {
  return video === null ? null : fitPicture(video, MAX_SIDE / Math.max(video.width, video.height))
}

/** The same for a cut for scrubbing: at most 540 on the short side. */
export function scrubPicture({ video }: SourceFacts): CutPicture | null {
  return video === null ? null : fitPicture(video, SCRUB_SIDE / Math.min(video.width, video.height))
}

function fitPicture(video: VideoFacts, wanted: number): CutPicture {
  const shrink = Math.min(1, wanted)
  const even = (side: number): number => Math.max(2, 2 * Math.round((side * shrink) / 2))
  const { numerator, denominator } = video.frameRate
  // 50 becomes 25 and 59.94 becomes 29.97, so that frames are dropped evenly.
  const divide = Math.max(1, Math.ceil(rationalToNumber(video.frameRate) / MAX_FRAME_RATE - 0.01))
  return {
    width: even(video.width),
    height: even(video.height),
    rate: `${numerator * timesRaised(video.frameRate)}/${denominator * divide}`,
    interlaced: video.interlaced,
    hdr: video.hdr,
    ...hdrColours(video),
  }
}
