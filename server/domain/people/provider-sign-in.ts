/** Signing in at the studio's own provider: who comes back is somebody here, was invited, or has a group with a role. */
import type { ProviderRefusal, ProviderTried } from '../../contract/sign-in.ts'
import { AppError, refuse } from '../../contract/errors.ts'
import {
  beginAuthorisation,
  finishAuthorisation,
  isDeclined,
  lookAtProvider,
  type Claims,
  type ProviderClient,
  type ProviderSecrets,
} from '../../adapters/identity-provider.ts'
import {
  deleteIdentities,
  findIdentity,
  findInvitationFor,
  findPersonByEmail,
  insertIdentity,
  type InvitationRow,
} from '../../db/credentials.ts'
import { countOtherOwners, deleteSessionsOf, getPerson, updatePerson } from '../../db/people.ts'
import { inTransaction, oncePerConnection } from '../../db/prepared.ts'
import { isThisMachine, reachableByAdministrator } from '../../reachable.ts'
import { isKeyTrouble } from '../../secrets.ts'
import type { Services } from '../services.ts'
import type { SignedInPerson } from './account.ts'
import { createFlows } from './flows.ts'
import { requireInvitation, useInvitation } from './invitations.ts'
import { addPerson } from './people.ts'
import { groupsIn, lacksGroups, roleOf } from './provider-roles.ts'
import { providerSecret, readProvider, type Provider } from './provider-settings.ts'
import { isSameHash, secretHash } from './secret-hash.ts'

export const CALLBACK_PATH = '/studio/sign-in/provider/callback'

type Deps = Pick<Services, 'db' | 'home' | 'now' | 'log' | 'config'>

/** What a sign-in is for besides signing in. */
interface Purpose {
  /** Token of the invitation that it accepts. */
  readonly invitation?: string | undefined
  /** Id of the signed-in person who connects their account. */
  readonly connect?: string | undefined
  /** A desktop window waits for it, while another browser goes to the provider. */
  readonly desktop?: boolean | undefined
}

interface Flow extends Purpose {
  readonly secrets: ProviderSecrets
  readonly redirectUri: string
  /** SHA-256 of the cookie of the browser in which it began. */
  readonly browser: string
  /** Of a desktop window: what came of it. */
  result: ProviderResult | null
}

export type ProviderResult = { readonly personId: string } | { readonly refused: ProviderRefusal }

const flowsOf = oncePerConnection(() => ({ byState: new Map<string, string>(), flows: createFlows<Flow>() }))

const requireProvider = (services: Deps): Provider =>
  readProvider(services) ?? refuse('INVALID_STATE', 'No provider is set up for signing in.')

const clientOf = (services: Deps, provider: Provider): ProviderClient => ({
  issuer: provider.issuer,
  clientId: provider.clientId,
  secret: providerSecret(services, provider),
  reach: reachableByAdministrator(services.config),
})

/**
 * Begins a sign-in: where the browser goes, and the id by which a desktop window asks for what came of it. `browser`: the
 * secret of the cookie that ties it to this browser. INVALID_STATE (no provider, or it does not answer), SIGN_IN_REFUSED.
 */
export async function beginProviderSignIn(
  services: Deps,
  given: Purpose & { readonly baseUrl: string; readonly browser: string },
): Promise<{ readonly address: string; readonly flow: string }> {
  const { baseUrl, browser, ...purpose } = given
  if (purpose.invitation !== undefined) requireInvitation(services, purpose.invitation)
  const provider = requireProvider(services)
  const redirectUri = `${baseUrl}${CALLBACK_PATH}`
  const begun = await beginAuthorisation(clientOf(services, provider), {
    redirectUri,
    scopes: provider.scopes,
  }).catch((error: unknown) => {
    if (isKeyTrouble(error)) throw error
    services.log.warn('the identity provider does not answer', { error })
    throw new AppError(
      'INVALID_STATE',
      `${provider.name} does not answer as it should. Try again later, or sign in in another way; an owner can test it in the settings.`,
    )
  })
  const { byState, flows } = flowsOf(services.db)
  const flow: Flow = {
    ...purpose,
    secrets: begun.secrets,
    redirectUri,
    browser: secretHash(browser),
    result: null,
  }
  const id = flows.begin(flow, services.now())
  byState.set(begun.secrets.state, id)
  for (const [state, known] of byState) if (flows.find(known, services.now()) === null) byState.delete(state)
  return { address: begun.address, flow: id }
}

export interface Returned {
  /** What the flow was for; null: it is not known any more. */
  readonly purpose: 'sign-in' | 'connect' | 'desktop' | null
  readonly result: ProviderResult
}

/**
 * A browser comes back from the provider. Only the browser in which it began may finish it; for a desktop window another
 * one on this machine may, since the address to come back to is this machine's own (RFC 8252, 7.3).
 */
export async function returnFromProvider(
  services: Deps,
  { search, browser }: { readonly search: string; readonly browser: string | null },
): Promise<Returned> {
  const { byState, flows } = flowsOf(services.db)
  const state = new URLSearchParams(search).get('state') ?? ''
  const id = byState.get(state) ?? ''
  byState.delete(state)
  const flow = flows.find(id, services.now())
  if (flow === null) return { purpose: null, result: { refused: 'expired' } }
  const ownMachine = flow.desktop === true && isThisMachine(new URL(flow.redirectUri).hostname)
  if (!ownMachine && (browser === null || !isSameHash(secretHash(browser), flow.browser)))
    return { purpose: null, result: { refused: 'expired' } }
  const result = await admitted(services, flow, search)
  if (flow.desktop === true) flow.result = result
  else flows.take(id, services.now())
  const purpose = flow.desktop === true ? 'desktop' : flow.connect === undefined ? 'sign-in' : 'connect'
  return { purpose, result }
}

async function admitted(services: Deps, flow: Flow, search: string): Promise<ProviderResult> {
  const provider = readProvider(services)
  if (provider === null) return { refused: 'failed' }
  const callback = new URL(flow.redirectUri)
  callback.search = search
  try {
    const lacks = (claims: Claims): boolean =>
      lacksGroups(claims, provider.groupsClaim) || claims['name'] === undefined
    const claims = await finishAuthorisation(clientOf(services, provider), callback, flow.secrets, lacks)
    return inTransaction(services.db, () => admit(services, provider, claims, flow))
  } catch (error) {
    if (isDeclined(error)) return { refused: 'declined' }
    if (error instanceof AppError && error.code === 'SIGN_IN_REFUSED') return { refused: 'invitation' }
    services.log.warn('a sign-in at the identity provider failed', { error })
    return { refused: 'failed' }
  }
}

/** Who this is here. Known by issuer and subject alone: an address can be given to somebody else. */
function admit(services: Deps, provider: Provider, claims: Claims, flow: Flow): ProviderResult {
  const known = findIdentity(services.db, provider.issuer, claims.sub)
  if (flow.connect !== undefined) return connect(services, provider, claims, flow.connect)
  if (known !== null) {
    if (known.roleFrom === 'groups' && !followGroups(services, provider, claims, known.personId))
      return { refused: 'no-group' }
    return { personId: known.personId }
  }
  const invitation = invitationOf(services, claims, flow)
  return invitation === null
    ? comeByGroups(services, provider, claims)
    : comeInvited(services, provider, claims, invitation)
}

function connect(services: Deps, { issuer }: Provider, { sub }: Claims, personId: string): ProviderResult {
  const known = findIdentity(services.db, issuer, sub)
  if (known !== null && known.personId !== personId) return { refused: 'taken' }
  deleteIdentities(services.db, issuer, personId)
  const roleFrom = known?.roleFrom ?? 'owner'
  insertIdentity(services.db, { issuer, subject: sub, personId, roleFrom, createdAt: services.now() })
  return { personId }
}

/** The address that the provider has verified; null: it has none, or does not say so. */
function verifiedEmail(claims: Claims): string | null {
  const { email, email_verified: verified } = claims
  if (typeof email !== 'string' || (verified !== true && verified !== 'true')) return null
  return email.normalize('NFC').trim().toLowerCase()
}

function invitationOf(services: Deps, claims: Claims, { invitation }: Flow): InvitationRow | null {
  if (invitation !== undefined) return requireInvitation(services, invitation)
  const email = verifiedEmail(claims)
  return email === null ? null : findInvitationFor(services.db, email, services.now())
}

function nameIn(claims: Claims): string {
  const named = [claims['name'], claims['preferred_username'], claims['email']]
    .filter((one) => typeof one === 'string')
    .find((one) => one.trim() !== '')
  return (named ?? 'Somebody').slice(0, 200)
}

/** An address that nobody else here has. */
function freeEmail(services: Deps, claims: Claims): string | null {
  const email = verifiedEmail(claims)
  return email === null || findPersonByEmail(services.db, email) !== null ? null : email
}

function comeInvited(
  services: Deps,
  { issuer }: Provider,
  claims: Claims,
  invitation: InvitationRow,
): ProviderResult {
  const who = { name: nameIn(claims), email: invitation.email ?? freeEmail(services, claims) }
  const personId = useInvitation(services, invitation, who, (id) =>
    insertIdentity(services.db, {
      issuer,
      subject: claims.sub,
      personId: id,
      roleFrom: 'owner',
      createdAt: services.now(),
    }),
  )
  return { personId }
}

function comeByGroups(services: Deps, provider: Provider, claims: Claims): ProviderResult {
  const role = roleOf(groupsIn(claims, provider.groupsClaim), provider)
  if (role === null) return { refused: 'no-group' }
  const { id } = addPerson(services, {
    name: nameIn(claims),
    role,
    companyId: null,
    email: freeEmail(services, claims),
  })
  insertIdentity(services.db, {
    issuer: provider.issuer,
    subject: claims.sub,
    personId: id,
    roleFrom: 'groups',
    createdAt: services.now(),
  })
  return { personId: id }
}

/** Gives a person the role of their groups; false where they have none any more, and every session of theirs ends. */
function followGroups(services: Deps, provider: Provider, claims: Claims, personId: string): boolean {
  const person = getPerson(services.db, personId)
  const role = roleOf(groupsIn(claims, provider.groupsClaim), provider)
  if (person === null || role === null) {
    deleteSessionsOf(services.db, personId, null)
    return false
  }
  const lastOwner =
    person.role === 'owner' && role !== 'owner' && countOtherOwners(services.db, personId) === 0
  if (lastOwner) services.log.warn('the last owner stays one, whatever their groups say', { personId })
  else if (role !== person.role)
    updatePerson(services.db, personId, { role, companyId: role === 'owner' ? null : person.companyId })
  return true
}

/** What came of a desktop window's flow; null: nothing yet. SIGN_IN_REFUSED where it is not of this window, or over. */
export function desktopResult(
  services: Deps,
  { flow: id, browser }: { readonly flow: string; readonly browser: string | null },
): ProviderResult | null {
  const flow = flowsOf(services.db).flows.find(id, services.now())
  if (flow === null || browser === null || !isSameHash(secretHash(browser), flow.browser))
    throw new AppError('SIGN_IN_REFUSED', 'This took too long. Try again.')
  return flow.result
}

/** Ends a desktop window's flow: the id of the person who has signed in. SIGN_IN_REFUSED. */
export function finishDesktop(
  services: Deps,
  given: { readonly flow: string; readonly browser: string | null },
): string {
  const result = desktopResult(services, given)
  if (result === null || 'refused' in result)
    throw new AppError('SIGN_IN_REFUSED', 'Nobody has signed in yet. Try again.')
  flowsOf(services.db).flows.take(given.flow, services.now())
  return result.personId
}

/** Whoever asks signs in at the provider no more. */
export function disconnectProvider(services: Deps, { person }: SignedInPerson): void {
  deleteIdentities(services.db, requireProvider(services).issuer, person.id)
}

const WHY: readonly (readonly [RegExp, string])[] = [
  [/ENOTFOUND|EAI_AGAIN/, 'There is no machine of that name. Check the issuer.'],
  [/ECONNREFUSED/, 'Nothing answers at that address. Check host and port, and that the provider runs.'],
  [/TIMEOUT|timed out|aborted/i, 'It does not answer in time. Check that this machine can reach it.'],
  [/CERT|SELF_SIGNED|altnames|UNABLE_TO_VERIFY/i, 'Its certificate is not trusted by this machine.'],
  [
    /JSON_ATTRIBUTE_COMPARISON/,
    'It calls itself by another issuer. Copy the issuer from its discovery document, to the letter.',
  ],
  [
    /OAUTH_RESPONSE_IS_NOT|OAUTH_PARSE_ERROR|OAUTH_INVALID_RESPONSE|unexpected HTTP response/i,
    'There is no discovery document at that address. For Keycloak the issuer ends with /realms/NAME, for Authentik with /application/o/NAME/, for Entra with /TENANT/v2.0.',
  ],
  [
    /network is off|not allowed|FORBIDDEN/i,
    'This appliance may not connect to it: its network is off, or the address is not allowed.',
  ],
]

/** Codes and messages of an error and what caused it. */
function textOf(error: unknown): string {
  const parts: string[] = []
  for (let at: unknown = error; at instanceof Error && parts.length < 12; at = at.cause)
    parts.push((at as { code?: string }).code ?? '', at.name, at.message)
  return parts.join(' ')
}

/** Looks whether the provider answers, and says what is wrong. INVALID_STATE where none is set up. */
export async function tryProvider(services: Deps): Promise<ProviderTried> {
  const provider = requireProvider(services)
  try {
    const found = await lookAtProvider(clientOf(services, provider))
    const missing = provider.scopes.split(' ').filter((one) => found.scopes?.includes(one) === false)
    const problems = [
      ...(found.pkce ? [] : ['It does not say that it supports PKCE (S256). Switch it on for this client.']),
      ...(found.keys ? [] : ['It names no keys to check its signatures with.']),
      ...(missing.length === 0
        ? []
        : [`It does not know ${missing.length === 1 ? 'the scope' : 'the scopes'} ${missing.join(', ')}.`]),
    ]
    const noRole = provider.roles.length === 0 && provider.otherwise === 'refuse'
    return {
      ok: found.keys,
      sentences: [
        `${found.issuer} answers.`,
        ...problems,
        ...(noRole ? ['No group has a role here yet, so only people who were invited get in.'] : []),
        'Client and secret are checked when somebody signs in.',
      ],
    }
  } catch (error) {
    if (isKeyTrouble(error) || (error instanceof AppError && error.code === 'SIGN_IN_REFUSED')) throw error
    services.log.warn('the identity provider was tested and does not answer', { error })
    const text = textOf(error)
    const why = WHY.find(([pattern]) => pattern.test(text))?.[1]
    return {
      ok: false,
      sentences: [
        `${provider.issuer} cannot be used.`,
        why ?? 'It does not answer as OpenID Connect wants it.',
      ],
    }
  }
}
