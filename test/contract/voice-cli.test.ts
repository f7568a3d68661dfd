/** `cutroom voice ...` as a person types it. */
import { expect, it } from 'vitest'
import { typedCommands } from '../support/typed-commands.ts'

const { cutroom, json } = typedCommands()

it('turns recognition on and off, and lists; a name is in no audit row', async () => {
  await json('company', 'create', 'acme', '--name', 'Acme')
  expect(await json('voice', 'list', '--company', 'acme')).toEqual({ recognise: false, voices: [] })
  const on = await json('voice', 'recognise', 'on', '--company', 'acme')
  expect(on).toEqual({ recognise: true, deleted: 0 })
  const named = await cutroom(
    'voice',
    'name',
    'Annabella',
    '--company',
    'acme',
    '--clip',
    'x',
    '--speaker',
    '0',
  )
  expect([named.code, named.notes.join()]).toEqual([1, expect.stringContaining('No such clip') as string])
  expect((await cutroom('voice', 'recognise', 'maybe', '--company', 'acme')).code).toBe(2)
  const forgotten = await cutroom('voice', 'forget', 'x', '--company', 'acme')
  expect(forgotten.notes.join()).toContain('no such named voice')
  expect(await json('voice', 'recognise', 'off', '--company', 'acme')).toEqual({
    recognise: false,
    deleted: 0,
  })
  const audit = await cutroom('audit', '--json')
  expect(audit.out.join()).toContain('voice name')
  expect(audit.out.join()).not.toContain('Annabella')
})
