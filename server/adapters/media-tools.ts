/** ffmpeg and ffprobe of this appliance: chosen once, then remembered. */
import { titleOfOrigin } from '../../workers/media/arguments/choose-ffmpeg.ts'
import type { LocatedTools } from '../../workers/media/tools.ts'
import { compareFfmpegs, findSameFfmpeg, takeFfmpeg, type FfmpegSettings } from './ffmpegs.ts'

const found = new Map<string, Promise<LocatedTools>>()

/** The same name: the same tools. */
export function nameOfTools(config: FfmpegSettings): string {
  const { home, ffmpeg, ffprobe, ffmpegOnPath, encoder, queue } = config
  return JSON.stringify([home, ffmpeg, ffprobe, ffmpegOnPath, encoder, queue])
}

/**
 * Where the tools are and what build they are: the configured one, or the best of those that are here. Throws
 * INVALID_CONFIGURATION that names the tool and the mend, also for an ffmpeg that cannot do what clips need.
 */
export function mediaTools(config: FfmpegSettings): Promise<LocatedTools> {
  const name = nameOfTools(config)
  const known = found.get(name)
  if (known !== undefined) return known
  const pending = chooseTools(config)
  found.set(name, pending)
  // A mended installation is found without a restart.
  pending.catch(() => found.delete(name))
  return pending
}

/** The build with this fingerprint if it is here, whichever would be the best; else as `mediaTools`. */
export async function mediaToolsLike(config: FfmpegSettings, fingerprint: string): Promise<LocatedTools> {
  return (await findSameFfmpeg(config, fingerprint)) ?? (await mediaTools(config))
}

async function chooseTools(config: FfmpegSettings): Promise<LocatedTools> {
  const { tools, taken, reason } = takeFfmpeg(config, await compareFfmpegs(config))
  return { ...tools, paths: { ...tools.paths, chosen: `${titleOfOrigin(taken.origin)}: ${reason}` } }
}
