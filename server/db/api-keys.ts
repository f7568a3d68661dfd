/** Queries of API keys. The look-up runs on every request, so its statement is prepared once per connection. */
import { and, eq, isNull } from 'drizzle-orm'
import type { Scopes } from '../contract/scopes.ts'
import type { Db } from './client.ts'
import { insertInto, listBy } from './rows.ts'
import { apiKeys } from './schema.ts'

export interface ApiKeyProof {
  readonly id: string
  readonly companyId: string
  readonly hash: string
  readonly lastUsedAt: number | null
  readonly expiresAt: number | null
  readonly scopes: Scopes
}

/** As the statement reads it: JSON is text. */
type ProofRow = Omit<ApiKeyProof, 'scopes'> & { readonly scopes: string | null }

const proofOf = ({ scopes, ...row }: ProofRow): ApiKeyProof => ({
  ...row,
  scopes: scopes === null ? null : (JSON.parse(scopes) as Scopes),
})

/**
 * A key that was just looked up is not looked up again for this long: the look-up was a sixth of a small request. A key
 * that another process revoked stays valid for this long; that command waits for it.
 */
export const KEY_REMEMBERED_MS = 1000
/** More keys than any studio has; what is beyond is looked up each time. */
const REMEMBERED_KEYS = 1000

interface Lookup {
  readonly statement: (id: string) => ApiKeyProof | undefined
  readonly remembered: Map<string, { readonly proof: ApiKeyProof; readonly until: number }>
}
const lookups = new WeakMap<Db, Lookup>()

function lookupOf(db: Db): Lookup {
  const known = lookups.get(db)
  if (known !== undefined) return known
  const statement = db.sqlite.prepare<[string], ProofRow>(
    `select id, company_id as companyId, hash, last_used_at as lastUsedAt, expires_at as expiresAt, scopes
       from api_keys where id = ? and revoked_at is null`,
  )
  const find = (id: string): ApiKeyProof | undefined => {
    const row = statement.get(id)
    return row === undefined ? undefined : proofOf(row)
  }
  const made: Lookup = { statement: find, remembered: new Map() }
  lookups.set(db, made)
  return made
}

/** The key with this non-secret id, unless it was revoked. `now` in milliseconds, of a monotonic clock. */
export function findLiveApiKey(db: Db, id: string, now: number): ApiKeyProof | null {
  const { statement, remembered } = lookupOf(db)
  const known = remembered.get(id)
  if (known !== undefined && now < known.until) return known.proof
  const proof = statement(id)
  remembered.delete(id)
  if (proof === undefined) return null
  if (remembered.size >= REMEMBERED_KEYS) remembered.clear()
  remembered.set(id, { proof, until: now + KEY_REMEMBERED_MS })
  return proof
}

export const insertApiKey = insertInto(apiKeys)

export const listApiKeys = listBy(apiKeys, ['companyId'], 'createdAt')

export function markApiKeyUsed(db: Db, id: string, now: number): void {
  lookupOf(db).remembered.delete(id)
  db.orm.update(apiKeys).set({ lastUsedAt: now }).where(eq(apiKeys.id, id)).run()
}

/** False when there is no such key, or it was revoked before. */
export function revokeApiKey(db: Db, id: string, now: number): boolean {
  lookupOf(db).remembered.delete(id)
  const live = and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt))
  return db.orm.update(apiKeys).set({ revokedAt: now }).where(live).run().changes === 1
}
