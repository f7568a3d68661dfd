/** The fingerprint of a home's key and what is sealed with it: tells a lost key from one never made. */
import { createHmac } from 'node:crypto'
import { statSync } from 'node:fs'
import Database from 'better-sqlite3'

/** The setting that holds the fingerprint. */
export const KEY_FINGERPRINT = 'secrets-key-fingerprint'

/** A few examples are enough for a message. */
const AT_MOST = 50

const FINGERPRINT = `select value from settings where key = '${KEY_FINGERPRINT}'`
/** Secrets that people entered. The appliance can create its own (its signing key) again. */
const SEALED = [
  `select 'social-account:' || id as purpose, sealed_tokens as sealed from social_accounts
   where sealed_tokens != '' order by rowid desc limit ?`,
  `select 'webhook:' || id as purpose, sealed_secret as sealed from webhooks order by rowid desc limit ?`,
  `select 'named-voice:' || id as purpose, sealed_voice as sealed from named_voices order by rowid desc limit ?`,
  // A setting with a secret is JSON that has it as `sealedSecret`, sealed for the setting's own key.
  `select key as purpose, json_extract(value, '$.sealedSecret') as sealed from settings
   where case when json_valid(value) then json_extract(value, '$.sealedSecret') end is not null limit ?`,
]

interface Sealed {
  readonly purpose: string
  readonly sealed: string
}

export interface KeyEvidence {
  /** Null: none was written down yet. */
  readonly fingerprint: string | null
  readonly sealed: readonly Sealed[]
}

/** A fingerprint that tells keys apart and reveals nothing about them. */
export const fingerprintOf = (key: Buffer): string =>
  createHmac('sha256', key).update('cutroom: the key of the secrets').digest('hex').slice(0, 32)

/** Reads on a connection of its own, since secrets are sealed in transactions; empty for no or old tables. */
export function evidenceIn(database: string): KeyEvidence {
  if ((statSync(database, { throwIfNoEntry: false })?.size ?? 0) === 0)
    return { fingerprint: null, sealed: [] }
  const sqlite = new Database(database, { readonly: true, fileMustExist: true, timeout: 10_000 })
  try {
    const [fingerprint] = rowsOf<{ value: string }>(sqlite, FINGERPRINT)
    return { fingerprint: fingerprint?.value ?? null, sealed: sealedIn(sqlite, AT_MOST) }
  } finally {
    sqlite.close()
  }
}

/** What is sealed, of each kind the newest; all of it where no number is given. */
export const sealedIn = (sqlite: Database.Database, atMost = -1): Sealed[] =>
  SEALED.flatMap((query) => rowsOf<Sealed>(sqlite, query, atMost))

function rowsOf<T>(sqlite: Database.Database, query: string, ...values: number[]): T[] {
  try {
    return sqlite.prepare<number[], T>(query).all(...values)
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('no such table')) return []
    throw error
  }
}
