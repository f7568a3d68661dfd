/** The changes begin with this version, say what to do before an upgrade to it, and name commands and settings that there are. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { COMMAND_NAMES } from '../../server/cli/registry.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const textOf = (...path: string[]): string => readFileSync(join(ROOT, ...path), 'utf8')
const changes = textOf('CHANGELOG.md')

it('begins with the version that package.json has, and what to know before it', () => {
  const { version } = JSON.parse(textOf('package.json')) as { version: string }
  const [, newest = ''] = changes.split(/^## /m)
  expect(newest.split('\n')[0]).toBe(version)
  for (const part of ['### For editors', '### For whoever runs the appliance', '### Before the upgrade'])
    expect(newest).toContain(part)
  const lock = JSON.parse(textOf('package-lock.json')) as { version: string }
  expect(lock.version).toBe(version)
  for (const page of ['README.md', 'docs/guide-install.md']) {
    const named = [...textOf(...page.split('/')).matchAll(/cutroom[_-](\d+\.\d+\.\d+)/g)].map(
      (found) => found[1],
    )
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((one) => one !== version)).toEqual([])
  }
})

it('names commands and settings that there are', () => {
  const commands = [...changes.matchAll(/`cutroom ([a-z -]+?)(?: --| [A-Z]|`)/g)].map(
    ([, words = '']) => words,
  )
  expect(commands.length).toBeGreaterThan(5)
  expect(commands.filter((words) => !COMMAND_NAMES.some((name) => name === words.trim()))).toEqual([])
  const readme = textOf('README.md')
  const settings = [...changes.matchAll(/`(CUTROOM_\w+)`/g)].map(([, name = '']) => name)
  expect(settings.filter((name) => !readme.includes(name))).toEqual([])
})
