/**
 * `npm run docs:sizes`: writes the list of what a production install holds, by size, into docs/dependencies.md. Sizes are of
 * this machine's install, each package with what lies inside its own folder.
 */
import { lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageName, productionPackages, type LockPackages } from '../contents.ts'
import { ROOT, thisTarget } from '../stage.ts'

const DOCS = join(ROOT, 'docs', 'dependencies.md')
const MARKED = /(<!-- sizes: npm run docs:sizes -->\n)[\s\S]*?(<!-- end of sizes -->)/
/** Smaller packages are summed up in one line. */
const SMALLEST_LISTED = 1e6

/** Bytes of the files below `folder`, packages that are installed inside it left out. */
function bytesBelow(folder: string): number {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .reduce((sum, entry) => {
      const path = join(folder, entry.name)
      return sum + (entry.isDirectory() ? bytesBelow(path) : lstatSync(path).size)
    }, 0)
}

function sizesTable(): string {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: LockPackages }
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  ) as Record<'dependencies' | 'optionalDependencies', Record<string, string>>
  const target = thisTarget()
  const pinnedNode = Object.keys(optionalDependencies).filter((name) =>
    name.endsWith(`-${target.os === 'win32' ? 'win' : target.os}-${target.cpu}`),
  )
  const paths = productionPackages(lock.packages, [...Object.keys(dependencies), ...pinnedNode], target)
  const sizes = paths
    .map((path) => ({ name: packageName(path), bytes: bytesBelow(join(ROOT, path)) }))
    .sort((a, b) => b.bytes - a.bytes)
  const sum = (list: typeof sizes): number => list.reduce((total, { bytes }) => total + bytes, 0)
  const small = sizes.filter(({ bytes }) => bytes < SMALLEST_LISTED)
  const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1)
  const rows = [
    ...sizes.filter(({ bytes }) => bytes >= SMALLEST_LISTED),
    { name: `${small.length} smaller packages`, bytes: sum(small) },
    { name: `all ${sizes.length}`, bytes: sum(sizes) },
  ]
  return [
    `On ${target.os}-${target.cpu}:`,
    '',
    '| Package | MB |',
    '|---|---|',
    ...rows.map(({ name, bytes }) => `| ${name} | ${megabytes(bytes)} |`),
    '',
  ].join('\n')
}

writeFileSync(
  DOCS,
  readFileSync(DOCS, 'utf8').replace(
    MARKED,
    (_, before: string, after: string) => `${before}\n${sizesTable()}\n${after}`,
  ),
)
