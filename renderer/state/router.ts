/** Where in the studio the page is: `#/clips/ID`, or `#/clips/ID/93.5` for a second. Behind a hash, since the API's own addresses are at the root. */

export interface Place {
  /** The first word of the address; empty at home. */
  readonly page: string
  /** The second word, decoded; null when there is none. */
  readonly id: string | null
  /** The third word: a second of the source, where the address names one. */
  readonly at?: number
}

/** `#/clips/a%2Fb` → clips, `a/b`. Unreadable addresses lead home. */
export function placeOf(hash: string): Place {
  const [page = '', id = '', second = ''] = hash.replace(/^#\/?/, '').split('/')
  try {
    const at = /^\d+(\.\d+)?$/.test(second) ? Number(second) : undefined
    const place = { page: decodeURIComponent(page), id: id === '' ? null : decodeURIComponent(id) }
    return at === undefined ? place : { ...place, at }
  } catch {
    // Broken percent-encoding: not an address that the studio made.
    return { page: '', id: null }
  }
}

/** `at`: a second of the source of a clip. */
export function addressOf(page: string, id: string | null = null, at?: number): string {
  const second = at === undefined ? '' : `/${at.toFixed(1)}`
  return `#/${page}${id === null ? '' : `/${encodeURIComponent(id)}${second}`}`
}
