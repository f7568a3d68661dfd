/** Queries of appliance-wide values. */
import { deleteBy, findBy, saveInto, type Orm } from './rows.ts'
import { settings } from './schema.ts'

/** When the database was last copied by a command or in the studio, milliseconds since the epoch. */
export const LAST_BACKUP = 'last-backup'

/** When the newest backup was begun that was read again and found sound, milliseconds since the epoch. */
export const VERIFIED_BACKUP = 'verified-backup'

/** Of the backups that are made by themselves, the id: a disk that is not mounted is not taken for an empty one. */
export const BACKUPS_ID = 'backups-id'

/** The random id of an appliance, made once; `home.json` beside the footage has it too. */
export const APPLIANCE_ID = 'appliance-id'

/**
 * When this database was put beside footage that it may not know (restored, or adopted), milliseconds since the epoch.
 * What lay there then and is not known is left alone.
 */
export const JOINED_FOOTAGE = 'joined-footage'

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
