import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..')
const PAGE = readFileSync(join(ROOT, 'docs', 'threat-model.md'), 'utf8')

/** Tests as the page names them: whole paths, or a file beside the one before it. */
function namedTests(): string[] {
  return PAGE.split('\n').flatMap((line) => {
    let folder = ''
    return [...line.matchAll(/`([\w/.-]+\.test\.ts)`/g)].map(([, name = '']) => {
      const whole = /^(?:test|server|workers|resources|main|renderer)\//.test(name)
        ? name
        : `${folder}/${name}`
      if (whole === name) folder = name.slice(0, name.lastIndexOf('/'))
      return whole
    })
  })
}

test('every test that the threat model names is there, and every threat has one', () => {
  const names = namedTests()
  expect(names.length).toBeGreaterThan(40)
  expect(names.filter((name) => !existsSync(join(ROOT, name)))).toEqual([])
  const threats = PAGE.split('\n').filter((line) => /^\| [STRIDE] \|/.test(line))
  expect(threats.length).toBeGreaterThan(25)
  // The last column names something: a test, or where it is seen.
  expect(
    threats.filter((line) => !/`[^`]+` *(?:\([^)]*\))?[^|]*\|$|docs\/decisions\/\d{4}[^|]*\|$/.test(line)),
  ).toEqual([])
})
