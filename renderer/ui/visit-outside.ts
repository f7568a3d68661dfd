/** Going to another site and coming back: this window itself, or, from the desktop window, the browser beside it. */
const POLL_MS = 1500

/** A visit that the appliance knows of: where it goes, and the id by which to ask for it. */
export interface Visit {
  readonly address: string
  readonly flow: string
}

export interface Visiting {
  /** Called in the desktop window, once the other browser is open. */
  readonly onwaiting: () => void
  /** Whether the other browser is back. Throws the sentence of a refusal. */
  readonly isBack: (flow: string) => Promise<boolean>
}

const isDesktop = (): boolean => document.documentElement.dataset['shell'] === 'desktop'

/**
 * Goes to the other site. In a browser this page is left for it, and the promise never ends; from the desktop window it is
 * the flow, once somebody is done beside it.
 */
export async function visitOutside(
  begin: (desktop: boolean) => Promise<Visit>,
  { onwaiting, isBack }: Visiting,
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
  while (!(await isBack(flow))) await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  return flow
}
