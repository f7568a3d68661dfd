/** Invitations by link: whoever has the link becomes a person with its role, once, until it is over or taken back. */
import { randomBytes } from 'node:crypto'
import { AppError, refuse } from '../../contract/errors.ts'
import type { InvitationView, MadeInvitation, OpenInvitation } from '../../contract/sign-in.ts'
import type { Role } from '../../contract/people.ts'
import {
  deleteExpiredInvitations,
  deleteInvitation,
  findInvitation,
  insertInvitation,
  listInvitations,
  type InvitationRow,
} from '../../db/credentials.ts'
import { inTransaction } from '../../db/prepared.ts'
import { newId } from '../../ids.ts'
import { iso } from '../moments.ts'
import type { ClockServices } from '../services.ts'
import { emailOf, requireFreeEmail } from './emails.ts'
import { hashNewPassword, storePassword } from './passwords.ts'
import { addPerson, nameOf, scopeOf } from './people.ts'
import { readProvider } from './provider-settings.ts'
import { secretHash } from './secret-hash.ts'

const DAY_MS = 86_400_000
const DEFAULT_DAYS = 7

function present(row: InvitationRow): OpenInvitation {
  const { id, email, role, companyId, invitedBy, createdAt, expiresAt } = row
  return { id, email, role, companyId, invitedBy, createdAt: iso(createdAt), expiresAt: iso(expiresAt) }
}

/**
 * Makes an invitation and its link, which is shown nowhere else. `invitedBy`: the name that the invited reads. `days`: 7
 * where it is left out. INVALID_REQUEST, INVALID_STATE (a person with that address is there), COMPANY_NOT_FOUND.
 */
export function createInvitation(
  services: ClockServices,
  input: {
    readonly role: Role
    readonly scope?: string
    readonly email?: string
    readonly days?: number
    readonly invitedBy: string
    readonly baseUrl: string
  },
): MadeInvitation {
  const companyId = scopeOf(services, input.role, input.scope ?? null)
  const email = input.email === undefined || input.email === '' ? null : emailOf(input.email)
  if (email !== null) requireFreeEmail(services, email, null)
  const token = randomBytes(32).toString('base64url')
  const now = services.now()
  const row = {
    id: newId(),
    hash: secretHash(token),
    email,
    role: input.role,
    companyId,
    invitedBy: input.invitedBy,
    createdAt: now,
    expiresAt: now + (input.days ?? DEFAULT_DAYS) * DAY_MS,
  }
  deleteExpiredInvitations(services.db, now)
  insertInvitation(services.db, row)
  // Behind a hash: what a browser does not send is in no log of a proxy.
  return { invitation: present(row), link: `${input.baseUrl}/#/welcome/${token}` }
}

/** Those that can still be used. */
export const openInvitations = (services: ClockServices): OpenInvitation[] =>
  listInvitations(services.db, services.now()).map(present)

/** Takes an invitation back: its link leads nowhere from now on. NOT_FOUND. */
export function revokeInvitation(services: ClockServices, id: string): void {
  if (!deleteInvitation(services.db, id))
    throw new AppError('NOT_FOUND', 'This invitation was used, or is over.')
}

const OVER =
  'This invitation does not work any more: it was used, taken back, or is over. Have whoever invited you make another.'

/** The open invitation of a link's token. SIGN_IN_REFUSED. */
export const requireInvitation = (services: ClockServices, token: string): InvitationRow =>
  findInvitation(services.db, secretHash(token), services.now()) ?? refuse('SIGN_IN_REFUSED', OVER)

/** What the invited sees. SIGN_IN_REFUSED. */
export function viewInvitation(services: ClockServices, token: string): InvitationView {
  const { email, role, invitedBy, expiresAt } = requireInvitation(services, token)
  const provider = readProvider(services)
  return {
    email,
    role,
    invitedBy,
    expiresAt: iso(expiresAt),
    provider: provider === null ? null : { name: provider.name },
  }
}

/**
 * Uses an invitation up: the id of the person that it has made, whom `complete` gives what they sign in with in the same
 * transaction. SIGN_IN_REFUSED, INVALID_REQUEST, INVALID_STATE.
 */
export function useInvitation(
  services: ClockServices,
  invitation: InvitationRow,
  input: { readonly name: string; readonly email: string | null },
  complete: (personId: string) => void,
): string {
  return inTransaction(services.db, () => {
    const { id, role, companyId } = invitation
    if (!deleteInvitation(services.db, id)) throw new AppError('SIGN_IN_REFUSED', OVER)
    if (input.email !== null) requireFreeEmail(services, input.email, null)
    const person = addPerson(services, {
      name: nameOf(input.name),
      role,
      companyId,
      email: input.email,
    })
    complete(person.id)
    return person.id
  })
}

/** The invited sets a name and a password: the person's id. SIGN_IN_REFUSED, INVALID_REQUEST, INVALID_STATE, RATE_LIMITED. */
export async function acceptByPassword(
  services: ClockServices,
  input: { readonly token: string; readonly name: string; readonly email: string; readonly password: string },
): Promise<string> {
  const invitation = requireInvitation(services, input.token)
  const name = nameOf(input.name)
  const email = invitation.email ?? emailOf(input.email)
  requireFreeEmail(services, email, null)
  const hash = await hashNewPassword(input.password, [name, email])
  return useInvitation(services, requireInvitation(services, input.token), { name, email }, (id) =>
    storePassword(services, id, hash),
  )
}
