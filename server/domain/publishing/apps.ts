/** The studio's own apps on platforms: an owner enters them in the studio; those of the environment win. */
import { invalidRequest, refuse } from '../../contract/errors.ts'
import { PLATFORMS, type Platform } from '../../contract/post.ts'
import type { ConnectPlatform, PlatformApp } from '../../contract/social-accounts.ts'
import { APP_PLATFORMS, type SocialApp } from '../../config/social.ts'
import { deleteSetting, getSetting, setSetting } from '../../db/settings.ts'
import { openSecret, recordKey, sealSecret } from '../../secrets.ts'
import { ADAPTERS } from '../../adapters/social/registry.ts'
import type { Services } from '../services.ts'

type Deps = Pick<Services, 'config' | 'db' | 'home'>

/** As it is stored; `sealedSecret` is null for an app without one (a public client with PKCE). */
interface StoredApp {
  readonly clientId: string
  readonly sealedSecret: string | null
}

/** The setting of a platform's app, and what its secret is sealed for. */
const settingOf = (platform: Platform): string => `social-app:${platform}`

function readStored({ db }: Pick<Deps, 'db'>, platform: Platform): StoredApp | null {
  const stored = getSetting(db, settingOf(platform))
  return stored === null ? null : (JSON.parse(stored) as StoredApp)
}

/** The app that opens a platform; null: none is known. SECRETS_KEY_UNAVAILABLE, INVALID_STATE where its secret is lost. */
export function socialApp(services: Deps, platform: Platform): SocialApp | null {
  const given = services.config.social.apps[platform]
  if (given !== undefined) return given
  const stored = readStored(services, platform)
  if (stored === null) return null
  const { clientId, sealedSecret } = stored
  if (sealedSecret === null) return { clientId, clientSecret: null }
  const clientSecret =
    openSecret(services.home, settingOf(platform), sealedSecret) ??
    refuse(
      'INVALID_STATE',
      `The secret of the ${ADAPTERS[platform].label} app cannot be read here (a restored home has another key). Enter it again under Publish, Accounts.`,
    )
  return { clientId, clientSecret }
}

/** What is known of a platform's app, without its secret; null: the platform wants none. */
export function describeApp(services: Deps, platform: Platform): PlatformApp | null {
  if (ADAPTERS[platform].way.kind === 'password') return null
  const given = services.config.social.apps[platform]
  if (given !== undefined)
    return { setBy: 'machine', clientId: given.clientId, hasSecret: given.clientSecret !== null }
  const stored = readStored(services, platform)
  if (stored === null) return { setBy: null, clientId: '', hasSecret: false }
  return { setBy: 'studio', clientId: stored.clientId, hasSecret: stored.sealedSecret !== null }
}

/** Every platform with its app. */
export const describeApps = (services: Deps): ConnectPlatform[] =>
  PLATFORMS.map((platform) => ({
    platform,
    label: ADAPTERS[platform].label,
    app: describeApp(services, platform),
  }))

function requireOwnApp(services: Deps, platform: Platform): void {
  const { label } = ADAPTERS[platform]
  if (!APP_PLATFORMS.some((name) => name === platform))
    throw invalidRequest('platform', `${label} is connected with a handle and an app password.`)
  if (services.config.social.apps[platform] !== undefined)
    refuse('INVALID_STATE', `The ${label} app is set by whoever runs the appliance.`)
}

/** Stores the app. An absent secret stays where the id is the same; an empty one is none. INVALID_REQUEST, INVALID_STATE. */
export function saveApp(
  services: Deps,
  platform: Platform,
  given: { readonly clientId: string; readonly clientSecret?: string },
): void {
  requireOwnApp(services, platform)
  const clientId = given.clientId.trim()
  if (clientId === '') throw invalidRequest('clientId', 'The id of the app is needed.')
  const before = readStored(services, platform)
  const secret = given.clientSecret?.trim()
  if (secret === undefined && before?.sealedSecret != null && before.clientId !== clientId)
    throw invalidRequest('clientSecret', 'Enter the secret again: it was for another app.')
  const sealedSecret =
    secret === undefined
      ? (before?.sealedSecret ?? null)
      : secret === ''
        ? null
        : sealSecret(services.home, settingOf(platform), secret)
  setSetting(services.db, settingOf(platform), JSON.stringify({ clientId, sealedSecret } satisfies StoredApp))
  recordKey(services.home, services.db)
}

/** Takes the app away; accounts that were connected by it stay until their access ends. INVALID_STATE. */
export function removeApp(services: Deps, platform: Platform): void {
  requireOwnApp(services, platform)
  deleteSetting(services.db, settingOf(platform))
}
