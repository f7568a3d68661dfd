/** Passkeys in the browser, by @simplewebauthn/browser; its code is fetched when somebody uses one. */
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { PASSKEY_SENTENCES, passkeyProblem } from '../../server/contract/passkey-hosts.ts'
import { signIn as messages } from '../messages/sign-in.ts'
import { answerPasskey, passkeyOptions } from './api.ts'

const library = () => import('@simplewebauthn/browser')

/** Throws a sentence where this page cannot use passkeys. */
export function requirePasskeys(): void {
  const problem = passkeyProblem(location)
  if (problem !== null) throw new Error(PASSKEY_SENTENCES[problem])
  if (typeof PublicKeyCredential === 'undefined') throw new Error(messages.noPasskeys)
}

/** What the browser says where nobody has touched, looked or typed: not an error of ours. */
async function byPerson<T>(work: Promise<T>, sentence: string): Promise<T> {
  try {
    return await work
  } catch (cause) {
    throw new Error(sentence, { cause })
  }
}

export async function signInByPasskey(): Promise<void> {
  requirePasskeys()
  const { flow, options } = await passkeyOptions<PublicKeyCredentialRequestOptionsJSON>('passkey-options')
  const { startAuthentication } = await library()
  const response = await byPerson(startAuthentication({ optionsJSON: options }), messages.unused)
  await answerPasskey('passkey', { flow, response })
}

/** Has the browser make a passkey. `sentence`: what to say where it is not made. */
export async function makePasskey(
  optionsJSON: PublicKeyCredentialCreationOptionsJSON,
  sentence: string,
): Promise<unknown> {
  const { startRegistration } = await library()
  return byPerson(startRegistration({ optionsJSON }), sentence)
}

export async function joinByPasskey(given: { token: string; name: string; email?: string }): Promise<void> {
  requirePasskeys()
  const { token, name } = given
  const path = 'invitation/passkey-options'
  const { flow, options } = await passkeyOptions<PublicKeyCredentialCreationOptionsJSON>(path, {
    token,
    name,
  })
  const response = await makePasskey(options, messages.unused)
  await answerPasskey('invitation/passkey', { ...given, flow, response })
}
