/** The appliance's Ed25519 key, with which it issues delegations and service tokens. */
import {
  exportJWK,
  generateKeyPair,
  importJWK,
  SignJWT,
  type CryptoKey,
  type JWK,
  type JWTPayload,
} from 'jose'
import { AppError } from '../../contract/errors.ts'
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

/** How long any token of this appliance lives at most. */
export const MAX_LIFE_SECONDS = 3600

/** A signed token of this appliance for itself. INVALID_REQUEST for a bad subject or life; `what` names it there. */
export async function issueToken(
  services: SigningServices,
  token: { what: string; type: string; subject: string; lifeSeconds: number; claims: JWTPayload },
): Promise<string> {
  const { what, type, subject, lifeSeconds, claims } = token
  if (subject === '' || subject.length > 500)
    throw new AppError('INVALID_REQUEST', 'A subject has 1 to 500 characters.')
  if (!(lifeSeconds >= 1 && lifeSeconds <= MAX_LIFE_SECONDS))
    throw new AppError('INVALID_REQUEST', `A ${what} lives for one second to one hour.`)
  const { id, sign } = await signingKey(services)
  const issuedAt = Math.floor(services.now() / 1000)
  return new SignJWT(claims)
    .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: type, kid: id })
    .setIssuer(ownIssuer(services))
    .setAudience(applianceId(services))
    .setSubject(subject)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifeSeconds)
    .sign(sign)
}
