/** Makes the clip with its padding as a file for browsers, by copying if possible and by encoding otherwise. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { manyChannels } from '../../../server/contract/source-facts.ts'
import { seekingIn, type SourceFacts } from '../../../server/contract/source-facts.ts'
import { secondsToTicks, ticksToSeconds } from '../../../server/contract/time.ts'
import { copyCutArguments, encodeCutArguments } from '../../media/arguments/cut.ts'
import { timingArguments } from '../../media/arguments/probe.ts'
import { runTool } from '../../media/run-tool.ts'
import type { StageContext, StageHandler } from '../context.ts'
import { eachPacket } from '../probe/packets.ts'
import {
  canCopy,
  cutPicture,
  cutStarts,
  scrubPicture,
  type CutStarts,
  type NearFrame,
} from './pure/plan-cut.ts'

type Context = StageContext<'source' | 'probe'>

/** Seconds before the start in which keyframes are searched for. */
const SEARCH_BACK_SECONDS = 13
const FILE = 'cut.mp4'

export const runCut: StageHandler<'cut'> = async (context, params) => {
  const facts = (await context.inputResult('probe')) as SourceFacts
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
  await runTool({
    executable: context.tools.ffmpeg,
    args: copied
      ? copyCutArguments(stretch)
      : encodeCutArguments(stretch, scrub ? scrubPicture(facts) : cutPicture(facts), scrub),
    signal: context.signal,
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
async function findStarts(
  context: Context,
  facts: SourceFacts,
  path: string,
  start: number,
): Promise<CutStarts> {
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
  const { stdout } = await runTool({
    executable: context.tools.ffprobe,
    args: timingArguments(path),
    signal: context.signal,
    timeoutSeconds: 60,
  })
  const { format } = JSON.parse(stdout.toString('utf8')) as {
    format?: { start_time?: string; duration?: string }
  }
  return { start: Number(format?.start_time) || 0, duration: Number(format?.duration) || 0 }
}
