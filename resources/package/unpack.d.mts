import type { Writable } from 'node:stream'

export interface HeaderFacts {
  readonly parts: readonly string[]
  readonly folder: boolean
  readonly bytes: number
  readonly executable: boolean
}
export function readHeader(block: Buffer): HeaderFacts | null
export function tarWriter(folder: string): Writable
export function unpackFrom(source: string, offset: number, sha256: string, folder: string): Promise<void>
