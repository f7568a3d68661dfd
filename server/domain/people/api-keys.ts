/** API keys: `ck_` + a non-secret id (22 characters) + 256 random bits, of which only a hash is stored. */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { isLonger } from '../../contract/characters.ts'
import { AppError, invalidRequest } from '../../contract/errors.ts'
import { findLiveApiKey, insertApiKey, listApiKeys, markApiKeyUsed, revokeApiKey } from '../../db/api-keys.ts'
import { newId } from '../../ids.ts'
import { allCompanies, requireCompany } from './companies.ts'
import type { ClockServices, DbServices, Services } from '../services.ts'

const KEY = /^ck_([A-Za-z0-9_-]{22})[A-Za-z0-9_-]{43}$/
const NO_HASH = Buffer.alloc(32)
/** `last used` is for people: one write per key in this time, not one per request. */
const USED_EVERY_MS = 10 * 60_000

const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer')

/** Makes a key. The answer is the only place where it can ever be read. COMPANY_NOT_FOUND. */
export function createApiKey(
  services: ClockServices,
  input: { companyId: string; name: string },
): { id: string; key: string } {
  requireCompany(services, input.companyId)
  const name = input.name.trim()
  if (name === '' || isLonger(name, 200))
    throw invalidRequest('name', 'A key needs a name of 1 to 200 characters.')
  const id = newId()
  const key = `ck_${id}${randomBytes(32).toString('base64url')}`
  insertApiKey(services.db, {
    id,
    companyId: input.companyId,
    name,
    hash: sha256(key).toString('hex'),
    createdAt: services.now(),
  })
  return { id, key }
}

/** Best effort: on a full disk people must still be able to read. */
function noteUse(
  services: ClockServices & Pick<Services, 'log'>,
  key: { id: string; lastUsedAt: number | null },
): void {
  const now = services.now()
  if (key.lastUsedAt !== null && now - key.lastUsedAt <= USED_EVERY_MS) return
  try {
    markApiKeyUsed(services.db, key.id, now)
  } catch (error) {
    services.log.warn("the time of a key's last use could not be stored", { error })
  }
}

/** The company that a key opens; null for a key that is malformed, unknown or revoked. */
export function authenticateApiKey(
  services: ClockServices & Pick<Services, 'log'>,
  key: string,
): { companyId: string; keyId: string } | null {
  const id = KEY.exec(key)?.[1]
  const row = id === undefined ? null : findLiveApiKey(services.db, id, performance.now())
  // Hash and compare in every case, so that the duration does not reveal which ids exist.
  const expected = row === null ? NO_HASH : Buffer.from(row.hash, 'hex')
  const given = sha256(key)
  const same = expected.length === given.length && timingSafeEqual(given, expected)
  if (row === null || !same) return null
  noteUse(services, row)
  return { companyId: row.companyId, keyId: row.id }
}

export interface ApiKeySummary {
  readonly id: string
  readonly name: string
  readonly createdAt: string
  readonly lastUsedAt: string | null
  readonly revokedAt: string | null
}

const iso = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString())

/** The company's keys, without their secrets. */
export function describeApiKeys(services: DbServices, companyId: string): ApiKeySummary[] {
  requireCompany(services, companyId)
  return listApiKeys(services.db, companyId).map((row) => ({
    id: row.id,
    name: row.name,
    createdAt: new Date(row.createdAt).toISOString(),
    lastUsedAt: iso(row.lastUsedAt),
    revokedAt: iso(row.revokedAt),
  }))
}

/** Ends a key at once. NOT_FOUND when there is no such key or it was revoked before. */
export function endApiKey(services: ClockServices, id: string): void {
  if (!revokeApiKey(services.db, id, services.now()))
    throw new AppError('NOT_FOUND', 'There is no such key, or it was revoked before.')
}

/** The keys of every company, without their secrets. */
export function describeAllApiKeys(services: DbServices): (ApiKeySummary & { companyId: string })[] {
  return allCompanies(services).flatMap(({ id }) =>
    describeApiKeys(services, id).map((key) => ({ ...key, companyId: id })),
  )
}
