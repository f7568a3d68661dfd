/** Delegations: signed, short-lived words of an issuer that a client acts for a tenant (docs/domain-api.md). */
import { randomUUID } from 'node:crypto'
import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  jwtVerify,
  type JSONWebKeySet,
  type JWTPayload,
} from 'jose'
import { AppError } from '../../contract/errors.ts'
import { getTrustedIssuer } from '../../db/clients.ts'
import { requireCompany } from '../people/companies.ts'
import { applianceId } from '../people/sign-in.ts'
import { requireClient } from './clients.ts'
import { issueToken, MAX_LIFE_SECONDS, ownIssuer, signingKey, type SigningServices } from './signing-key.ts'

const TYPE = 'delegation+jwt'
const ALGORITHMS = ['EdDSA', 'Ed25519', 'ES256']
/** Clocks of two machines differ. */
const TOLERANCE_SECONDS = 30
/** Longer ones are not looked at. */
const MAX_TOKEN_LENGTH = 8192

/** The claims of a verified delegation. */
export interface Delegation {
  readonly issuer: string
  /** The principal for which the client calls. */
  readonly subject: string
  /** The tenant. */
  readonly companyId: string
  /** The calling OAuth client. */
  readonly clientId: string
  readonly scopes: readonly string[]
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

function refuse(message: string, cause?: unknown): AppError {
  return new AppError('UNAUTHENTICATED', { message, details: { header: 'X-Service-Delegation' }, cause })
}

/** Throws UNAUTHENTICATED for anything but a sound, live delegation of a trusted issuer to this appliance. */
export async function verifyDelegation(services: SigningServices, token: string): Promise<Delegation> {
  if (token === '') throw refuse('Send the delegation in the header X-Service-Delegation.')
  const { issuer, keyOf, companies } = await keysFor(services, token)
  try {
    const { payload } = await jwtVerify(token, keyOf, {
      issuer,
      audience: applianceId(services),
      typ: TYPE,
      algorithms: ALGORITHMS,
      clockTolerance: TOLERANCE_SECONDS,
      currentDate: new Date(services.now()),
      requiredClaims: ['sub', 'org', 'azp', 'iat', 'exp', 'jti'],
      // Refuses tokens with a time of issue in the future, which would live an hour longer than that.
      maxTokenAge: MAX_LIFE_SECONDS,
    })
    const delegation = read(payload, issuer)
    if (companies !== null && !companies.includes(delegation.companyId))
      throw refuse('The issuer of this delegation may not speak for this organization.')
    return delegation
  } catch (error) {
    if (error instanceof AppError) throw error
    if (error instanceof errors.JWTExpired) throw refuse('The delegation has expired; have a new one issued.')
    throw refuse('The delegation is not valid for this appliance.', error)
  }
}

type KeyOf = ReturnType<typeof createLocalJWKSet>

/** The keys of the issuer that the token names. Nothing in it is verified yet. */
async function keysFor(
  services: SigningServices,
  token: string,
): Promise<{ issuer: string; keyOf: KeyOf; companies: readonly string[] | null }> {
  let issuer: unknown
  try {
    if (token.length > MAX_TOKEN_LENGTH) throw new Error('too long')
    decodeProtectedHeader(token)
    issuer = decodeJwt(token).iss
  } catch (cause) {
    throw refuse('X-Service-Delegation is not a signed token.', cause)
  }
  if (issuer === ownIssuer(services)) {
    const { publicJwk } = await signingKey(services)
    return { issuer, keyOf: createLocalJWKSet({ keys: [publicJwk] }), companies: null }
  }
  const trusted = typeof issuer === 'string' ? getTrustedIssuer(services.db, issuer) : null
  if (trusted === null) throw refuse('The issuer of this delegation is not trusted here.')
  const keyOf = createLocalJWKSet(trusted.jwks as JSONWebKeySet)
  return { issuer: trusted.issuer, keyOf, companies: trusted.companies }
}

function read(payload: JWTPayload, issuer: string): Delegation {
  const { sub, org, azp, iat = 0, exp = 0, jti, scope } = payload as JWTPayload & Record<string, unknown>
  const texts = [sub, org, azp, jti]
  if (!texts.every((value) => typeof value === 'string' && value !== '' && value.length <= 500))
    throw refuse('The delegation lacks one of sub, org, azp and jti.')
  if (exp - iat > MAX_LIFE_SECONDS) throw refuse('A delegation may live for one hour at most.')
  return {
    issuer,
    subject: sub as string,
    companyId: org as string,
    clientId: azp as string,
    scopes: typeof scope === 'string' ? scope.split(' ').filter((one) => one !== '') : [],
    expiresAt: exp * 1000,
  }
}

/** Issues a delegation of this appliance's own. COMPANY_NOT_FOUND, NOT_FOUND (no such client), INVALID_REQUEST (its life). */
export async function issueDelegation(
  services: SigningServices,
  input: { clientId: string; companyId: string; subject: string; lifeSeconds: number; scopes?: string[] },
): Promise<string> {
  requireCompany(services, input.companyId)
  requireClient(services, input.clientId)
  const scope = (input.scopes ?? []).join(' ')
  const claims = { org: input.companyId, azp: input.clientId, jti: randomUUID() }
  return issueToken(services, {
    what: 'delegation',
    type: TYPE,
    subject: input.subject,
    lifeSeconds: input.lifeSeconds,
    claims: scope === '' ? claims : { ...claims, scope },
  })
}
