/** Where browsers allow passkeys: at a name, and over https or on this machine. PURE. */

/** Why passkeys cannot work on a page of this origin: `name` (an address of numbers), `https`; null: they can. */
export function passkeyProblem(origin: string): 'name' | 'https' | null {
  const { hostname, protocol } = new URL(origin)
  if (/^\[|^[\d.]+$/.test(hostname)) return 'name'
  if (protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost')) return null
  return 'https'
}

export const PASSKEY_SENTENCES: Readonly<Record<'name' | 'https', string>> = {
  name: 'Passkeys need a host name: this page was opened at an address of numbers. On this machine open the studio at localhost, elsewhere at its name.',
  https:
    'Passkeys work only where the connection is secure: open the studio at an address that begins with https.',
}
