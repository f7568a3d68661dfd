/** Who is signed in, for every room: read before the first of them is shown, and anew when the settings are opened. */
import type { Ability } from '../../server/contract/people.ts'
import { mayUse, meOf, refusalOf, type Me } from '../settings/me.ts'
import { loadSession } from './api.ts'

let me = $state.raw<Me | null>(null)

/** Asks the appliance. Throws RequestRefused: 401 when nobody is. */
export async function readMe(): Promise<Me> {
  const read = meOf(await loadSession())
  me = read
  return read
}

/** Whether something is offered to whoever is signed in. The server holds it, whatever is shown. */
export const may = (ability: Ability): boolean => me !== null && mayUse(me, ability)

/** Why it is not, in a sentence. */
export const refusal = (ability: Ability): string => (me === null ? '' : refusalOf(me, ability))
