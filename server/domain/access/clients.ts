/** OAuth clients, the grants that companies give them, and the trusted issuers of delegations. */
import { createLocalJWKSet, type JSONWebKeySet } from 'jose'
import { isLonger } from '../../contract/characters.ts'
import { AppError, invalidRequest } from '../../contract/errors.ts'
import type { Scopes } from '../../contract/scopes.ts'
import {
  deleteGrant,
  deleteTrustedIssuer,
  getClient,
  getGrant,
  insertClient,
  listClients,
  saveGrant,
  saveTrustedIssuer,
  type ClientRow,
} from '../../db/clients.ts'
import { requireCompany } from '../people/companies.ts'
import type { ClockServices, DbServices } from '../services.ts'
import { readScopes } from './scopes.ts'

const iso = (time: number): string => new Date(time).toISOString()

export interface Client {
  readonly id: string
  readonly companyId: string
  readonly name: string
  readonly createdAt: string
}

export interface Grant {
  readonly clientId: string
  readonly companyId: string
  readonly expiresAt: string
  readonly createdAt: string
  /** What the client may be used for; null: everything. */
  readonly scopes: Scopes
}

const present = (row: ClientRow): Client => ({ ...row, createdAt: iso(row.createdAt) })

/** Registers a client. INVALID_REQUEST for a bad or taken id, COMPANY_NOT_FOUND. */
export function createClient(
  services: ClockServices,
  input: { id: string; companyId: string; name?: string },
): Client {
  if (!/^[A-Za-z0-9][A-Za-z0-9._:-]{0,199}$/.test(input.id))
    throw invalidRequest(
      'id',
      'A client id is up to 200 letters, digits, dots, colons, dashes and underscores.',
    )
  const company = requireCompany(services, input.companyId)
  const name = (input.name ?? input.id).trim()
  if (name === '' || isLonger(name, 200)) throw invalidRequest('name', 'A name has 1 to 200 characters.')
  const row: ClientRow = { id: input.id, companyId: company.id, name, createdAt: services.now() }
  if (!insertClient(services.db, row)) throw invalidRequest('id', `There is a client "${input.id}" already.`)
  return present(row)
}

/** The client, or NOT_FOUND. */
export function requireClient(services: DbServices, id: string): Client {
  const row = getClient(services.db, id)
  if (row === null) {
    const message = `There is no client "${id}". Register it first: cutroom client create`
    throw new AppError('NOT_FOUND', { message, details: { clientId: id } })
  }
  return present(row)
}

/**
 * Grants a client access until a time (epoch milliseconds), or renews the grant. A time in the past ends it. Without scopes
 * it keeps those that it had; a new one is for everything.
 */
export function grantAccess(
  services: ClockServices,
  input: { clientId: string; companyId: string; expiresAt: number; scopes?: readonly string[] | undefined },
): Grant {
  const client = requireClient(services, input.clientId)
  const company = requireCompany(services, input.companyId)
  if (!Number.isSafeInteger(input.expiresAt))
    throw invalidRequest('expires', 'The end of a grant is a moment.')
  const row = {
    clientId: client.id,
    companyId: company.id,
    expiresAt: input.expiresAt,
    createdAt: services.now(),
    scopes:
      input.scopes === undefined
        ? (getGrant(services.db, client.id, company.id)?.scopes?.slice() ?? null)
        : readScopes(input.scopes),
  }
  saveGrant(services.db, row)
  return { ...row, expiresAt: iso(row.expiresAt), createdAt: iso(row.createdAt) }
}

const DAY = 86_400_000

/** Gives a client leave for so many days from now, or renews it. INVALID_REQUEST for a new one without scopes. */
export function grantForDays(
  services: ClockServices,
  {
    days,
    ...who
  }: { clientId: string; companyId: string; days: number; scopes?: readonly string[] | undefined },
): Pick<Grant, 'companyId' | 'expiresAt' | 'scopes'> {
  const isNew = getGrant(services.db, who.clientId, who.companyId) === null
  if (isNew && who.scopes === undefined) readScopes([])
  const { companyId, expiresAt, scopes } = grantAccess(services, {
    ...who,
    expiresAt: services.now() + days * DAY,
  })
  return { companyId, expiresAt, scopes }
}

/** Takes the leave back; NOT_FOUND when there was none. */
export function revokeAccess(services: DbServices, input: { clientId: string; companyId: string }): void {
  if (!deleteGrant(services.db, input.clientId, input.companyId)) {
    const message = `"${input.companyId}" has granted nothing to "${input.clientId}".`
    throw new AppError('NOT_FOUND', message)
  }
}

/**
 * Trusts the delegations of an issuer with these public keys, for the named companies or, with none, for all.
 * INVALID_REQUEST for anything but a set of public keys.
 */
export function trustIssuer(
  services: ClockServices,
  input: { issuer: string; jwks: unknown; companies: readonly string[] },
): void {
  if (input.issuer === '' || input.issuer.length > 500)
    throw invalidRequest('issuer', 'An issuer has 1 to 500 characters.')
  for (const id of input.companies) requireCompany(services, id)
  const { keys = [] } = (input.jwks ?? {}) as { keys?: readonly Record<string, unknown>[] }
  try {
    createLocalJWKSet(input.jwks as JSONWebKeySet)
  } catch (cause) {
    const message = 'The keys are not a JSON Web Key Set: {"keys": [...]}.'
    throw new AppError('INVALID_REQUEST', { message, details: { field: 'jwks' }, cause })
  }
  if (keys.length === 0) throw invalidRequest('jwks', 'The key set holds no key.')
  if (keys.some((key) => 'd' in key || 'k' in key))
    throw invalidRequest('jwks', 'The key set holds a private key; register public keys only.')
  saveTrustedIssuer(services.db, {
    issuer: input.issuer,
    jwks: input.jwks,
    companies: input.companies.length === 0 ? null : [...input.companies],
    createdAt: services.now(),
  })
}

/** NOT_FOUND when it was not trusted. */
export function distrustIssuer(services: DbServices, issuer: string): void {
  if (!deleteTrustedIssuer(services.db, issuer))
    throw new AppError('NOT_FOUND', `"${issuer}" is not trusted here.`)
}

/** Registers a client as createClient does; every client, this one included. */
export function addClient(
  services: ClockServices,
  input: Parameters<typeof createClient>[1],
): ReturnType<typeof describeClients> {
  createClient(services, input)
  return describeClients(services)
}

/** Every client, the first one first, with what companies grant to it. */
export function describeClients(
  services: DbServices,
): (Client & { grants: readonly Pick<Grant, 'companyId' | 'expiresAt' | 'scopes'>[] })[] {
  return listClients(services.db).map(({ grants, ...row }) => ({
    ...present(row),
    grants: grants.map(({ companyId, expiresAt, scopes }) => ({
      companyId,
      expiresAt: iso(expiresAt),
      scopes,
    })),
  }))
}
