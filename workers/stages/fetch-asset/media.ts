/** Inspects a downloaded video or sound: its streams, length and loudness. */
import { AppError } from '../../../server/contract/errors.ts'
import { colourMatrixOf, unknownPrimaries } from '../../../server/contract/colour-matrix.ts'
import type { SoundAsset, VideoAsset } from '../../../server/contract/composition.ts'
import { secondsToTicks, ticksToSeconds, type Ticks } from '../../../server/contract/time.ts'
import { fileLoudnessArguments } from '../../media/arguments/audio.ts'
import { runFfmpeg } from '../../media/run-tool.ts'
import { stageError, type StageContext } from '../context.ts'
import { decodes, lengthByReading, readFacts } from '../probe/look.ts'
import { frameTimes, realEnd, type PacketSource } from '../probe/packets.ts'
import { chooseStreams, sourceFacts, startSeconds } from '../probe/pure/facts.ts'
import { numberOf, type ProbeJson } from '../probe/pure/probe-json.ts'
import { parseLoudness } from '../render/pure/gain.ts'
import { omitUndefined } from '../../../server/contract/omit-undefined.ts'

type Context = Pick<StageContext, 'tools' | 'signal' | 'warn' | 'progress'>

/** Fraction of the progress bar at which the inspection begins. */
export const INSPECTION_STARTS_AT = 0.8
const STALL_SECONDS = 120

/** Throws SOURCE_NOT_VIDEO, with a sentence, for a file without picture and sound. */
export async function inspectMedia(context: Context, path: string, digest: string, wanted: 'any' | 'sound') {
  context.progress(INSPECTION_STARTS_AT, 'Looking at the file')
  const probe = await readFacts(context, path)
  const stated = chooseStreams(probe)
  const streams = {
    ...stated,
    video: wanted === 'sound' ? null : await readable(context, path, stated.video, 'video'),
    audio: await readable(context, path, stated.audio, 'audio'),
  }
  if (streams.video === null && streams.audio === null) {
    const missing = wanted === 'sound' ? 'no sound' : 'neither a picture nor sound'
    throw stageError(
      'SOURCE_NOT_VIDEO',
      `There is ${missing} in this file that can be read. Use another file.`,
    )
  }
  const source: PacketSource = { ffprobe: context.tools.ffprobe, path, signal: context.signal }
  const start = startSeconds(probe)
  const stream = (streams.video ?? streams.audio)?.index ?? 0
  const durationSeconds = declaredLength(probe) ?? (await lengthByReading(source, stream, start))
  const times = streams.video === null ? [] : await frameTimes(source, streams.video.index, [start], 120)
  const facts = sourceFacts(probe, streams, { bytes: 0, durationSeconds, frameTimes: times, warnings: [] })
  const end = async (index: number | undefined): Promise<Ticks> =>
    index === undefined ? facts.duration : await streamLength(source, index, start, durationSeconds)
  const audioStream = facts.audio?.streamIndex ?? null
  const decoded = await end(streams.audio?.index)
  const sound =
    audioStream === null
      ? null
      : await measureSound(context, path, { digest, audioStream, duration: decoded })
  if (facts.video === null) return { video: null, sound }
  const { width, height, frameRate, streamIndex, hdr, interlaced, pixelFormat, colourSpace } = facts.video
  const colourMatrix = colourMatrixOf(colourSpace)
  const duration = await end(streams.video?.index)
  const video: VideoAsset = {
    digest,
    width,
    height,
    frameRate,
    duration,
    hasAudio: sound !== null,
    videoStream: streamIndex,
    hdr,
    interlaced,
    opaque: !hasTransparency(pixelFormat),
    ...omitUndefined({ colourMatrix }),
    ...unknownPrimaries(facts.video),
  }
  return { video, sound }
}

async function readable<S extends { readonly index: number }>(
  context: Context,
  path: string,
  stream: S | null,
  kind: 'video' | 'audio',
): Promise<S | null> {
  return stream !== null && (await decodes(context, path, stream.index, kind)) ? stream : null
}

function declaredLength(probe: ProbeJson): number | null {
  const stated = numberOf(probe.format?.duration)
  return stated !== null && stated > 0 ? stated : null
}

/** Where one stream ends: what is repeated or held starts again there, and not at the end of the longest stream. */
async function streamLength(source: PacketSource, index: number, start: number, stated: number) {
  const end = await realEnd(source, index, start, start + stated)
  return secondsToTicks(end === null || end <= start ? stated : end - start)
}

async function measureSound(
  context: Context,
  path: string,
  sound: { readonly digest: string; readonly audioStream: number; readonly duration: Ticks },
): Promise<SoundAsset> {
  const length = Math.max(0.001, ticksToSeconds(sound.duration))
  let decoded = 0
  try {
    const { stderr } = await runFfmpeg(context, fileLoudnessArguments(path, sound.audioStream), {
      stallSeconds: STALL_SECONDS,
      onProgress: (done) => {
        decoded = Math.max(decoded, done)
        const share = Math.min(1, done / length)
        context.progress(INSPECTION_STARTS_AT + (1 - INSPECTION_STARTS_AT) * share, 'Measuring its loudness')
      },
    })
    // The duration of an MP3 is often estimated from its first moments, and that of a video is its picture's. Music that loops
    // must end at its real end.
    const duration = decoded > 0 ? secondsToTicks(decoded) : sound.duration
    return { ...sound, duration, integratedLufs: parseLoudness(stderr).integratedLufs }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'STAGE_FAILED') throw error
    context.warn('The loudness of a fetched sound could not be measured, so its volume is not adjusted.')
    return { ...sound, integratedLufs: null }
  }
}

/** `yuva420p`, `rgba`, `bgra`, `argb`, `gbrap`, `ya8` and their variants with more bits; `pal8` may have it. */
function hasTransparency(pixelFormat: string): boolean {
  return /^(yuva|gbrap|ya\d|rgba|bgra|argb|abgr|pal8)/u.test(pixelFormat)
}
