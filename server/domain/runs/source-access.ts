/** Access to sources: user and password of an address, stored encrypted, and the program that reads web pages. */
import type { RunSource } from '../../contract/run.ts'
import type { Home } from '../../home.ts'
import { openSecret, sealSecret } from '../../secrets.ts'
import { splitUserInfo } from './source-url.ts'
import type { Config } from '../../config/config.ts'
import type { Stages } from '../../../workers/stages/catalog.ts'
import type { ParamsOf } from '../../../workers/stages/declare.ts'

const PURPOSE = 'source-access'

/** The source as it may be stored. */
export function sealAccess(home: Pick<Home, 'root'>, source: RunSource): RunSource {
  if (source.kind === 'file') return source
  const { url, userInfo } = splitUserInfo(source.url)
  return userInfo === null ? source : { kind: 'url', url, access: sealSecret(home, PURPOSE, userInfo) }
}

/** `user:password` of the source's address; null: it has none, or the key is lost. Throws SECRETS_KEY_UNAVAILABLE. */
export function openAccess(home: Pick<Home, 'root'>, source: RunSource): string | null {
  return source.kind === 'url' && source.access !== undefined
    ? openSecret(home, PURPOSE, source.access)
    : null
}

/** Where an owner has turned it off (domain/settings/web-videos.ts). */
export const TURNED_OFF = {
  refusal: 'Videos on web pages are not fetched: an owner has turned that off under Settings, Appliance.',
}

/** The user's own yt-dlp, or a sentence with what to do. It connects to sites itself, so not with the network off. */
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
