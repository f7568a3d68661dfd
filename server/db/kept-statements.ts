/** SQLite statements are kept by their text: preparing one anew takes longer than most of them run. */
import type Database from 'better-sqlite3'

/** As many texts as are in use at once, and lists of different lengths; what was used longest ago goes first. */
const KEPT = 500

type Statement = Database.Statement<unknown[]>

/** What drizzle uses of a statement. Rows as objects and rows as arrays need a statement each: `raw` changes for good. */
interface KeptStatement {
  readonly run: (...values: unknown[]) => Database.RunResult
  readonly get: (...values: unknown[]) => unknown
  readonly all: (...values: unknown[]) => unknown[]
  readonly raw: () => Statement
}

function keptStatement(sqlite: Database.Database, text: string): KeptStatement {
  // At once, so that a mistake in the text is told where it is asked for.
  const plain: Statement = sqlite.prepare(text)
  let asArrays: Statement | null = null
  return {
    run: (...values) => plain.run(...values),
    get: (...values) => plain.get(...values),
    all: (...values) => plain.all(...values),
    raw: () => (asArrays ??= (sqlite.prepare(text) as Statement).raw()),
  }
}

/** The same connection with a `prepare` for drizzle, which asks for the same texts again and again. */
export function withKeptStatements(sqlite: Database.Database): Database.Database {
  const kept = new Map<string, KeptStatement>()
  const prepare = (text: string): KeptStatement => {
    const statement = kept.get(text) ?? keptStatement(sqlite, text)
    kept.delete(text)
    kept.set(text, statement)
    if (kept.size > KEPT) {
      const [oldest] = kept.keys()
      if (oldest !== undefined) kept.delete(oldest)
    }
    return statement
  }
  return Object.create(sqlite, { prepare: { value: prepare } }) as Database.Database
}
