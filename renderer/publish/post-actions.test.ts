import { expect, it } from 'vitest'
import { ROLE_MAY, type Role } from '../../server/contract/people.ts'
import type { SocialPost } from '../../server/contract/tenant-api/social.ts'
import { offeredActions } from './words.ts'

const CASES: readonly [Role, SocialPost['status'], string, string | null][] = [
  ['owner', 'draft', 'publish edit delete', null],
  ['owner', 'error', 'publish edit', null],
  ['owner', 'scheduled', 'move cancel', null],
  ['owner', 'publishing', 'cancel', null],
  ['owner', 'success', 'cancel', null],
  ['owner', 'cancelled', '', null],
  ['editor', 'draft', 'edit delete', 'An owner approves it.'],
  ['editor', 'error', 'edit', 'An owner approves it.'],
  ['editor', 'scheduled', 'move', 'An owner can cancel it.'],
  ['editor', 'success', '', 'An owner can unpublish it.'],
  ['editor', 'cancelled', '', null],
  ['viewer', 'draft', '', 'An owner approves it.'],
  ['viewer', 'scheduled', '', 'An owner can cancel it.'],
]

it.each(CASES)('an %s is offeredActions of a post that is %s: %s', (role, status, actions, waits) => {
  const found = offeredActions({ status }, true, (ability) => ROLE_MAY[role].has(ability))
  expect([found.actions.join(' '), found.waits]).toEqual([actions, waits])
})

it('says nothing of taking back what cannot be', () => {
  expect(offeredActions({ status: 'success' }, false, () => false)).toEqual({ actions: [], waits: null })
})
