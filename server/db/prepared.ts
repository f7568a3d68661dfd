/** Statements that run on hot routes: made once per connection, for drizzle takes longer to write one than SQLite to run it. */
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

/** Does all of it or nothing, as the only writer from its beginning on. Within another transaction it is a part of that. */
export function inTransaction<T>(db: Pick<Db, 'orm'>, act: () => T): T {
  return db.orm.transaction(act, { behavior: 'immediate' })
}
