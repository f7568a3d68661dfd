/** API keys: `ck_` + a non-secret id (22 characters) + 256 random bits, of which only a hash is stored. */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { isLonger } from '../../contract/characters.ts'
import { AppError, invalidRequest } from '../../contract/errors.ts'
import { WORK_SCOPES, type Scopes } from '../../contract/scopes.ts'
import { findLiveApiKey, insertApiKey, listApiKeys, markApiKeyUsed, revokeApiKey } from '../../db/api-keys.ts'
import { newId } from '../../ids.ts'
import { readScopes } from '../access/scopes.ts'
import { allCompanies, requireCompany } from './companies.ts'
import type { ClockServices, DbServices, Services } from '../services.ts'

const KEY = /^ck_([A-Za-z0-9_-]{22})[A-Za-z0-9_-]{43}$/
const NO_HASH = Buffer.alloc(32)
/** `last used` is for people: one write per key in this time, not one per request. */
const USED_EVERY_MS = 10 * 60_000

/** `2027-01-31`, in UTC. */
const day = (time: number): string => new Date(time).toISOString().slice(0, 10)

const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer')

interface NewApiKey {
  readonly companyId: string
  readonly name: string
  /** What it may be used for; left out: all of a company's work. */
  readonly scopes?: readonly string[]
  /** The moment from which on it opens nothing, in epoch milliseconds; left out: it does not end by itself. */
  readonly expiresAt?: number
}

/** Makes a key. The answer is the only place where it can ever be read. COMPANY_NOT_FOUND, INVALID_REQUEST. */
export function createApiKey(services: ClockServices, input: NewApiKey): { id: string; key: string } {
  requireCompany(services, input.companyId)
  const name = input.name.trim()
  if (name === '' || isLonger(name, 200))
    throw invalidRequest('name', 'A key needs a name of 1 to 200 characters.')
  const scopes = readScopes(input.scopes ?? WORK_SCOPES)
  const { expiresAt = null } = input
  if (expiresAt !== null && !(Number.isSafeInteger(expiresAt) && expiresAt > services.now()))
    throw invalidRequest('expiresAt', 'The end of a key is a moment that is still to come.')
  const id = newId()
  const key = `ck_${id}${randomBytes(32).toString('base64url')}`
  insertApiKey(services.db, {
    id,
    companyId: input.companyId,
    name,
    hash: sha256(key).toString('hex'),
    createdAt: services.now(),
    scopes,
    expiresAt,
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

/**
 * The company that a key opens, and what it may be used for; null for a key that is malformed, unknown or revoked.
 * INVALID_API_KEY with its own sentence for one that has ended: whoever sends it has the key.
 */
export function authenticateApiKey(
  services: ClockServices & Pick<Services, 'log'>,
  key: string,
): { companyId: string; keyId: string; scopes: Scopes } | null {
  const id = KEY.exec(key)?.[1]
  const row = id === undefined ? null : findLiveApiKey(services.db, id, performance.now())
  // Hash and compare in every case, so that the duration does not reveal which ids exist.
  const expected = row === null ? NO_HASH : Buffer.from(row.hash, 'hex')
  const given = sha256(key)
  const same = expected.length === given.length && timingSafeEqual(given, expected)
  if (row === null || !same) return null
  if (row.expiresAt !== null && row.expiresAt <= services.now())
    throw new AppError('INVALID_API_KEY', `This API key ended on ${day(row.expiresAt)}; make a new one.`)
  noteUse(services, row)
  return { companyId: row.companyId, keyId: row.id, scopes: row.scopes }
}

export interface ApiKeySummary {
  readonly id: string
  readonly name: string
  readonly createdAt: string
  readonly lastUsedAt: string | null
  readonly revokedAt: string | null
  /** Null: from before there were scopes; it may do all of a company's work. */
  readonly scopes: Scopes
  /** Null: it does not end by itself. */
  readonly expiresAt: string | null
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
    scopes: row.scopes,
    expiresAt: iso(row.expiresAt),
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
