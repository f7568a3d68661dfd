/** Whether videos on web pages (YouTube and the like) can be sources here. */
import type { Config } from '../../config/config.ts'
import type { Stages } from '../../../workers/stages/catalog.ts'
import type { ParamsOf } from '../../../workers/stages/declare.ts'

/** The user's own yt-dlp, or a sentence that says what to do. It connects to sites itself, so not with the network off. */
export function pageSources(
  config: Pick<Config, 'network' | 'ytDlp'>,
): NonNullable<ParamsOf<Stages['ingest']>['pages']> {
  if (config.network === 'off')
    return { refusal: 'Videos on web pages are not fetched: the network is off (CUTROOM_NETWORK).' }
  if (config.ytDlp !== null) return { ytDlp: config.ytDlp }
  const refusal =
    'Videos on web pages are fetched by yt-dlp: install it, so that it is on the PATH or CUTROOM_YT_DLP ("ytDlp" in config.json) names it, and start the appliance again.'
  return { refusal }
}
