import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fontUrl } from './fonts.ts'

it('gives every bundled font the address at which the server has it, those in folders too', () => {
  const table = readFileSync(join(import.meta.dirname, '../../../resources/fonts/fonts.json'), 'utf8')
  const files = [...table.matchAll(/"file": ?"([^"]+)"/g)].map(([, file = '']) => file)
  expect(files.some((file) => file.includes('/'))).toBe(true)
  expect(files.map(fontUrl)).toEqual(files.map((file) => `/fonts/${file}`))
  expect(fontUrl('a b/c?.ttf')).toBe('/fonts/a%20b/c%3F.ttf')
})
