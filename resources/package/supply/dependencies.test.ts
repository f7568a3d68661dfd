/** docs/dependencies.md is held against the package.json files and against what the source imports. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { importGraph } from '../../../test/lint/imports.ts'
import { LOCKS, readLock, withEngines } from './lock-engines.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}
const manifestAt = (...path: string[]): Manifest =>
  JSON.parse(readFileSync(join(ROOT, ...path, 'package.json'), 'utf8')) as Manifest

const house = manifestAt()
const production = Object.keys(house.dependencies ?? {})
const ofTools = [
  manifestAt('resources', 'package', 'builder'),
  manifestAt('test', 'pds'),
  manifestAt('test', 'clients'),
]
const ofPython = readFileSync(join(ROOT, 'test', 'clients', 'requirements.txt'), 'utf8')
/** Where two lists have a package, ours is the one that counts. */
const versions = new Map([
  ...Array.from(
    ofPython.matchAll(/^([\w-]+)==(.+)$/gm),
    ([, name = '', version = '']) => [name, version] as const,
  ),
  ...[...ofTools, house].flatMap((manifest) =>
    Object.entries({
      ...manifest.dependencies,
      ...manifest.devDependencies,
      ...manifest.optionalDependencies,
    }),
  ),
])

const [taken = ''] = readFileSync(join(ROOT, 'docs', 'dependencies.md'), 'utf8').split(
  '## Looked at and not taken',
)
/** Package names, and the version where it stands behind one, of the first cells of the tables; fonts are files. */
const listed = taken
  .split('\n')
  .filter(
    (line) =>
      line.startsWith('| ') &&
      !line.includes('not installed') &&
      !/^\| (Package|\S.* \| [\d.]+ \|$)/.test(line),
  )
  .flatMap((line) => (line.split('|')[1] ?? '').replace(/\(.*?\)/g, '').split(','))
  .map((entry) => entry.trim().split(' '))

it('lists every dependency', () => {
  const names = new Set(listed.map(([name]) => name))
  expect([...versions.keys()].filter((name) => !names.has(name))).toEqual([])
})

it('lists nothing that is not installed, and no other version of it', () => {
  const wrong = listed.filter(
    ([name = '', version]) =>
      !versions.has(name) || (version !== undefined && versions.get(name) !== version),
  )
  expect(wrong).toEqual([])
})

/** Required by a name that is put together: workers/media/tools.ts. */
const REQUIRED = ['@ffmpeg-installer/ffmpeg', '@ffprobe-installer/ffprobe']

it('has no production dependency that the source does not import', () => {
  const imported = new Set(
    [...importGraph()]
      .filter(([file]) => !/^test\/|\.test\.ts$/.test(file))
      .flatMap(([, imports]) => imports),
  )
  const isImported = (name: string): boolean =>
    [...imported].some((written) => written === name || written.startsWith(`${name}/`))
  expect(production.filter((name) => !isImported(name))).toEqual(REQUIRED)
})

it('has locks without engines, which npm would hold against a Node that runs nothing of ours', () => {
  expect(LOCKS.flatMap((file) => withEngines(readLock(file)))).toEqual([])
})
