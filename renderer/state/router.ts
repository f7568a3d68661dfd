/** Where in the studio the page is: `#/clips/ID`. Behind a hash, since the API's own addresses are at the root. */

export interface Place {
  /** The first word of the address; empty at home. */
  readonly page: string
  /** The second word, decoded; null when there is none. */
  readonly id: string | null
}

/** `#/clips/a%2Fb` → clips, `a/b`. Unreadable addresses lead home. */
export function placeOf(hash: string): Place {
  const [page = '', id = ''] = hash.replace(/^#\/?/, '').split('/')
  try {
    return { page: decodeURIComponent(page), id: id === '' ? null : decodeURIComponent(id) }
  } catch {
    // Broken percent-encoding: not an address that the studio made.
    return { page: '', id: null }
  }
}

export function addressOf(page: string, id: string | null = null): string {
  return `#/${page}${id === null ? '' : `/${encodeURIComponent(id)}`}`
}
