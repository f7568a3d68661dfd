/** What a build of ffmpeg can do here, found out by having it do it. Its version decides nothing. */
import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Writable } from 'node:stream'
import type { ToolPaths } from '../protocol.ts'
import {
  GAINFUL_FILTERS,
  TRIAL_CODECS,
  type FfmpegAbilities,
  type TrialCodec,
} from './arguments/choose-ffmpeg.ts'
import {
  processorSeconds,
  TRIAL_CLIP,
  TRIAL_FRAMES,
  TRIAL_TIMES,
  trialClipArguments,
  trialDecodeArguments,
  trialPipeArguments,
} from './arguments/ffmpeg-trials.ts'
import { HARDWARE_WAYS } from './arguments/hardware-encoders.ts'
import { lacking } from './arguments/needs.ts'
import { factsArguments } from './arguments/probe.ts'
import { detectDialect } from './dialect.ts'
import { describeTrials, tryEncoders, type EncoderPreference } from './encoder-probe.ts'
import { isBrokenPipe } from './pipes.ts'
import { readByFfprobe, runTool } from './run-tool.ts'
import { readCapabilities } from './tools.ts'

export interface TrialPlace {
  /** The folder of the trial films. */
  readonly films: string
  /** Where a folder for the trial clip is made, and removed again. */
  readonly temporary: string
}

const TRIAL_SECONDS = 60

/** Why these tools cannot make clips; null when they can. */
export async function findProblem(tools: ToolPaths, place: TrialPlace): Promise<string | null> {
  try {
    const missing = lacking(await readCapabilities(tools.ffmpeg))
    if (missing.length > 0) return `it was built without ${missing.join(', ')}`
    return (await makeTrialClip(tools, place)) ?? (await readTrialPipe(tools.ffmpeg, place))
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

async function makeTrialClip(tools: ToolPaths, { films, temporary }: TrialPlace): Promise<string | null> {
  const dialect = await detectDialect(tools.ffmpeg)
  await mkdir(temporary, { recursive: true })
  const folder = await mkdtemp(join(temporary, 'ffmpeg-trial-'))
  try {
    const clip = join(folder, 'clip.mp4')
    const args = trialClipArguments(filmOf(films, 'h264'), clip, dialect)
    await runTool({ executable: tools.ffmpeg, args, timeoutSeconds: TRIAL_SECONDS })
    const { streams } = await readByFfprobe<{ streams: Record<string, string | number>[] }>(
      { tools, signal: new AbortController().signal },
      factsArguments(clip),
    )
    const made = streams.map(({ codec_name, width, height, nb_frames }) =>
      codec_name === 'h264' ? `${width}x${height}, ${nb_frames} frames` : codec_name,
    )
    const { width, height, frames } = TRIAL_CLIP
    const wanted = [`${width}x${height}, ${frames} frames`, 'aac']
    return made.join() === wanted.join()
      ? null
      : `its trial clip has ${made.join(' and ')}, not ${wanted.join(' and ')}`
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function readTrialPipe(ffmpeg: string, { films }: TrialPlace): Promise<string | null> {
  const send = async (pipe: Writable): Promise<void> => {
    try {
      await pipeline(createReadStream(filmOf(films, 'h264')), pipe)
    } catch (error) {
      if (!isBrokenPipe(error)) throw error
    }
  }
  const args = trialPipeArguments()
  const { stdout } = await runTool({
    executable: ffmpeg,
    args,
    inputs: [send],
    timeoutSeconds: TRIAL_SECONDS,
  })
  const frames = stdout
    .toString('utf8')
    .split('\n')
    .filter((line) => /^\d/.test(line)).length
  return frames === TRIAL_FRAMES ? null : `it read ${frames} frames of ${TRIAL_FRAMES} from a pipe`
}

/** Takes seconds. What does not work is left out, and nothing is thrown for it. */
export async function measureAbilities(
  ffmpeg: string,
  { films }: Pick<TrialPlace, 'films'>,
  encoder: EncoderPreference,
): Promise<FfmpegAbilities> {
  const { filters } = await readCapabilities(ffmpeg)
  const speeds: Partial<Record<TrialCodec, number | null>> = {}
  for (const codec of TRIAL_CODECS) speeds[codec] = await measureDecoding(ffmpeg, films, codec)
  return {
    ...(await findHardware(ffmpeg, encoder)),
    framesPerSecond: { av1: speeds.av1 ?? null, h264: speeds.h264 ?? null },
    filters: GAINFUL_FILTERS.filter((name) => filters.has(name)),
  }
}

/** The part of the abilities that depends on drivers and cards. */
export async function findHardware(
  ffmpeg: string,
  encoder: EncoderPreference,
): Promise<Pick<FfmpegAbilities, 'hardware' | 'encoders'>> {
  const found = await tryEncoders(ffmpeg, encoder, { all: true })
  const working = found.trials.filter(({ works }) => works).map(({ way }) => HARDWARE_WAYS[way].setting)
  return { hardware: [...new Set(working)], encoders: describeTrials(found) }
}

/** Frames in a second of the processor, which other work on the machine does not change; null: it cannot decode this. */
async function measureDecoding(ffmpeg: string, films: string, codec: TrialCodec): Promise<number | null> {
  const times = TRIAL_TIMES[codec]
  const args = trialDecodeArguments(filmOf(films, codec), times)
  try {
    const { stderr } = await runTool({ executable: ffmpeg, args, timeoutSeconds: TRIAL_SECONDS })
    const seconds = processorSeconds(stderr)
    return seconds === null ? null : Math.round((TRIAL_FRAMES * times) / Math.max(seconds, 0.001))
  } catch {
    // It lacks the decoder, or does not get through two seconds of film in a minute.
    return null
  }
}

/** A trial film. */
export const filmOf = (folder: string, codec: TrialCodec): string => join(folder, `${codec}.mkv`)
