/** Which actions a person may take on a post. PURE. */
import type { Ability } from '../../server/contract/people.ts'
import type { SocialPost } from '../../server/contract/tenant-api/social.ts'
import { publishMessages } from '../messages/publish.ts'

const messages = publishMessages.actions

export type PostAction = 'edit' | 'publish' | 'cancel' | 'move' | 'delete'

export interface Offered {
  readonly actions: readonly PostAction[]
  /** A sentence where only an owner can go on; null otherwise. */
  readonly waits: string | null
}

/**
 * `removable`: whether the platform lets an app delete published posts. Publishing and stopping always need
 * an approval.
 */
export function offeredActions(
  { status }: Pick<SocialPost, 'status'>,
  removable: boolean,
  may: (ability: Ability) => boolean,
): Offered {
  const isOpen = status === 'draft' || status === 'error'
  const isGoing = status === 'scheduled' || status === 'publishing'
  const stops = isGoing || (status === 'success' && removable)
  const rules: readonly (readonly [PostAction, boolean, Ability])[] = [
    ['publish', isOpen, 'approve'],
    ['edit', isOpen, 'draft'],
    ['delete', status === 'draft', 'draft'],
    ['move', status === 'scheduled', 'draft'],
    ['cancel', stops, 'approve'],
  ]
  const actions = rules.flatMap(([action, can, ability]) => (can && may(ability) ? [action] : []))
  if (may('approve') || (!isOpen && !stops)) return { actions, waits: null }
  return {
    actions,
    waits: isOpen ? messages.ownerApproves : isGoing ? messages.ownerCancels : messages.ownerUnpublishes,
  }
}
