/** The appliance's Ed25519 key, with which it issues delegations and service tokens. */
import { exportJWK, generateKeyPair, importJWK, type CryptoKey, type JWK } from 'jose'
import { deleteSetting, getSetting, saveSetting } from '../../db/settings.ts'
import { openSecret, sealSecret } from '../../secrets.ts'
import { applianceId } from '../people/sign-in.ts'
import type { DbServices, Services } from '../services.ts'

export type SigningServices = Pick<Services, 'db' | 'home' | 'now'>

const SETTING = 'signing-key'
const PURPOSE = 'signing-key'
export const SIGNING_ALGORITHM = 'EdDSA'

/** The name under which this appliance issues tokens. */
export const ownIssuer = (services: DbServices): string => `urn:cutroom:${applianceId(services)}`

export interface SigningKey {
  readonly id: string
  readonly sign: CryptoKey
  readonly verify: CryptoKey
  /** The public key, for services that verify tokens. */
  readonly publicJwk: JWK
}

const keys = new WeakMap<object, Promise<SigningKey>>()

/**
 * The key, made at its first use. A key that cannot be decrypted any more is replaced, because tokens live for an hour.
 * Throws SECRETS_KEY_UNAVAILABLE where it may become readable again.
 */
export function signingKey(services: SigningServices): Promise<SigningKey> {
  const known = keys.get(services.db)
  if (known !== undefined) return known
  const loading = load(services)
  keys.set(services.db, loading)
  loading.catch(() => keys.delete(services.db))
  return loading
}

async function load(services: SigningServices): Promise<SigningKey> {
  const stored = getSetting(services.db, SETTING)
  const opened = stored === null ? null : openSecret(services.home, PURPOSE, stored)
  if (opened !== null) return fromJwk(JSON.parse(opened) as JWK)
  if (stored !== null) deleteSetting(services.db, SETTING)
  const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true })
  const sealed = sealSecret(services.home, PURPOSE, JSON.stringify(await exportJWK(privateKey)))
  // Of two processes that make one at the same moment, both go on with the one that was stored.
  const storedKey = openSecret(services.home, PURPOSE, saveSetting(services.db, SETTING, sealed))
  if (storedKey === null) throw new Error('the signing key cannot be opened right after it was stored')
  return fromJwk(JSON.parse(storedKey) as JWK)
}

async function fromJwk(jwk: JWK): Promise<SigningKey> {
  const { crv, kty, x = '' } = jwk
  const id = x.slice(0, 16)
  const publicJwk: JWK = { crv: crv ?? '', kty: kty ?? '', x, kid: id, alg: SIGNING_ALGORITHM, use: 'sig' }
  const [sign, verify] = await Promise.all([
    importJWK(jwk, SIGNING_ALGORITHM),
    importJWK(publicJwk, SIGNING_ALGORITHM),
  ])
  return { id, sign: sign as CryptoKey, verify: verify as CryptoKey, publicJwk }
}
