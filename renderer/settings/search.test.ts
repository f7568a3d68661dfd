import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { entries } from '../messages/settings-search.ts'
import { findSettings } from './search.ts'

const sections = [
  { name: 'account', label: 'Your account' },
  { name: 'new', label: 'Something new' },
]
const names = (query: string) => findSettings(query, sections).map(({ name }) => name)

it('finds what every word is about, names first', () => {
  expect(names('renders')[0]).toBe('Renders at once')
  expect(names('PASSKEY')).toEqual(['Passkeys'])
  expect(names('speech')[0]).toBe('Speech server')
  expect(names('no such thing')).toEqual([])
  expect(names('  ')).toEqual([])
})

it('finds settings of the environment, and says that they hold from a start on', () => {
  expect(findSettings('stays free', sections)).toMatchObject([
    { section: 'appliance', holds: 'From the next start of the appliance on' },
  ])
})

it('finds by the name of the section, also where nothing of it is described', () => {
  expect(names('your account')).toContain('Passkeys')
  expect(names('new')).toContain('Something new')
})

it('leads to sections that there are', async () => {
  const registry = await readFile(join(import.meta.dirname, 'sections.ts'), 'utf8')
  const known = new Set([...registry.matchAll(/\bname: '([\w-]+)'/g)].map((match) => match[1]))
  expect(entries.filter(([section]) => !known.has(section))).toEqual([])
})
