/** Caches SQLite statements by their text: preparing one takes longer than running most of them. */
import type Database from 'better-sqlite3'
import { createCache } from './cache.ts'

/** Enough for the texts in use at once; the least recently used one is dropped first. */
const KEPT = 500

type Statement = Database.Statement<unknown[]>

interface CachedRows {
  readonly get: (...values: unknown[]) => unknown
  readonly all: (...values: unknown[]) => unknown[]
}

/** What drizzle uses of a statement. Rows as objects and rows as arrays need a statement each: `raw` changes for good. */
interface CachedStatement extends CachedRows {
  readonly run: (...values: unknown[]) => Database.RunResult
  readonly raw: () => CachedRows
}

/** A list in the place of one text would be another query than the one that was checked. */
function onlyPlain(values: unknown[]): unknown[] {
  for (const value of values)
    if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value))
      throw new TypeError('A list or an object cannot be the value of a statement.')
  return values
}

function cachedStatement(sqlite: Database.Database, text: string): CachedStatement {
  // Prepared at once, so that a mistake in the text is reported where it is made.
  const plain: Statement = sqlite.prepare(text)
  let asArrays: CachedRows | null = null
  return {
    run: (...values) => plain.run(...onlyPlain(values)),
    ...rowsOf(plain),
    raw: () => (asArrays ??= rowsOf((sqlite.prepare(text) as Statement).raw())),
  }
}

const rowsOf = (statement: Statement): CachedRows => ({
  get: (...values) => statement.get(...onlyPlain(values)),
  all: (...values) => statement.all(...onlyPlain(values)),
})

/** The same connection with a `prepare` that caches, for drizzle, which prepares the same texts again and again. */
export function withCachedStatements(sqlite: Database.Database): Database.Database {
  const cache = createCache<CachedStatement>(KEPT)
  const prepare = (text: string): CachedStatement => cache(text, () => cachedStatement(sqlite, text))
  return Object.create(sqlite, { prepare: { value: prepare } }) as Database.Database
}
