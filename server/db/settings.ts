/** Queries of appliance-wide values. */
import { eq } from 'drizzle-orm'
import type { Db } from './client.ts'
import { settings } from './schema.ts'

/** When the database was last copied by a command or in the studio, milliseconds since the epoch. */
export const LAST_BACKUP = 'last-backup'

export function getSetting(db: Db, key: string): string | null {
  return db.orm.select().from(settings).where(eq(settings.key, key)).get()?.value ?? null
}

/** Stores a value unless the key has one; answers the one that is there now. */
export function saveSetting(db: Pick<Db, 'orm'>, key: string, value: string): string {
  db.orm.insert(settings).values({ key, value }).onConflictDoNothing().run()
  return db.orm.select().from(settings).where(eq(settings.key, key)).get()?.value ?? value
}

export function setSetting(db: Pick<Db, 'orm'>, key: string, value: string): void {
  db.orm
    .insert(settings)
    .values({ key, value })
    .onConflictDoUpdate({ target: settings.key, set: { value } })
    .run()
}

export function deleteSetting(db: Pick<Db, 'orm'>, key: string): void {
  db.orm.delete(settings).where(eq(settings.key, key)).run()
}
