/** Who is signed in: read before the first page is shown, and again when the settings open. */
import type { Ability } from '../../server/contract/people.ts'
import { mayUse, meOf, refusalOf, type Me } from '../settings/me.ts'
import { loadSession } from './api.ts'
import { shownCompany } from './company.ts'

let me = $state.raw<Me | null>(null)

/** Reads the session. Throws RequestRefused: 401 when nobody is signed in. */
export async function readMe(): Promise<Me> {
  const read = meOf(await loadSession())
  me = read
  return read
}

/** Whether the signed-in person may do this. Only hides things; the server enforces it. */
export const may = (ability: Ability): boolean => me !== null && mayUse(me, ability)

/** Why they may not, in a sentence. */
export const refusal = (ability: Ability): string => (me === null ? '' : refusalOf(me, ability))

/** Who is signed in, and the company that this window shows; for what is shown once that has been read. */
export function requireMe(): Me {
  if (me === null) throw new Error('Nobody is signed in.')
  return { ...me, companyId: shownCompany() ?? me.companyId }
}
