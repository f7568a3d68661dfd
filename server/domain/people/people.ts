/** People of the studio: invited by a one-time link, changed, taken out. There is always an owner. */
import { type Invitation, type Person, type PersonChanges, type Role, ROLES } from '../../contract/people.ts'
import { isLonger } from '../../contract/characters.ts'
import { AppError, invalidRequest, refuse } from '../../contract/errors.ts'
import {
  countOtherOwners,
  deletePerson,
  deleteSessionsOf,
  getPerson,
  insertPerson,
  listPeople as readPeople,
  updatePerson,
  type ListedPerson,
  type PersonRow,
} from '../../db/people.ts'
import { findRoleSource, listWays } from '../../db/credentials.ts'
import { newId } from '../../ids.ts'
import { requireCompany } from './companies.ts'
import type { ClockServices } from '../services.ts'
import { readProvider } from './provider-settings.ts'
import { secretHash } from './secret-hash.ts'
import { issueSignInLink, LINK_LIVES_MS } from './sign-in.ts'

const iso = (time: number): string => new Date(time).toISOString()

function present(row: ListedPerson, ways: Person['ways']): Person {
  const { id, name, role, companyId, sessions, invited, createdAt, lastSeenAt, email } = row
  return {
    id,
    name,
    role,
    companyId,
    email,
    ways,
    sessions,
    invited,
    createdAt: iso(createdAt),
    lastSeenAt: lastSeenAt === null ? null : iso(lastSeenAt),
  }
}

/** A new person, who cannot sign in yet. */
export function addPerson(
  services: ClockServices,
  given: Pick<PersonRow, 'name' | 'role' | 'companyId' | 'email'>,
): PersonRow {
  const row = { id: newId(), ...given, createdAt: services.now(), lastSeenAt: null }
  insertPerson(services.db, row)
  return row
}

/** Everyone who may use the studio, the first one first. */
export function listPeople(services: ClockServices): Person[] {
  const ways = Map.groupBy(listWays(services.db), ({ personId }) => personId)
  return readPeople(services.db, services.now()).map((row) =>
    present(
      row,
      (ways.get(row.id) ?? []).map(({ way }) => way),
    ),
  )
}

function requirePerson(services: ClockServices, id: string): PersonRow {
  return getPerson(services.db, id) ?? refuse('NOT_FOUND', 'There is no such person.')
}

function presentOne(services: ClockServices, id: string): Person {
  return (
    listPeople(services).find((person) => person.id === id) ?? refuse('NOT_FOUND', 'There is no such person.')
  )
}

/** A name without what cannot be shown. INVALID_REQUEST. */
export function nameOf(given: string): string {
  const name = given.replaceAll(/\p{Cc}/gu, '').trim()
  if (name === '' || isLonger(name, 200)) throw invalidRequest('name', 'A name has 1 to 200 characters.')
  return name
}

/** An empty scope means every company. Owners run the appliance, so they have all. Throws COMPANY_NOT_FOUND. */
export function scopeOf(services: ClockServices, role: Role, scope: string | null): string | null {
  if (scope === null || scope === '') return null
  if (role === 'owner')
    throw invalidRequest('scope', 'An owner works for every company; leave the company out.')
  return requireCompany(services, scope).id
}

/**
 * Adds a person and answers the link that signs them in, once, within a day; it is shown nowhere else. `scope`: the only
 * company that they work for. INVALID_REQUEST, COMPANY_NOT_FOUND.
 */
export function invitePerson(
  services: ClockServices,
  input: { name: string; role: Role; scope?: string; baseUrl: string },
): Invitation {
  const name = nameOf(input.name)
  const companyId = scopeOf(services, input.role, input.scope ?? null)
  const { id } = addPerson(services, { name, role: input.role, companyId, email: null })
  return linkFor(services, { id, baseUrl: input.baseUrl })
}

/** Another one-time link for an existing person, for another browser or after the first was used. Throws NOT_FOUND. */
export function linkFor(services: ClockServices, input: { id: string; baseUrl: string }): Invitation {
  requirePerson(services, input.id)
  const expiresAt = iso(services.now() + LINK_LIVES_MS)
  const link = issueSignInLink(services, input.baseUrl, input.id)
  return { person: presentOne(services, input.id), link, expiresAt }
}

/** Changes name, role or scope; it holds from the next request on. INVALID_STATE for the last owner. NOT_FOUND. */
export function changePerson(services: ClockServices, id: string, changes: PersonChanges): Person {
  services.db.sqlite
    .transaction(() => {
      const row = requirePerson(services, id)
      const role = changes.role ?? row.role
      if (role !== row.role) requireOwnRole(services, row)
      if (role !== 'owner') requireAnotherOwner(services, row, 'made anything else')
      const given = changes.scope ?? (role === 'owner' ? null : row.companyId)
      updatePerson(services.db, id, {
        role,
        companyId: scopeOf(services, role, given),
        name: changes.name === undefined ? row.name : nameOf(changes.name),
      })
    })
    .immediate()
  return presentOne(services, id)
}

/** INVALID_STATE for somebody whose role comes from their groups: the next sign-in would change it back. */
function requireOwnRole(services: ClockServices, { id, name }: PersonRow): void {
  const provider = readProvider(services)
  if (provider === null || findRoleSource(services.db, provider.issuer, id) !== 'groups') return
  throw new AppError('INVALID_STATE', {
    message: `The role of ${name} comes from their groups at ${provider.name}. Change the groups there, or which role a group has here.`,
  })
}

function requireAnotherOwner(services: ClockServices, row: PersonRow, what: string): void {
  if (row.role !== 'owner' || countOtherOwners(services.db, row.id) > 0) return
  throw new AppError('INVALID_STATE', {
    message: `${row.name} is the last owner and cannot be ${what}. Make somebody else an owner first.`,
  })
}

/** Takes a person out, with every session and link of theirs. INVALID_STATE for the last owner. NOT_FOUND. */
export function removePerson(services: ClockServices, id: string): void {
  services.db.sqlite
    .transaction(() => {
      requireAnotherOwner(services, requirePerson(services, id), 'removed')
      deletePerson(services.db, id)
    })
    .immediate()
}

/**
 * Signs a person out everywhere; unused links end too. `own`: the requesting session, which stays where it is that
 * person's. Returns how many sessions ended. NOT_FOUND.
 */
export function endSessions(
  services: ClockServices,
  id: string,
  own: { secret: string; person: { id: string } } | null = null,
): number {
  requirePerson(services, id)
  return deleteSessionsOf(services.db, id, own?.person.id === id ? secretHash(own.secret) : null)
}

/** The role with this name. INVALID_REQUEST. */
export function parseRole(text: string): Role {
  const role = ROLES.find((one) => one === text)
  if (role === undefined) throw invalidRequest('role', `A role is one of ${ROLES.join(', ')}.`)
  return role
}

/** The person with this id, or of this name where only one has it. NOT_FOUND, INVALID_REQUEST. */
export function findPerson(services: ClockServices, wanted: string): Person {
  const everybody = listPeople(services)
  const named = everybody.filter(({ id, name }) => id === wanted || name === wanted)
  const found =
    named.find(({ id }) => id === wanted) ??
    named[0] ??
    refuse('NOT_FOUND', `There is nobody "${wanted}". See: cutroom people list`)
  if (named.length > 1 && found.id !== wanted)
    throw invalidRequest(
      'person',
      `There is more than one "${wanted}"; give the id, as in: cutroom people list`,
    )
  return found
}
