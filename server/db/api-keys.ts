/** Queries of API keys. The look-up runs on every request, so its statement is prepared once per connection. */
import { and, asc, eq, isNull } from 'drizzle-orm'
import type { Db } from './client.ts'
import { apiKeys } from './schema.ts'

export type ApiKeyRow = typeof apiKeys.$inferSelect

export interface ApiKeyProof {
  readonly id: string
  readonly companyId: string
  readonly hash: string
  readonly lastUsedAt: number | null
}

const lookups = new WeakMap<Db, (id: string) => ApiKeyProof | undefined>()

/** The key with this non-secret id, unless it was revoked. */
export function findLiveApiKey(db: Db, id: string): ApiKeyProof | null {
  let lookup = lookups.get(db)
  if (lookup === undefined) {
    const statement = db.sqlite.prepare<[string], ApiKeyProof>(
      `select id, company_id as companyId, hash, last_used_at as lastUsedAt
         from api_keys where id = ? and revoked_at is null`,
    )
    lookup = (key) => statement.get(key)
    lookups.set(db, lookup)
  }
  return lookup(id) ?? null
}

export function insertApiKey(db: Db, row: Omit<ApiKeyRow, 'lastUsedAt' | 'revokedAt'>): void {
  db.orm.insert(apiKeys).values(row).run()
}

export function listApiKeys(db: Db, companyId: string): ApiKeyRow[] {
  return db.orm
    .select()
    .from(apiKeys)
    .where(eq(apiKeys.companyId, companyId))
    .orderBy(asc(apiKeys.createdAt))
    .all()
}

export function markApiKeyUsed(db: Db, id: string, now: number): void {
  db.orm.update(apiKeys).set({ lastUsedAt: now }).where(eq(apiKeys.id, id)).run()
}

/** False when there is no such key, or it was revoked before. */
export function revokeApiKey(db: Db, id: string, now: number): boolean {
  const live = and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt))
  return db.orm.update(apiKeys).set({ revokedAt: now }).where(live).run().changes === 1
}
