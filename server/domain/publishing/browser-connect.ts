/**
 * Connecting an account in the studio: a browser goes to the platform and comes back with a code, and the person who began
 * it has the account stored. Nothing of it outlives the appliance; tokens wait in memory while one of several is chosen.
 */
import { AppError, refuse } from '../../contract/errors.ts'
import type { Connected, ConnectState } from '../../contract/social-accounts.ts'
import type { Platform } from '../../contract/post.ts'
import type { SocialTokens } from '../../adapters/social/adapter.ts'
import { choicesOf } from '../../adapters/social/failure.ts'
import { ADAPTERS } from '../../adapters/social/registry.ts'
import { oncePerConnection } from '../../db/prepared.ts'
import { isThisMachine } from '../../reachable.ts'
import { createFlows } from '../people/flows.ts'
import { isSameHash, secretHash } from '../people/secret-hash.ts'
import type { Services } from '../services.ts'
import { describeApp } from './apps.ts'
import { beginAuthorisation, connectByToken, exchangeCode, type Authorisation } from './connect.ts'

export const SOCIAL_CALLBACK = '/studio/social/callback'

type Deps = Pick<Services, 'config' | 'db' | 'home' | 'now'>

interface Flow {
  readonly companyId: string
  readonly platform: Platform
  /** Who began it; nobody else ends it. */
  readonly personId: string
  readonly authorisation: Authorisation
  /** SHA-256 of the cookie of the browser in which it began. */
  readonly browser: string
  readonly desktop: boolean
  /** Null until the browser is back; `code` is null where the person or the platform said no. */
  returned: { readonly code: string | null } | null
  /** What the code was exchanged for, while one of several accounts is chosen. */
  tokens: SocialTokens | null
}

const flowsOf = oncePerConnection(() => ({ byState: new Map<string, string>(), flows: createFlows<Flow>() }))

interface Owner {
  readonly companyId: string
  readonly personId: string
}

/**
 * Begins: where the browser goes, and the id of the flow. `browser`: the secret of the cookie that ties it to this browser.
 * INVALID_REQUEST for a platform of passwords, INVALID_STATE where the platform's app is not known.
 */
export function beginConnect(
  services: Deps,
  given: Owner & {
    readonly platform: Platform
    readonly baseUrl: string
    readonly browser: string
    readonly desktop: boolean
  },
): { readonly address: string; readonly flow: string } {
  const { platform, baseUrl, browser, ...rest } = given
  if (describeApp(services, platform)?.setBy === null)
    throw new AppError(
      'INVALID_STATE',
      `${ADAPTERS[platform].label} needs an app of your own first: enter its id and secret.`,
    )
  const redirectAddress = `${baseUrl}${SOCIAL_CALLBACK}`
  const authorisation = beginAuthorisation(services, { platform, redirectAddress })
  const { byState, flows } = flowsOf(services.db)
  const now = services.now()
  const flow: Flow = {
    ...rest,
    platform,
    authorisation,
    browser: secretHash(browser),
    returned: null,
    tokens: null,
  }
  const id = flows.begin(flow, now)
  byState.set(authorisation.state, id)
  for (const [state, known] of byState) if (flows.find(known, now) === null) byState.delete(state)
  return { address: authorisation.address, flow: id }
}

/**
 * A browser comes back from a platform: what it brought is noted once. Only the browser in which it began brings anything;
 * for a desktop window another one on this machine may (RFC 8252, 7.3). Null: the flow is over, or of another browser.
 */
export function returnFromPlatform(
  services: Pick<Services, 'db' | 'now'>,
  { search, browser }: { readonly search: string; readonly browser: string | null },
): { readonly flow: string; readonly desktop: boolean } | null {
  const { byState, flows } = flowsOf(services.db)
  const query = new URLSearchParams(search)
  const state = query.get('state') ?? ''
  const id = byState.get(state) ?? ''
  byState.delete(state)
  const flow = flows.find(id, services.now())
  if (flow === null) return null
  const ownMachine = flow.desktop && isThisMachine(new URL(flow.authorisation.redirectAddress).hostname)
  if (!ownMachine && (browser === null || !isSameHash(secretHash(browser), flow.browser))) return null
  const code = query.get('code')
  flow.returned = { code: code === null || code === '' ? null : code }
  return { flow: id, desktop: flow.desktop }
}

function requireFlow(services: Pick<Services, 'db' | 'now'>, id: string, owner: Owner): Flow {
  const flow = flowsOf(services.db).flows.find(id, services.now())
  if (flow === null || flow.personId !== owner.personId || flow.companyId !== owner.companyId)
    refuse('NOT_FOUND', 'This took too long, or the appliance was started again. Connect the account again.')
  return flow
}

/** Whether the browser is back. NOT_FOUND where the flow is over, or somebody else's. */
export function connectState(
  services: Pick<Services, 'db' | 'now'>,
  given: Owner & { readonly flow: string },
): ConnectState {
  const { platform, returned } = requireFlow(services, given.flow, given)
  return {
    platform,
    state: returned === null ? 'waiting' : returned.code === null ? 'declined' : 'returned',
  }
}

/**
 * Stores the account. Where a person manages several, `accountId` chooses; without it they are listed, and the flow goes on.
 * NOT_FOUND, INVALID_STATE, or socialFailure.
 */
export async function finishConnect(
  services: Deps,
  given: Owner & { readonly flow: string; readonly accountId: string | null; readonly signal: AbortSignal },
): Promise<Connected> {
  const flow = requireFlow(services, given.flow, given)
  const { platform, companyId, authorisation } = flow
  const { signal } = given
  const { flows } = flowsOf(services.db)
  const code = flow.returned?.code
  if (code === undefined || code === null)
    refuse('INVALID_STATE', `${ADAPTERS[platform].label} has not said yes yet.`)
  try {
    // A code is taken once, so what it brought is held while the person chooses.
    flow.tokens ??= await exchangeCode(services, { platform, code, authorisation, signal })
    const input = { companyId, platform, tokens: flow.tokens, wanted: given.accountId, signal }
    const account = await connectByToken(services, input)
    flows.take(given.flow, services.now())
    return { account, choices: [] }
  } catch (error) {
    const choices = choicesOf(error)
    if (choices.length > 0) return { account: null, choices: [...choices] }
    // With tokens in hand it can be tried again; a code that was refused cannot.
    if (flow.tokens === null) flows.take(given.flow, services.now())
    throw error
  }
}
