/** Where in the studio the page is: `#/clips/ID`. Behind a hash, since the API's own addresses are at the root. */

export interface Place {
  /** The first word of the address; empty at home. */
  readonly room: string
  /** The second word, decoded; null when there is none. */
  readonly id: string | null
}

/** `#/clips/a%2Fb` → clips, `a/b`. Whatever cannot be read is home. */
export function placeOf(hash: string): Place {
  const [room = '', id = ''] = hash.replace(/^#\/?/, '').split('/')
  try {
    return { room: decodeURIComponent(room), id: id === '' ? null : decodeURIComponent(id) }
  } catch {
    // Half a percent sign: no address that the studio has made.
    return { room: '', id: null }
  }
}

export function addressOf(room: string, id: string | null = null): string {
  return `#/${room}${id === null ? '' : `/${encodeURIComponent(id)}`}`
}

/** The place that the page is at; follows the address. */
export function createRouter(): { readonly place: Place } {
  let place = $state(placeOf(location.hash))
  addEventListener('hashchange', () => (place = placeOf(location.hash)))
  return {
    get place() {
      return place
    },
  }
}
