/** The finished clip as a platform takes it: as it is where it fits, encoded once more where it does not. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import { AppError } from '../../contract/errors.ts'
import type { Home } from '../../home.ts'
import { fitArguments, FIT_AUDIO_KILOBITS } from '../../../workers/media/arguments/fit.ts'
import { freeBytes } from '../../../workers/media/disk.ts'
import { runTool } from '../../../workers/media/run-tool.ts'
import { chooseStreams } from '../../../workers/stages/probe/pure/facts.ts'
import { numberOf } from '../../../workers/stages/probe/pure/probe-json.ts'
import { readFacts } from '../../../workers/stages/probe/look.ts'
import type { ToolPaths } from '../../../workers/protocol.ts'
import { mediaTools } from '../media-tools.ts'
import type { PlatformLimits } from '../../contract/platforms/platform.ts'
import type { SocialMedia } from './adapter.ts'
import { socialFailure } from './failure.ts'
import { inTemporaryFolder } from './temporary-folder.ts'

export interface MediaRequest {
  /** For people: `YouTube`. */
  readonly label: string
  readonly limits: PlatformLimits
  readonly config: Config
  readonly home: Home
  readonly file: string
  /** Where the file could be fetched from outside; null: nowhere. */
  readonly address: string | null
  readonly signal: AbortSignal
}

/** `use` gets the file; one that was made for it is removed afterwards. Throws socialFailure `rejected`, DISK_FULL. */
export async function prepareMedia<T>(
  request: MediaRequest,
  use: (media: SocialMedia) => Promise<T>,
): Promise<T> {
  const { config, home, file, limits, label, signal, address } = request
  const tools = (await mediaTools(config)).paths
  const facts = await factsOf(tools, file, signal)
  const fit = fitMedia(facts, limits)
  if (fit.kind === 'refused') throw socialFailure('rejected', `${label} refuses the video: ${fit.why}.`)
  if (fit.kind === 'as-it-is') return use({ file, ...facts, mediaType: 'video/mp4', address })
  return inTemporaryFolder(home, async (folder) => {
    const made = join(folder, 'clip.mp4')
    if ((await freeBytes(home.temporary)) < limits.video.bytes) throw new AppError('DISK_FULL')
    const { width, height, videoKilobits } = fit
    const args = fitArguments({ input: file, output: made, width, height, videoKilobits })
    await runTool({ executable: tools.ffmpeg, args, signal, stallSeconds: 300 })
    const found = await factsOf(tools, made, signal)
    const again = fitMedia(found, limits)
    if (again.kind !== 'as-it-is')
      throw socialFailure('rejected', `The video could not be made to fit what ${label} takes.`)
    return use({ file: made, ...found, mediaType: 'video/mp4', address: null })
  })
}

const known = new Map<string, MediaFacts>()
const KNOWN_AT_MOST = 500

/** Inspected once per version of a file, so that a retried post does not inspect it again. */
async function factsOf(tools: ToolPaths, file: string, signal: AbortSignal): Promise<MediaFacts> {
  const { size, mtimeMs } = await stat(file)
  const name = JSON.stringify([file, size, mtimeMs])
  const facts = known.get(name) ?? (await inspect(tools, file, size, signal))
  if (known.size >= KNOWN_AT_MOST) known.clear()
  known.set(name, facts)
  return facts
}

async function inspect(
  tools: ToolPaths,
  file: string,
  size: number,
  signal: AbortSignal,
): Promise<MediaFacts> {
  const probe = await readFacts({ tools, signal }, file)
  const { video } = chooseStreams(probe)
  const seconds = numberOf(probe.format?.duration) ?? 0
  const { width = 0, height = 0 } = video ?? {}
  if (width === 0 || height === 0 || seconds === 0)
    throw new AppError('INVALID_STATE', 'The rendered file cannot be read; render the clip again.')
  return { bytes: size, seconds, width, height }
}

export interface MediaFacts {
  readonly bytes: number
  readonly seconds: number
  readonly width: number
  readonly height: number
}

export type Fit =
  | { readonly kind: 'as-it-is' }
  | {
      readonly kind: 'encode'
      readonly width: number
      readonly height: number
      readonly videoKilobits: number
    }
  /** A sentence without the platform's name. */
  | { readonly kind: 'refused'; readonly why: string }

/** Below this bit rate a phone's picture falls apart; the clip is then reported as too long. */
const MIN_KILOBITS = 500
/** Of the bytes that are allowed: containers take some too, and encoders miss their aim by a little. */
const SHARE = 0.92

const even = (value: number): number => Math.max(2, Math.round(value / 2) * 2)

export function fitMedia(facts: MediaFacts, { video }: Pick<PlatformLimits, 'video'>): Fit {
  const { bytes, seconds, width, height } = facts
  const refused = (why: string): Fit => ({ kind: 'refused', why })
  const { least, most } = video.seconds
  if (seconds < least - 0.05 || seconds > most + 0.05)
    return refused(`it takes videos of ${least} to ${most} seconds, and this one has ${seconds.toFixed(1)}`)
  const aspect = width / height
  if (aspect < video.aspect.least - 0.005 || aspect > video.aspect.most + 0.005)
    return refused(`it does not take a video of ${width}x${height}`)
  if (Math.min(width, height) < video.shortSide)
    return refused(`it takes ${video.shortSide} pixels at least, and this one is ${width}x${height}`)
  const scale = Math.min(1, video.longSide / Math.max(width, height))
  if (bytes <= video.bytes && scale === 1) return { kind: 'as-it-is' }
  const allowed = (video.bytes * 8 * SHARE) / seconds / 1000 - FIT_AUDIO_KILOBITS
  if (allowed < MIN_KILOBITS)
    return refused(`it takes ${Math.round(video.bytes / 1e6)} MB, too few for ${Math.round(seconds)} seconds`)
  const now = (bytes * 8) / seconds / 1000
  const videoKilobits = Math.floor(Math.min(allowed, Math.max(now, MIN_KILOBITS)))
  return { kind: 'encode', width: even(width * scale), height: even(height * scale), videoKilobits }
}
