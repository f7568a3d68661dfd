/** The identity of services that call `/internal/...`: OIDC ID tokens of this appliance or of configured providers. */
import {
  createRemoteJWKSet,
  customFetch,
  decodeJwt,
  jwtVerify,
  type JWTPayload,
  type JWTVerifyGetKey,
} from 'jose'
import type { ServiceIdentityProvider } from '../../config/config.ts'
import { findWorkerNode } from '../../db/worker-nodes.ts'
import { AppError } from '../../contract/errors.ts'
import { reachableByAdministrator } from '../../reachable.ts'
import { guardedFetch } from '../../../workers/stages/ingest/guarded-fetch.ts'
import type { Services } from '../services.ts'
import { applianceId } from '../people/sign-in.ts'
import { issueToken, ownIssuer, signingKey, SIGNING_ALGORITHM, type SigningServices } from './signing-key.ts'

const TOLERANCE_SECONDS = 30
const KEYS_MS = 5000
const OUTSIDE_ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519']

/** The claim of a token that a worker node joins with. */
const JOINS = 'node_joins'

export interface ServiceIdentity {
  readonly issuer: string
  readonly subject: string
  /** Of a worker node's own token: which node, and when (epoch seconds) it joined. Opens /internal/worker only. */
  readonly node?: { readonly id: string; readonly since: number }
  /** Of a token that a worker node joins with: it opens nothing but the way to the node's own. */
  readonly joins?: true
}

type Deps = SigningServices & Pick<Services, 'config'>

function refuse(message: string, cause?: unknown): AppError {
  return new AppError('UNAUTHENTICATED', { message, details: { header: 'Authorization' }, cause })
}

/** Throws UNAUTHENTICATED for anything but a live ID token of a known provider, for this appliance, of an allowed subject. */
export async function verifyServiceToken(services: Deps, token: string): Promise<ServiceIdentity> {
  if (token === '') throw refuse('Send a service ID token: "Authorization: Bearer <token>".')
  const issuer = issuerOf(token)
  const own = issuer === ownIssuer(services)
  const provider = own ? null : services.config.serviceIdentity.find((one) => one.issuer === issuer)
  if (!own && provider === undefined) throw refuse('The issuer of this token is not known here.')
  const common = { issuer, clockTolerance: TOLERANCE_SECONDS, currentDate: new Date(services.now()) }
  const requiredClaims = ['sub', 'iat', 'exp']
  try {
    if (provider === null || provider === undefined) {
      const { verify } = await signingKey(services)
      const audience = applianceId(services)
      const { payload } = await jwtVerify(token, verify, {
        ...common,
        audience,
        requiredClaims,
        typ: 'JWT',
        algorithms: [SIGNING_ALGORITHM],
      })
      const node = nodeOf(payload)
      if (node !== null && (findWorkerNode(services.db, node.id)?.revokedAt ?? null) !== null)
        throw refuse('This worker node was removed from the appliance; start it again with a new token.')
      const use = node === null ? (payload[JOINS] === true ? ({ joins: true } as const) : {}) : { node }
      return { issuer, subject: payload.sub ?? '', ...use }
    }
    const { audience, subjects } = provider
    const { payload } = await jwtVerify(token, remoteKeys(services.config, provider), {
      ...common,
      audience,
      requiredClaims,
      algorithms: OUTSIDE_ALGORITHMS,
    })
    const names = [payload.sub, payload['email_verified'] === true ? payload['email'] : undefined]
    const subject = names.find((name) => typeof name === 'string' && subjects.includes(name))
    if (subject === undefined) throw refuse('This service may not call here.')
    return { issuer, subject: subject as string }
  } catch (error) {
    if (error instanceof AppError) throw error
    throw refuse('The service token is not valid for this appliance.', error)
  }
}

function nodeOf(payload: JWTPayload): { id: string; since: number } | null {
  const { node_id: id, node_since: since } = payload
  return typeof id === 'string' && typeof since === 'number' ? { id, since } : null
}

function issuerOf(token: string): string {
  try {
    if (token.length > 16_384) throw new Error('too long')
    return decodeJwt(token).iss ?? ''
  } catch (cause) {
    throw refuse('The service token is not a signed token.', cause)
  }
}

const remote = new WeakMap<ServiceIdentityProvider, JWTVerifyGetKey>()

/** A provider's keys, fetched when they are first needed and again when an unknown one turns up. */
function remoteKeys(config: Deps['config'], provider: ServiceIdentityProvider): JWTVerifyGetKey {
  const keys =
    remote.get(provider) ??
    createRemoteJWKSet(new URL(provider.jwksUri), {
      timeoutDuration: KEYS_MS,
      [customFetch]: guardedFetch(reachableByAdministrator(config), KEYS_MS / 1000),
    })
  remote.set(provider, keys)
  return keys
}

/** Issues an ID token of this appliance's own for a service. INVALID_REQUEST for a bad subject or life. */
export function issueServiceToken(
  services: SigningServices,
  input: {
    subject: string
    lifeSeconds: number
    /** The token of a worker node, which gives access to nothing else. */
    node?: ServiceIdentity['node']
    /** One that a worker node joins with, which gives access to nothing but that. */
    joins?: boolean
  },
): Promise<string> {
  const { subject, lifeSeconds, node, joins = false } = input
  const own = joins ? { [JOINS]: true } : {}
  const claims = node === undefined ? own : { node_id: node.id, node_since: node.since }
  return issueToken(services, { what: 'service token', type: 'JWT', subject, lifeSeconds, claims })
}
