/** Going to the studio's own provider: this window itself, or, from the desktop window, the browser beside it. */
import { signIn as messages } from '../messages/sign-in.ts'
import { beginProvider, finishProvider, providerState, type ProviderFlow } from './api.ts'

const POLL_MS = 1500

const isDesktop = (): boolean => document.documentElement.dataset['shell'] === 'desktop'

/** Until the other browser is back. Throws the sentence of a refusal. */
async function waitFor(flow: string): Promise<void> {
  for (;;) {
    const { state, refused } = await providerState(flow)
    if (state === 'ready') return
    if (state === 'refused') throw new Error(messages.refusals[refused ?? 'failed'])
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/**
 * Goes to the provider. In a browser this page is left for the provider's; in the desktop window `onwaiting` is called, and
 * the flow is returned when somebody is done beside it.
 */
export async function visitProvider(
  begin: (desktop: boolean) => Promise<ProviderFlow>,
  onwaiting: () => void,
): Promise<string> {
  const desktop = isDesktop()
  const { address, flow } = await begin(desktop)
  if (!desktop) {
    location.assign(address)
    // This page ends here: nothing is to happen before.
    return new Promise(() => undefined)
  }
  // The shell opens other addresses in the person's browser (main/studio-window.ts).
  open(address)
  onwaiting()
  await waitFor(flow)
  return flow
}

/** Signs in at the provider. */
export async function signInByProvider(
  purpose: { readonly invitation?: string },
  onwaiting: () => void,
): Promise<void> {
  const begin = (desktop: boolean) => beginProvider({ ...purpose, ...(desktop ? { desktop } : {}) })
  await finishProvider(await visitProvider(begin, onwaiting))
}
