/** ffmpeg and ffprobe of this appliance: found once, then remembered. */
import { join } from 'node:path'
import { locateTools, type LocatedTools } from '../../workers/media/tools.ts'
import type { Config } from '../config.ts'

const found = new Map<string, Promise<LocatedTools>>()

/** Where the tools are and what build they are. Throws INVALID_CONFIGURATION that names the tool and the mend. */
export function mediaTools(config: Pick<Config, 'home' | 'ffmpeg' | 'ffprobe'>): Promise<LocatedTools> {
  const { home, ffmpeg, ffprobe } = config
  const name = JSON.stringify([home, ffmpeg, ffprobe])
  const known = found.get(name)
  if (known !== undefined) return known
  const asked = locateTools({ ffmpeg, ffprobe, fallbackFolder: join(home, 'tools') })
  found.set(name, asked)
  // A mended installation is found without a restart.
  asked.catch(() => found.delete(name))
  return asked
}
