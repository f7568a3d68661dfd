/** The files of a home that a backup holds: footage, results and uploads that are whole, and with a key the home's own. */
import { readdir, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { Home } from '../../home.ts'

export interface HomeFile {
  /** Below the home, with `/`. */
  readonly path: string
  readonly bytes: number
  readonly changed: number
}

/** Being written, or on the way out: never part of a backup. */
const UNFINISHED = /^\.|\.(part|gone|restoring)$/

/** Footage lies under the SHA-256 of its content; null: of another file, whose name says nothing of it. */
export const digestInName = (path: string): string | null =>
  /^sources\/[0-9a-f]{2}\/([0-9a-f]{64})$/.exec(path)?.[1] ?? null

/** In the order of their paths. `withKey`: also the file of the key that secrets are sealed with, where there is one. */
export async function listHomeFiles(
  home: Home,
  { withKey, signal }: { readonly withKey: boolean; readonly signal?: AbortSignal | undefined },
): Promise<HomeFile[]> {
  const found: HomeFile[] = []
  for (const folder of [home.artefacts, home.sources, home.uploads, join(home.root, 'exports')])
    await collect(home.root, folder, found, signal)
  if (withKey) await add(home.root, join(home.root, 'secret.key'), found)
  return found.sort((a, b) => (a.path < b.path ? -1 : 1))
}

async function collect(
  root: string,
  folder: string,
  found: HomeFile[],
  signal: AbortSignal | undefined,
): Promise<void> {
  signal?.throwIfAborted()
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    if (UNFINISHED.test(entry.name)) continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await collect(root, path, found, signal)
    else if (entry.isFile()) await add(root, path, found)
  }
}

async function add(root: string, path: string, found: HomeFile[]): Promise<void> {
  const facts = await stat(path).catch(() => null)
  if (facts?.isFile() !== true) return
  found.push({
    path: relative(root, path).split(sep).join('/'),
    bytes: facts.size,
    changed: Math.floor(facts.mtimeMs),
  })
}
