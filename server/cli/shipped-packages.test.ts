import { expect, it } from 'vitest'
import { applicationRoot } from '../config/config.ts'
import { licencesFile, shippedPackages, type ShippedPackage } from './shipped-packages.ts'

it('lists what is shipped, what the studio bundles included, in the version that it gets', () => {
  const listed = shippedPackages({
    '': { version: '1.0.0' },
    'node_modules/a': { version: '1.0.0', license: 'MIT' },
    'node_modules/a/node_modules/b': { version: '2.0.0', license: 'ISC' },
    'node_modules/b': { version: '1.0.0', license: 'ISC', dev: true },
    'node_modules/svelte': { version: '5.0.0', license: 'MIT', dev: true, dependencies: { b: '1', c: '1' } },
    'node_modules/svelte/node_modules/c': { version: '3.0.0', dev: true, dependencies: { b: '1' } },
    'node_modules/vitest': { version: '5.0.0', license: 'MIT', dev: true },
  })
  expect(listed.map(({ name, version, licence }) => `${name} ${version} ${licence}`)).toEqual([
    'a 1.0.0 MIT',
    'b 1.0.0 ISC',
    'b 2.0.0 ISC',
    'c 3.0.0 see the package',
    'svelte 5.0.0 MIT',
  ])
})

it('reads our own lock file', () => {
  const listed = JSON.parse(licencesFile(applicationRoot())) as ShippedPackage[]
  const names = listed.map(({ name }) => name)
  for (const name of ['elysia', 'better-sqlite3', 'svelte', 'uplot']) expect(names).toContain(name)
  for (const name of ['vitest', 'electron', 'eslint']) expect(names).not.toContain(name)
})
