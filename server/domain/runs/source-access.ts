/** User and password of a run's address: stored encrypted, and added to the address again for the fetch. */
import type { RunSource } from '../../contract/run.ts'
import type { Home } from '../../home.ts'
import { openSecret, sealSecret } from '../../secrets.ts'
import { splitUserInfo } from './source-url.ts'

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
