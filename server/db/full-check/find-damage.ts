/** What SQLite finds wrong with a database. Reads only. */
import type Database from 'better-sqlite3'

/** What is checked at once: a table with its indexes, or how rows refer to each other. */
export type Part = { readonly table: string } | 'references'

/** All of a database, in parts. Tables that others are made of are checked by themselves. */
export function partsOf(sqlite: Database.Database): Part[] {
  const tables = sqlite
    .prepare<[], string>(
      "select name from sqlite_master where type = 'table' and sql not like 'create virtual%' order by name",
    )
    .pluck()
    .all()
  return [...tables.map((table) => ({ table })), 'references']
}

/** The first fault of a part; null: none was found. */
export function findDamageIn(sqlite: Database.Database, part: Part): string | null {
  if (part === 'references') {
    const [broken] = sqlite.pragma('foreign_key_check') as { table: string; parent: string }[]
    return broken === undefined ? null : `a row of ${broken.table} refers to none of ${broken.parent}`
  }
  const name = part.table.replaceAll('"', '""')
  return faultOf(sqlite.pragma(`integrity_check("${name}")`, { simple: true }))
}

/** The first fault of all of a database at once; `quick` leaves out indexes and references. */
export function findDamage(sqlite: Database.Database, { quick = false } = {}): string | null {
  const found = faultOf(sqlite.pragma(quick ? 'quick_check(1)' : 'integrity_check(1)', { simple: true }))
  return found ?? (quick ? null : findDamageIn(sqlite, 'references'))
}

const faultOf = (result: unknown): string | null => (result === 'ok' ? null : String(result))
