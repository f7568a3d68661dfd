/**
 * The studio's own identity provider by OpenID Connect: discovery, the authorisation code flow with PKCE, state and nonce,
 * and what it says of a person. By openid-client, behind our guard: it connects only where the appliance may.
 */
import { guardedFetch } from '../../workers/stages/ingest/guarded-fetch.ts'
import { isThisMachine, type Reach } from '../reachable.ts'

export interface ProviderClient {
  readonly issuer: string
  readonly clientId: string
  /** Null: a public client. */
  readonly secret: string | null
  readonly reach: Reach
}

/** What has to come back as it was sent. */
export interface ProviderSecrets {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

const CONNECT_SECONDS = 5
const ANSWER_SECONDS = 10
/** A provider changes its addresses and keys now and then. */
const KNOWN_MS = 5 * 60_000
/** As long nobody looks again at one that did not answer: whoever reaches the studio can begin a sign-in. */
const FAILED_MS = 3000

const library = () => import('openid-client')
type Configuration = Awaited<ReturnType<Awaited<ReturnType<typeof library>>['discovery']>>

const known = new Map<string, { readonly at: number; readonly configuration: Promise<Configuration> }>()

async function discover({ issuer, clientId, secret, reach }: ProviderClient): Promise<Configuration> {
  const client = await library()
  const url = new URL(issuer)
  // Plain HTTP to this machine only; settings hold that too.
  const local = url.protocol === 'http:' && isThisMachine(url.hostname)
  const fetchGuarded = guardedFetch(reach, CONNECT_SECONDS)
  const execute = local ? [client.allowInsecureRequests] : []
  const found = await client.discovery(url, clientId, undefined, client.None(), {
    execute,
    [client.customFetch]: fetchGuarded,
    timeout: ANSWER_SECONDS,
  })
  const server = found.serverMetadata()
  const methods = server.token_endpoint_auth_methods_supported
  const basic = methods === undefined || methods.includes('client_secret_basic')
  const auth =
    secret === null
      ? client.None()
      : basic
        ? client.ClientSecretBasic(secret)
        : client.ClientSecretPost(secret)
  const configuration = new client.Configuration(server, clientId, undefined, auth)
  configuration[client.customFetch] = fetchGuarded
  configuration.timeout = ANSWER_SECONDS
  if (local) client.allowInsecureRequests(configuration)
  // The signature of ID tokens is checked, though they come from the provider itself.
  client.enableNonRepudiationChecks(configuration)
  return configuration
}

async function configurationOf(access: ProviderClient): Promise<Configuration> {
  const key = JSON.stringify(access)
  const before = known.get(key)
  if (before !== undefined && performance.now() - before.at < KNOWN_MS) return before.configuration
  const configuration = discover(access)
  known.clear()
  known.set(key, { at: performance.now(), configuration })
  configuration.catch(() => setTimeout(() => known.delete(key), FAILED_MS).unref())
  return configuration
}

/** The provider's address that a browser is sent to, and what has to come back. Throws network and protocol errors. */
export async function beginAuthorisation(
  access: ProviderClient,
  { redirectUri, scopes }: { readonly redirectUri: string; readonly scopes: string },
): Promise<{ readonly address: string; readonly secrets: ProviderSecrets }> {
  const client = await library()
  const configuration = await configurationOf(access)
  const secrets: ProviderSecrets = {
    state: client.randomState(),
    nonce: client.randomNonce(),
    verifier: client.randomPKCECodeVerifier(),
  }
  const address = client.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: scopes,
    state: secrets.state,
    nonce: secrets.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(secrets.verifier),
    code_challenge_method: 'S256',
  })
  return { address: address.href, secrets }
}

export type Claims = Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string }

/**
 * What the provider says of whoever comes back: the claims of the ID token, with those of its page about people where
 * `lacks` says that something is missing. `callback`: the address that was come back to. Throws what is not right.
 */
export async function finishAuthorisation(
  access: ProviderClient,
  callback: URL,
  secrets: ProviderSecrets,
  lacks: (claims: Claims) => boolean,
): Promise<Claims> {
  const client = await library()
  const configuration = await configurationOf(access)
  const tokens = await client.authorizationCodeGrant(configuration, callback, {
    pkceCodeVerifier: secrets.verifier,
    expectedState: secrets.state,
    expectedNonce: secrets.nonce,
    idTokenExpected: true,
  })
  const claims = tokens.claims() as Claims | undefined
  if (claims === undefined) throw new Error('the provider sent no ID token')
  if (!lacks(claims) || configuration.serverMetadata().userinfo_endpoint === undefined) return claims
  const more = await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
  return { ...more, ...claims }
}

/** Whether the person, or the provider, has said no. */
export const isDeclined = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR'

/** What discovery has found. Throws network and protocol errors; nothing that was known before is used. */
export async function lookAtProvider(access: ProviderClient): Promise<{
  readonly issuer: string
  readonly pkce: boolean
  readonly scopes: readonly string[] | null
  readonly keys: boolean
}> {
  const configuration = await discover(access)
  const server = configuration.serverMetadata()
  const methods = server.code_challenge_methods_supported
  return {
    issuer: server.issuer,
    pkce: methods === undefined || methods.includes('S256'),
    scopes: server.scopes_supported ?? null,
    keys: server.jwks_uri !== undefined,
  }
}
