import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { FontTable } from '../../../workers/compositor/font-table.ts'
import { fontUrl } from './fonts.ts'

it('gives every bundled font the address at which the server has it, those in folders too', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../resources/fonts/fonts.json'), 'utf8')
  const table = JSON.parse(text) as FontTable
  const parts = table.parts.flatMap(({ folder, files }) =>
    Object.keys(files).map((file) => `${folder}/${file}`),
  )
  const files = [...table.fonts.map(({ file }) => file), ...parts]
  expect(files.some((file) => file.includes('/'))).toBe(true)
  expect(files.map(fontUrl)).toEqual(files.map((file) => `/fonts/${file}`))
  expect(fontUrl('a b/c?.ttf')).toBe('/fonts/a%20b/c%3F.ttf')
})
