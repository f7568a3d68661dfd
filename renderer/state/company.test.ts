import { expect, it } from 'vitest'
import { chooseCompany } from './company.ts'

const session = { companyId: 'local', companies: ['local', 'acme', 'bolt'].map((id) => ({ id, name: id })) }

it.each([
  ['the one of the address', 'acme', 'bolt', 'acme'],
  ['the one that was open last', undefined, 'bolt', 'bolt'],
  ['their own where nothing is known', undefined, null, 'local'],
  ['their own where the last one is gone', undefined, 'gone', 'local'],
  ['none in place of one that they may not open', 'theirs', 'acme', null],
])('a window opens %s', (_what, addressed, last, company) => {
  expect(chooseCompany(session, addressed, last)).toBe(company)
})
