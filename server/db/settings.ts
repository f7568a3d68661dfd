/** Queries of appliance-wide values. */
import { deleteBy, findBy, type Orm } from './rows.ts'
import { settings } from './schema.ts'

/** When the database was last copied by a command or in the studio, milliseconds since the epoch. */
export const LAST_BACKUP = 'last-backup'

const findSetting = findBy(settings, 'key')
export const getSetting = (db: Orm, key: string): string | null => findSetting(db, key)?.value ?? null

/** Stores a value unless the key has one; answers the one that is there now. */
export function saveSetting(db: Orm, key: string, value: string): string {
  db.orm.insert(settings).values({ key, value }).onConflictDoNothing().run()
  return getSetting(db, key) ?? value
}

export function setSetting(db: Orm, key: string, value: string): void {
  db.orm
    .insert(settings)
    .values({ key, value })
    .onConflictDoUpdate({ target: settings.key, set: { value } })
    .run()
}

export const deleteSetting = deleteBy(settings, 'key')
