/** Requests of the pages on which nobody is signed in yet. Errors carry the server's sentence. */
import type { ProviderRefusal, InvitationView, SignInWays } from '../../server/contract/sign-in.ts'
import { call, json } from '../state/api.ts'
import { RequestRefused } from '../state/request-refused.ts'
import { signIn as messages } from '../messages/sign-in.ts'

const TOO_MANY = 429

/** A request that may be refused for coming too often. */
async function attempt<T>(path: string, body: unknown): Promise<T> {
  try {
    return await call<T>(`/studio/sign-in/${path}`, json('POST', body))
  } catch (error) {
    if (error instanceof RequestRefused && error.status === TOO_MANY)
      throw new RequestRefused(TOO_MANY, messages.tooMany)
    throw error
  }
}

export const loadWays = () => call<SignInWays>('/studio/sign-in/ways')
export const byPassword = (email: string, password: string) => attempt('password', { email, password })
export const lookAtInvitation = (token: string) => attempt<InvitationView>('invitation', { token })
export const joinByPassword = (given: { token: string; name: string; email: string; password: string }) =>
  attempt('invitation/password', given)

interface PasskeyFlow<Options> {
  readonly flow: string
  readonly options: Options
}
export const passkeyOptions = <Options>(path: string, body: unknown = {}) =>
  attempt<PasskeyFlow<Options>>(path, body)
export const answerPasskey = (path: string, body: unknown) => attempt(path, body)

export interface ProviderFlow {
  readonly address: string
  readonly flow: string
}
export const beginProvider = (given: { invitation?: string; desktop?: boolean }) =>
  attempt<ProviderFlow>('provider', given)
export const providerState = (flow: string) =>
  call<{ state: 'waiting' | 'ready' | 'refused'; refused?: ProviderRefusal }>(
    `/studio/sign-in/provider/state?flow=${encodeURIComponent(flow)}`,
  )
export const finishProvider = (flow: string) => attempt('provider/finish', { flow })
