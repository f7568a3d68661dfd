/** Going to the studio's own provider, to sign in or to connect one's account. */
import { signIn as messages } from '../messages/sign-in.ts'
import { visitOutside } from '../ui/visit-outside.ts'
import { beginProvider, finishProvider, providerState, type ProviderFlow } from './api.ts'

/** Throws the sentence of a refusal. */
async function isBack(flow: string): Promise<boolean> {
  const { state, refused } = await providerState(flow)
  if (state === 'refused') throw new Error(messages.refusals[refused ?? 'failed'])
  return state === 'ready'
}

/** Goes to the provider; in the desktop window `onwaiting` is called, and the flow is returned when somebody is done. */
export const visitProvider = (
  begin: (desktop: boolean) => Promise<ProviderFlow>,
  onwaiting: () => void,
): Promise<string> => visitOutside(begin, { onwaiting, isBack })

/** Signs in at the provider. */
export async function signInByProvider(
  purpose: { readonly invitation?: string },
  onwaiting: () => void,
): Promise<void> {
  const begin = (desktop: boolean) => beginProvider({ ...purpose, ...(desktop ? { desktop } : {}) })
  await finishProvider(await visitProvider(begin, onwaiting))
}
