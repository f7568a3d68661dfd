/** Where browsers allow passkeys: at a name, and over https or on this machine. PURE. */

/** Parts of a page's address, as `URL` and `location` have them. */
interface PageAddress {
  readonly hostname: string
  /** With its colon. */
  readonly protocol: string
}

/** Why passkeys cannot work on a page at this address: `name` (an address of numbers), `https`; null: they can. */
export function passkeyProblem({ hostname, protocol }: PageAddress): 'name' | 'https' | null {
  if (/^\[|^[\d.]+$/.test(hostname)) return 'name'
  if (protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost')) return null
  return 'https'
}

export const PASSKEY_SENTENCES: Readonly<Record<'name' | 'https', string>> = {
  name: 'Passkeys need a host name: this page was opened at an address of numbers. On this machine open the studio at localhost, elsewhere at its name.',
  https:
    'Passkeys work only where the connection is secure: open the studio at an address that begins with https.',
}
