/** Which delivery profiles the ffmpeg of this appliance can make: each has to make a few frames. */
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportWays, type ExportWay } from '../../workers/media/arguments/export.ts'
import { firstReason } from '../../workers/media/encoder-probe.ts'
import { runTool } from '../../workers/media/run-tool.ts'
import { readCapabilities } from '../../workers/media/tools.ts'
import { AppError } from '../contract/errors.ts'
import type { Profile } from '../contract/profiles/profile.ts'
import type { FfmpegSettings } from './ffmpegs.ts'
import { mediaTools } from './media-tools.ts'

/** An encoder that has not made a few small frames after this many seconds is none that finishes a clip. */
const TRIAL_SECONDS = 30

export type ProfileTrial =
  | {
      readonly available: true
      /** As ffmpeg names it; empty: none is needed. */
      readonly encoder: string
    }
  | { readonly available: false; readonly why: string }

/** Tries the profile with the very options of an export. Throws INVALID_CONFIGURATION when ffmpeg cannot be used at all. */
export async function tryProfile(
  config: FfmpegSettings,
  { delivery, extension }: Pick<Profile, 'delivery' | 'extension'>,
): Promise<ProfileTrial> {
  const ways = delivery.kind === 'words' ? [] : exportWays(delivery)
  if (ways.length === 0) return { available: true, encoder: '' }
  const { ffmpeg } = (await mediaTools(config)).paths
  const folder = await mkdtemp(join(tmpdir(), 'cutroom-trial-'))
  try {
    const reasons: string[] = []
    for (const way of ways) {
      const why = await whyNot(ffmpeg, way, join(folder, `trial.${extension}`))
      if (why === null) return { available: true, encoder: way.encoder }
      reasons.push(why)
    }
    return { available: false, why: `This ffmpeg cannot make it: ${reasons.join('; ')}.` }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Null: it works. */
async function whyNot(ffmpeg: string, way: ExportWay, file: string): Promise<string | null> {
  const built = await readCapabilities(ffmpeg)
  const lacks = [
    ...way.encoders.filter((name) => !built.encoders.has(name)).map((name) => `encoder ${name}`),
    ...way.filters.filter((name) => !built.filters.has(name)).map((name) => `filter ${name}`),
  ]
  if (lacks.length > 0) return `it was built without ${lacks.join(', ')}`
  try {
    await runTool({ executable: ffmpeg, args: way.trial(file), timeoutSeconds: TRIAL_SECONDS })
    return (await stat(file)).size > 0 ? null : `${way.encoder} made nothing`
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return `${way.encoder}: ${firstReason(error).replace(/\.$/, '')}`
  }
}
