/** Passkeys (WebAuthn): made for the host name that the studio was opened at, found by the authenticator, always with its user's consent. */
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { AppError, invalidRequest } from '../../contract/errors.ts'
import { PASSKEY_SENTENCES, passkeyProblem } from '../../contract/passkey-hosts.ts'
import {
  deletePasskey,
  findPasskey,
  insertPasskey,
  listPasskeys,
  updatePasskey,
  type PasskeyRow,
} from '../../db/credentials.ts'
import { oncePerConnection } from '../../db/prepared.ts'
import type { ClockServices } from '../services.ts'
import type { SignedInPerson } from './account.ts'
import { emailOf } from './emails.ts'
import { createFlows } from './flows.ts'
import { requireInvitation, useInvitation } from './invitations.ts'
import { nameOf } from './people.ts'

const PRODUCT = 'Cutroom'
const MAX_PASSKEYS = 20

interface Challenge {
  readonly challenge: string
  readonly purpose: 'sign-in' | 'register'
  /** Of whom it is: a person, or an invitation; empty: whoever has the passkey. */
  readonly subject: string
}

export interface PasskeyFlow<Options> {
  readonly flow: string
  readonly options: Options
}

const flowsOf = oncePerConnection(() => createFlows<Challenge>())
/** Loaded when somebody uses a passkey: most sign-ins need none of it. */
const library = () => import('@simplewebauthn/server')

/** The host name of a page. INVALID_STATE where browsers allow no passkey. */
function hostOf(origin: string): string {
  const problem = passkeyProblem(new URL(origin))
  if (problem !== null) throw new AppError('INVALID_STATE', PASSKEY_SENTENCES[problem])
  return new URL(origin).hostname
}

const refused = (cause?: unknown): AppError =>
  new AppError('SIGN_IN_REFUSED', {
    message:
      'This passkey does not sign anybody in here. It may have been removed, or made for another address of the studio.',
    cause,
  })

async function registrationOptions(
  services: ClockServices,
  origin: string,
  { subject, name, known }: { subject: string; name: string; known: readonly PasskeyRow[] },
): Promise<PasskeyFlow<PublicKeyCredentialCreationOptionsJSON>> {
  const rpID = hostOf(origin)
  const { generateRegistrationOptions } = await library()
  const options = await generateRegistrationOptions({
    rpName: PRODUCT,
    rpID,
    userName: name,
    userDisplayName: name,
    attestationType: 'none',
    excludeCredentials: known
      .filter(({ host }) => host === rpID)
      .map(({ id, transports }) => ({ id, transports: [...transports] as never })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  const { challenge } = options
  const flow = flowsOf(services.db).begin({ challenge, purpose: 'register', subject }, services.now())
  return { flow, options }
}

type NewPasskey = Omit<PasskeyRow, 'personId' | 'name'>

/** What an authenticator has made, checked. SIGN_IN_REFUSED. */
async function verifyRegistration(
  services: ClockServices,
  origin: string,
  given: { readonly flow: string; readonly response: unknown; readonly subject: string },
): Promise<NewPasskey> {
  const host = hostOf(origin)
  const challenge = flowsOf(services.db).take(given.flow, services.now())
  if (challenge?.purpose !== 'register' || challenge.subject !== given.subject)
    throw new AppError('SIGN_IN_REFUSED', 'This took too long. Try again.')
  const { verifyRegistrationResponse } = await library()
  const response = given.response as RegistrationResponseJSON
  const { registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge.challenge,
    expectedOrigin: origin,
    expectedRPID: host,
    requireUserVerification: true,
  }).catch((cause: unknown) => {
    throw new AppError('SIGN_IN_REFUSED', {
      message: 'The passkey could not be made: what the browser sent is not right. Try again.',
      cause,
    })
  })
  if (registrationInfo === undefined) throw refused()
  const { credential } = registrationInfo
  if (findPasskey(services.db, credential.id) !== null)
    throw new AppError('INVALID_STATE', 'This passkey is known here already.')
  return {
    id: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: credential.transports ?? [],
    host,
    createdAt: services.now(),
    lastUsedAt: null,
  }
}

/** What a browser needs to make a passkey of whoever asks. INVALID_STATE where none can be made. */
export function passkeyOptions(
  services: ClockServices,
  { person }: SignedInPerson,
  origin: string,
): Promise<PasskeyFlow<PublicKeyCredentialCreationOptionsJSON>> {
  const known = listPasskeys(services.db, person.id)
  if (known.length >= MAX_PASSKEYS)
    throw new AppError('INVALID_STATE', `You have ${MAX_PASSKEYS} passkeys. Remove one first.`)
  return registrationOptions(services, origin, { subject: person.id, name: person.name, known })
}

/** Stores the passkey that a browser has made. SIGN_IN_REFUSED, INVALID_REQUEST, INVALID_STATE. */
export async function addPasskey(
  services: ClockServices,
  { person }: SignedInPerson,
  origin: string,
  given: { readonly flow: string; readonly name: string; readonly response: unknown },
): Promise<void> {
  const name = nameOf(given.name)
  const made = await verifyRegistration(services, origin, { ...given, subject: person.id })
  insertPasskey(services.db, { ...made, personId: person.id, name })
}

function requireOwn(services: ClockServices, { person }: SignedInPerson, id: string): PasskeyRow {
  const found = findPasskey(services.db, id)
  if (found === null || found.personId !== person.id)
    throw new AppError('NOT_FOUND', 'There is no such passkey.')
  return found
}

/** NOT_FOUND, INVALID_REQUEST. */
export function renamePasskey(services: ClockServices, who: SignedInPerson, id: string, name: string): void {
  requireOwn(services, who, id)
  updatePasskey(services.db, id, { name: nameOf(name) })
}

/** It signs nobody in from now on. NOT_FOUND. */
export function removePasskey(services: ClockServices, who: SignedInPerson, id: string): void {
  requireOwn(services, who, id)
  deletePasskey(services.db, id, who.person.id)
}

/** What a browser needs to offer the passkeys that it has for this host. INVALID_STATE. */
export async function signInOptions(
  services: ClockServices,
  origin: string,
): Promise<PasskeyFlow<PublicKeyCredentialRequestOptionsJSON>> {
  const rpID = hostOf(origin)
  const { generateAuthenticationOptions } = await library()
  const options = await generateAuthenticationOptions({ rpID, userVerification: 'required' })
  const { challenge } = options
  const begun = { challenge, purpose: 'sign-in' as const, subject: '' }
  return { flow: flowsOf(services.db).begin(begun, services.now()), options }
}

/** The id of the person whose passkey has answered. SIGN_IN_REFUSED, INVALID_STATE. */
export async function signInByPasskey(
  services: ClockServices,
  origin: string,
  given: { readonly flow: string; readonly response: unknown },
): Promise<string> {
  const host = hostOf(origin)
  const challenge = flowsOf(services.db).take(given.flow, services.now())
  if (challenge?.purpose !== 'sign-in')
    throw new AppError('SIGN_IN_REFUSED', 'This took too long. Try again.')
  const response = given.response as AuthenticationResponseJSON | null
  if (typeof response?.id !== 'string') throw invalidRequest('response', 'This is no answer of a passkey.')
  const passkey = findPasskey(services.db, response.id)
  if (passkey === null) throw refused()
  const { verifyAuthenticationResponse } = await library()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge.challenge,
    expectedOrigin: origin,
    expectedRPID: host,
    requireUserVerification: true,
    credential: {
      id: passkey.id,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
      counter: passkey.counter,
    },
  }).catch((cause: unknown) => {
    throw refused(cause)
  })
  if (!verified) throw refused()
  updatePasskey(services.db, passkey.id, {
    counter: authenticationInfo.newCounter,
    lastUsedAt: services.now(),
  })
  return passkey.personId
}

/** What a browser needs to make the passkey of somebody who was invited. SIGN_IN_REFUSED, INVALID_STATE. */
export function invitedOptions(
  services: ClockServices,
  origin: string,
  given: { readonly token: string; readonly name: string },
): Promise<PasskeyFlow<PublicKeyCredentialCreationOptionsJSON>> {
  const { id } = requireInvitation(services, given.token)
  return registrationOptions(services, origin, { subject: id, name: nameOf(given.name), known: [] })
}

/** The invited comes in with a passkey: the person's id. SIGN_IN_REFUSED, INVALID_REQUEST, INVALID_STATE. */
export async function acceptByPasskey(
  services: ClockServices,
  origin: string,
  given: {
    readonly token: string
    readonly name: string
    readonly email?: string
    readonly flow: string
    readonly response: unknown
    /** What the passkey is called in the list of them. */
    readonly device: string
  },
): Promise<string> {
  const { id } = requireInvitation(services, given.token)
  const made = await verifyRegistration(services, origin, { ...given, subject: id })
  const invitation = requireInvitation(services, given.token)
  const email =
    invitation.email ?? (given.email === undefined || given.email === '' ? null : emailOf(given.email))
  return useInvitation(services, invitation, { name: given.name, email }, (personId) =>
    insertPasskey(services.db, { ...made, personId, name: given.device }),
  )
}
