/** Queries of appliance-wide values. */
import { deleteBy, findBy, saveInto, type Orm } from './rows.ts'
import { settings } from './schema.ts'

/** When the database was last copied by a command or in the studio, milliseconds since the epoch. */
export const LAST_BACKUP = 'last-backup'

/** Whether owners were led through the set-up: domain/settings/set-up.ts. */
export const SET_UP = 'set-up'

const findSetting = findBy(settings, 'key')
export const getSetting = (db: Orm, key: string): string | null => findSetting(db, key)?.value ?? null

/** Stores a value unless the key has one; answers the one that is there now. */
export function saveSetting(db: Orm, key: string, value: string): string {
  db.orm.insert(settings).values({ key, value }).onConflictDoNothing().run()
  return getSetting(db, key) ?? value
}

const saveValue = saveInto(settings, ['key'])
export const setSetting = (db: Orm, key: string, value: string): void => saveValue(db, { key, value })

export const deleteSetting = deleteBy(settings, 'key')
