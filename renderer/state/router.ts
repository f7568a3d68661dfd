/**
 * Where in the studio the page is: `#/clips/ID`, or `#/clips/ID/93.5` for a second; `#/@acme/clips/ID` where a person may
 * open several companies. Behind a hash, since the API's own addresses are at the root.
 */
import { omitUndefined } from '../../server/contract/omit-undefined.ts'
import { namedCompany } from './company.ts'

export interface Place {
  /** The company that the address names. */
  readonly company?: string
  /** The first word of the address; empty at home. */
  readonly page: string
  /** The second word, decoded; null when there is none. */
  readonly id: string | null
  /** The third word: a second of the source, where the address names one. */
  readonly at?: number
}

/** `#/clips/a%2Fb` → clips, `a/b`. Unreadable addresses lead home. */
export function placeOf(hash: string): Place {
  const words = hash.replace(/^#\/?/, '').split('/')
  const company = words[0]?.startsWith('@') === true ? words.shift()?.slice(1) : undefined
  const [page = '', id = '', second = ''] = words
  try {
    const at = /^\d+(\.\d+)?$/.test(second) ? Number(second) : undefined
    const place = { page: decodeURIComponent(page), id: id === '' ? null : decodeURIComponent(id) }
    return { ...place, ...omitUndefined({ company, at }) }
  } catch {
    // Broken percent-encoding: not an address that the studio made.
    return { page: '', id: null }
  }
}

/** `at`: a second of the source of a clip. Of the company that this window shows. */
export function addressOf(page: string, id: string | null = null, at?: number): string {
  return withCompany(pathOf(page, id, at), namedCompany())
}

/** The same address with a company named; null: none. */
export function withCompany(hash: string, company: string | null): string {
  const path = hash.replace(/^#?\/?(?:@[^/]*\/?)?/, '')
  return company === null ? `#/${path}` : `#/@${company}/${path}`
}

function pathOf(page: string, id: string | null, at?: number): string {
  const second = at === undefined ? '' : `/${at.toFixed(1)}`
  return `#/${page}${id === null ? '' : `/${encodeURIComponent(id)}${second}`}`
}
