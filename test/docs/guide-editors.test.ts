/** docs/guide-editors.md names the keys that there are, and pictures that lie there and are small. */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { keys } from '../../renderer/messages/editor.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const guide = readFileSync(join(ROOT, 'docs', 'guide-editors.md'), 'utf8')

it('names what every key of the clip editor does', () => {
  const deeds = Object.values(keys)
  expect(deeds.length).toBeGreaterThan(10)
  expect(deeds.filter((does) => !new RegExp(`\\| ${does} +\\|`).test(guide))).toEqual([])
})

it('shows pictures that are there, each under 150 kB and all under 1 MB', () => {
  const sizes = [...guide.matchAll(/\]\((images\/[^)]+)\)/g)].map(
    ([, path = '']) => statSync(join(ROOT, 'docs', path)).size,
  )
  expect(sizes.length).toBeGreaterThanOrEqual(8)
  expect(Math.max(...sizes)).toBeLessThan(150_000)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1_000_000)
})
