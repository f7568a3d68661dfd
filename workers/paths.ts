/** Where content is stored in the home. Parts of these paths are digests and names of ours; listed ones are held against their folder. */
import { join, sep } from 'node:path'
import type { StageName } from './stages/catalog.ts'

/** The stored source file with this SHA-256. */
export function sourcePath(sourcesFolder: string, digest: string): string {
  assertDigest(digest)
  return join(sourcesFolder, digest.slice(0, 2), digest)
}

/** The published folder of a stage's result. */
export function artefactFolder(artefactsFolder: string, stage: StageName, key: string): string {
  assertDigest(key)
  return join(artefactsFolder, stage, key.slice(0, 2), key)
}

/** A file that a result lists, by its path in the folder, with slashes. Throws for one that leads out of it. */
export function placeIn(folder: string, path: string): string {
  const place = join(folder, ...path.split('/'))
  if (!place.startsWith(join(folder, sep))) throw new Error(`a file that leads outside: ${path}`)
  return place
}

function assertDigest(value: string): void {
  if (!/^[0-9a-f]{64}$/.test(value)) throw new Error(`not a SHA-256 in hex: ${value}`)
}
