/** For the build: the npm packages that the product ships, and their licences, from package-lock.json. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface ShippedPackage {
  readonly name: string
  readonly version: string
  readonly licence: string
}

interface Locked {
  readonly version?: string
  readonly license?: string
  readonly dev?: boolean
  readonly link?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
}
type Lock = Readonly<Record<string, Locked>>

/** Installed for development, and bundled into the studio all the same. */
const IN_THE_STUDIO = [
  'svelte',
  '@fontsource-variable/inter',
  '@lucide/svelte',
  '@simplewebauthn/browser',
  '@xyflow/svelte',
  'uplot',
]

/** What `node_modules/a` itself would be given for `name`. */
function resolveFrom(lock: Lock, at: string, name: string): string | null {
  for (let folder = at; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    if (lock[path] !== undefined) return path
    if (folder === '') return null
  }
}

function withDependencies(lock: Lock, names: readonly string[]): Set<string> {
  const found = new Set<string>()
  const open = names.flatMap((name) => resolveFrom(lock, '', name) ?? [])
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path)) continue
    found.add(path)
    const at = path
    for (const name of Object.keys(lock[at]?.dependencies ?? {})) {
      const next = resolveFrom(lock, at, name)
      if (next !== null) open.push(next)
    }
  }
  return found
}

/** Sorted by name; a package that is there in two versions is listed with both. */
export function shippedPackages(packages: Lock): ShippedPackage[] {
  const bundled = withDependencies(packages, IN_THE_STUDIO)
  const shipped = Object.entries(packages).filter(
    ([path, { dev, link }]) => path !== '' && link !== true && (dev !== true || bundled.has(path)),
  )
  const listed = shipped.map(([path, { version, license }]) => ({
    name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
    version: version ?? '',
    licence: license ?? 'see the package',
  }))
  const unique = new Map(listed.map((one) => [`${one.name} ${one.version}`, one]))
  return [...unique.values()].sort(
    (a, b) => a.name.localeCompare(b.name) || a.version.localeCompare(b.version),
  )
}

/** The list as the studio reads it: `/licences.json`. */
export function licencesFile(root: string): string {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Lock }
  return JSON.stringify(shippedPackages(packages))
}
