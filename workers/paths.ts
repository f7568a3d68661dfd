/** Where content is stored in the home. Every part of these paths is a digest or a name of ours, never user input. */
import { join } from 'node:path'
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

function assertDigest(value: string): void {
  if (!/^[0-9a-f]{64}$/.test(value)) throw new Error(`not a SHA-256 in hex: ${value}`)
}
