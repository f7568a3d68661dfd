/** Whether runs may fetch videos of web pages by the user's own yt-dlp, and whether it is there. */
import { readYtDlpVersion } from '../../adapters/yt-dlp-version.ts'
import { AppError } from '../../contract/errors.ts'
import type { WebVideos, WebVideosTried } from '../../contract/settings.ts'
import { deleteSetting, getSetting, setSetting } from '../../db/settings.ts'
import type { DbServices, Services } from '../services.ts'

/** Set where an owner has turned it off. */
const OFF = 'web-videos-off'

/** An owner has turned it off. */
export const webVideosAreOff = ({ db }: DbServices): boolean => getSetting(db, OFF) !== null

/** Its path is set where the appliance runs only: who may name a program may run one. */
export function describeWebVideos(services: Pick<Services, 'db' | 'config'>): WebVideos {
  const { ytDlp, network } = services.config
  return { program: ytDlp, network, use: !webVideosAreOff(services) }
}

/** Holds from the next run on. */
export function useWebVideos(services: Pick<Services, 'db' | 'config'>, use: boolean): WebVideos {
  if (use) deleteSetting(services.db, OFF)
  else setSetting(services.db, OFF, 'true')
  return describeWebVideos(services)
}

/** Asks it for its version. INVALID_STATE where it is not there. */
export async function tryWebVideos({
  config,
  log,
}: Pick<Services, 'config' | 'log'>): Promise<WebVideosTried> {
  if (config.ytDlp === null) throw new AppError('INVALID_STATE', 'yt-dlp is not installed on this machine.')
  try {
    return { works: true, version: await readYtDlpVersion(config.ytDlp) }
  } catch (error) {
    log.warn('yt-dlp could not be asked for its version', { error })
    return { works: false, version: null }
  }
}
