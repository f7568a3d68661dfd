/** Statements that run on hot routes: made once per connection, for drizzle takes longer to write one than SQLite to run it. */
import type Database from 'better-sqlite3'
import type { Db } from './client.ts'

/** `make` is called once for each connection; what it made is answered from then on. */
export function oncePerConnection<T, Connection extends Partial<Db> = Db>(
  make: (db: Connection) => T,
): (db: Connection) => T {
  const made = new WeakMap<Connection, { readonly value: T }>()
  return (db) => {
    const known = made.get(db) ?? { value: make(db) }
    made.set(db, known)
    return known.value
  }
}

const texts = oncePerConnection(() => new Map<string, Database.Statement<(string | number)[]>>())

/** The statement with this text, prepared once for each connection; its rows are taken to be of the type that is named. */
export function prepareOnce<Row>(db: Db, text: string): Database.Statement<(string | number)[], Row> {
  const known = texts(db)
  const statement = known.get(text) ?? db.sqlite.prepare<(string | number)[]>(text)
  known.set(text, statement)
  return statement as Database.Statement<(string | number)[], Row>
}

/** Does all of it or nothing, as the only writer from its beginning on. Within another transaction it is a part of that. */
export function inTransaction<T>(db: Pick<Db, 'orm'>, act: () => T): T {
  return db.orm.transaction(act, { behavior: 'immediate' })
}
