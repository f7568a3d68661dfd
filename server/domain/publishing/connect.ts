/** Connects an account: by a code from the platform, by a token, or by a handle and an app password. */
import { createHash, randomBytes } from 'node:crypto'
import type { SocialAccountView } from '../../contract/tenant-api/social.ts'
import { invalidRequest } from '../../contract/errors.ts'
import type { Platform } from '../../contract/post.ts'
import type { OAuthWay, PasswordWay, SocialTokens } from '../../adapters/social/adapter.ts'
import { requireApp } from '../../adapters/social/oauth.ts'
import { ADAPTERS } from '../../adapters/social/registry.ts'
import { requireCompany } from '../people/companies.ts'
import type { Services } from '../services.ts'
import { socialApp } from './apps.ts'
import { callFor, storeAccount } from './accounts.ts'

type Deps = Pick<Services, 'config' | 'db' | 'home' | 'now'>

interface Connecting {
  readonly companyId: string
  readonly platform: Platform
  readonly signal: AbortSignal
}

function oauthWay(platform: Platform): OAuthWay {
  const { way, label } = ADAPTERS[platform]
  if (way.kind === 'oauth') return way
  throw invalidRequest('platform', `${label} is connected with a handle and an app password.`)
}

function passwordWay(platform: Platform): PasswordWay {
  const { way, label } = ADAPTERS[platform]
  if (way.kind === 'password') return way
  throw invalidRequest('platform', `${label} is connected by its own page in a browser, or with a token.`)
}

/** A server's address without a path; https, or http on this machine. */
function serverOf(given: string | null): string | null {
  if (given === null) return null
  const url = URL.canParse(given) ? new URL(given) : null
  const local = url !== null && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url === null || !(url.protocol === 'https:' || (url.protocol === 'http:' && local)))
    throw invalidRequest('server', 'A server is an https address, such as https://pds.example.com.')
  return url.origin
}

/** Throws INVALID_REQUEST, COMPANY_NOT_FOUND, or socialFailure. */
export async function connectByPassword(
  services: Deps,
  input: Connecting & { handle: string; password: string; server: string | null },
): Promise<SocialAccountView> {
  const { companyId, platform, handle, password } = input
  requireCompany(services, companyId)
  if (handle === '' || password === '')
    throw invalidRequest('handle', 'A handle and an app password are needed.')
  const server = serverOf(input.server)
  const way = passwordWay(platform)
  const identified = await way.connect(callFor(services, platform, input.signal, server ?? undefined), {
    handle,
    password,
    server,
  })
  return storeAccount(services, { companyId, platform, identified })
}

/** `wanted`: which account, where the token opens several. Throws INVALID_REQUEST, COMPANY_NOT_FOUND, or socialFailure. */
export async function connectByToken(
  services: Deps,
  input: Connecting & { tokens: SocialTokens; wanted: string | null },
): Promise<SocialAccountView> {
  const { companyId, platform, tokens, wanted } = input
  requireCompany(services, companyId)
  const identified = await oauthWay(platform).identify(
    callFor(services, platform, input.signal),
    tokens,
    wanted,
  )
  return storeAccount(services, { companyId, platform, identified })
}

/** The address for a person's browser, and what must be stored until it returns. */
export interface Authorisation {
  readonly address: string
  readonly state: string
  readonly verifier: string
  readonly redirectAddress: string
}

/** The address where a person agrees. Throws INVALID_REQUEST, or socialFailure where no app is configured. */
export function beginAuthorisation(
  services: Deps,
  input: { platform: Platform; redirectAddress: string },
): Authorisation {
  const { platform, redirectAddress } = input
  const { label } = ADAPTERS[platform]
  const way = oauthWay(platform)
  const { clientId } = requireApp({ app: socialApp(services, platform) }, label, platform)
  const state = randomBytes(24).toString('base64url')
  const verifier = randomBytes(48).toString('base64url')
  const address = new URL(way.authorizeAddress)
  const query = {
    response_type: 'code',
    [way.clientParameter ?? 'client_id']: clientId,
    redirect_uri: redirectAddress,
    scope: way.scopes.join(way.separator),
    state,
    ...way.parameters,
    ...(way.pkce === null
      ? {}
      : {
          code_challenge: createHash('sha256').update(verifier).digest(way.pkce),
          code_challenge_method: 'S256',
        }),
  }
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
  return { address: address.href, state, verifier, redirectAddress }
}

/** Exchanges the code that came back for tokens. Throws socialFailure. */
export async function exchangeCode(
  services: Deps,
  input: Omit<Connecting, 'companyId'> & { code: string; authorisation: Authorisation },
): Promise<SocialTokens> {
  const { code, authorisation, platform } = input
  const { redirectAddress, verifier } = authorisation
  const call = callFor(services, platform, input.signal)
  return oauthWay(platform).exchange(call, { code, redirectAddress, verifier })
}

/** Connects by the code that came back. Throws COMPANY_NOT_FOUND, or socialFailure. */
export async function connectByCode(
  services: Deps,
  input: Connecting & { code: string; authorisation: Authorisation; wanted: string | null },
): Promise<SocialAccountView> {
  requireCompany(services, input.companyId)
  return connectByToken(services, { ...input, tokens: await exchangeCode(services, input) })
}
