import { createHash } from 'node:crypto'
import path from 'node:path'
import type { Location } from '@stryker-mutator/api/core'

/** A share of all mutants, drawn by a seed: the same seed draws the same ones. */
export interface Sample {
  percent: number
  seed: number
}

interface Place {
  fileName: string
  location: Location
  replacement?: string
}

const ROOT = path.join(import.meta.dirname, '../..')

/** Whether a mutant belongs to the sample; all do where there is none. */
export function isSampled({ fileName, location, replacement }: Place, sample: Sample | undefined): boolean {
  if (sample === undefined) return true
  const { start, end } = location
  const file = path.relative(ROOT, path.resolve(ROOT, fileName))
  const place = [file, start.line, start.column, end.line, end.column, replacement]
  const digest = createHash('sha256')
    .update(`${sample.seed}:${JSON.stringify(place)}`)
    .digest()
  return digest.readUInt32BE(0) / 2 ** 32 < sample.percent / 100
}
