/**
 * What a person thought of the lines of clips as titles: `read-lines.txt` has `## talk`, and one line each with a mark: `+` one
 * would post it, `=` it is right and says little, `-` it cannot stand alone, is broken off, or says something else.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Mark = '+' | '=' | '-'

/** By talk, then by line in lower case without a mark at its end. */
export function readMarks(file = 'read-lines.txt'): ReadonlyMap<string, ReadonlyMap<string, Mark>> {
  const talks = new Map<string, Map<string, Mark>>()
  let lines = new Map<string, Mark>()
  for (const written of readFileSync(join(import.meta.dirname, file), 'utf8').split('\n')) {
    if (written.startsWith('## ')) {
      lines = new Map()
      talks.set(written.slice(3), lines)
    } else if (written !== '') lines.set(plainLine(written.slice(2)), written.charAt(0) as Mark)
  }
  return talks
}

export const plainLine = (line: string): string => line.toLowerCase().replaceAll('’', "'")
