import { userInfo } from 'node:os'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { createInvitation, openInvitations, revokeInvitation } from '../../domain/people/invitations.ts'
import { parseRole } from '../../domain/people/people.ts'
import { AppError } from '../../contract/errors.ts'
import { optional } from '../command.ts'
import { defineHomeCommand } from '../open-home.ts'
import { table } from '../terminal.ts'
import { studioAddress } from './people.ts'

const MAX_DAYS = 30

/** INVALID_USAGE. */
function daysOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const days = Number(text)
  if (Number.isInteger(days) && days >= 1 && days <= MAX_DAYS) return days
  throw new AppError('INVALID_USAGE', `--days is a whole number from 1 to ${MAX_DAYS}.`)
}

export const invitationCreate = defineHomeCommand({
  summary: 'Print a link with which somebody joins once: with a password, a passkey or the provider',
  options: {
    role: optional('ROLE', 'owner, editor or viewer (viewer)'),
    company: optional('ID', 'the only company they work for (every one)'),
    email: optional('ADDRESS', 'whom it is for (whoever has the link)'),
    days: optional('N', 'until it is over, 1 to 30 (7)'),
  },
  examples: { 'cutroom invitation create --role editor --email ada@example.com': 'The link works once.' },
  run: ({ services, options }) => {
    const { invitation, link } = createInvitation(services, {
      role: parseRole(options.role ?? 'viewer'),
      invitedBy: userInfo().username,
      baseUrl: studioAddress(services),
      ...omitUndefined({ scope: options.company, email: options.email, days: daysOf(options.days) }),
    })
    return {
      json: { invitation, link },
      text: link,
      notes: [`Whoever opens it first becomes ${invitation.role}, until ${invitation.expiresAt}.`],
    }
  },
})

export const invitationList = defineHomeCommand({
  summary: 'List invitations that can still be used',
  examples: { 'cutroom invitation list': 'Ids, for whom, roles, by whom, until when.' },
  run: ({ services }) => {
    const invitations = openInvitations(services)
    const rows = invitations.map(({ id, email, role, companyId, invitedBy, expiresAt }) => {
      return [id, email ?? 'whoever has the link', role, companyId ?? 'every one', invitedBy, expiresAt]
    })
    return { json: invitations, text: table([['ID', 'FOR', 'ROLE', 'COMPANY', 'BY', 'UNTIL'], ...rows]) }
  },
})

export const invitationRevoke = defineHomeCommand({
  summary: 'Take an invitation back: its link leads nowhere from then on',
  positionals: ['INVITATION_ID'],
  examples: { 'cutroom invitation revoke 3q2-7wAbCdEfGhIjKlMnOp': 'The id is in `cutroom invitation list`.' },
  run: ({ services, positionals: [id = ''] }) => {
    revokeInvitation(services, id)
    return { json: { id, revoked: true }, text: 'The invitation is revoked.' }
  },
})
