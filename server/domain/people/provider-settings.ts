/** The studio's own identity provider, as an owner has set it up; its secret is sealed with the home's key. */
import { AppError, invalidRequest } from '../../contract/errors.ts'
import type { ProviderRequest, ProviderSettings } from '../../contract/sign-in.ts'
import { deleteSetting, getSetting, setSetting } from '../../db/settings.ts'
import { isThisMachine } from '../../reachable.ts'
import { openSecret, recordKey, sealSecret } from '../../secrets.ts'
import type { DbServices, HomeServices } from '../services.ts'

/** The setting that holds the provider, and what its client secret is sealed for. */
const PROVIDER_SETTING = 'sign-in-provider'

/** As it is stored. */
export interface Provider extends Omit<ProviderSettings, 'hasSecret'> {
  /** Null: a client without a secret, for which PKCE alone speaks. */
  readonly sealedSecret: string | null
}

/** The provider; null: none is set up. */
export function readProvider(services: DbServices): Provider | null {
  const stored = getSetting(services.db, PROVIDER_SETTING)
  return stored === null ? null : (JSON.parse(stored) as Provider)
}

/** The provider without its secret; null: none. */
export function describeProvider(services: DbServices): ProviderSettings | null {
  const provider = readProvider(services)
  if (provider === null) return null
  const { sealedSecret, ...shown } = provider
  return { ...shown, hasSecret: sealedSecret !== null }
}

/** The address of an issuer, without a slash that was typed after it by habit. INVALID_REQUEST. */
function issuerOf(given: string): string {
  const text = given.trim().replace(/\/\.well-known\/openid-configuration$/, '')
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !['https:', 'http:'].includes(url.protocol) || url.search !== '' || url.hash !== '')
    throw invalidRequest(
      'issuer',
      'The issuer is an address such as https://login.example.com/realms/studio.',
    )
  if (url.protocol === 'http:' && !isThisMachine(url.hostname))
    throw invalidRequest(
      'issuer',
      'The issuer begins with https://, unless the provider runs on this machine: what it says of people must not be changed on its way.',
    )
  return text
}

/** Stores the provider. An absent secret stays where issuer and client are the same; an empty one is none. INVALID_REQUEST. */
export function saveProvider(services: HomeServices, request: ProviderRequest): ProviderSettings | null {
  const { clientSecret, ...given } = request
  const issuer = issuerOf(given.issuer)
  const scopes = [...new Set(['openid', ...given.scopes.split(/[\s,]+/).filter(Boolean)])].join(' ')
  const before = readProvider(services)
  const same = before?.issuer === issuer && before.clientId === given.clientId
  if (clientSecret === undefined && before?.sealedSecret != null && !same)
    throw invalidRequest('clientSecret', 'Enter the client secret again: it was for another client.')
  const provider: Provider = {
    ...given,
    name: given.name.trim(),
    clientId: given.clientId.trim(),
    issuer,
    scopes,
    sealedSecret:
      clientSecret === undefined
        ? (before?.sealedSecret ?? null)
        : clientSecret === ''
          ? null
          : sealSecret(services.home, PROVIDER_SETTING, clientSecret.trim()),
  }
  setSetting(services.db, PROVIDER_SETTING, JSON.stringify(provider))
  recordKey(services.home, services.db)
  return describeProvider(services)
}

/** Takes the provider away; people who came by it keep their sessions and other ways. */
export function removeProvider(services: DbServices): void {
  deleteSetting(services.db, PROVIDER_SETTING)
}

/** The client's secret; null: it has none. SECRETS_KEY_UNAVAILABLE. */
export function providerSecret(services: HomeServices, { sealedSecret }: Provider): string | null {
  if (sealedSecret === null) return null
  return openSecret(services.home, PROVIDER_SETTING, sealedSecret) ?? lost()
}

function lost(): never {
  throw new AppError('SIGN_IN_REFUSED', 'The client secret of the provider has to be entered again.')
}
