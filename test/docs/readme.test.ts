/** The README names every command and every setting; it and the pages of docs name only paths and scripts that there are. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { COMMAND_NAMES } from '../../server/cli/registry.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const textOf = (...path: string[]): string => readFileSync(join(ROOT, ...path), 'utf8')
const readme = textOf('README.md')
const PAGES = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

it('names every command in the README', () => {
  const rows = readme.split('\n').filter((line) => line.startsWith('| `'))
  const named = (command: string) => rows.some((row) => new RegExp(`\`${command}[ \`]`).test(row))
  expect(COMMAND_NAMES.length).toBeGreaterThan(40)
  expect(COMMAND_NAMES.filter((command) => !named(command))).toEqual([])
})

it('names every setting in the README, by both of its names', () => {
  const declared = readdirSync(join(ROOT, 'server', 'config'))
    .filter((name) => /(?<!\.test)\.ts$/.test(name))
    .flatMap((name) => [
      ...textOf('server', 'config', name).matchAll(/\b\w+\(\s*'(CUTROOM_\w+)',\s*'(\w+)'/g),
    ])
  expect(declared.length).toBeGreaterThan(50)
  const missing = declared.filter(
    ([, env = '', key = '']) => !readme.includes(`\`${env}\``) || !readme.includes(`\`${key}\``),
  )
  expect(missing.map(([, env]) => env)).toEqual([])
})

it.each(PAGES)('%s names paths and scripts that there are', (page) => {
  const text = textOf(page)
  const paths = [
    ...text.matchAll(/`((?:server|workers|renderer|main|models|resources|test)\/[\w./-]+\.\w+)`/g),
  ].map(([, path = '']) => path)
  expect(paths.filter((path) => !path.includes('NAME') && !existsSync(join(ROOT, path)))).toEqual([])
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }
  const called = [...text.matchAll(/npm run ([a-z:-]+)/g)].map(([, name = '']) => name)
  expect(called.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
})
