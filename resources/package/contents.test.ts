import { expect, test } from 'vitest'
import { isShipped, neededFiles, packageName, productionPackages, type LockPackages } from './contents.ts'

const TARGET = { os: 'linux', cpu: 'x64' } as const

test('what is needed is found nearest first, for this machine only', () => {
  const lock: LockPackages = {
    'node_modules/app': {
      dependencies: { deep: '1' },
      optionalDependencies: { 'app-linux': '1', 'app-mac': '1', 'app-musl': '1', gone: '1' },
    },
    'node_modules/app/node_modules/deep': { dependencies: { shared: '1' } },
    'node_modules/deep': { dependencies: { never: '1' } },
    'node_modules/shared': {
      peerDependencies: { peer: '1', unwanted: '1' },
      peerDependenciesMeta: { unwanted: { optional: true } },
    },
    'node_modules/peer': { dependencies: { app: '1', 'onnxruntime-web': '1' } },
    'node_modules/unwanted': {},
    'node_modules/never': {},
    'node_modules/onnxruntime-web': {},
    'node_modules/app-linux': { os: ['linux'], cpu: ['x64'], libc: ['glibc'] },
    'node_modules/app-musl': { os: ['linux'], cpu: ['x64'], libc: ['musl'] },
    'node_modules/app-mac': { os: ['darwin'] },
  }
  expect(productionPackages(lock, ['app'], TARGET)).toEqual([
    'node_modules/app',
    'node_modules/app-linux',
    'node_modules/app/node_modules/deep',
    'node_modules/peer',
    'node_modules/shared',
  ])
  expect(() => productionPackages(lock, ['gone'], TARGET)).toThrow(
    'package-lock.json has no gone, which Cutroom needs',
  )
})

test.each([
  ['onnxruntime-node', 'bin/napi-v6/linux/x64/onnxruntime_binding.node', true],
  ['onnxruntime-node', 'bin/napi-v6/win32/x64/onnxruntime_binding.node', false],
  ['better-sqlite3', 'prebuilds/linux-x64.node', true],
  ['better-sqlite3', 'prebuilds/linuxmusl-x64.node', false],
  ['better-sqlite3', 'deps/sqlite3/sqlite3.c', false],
  ['better-sqlite3', 'LICENSE', true],
  ['@msgpackr-extract/msgpackr-extract-linux-x64', 'node.abi115.musl.node', false],
  ['@msgpackr-extract/msgpackr-extract-linux-x64', 'node.abi115.glibc.node', true],
  ['zod', 'v4/index.cjs', true],
  ['fast-uri', 'test/ajv.test.js', false],
  ['fast-uri', 'lib/test/kept.js', true],
  ['global-agent', 'dist/agent.test.js', false],
  ['global-agent', 'dist/attest.js', true],
  ['zod', 'v4/index.d.cts', false],
  ['zod', 'src/index.ts', false],
  ['piscina', 'dist/index.js.map', false],
  ['piscina', '.github/workflows/ci.yml', false],
  ['yauzl', 'README.md', false],
  ['@img/sharp-libvips-linux-x64', 'THIRD-PARTY-NOTICES.md', true],
])('%s: %s ships: %s', (name, file, ships) => expect(isShipped(name, file, TARGET)).toBe(ships))

test('a package inside another has its own name', () => {
  expect(packageName('node_modules/a/node_modules/@b/c')).toBe('@b/c')
})

test('built files are taken by mention, those of earlier builds are left', () => {
  const files = new Map([
    ['out/cli.js', 'import { a } from "./part-X1y_-z.js"; const later = () => import("./lazy-$2.js")'],
    ['out/part-X1y_-z.js', 'new URL("engine.js", import.meta.url)'],
    ['out/lazy-$2.js', 'import "./cli.js"'],
    ['out/engine.js', ''],
    ['out/part-OLD.js', 'import "./cli.js"'],
  ])
  expect(neededFiles(files, ['out/cli.js'])).toEqual([
    'out/cli.js',
    'out/engine.js',
    'out/lazy-$2.js',
    'out/part-X1y_-z.js',
  ])
  expect(() => neededFiles(files, ['out/index.html'])).toThrow('The build lacks out/index.html')
})
