import { expect, it } from 'vitest'
import { mayUse, meOf, refusalOf } from './me.ts'

it('offers what the role may, and says why not', () => {
  const editor = { role: 'editor' } as const
  const viewer = { role: 'viewer' } as const
  expect([mayUse(editor, 'draft'), mayUse(editor, 'approve'), mayUse(viewer, 'run')]).toEqual([
    true,
    false,
    false,
  ])
  expect(refusalOf(editor, 'approve')).toBe(
    'You are an editor here, and this is for owners. Ask an owner to do it, or to change your role.',
  )
  expect(refusalOf(viewer, 'edit')).toContain('You are a viewer here, and this is for editors.')
})

it('takes who is nobody in particular for a viewer', () => {
  expect(meOf({ person: null, companyId: 'c', companies: [], version: '1' }).role).toBe('viewer')
})
