/** What can be done with a post, by whom. PURE. */
import type { Ability } from '../../server/contract/people.ts'
import type { SocialPost } from '../../server/contract/tenant-api/social.ts'
import { publishMessages } from '../messages/publish.ts'

const messages = publishMessages.actions

export type PostDeed = 'edit' | 'publish' | 'cancel' | 'move' | 'delete'

export interface Offered {
  readonly deeds: readonly PostDeed[]
  /** What an owner alone can do with it, in a sentence; null: nothing, or it is offered. */
  readonly waits: string | null
}

/**
 * `removable`: whether a published one may be taken back by an app. Whatever goes out, or is stopped on its way, takes a
 * person's yes.
 */
export function offered(
  { status }: Pick<SocialPost, 'status'>,
  removable: boolean,
  may: (ability: Ability) => boolean,
): Offered {
  const isOpen = status === 'draft' || status === 'error'
  const isGoing = status === 'scheduled' || status === 'publishing'
  const stops = isGoing || (status === 'success' && removable)
  const asked: readonly (readonly [PostDeed, boolean, Ability])[] = [
    ['publish', isOpen, 'approve'],
    ['edit', isOpen, 'draft'],
    ['delete', status === 'draft', 'draft'],
    ['move', status === 'scheduled', 'draft'],
    ['cancel', stops, 'approve'],
  ]
  const deeds = asked.flatMap(([deed, can, ability]) => (can && may(ability) ? [deed] : []))
  if (may('approve') || (!isOpen && !stops)) return { deeds, waits: null }
  return {
    deeds,
    waits: isOpen ? messages.ownerApproves : isGoing ? messages.ownerCancels : messages.ownerUnpublishes,
  }
}
