/** What SQLite finds wrong with a database. Reads only. */
import type Database from 'better-sqlite3'

/** What is checked at once: a table with its indexes, or how rows refer to each other. */
export type Part = { readonly table: string } | 'references'

/** Tables that have rows of their own. */
export const tablesOf = (sqlite: Database.Database): string[] =>
  sqlite
    .prepare<[], string>(
      "select name from sqlite_master where type = 'table' and sql not like 'create virtual%' order by name",
    )
    .pluck()
    .all()

/** The name of a table as SQL takes it. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

export const countRows = (sqlite: Database.Database, table: string): number =>
  sqlite
    .prepare<[], number>(`select count(*) from ${quoted(table)}`)
    .pluck()
    .get() ?? 0

/** All of a database, in parts. */
export const partsOf = (sqlite: Database.Database): Part[] => [
  ...tablesOf(sqlite).map((table) => ({ table })),
  'references',
]

/** The first fault of a part; null: none was found. */
export function findDamageIn(sqlite: Database.Database, part: Part): string | null {
  if (part === 'references') {
    const [broken] = sqlite.pragma('foreign_key_check') as { table: string; parent: string }[]
    return broken === undefined ? null : `a row of ${broken.table} refers to none of ${broken.parent}`
  }
  const found = faultOf(sqlite.pragma(`integrity_check(${quoted(part.table)})`, { simple: true }))
  return found === null ? null : `table ${part.table}: ${found}`
}

/** The first fault of all of a database at once; `quick` leaves out indexes and references. */
export function findDamage(sqlite: Database.Database, { quick = false } = {}): string | null {
  const found = faultOf(sqlite.pragma(quick ? 'quick_check(1)' : 'integrity_check(1)', { simple: true }))
  return found ?? (quick ? null : findDamageIn(sqlite, 'references'))
}

/** SQLite names the database in a line of its own first. */
const faultOf = (result: unknown): string | null =>
  result === 'ok' ? null : String(result).replace(/^\*{3} in database \w+ \*{3}\n/, '')
