/** Who is signed in, and what they may do. Only hides what is not allowed; the server enforces it. */
import { ROLE_MAY, roleFor, type Ability } from '../../server/contract/people.ts'
import type { StudioSession } from '../../server/contract/studio.ts'
import { access as messages } from '../messages/settings.ts'

export interface Me {
  readonly id: string
  readonly name: string
  readonly role: 'owner' | 'editor' | 'viewer'
  readonly companyId: string
  readonly companies: StudioSession['companies']
}

export function meOf({ person, companyId, companies }: StudioSession): Me {
  const known = person ?? { id: '', name: '', role: 'viewer' as const }
  return { ...known, companyId, companies }
}

export const mayUse = (me: Pick<Me, 'role'>, ability: Ability): boolean => ROLE_MAY[me.role].has(ability)

/** Why something is not available to this person. */
export const refusalOf = (me: Pick<Me, 'role'>, ability: Ability): string =>
  messages.refusal(messages.articles[me.role], roleFor(ability))
