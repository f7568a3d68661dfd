/** Commands for services that call the APIs: clients, grants, delegations, service tokens, trusted issuers. */
import { readFile } from 'node:fs/promises'
import { AppError } from '../../contract/errors.ts'
import { SCOPES } from '../../contract/scopes.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import {
  createClient,
  distrustIssuer,
  grantAccess,
  revokeAccess,
  trustIssuer,
} from '../../domain/access/clients.ts'
import { issueDelegation } from '../../domain/access/delegations.ts'
import { issueServiceToken } from '../../domain/access/service-tokens.ts'
import { applianceId } from '../../domain/people/sign-in.ts'
import { parseJsonFile } from '../../config/settings.ts'
import { parseChoice, parseMoment, parseSpan } from '../arguments.ts'
import { defineCommand, optional, repeated, required } from '../command.ts'
import { withServices, defineHomeCommand } from '../open-home.ts'

export const clientCreate = defineHomeCommand({
  summary: 'Register a service that calls the domain API; companies grant to it',
  positionals: ['ID'],
  options: {
    company: required('ID', 'who registers it'),
    name: optional('N', 'what people call it (its id)'),
  },
  examples: { 'cutroom client create planner --company acme --json': 'Prints the client.' },
  run: ({ services, options, positionals: [id = ''] }) => {
    const { company: companyId, name } = options
    const client = createClient(services, { id, companyId, ...omitUndefined({ name }) })
    return {
      json: client,
      text: `Client "${client.id}" is registered.`,
      notes: [`It needs a grant: cutroom grant create --client ${client.id} --company ID --expires 90d`],
    }
  },
})

/** Gives a client leave to act for a company, or renews it. */
export const grantCreate = defineCommand({
  summary: 'Let a client act for a company until a moment; again: renew it',
  options: {
    client: required('ID', 'who may act'),
    company: required('ID', 'for whom'),
    expires: required('WHEN', 'a date, a date and time, or a span from now such as 90d'),
    scope: repeated('S', `one of ${SCOPES.join(', ')} (as it was; a new grant is for everything)`),
  },
  examples: {
    'cutroom grant create --client planner --company acme --expires 90d': 'For the next 90 days.',
    'cutroom grant create --client assistant --company acme --expires 90d --scope read --scope edit':
      'An agent that reads and edits, and has nothing run, rendered or published.',
  },
  run: async ({ options }) => {
    const { client: clientId, company: companyId, expires, scope } = options
    const expiresAt = parseMoment('expires', expires, Date.now())
    const scopes = scope.length === 0 ? undefined : scope
    const grant = await withServices(options, (services) =>
      grantAccess(services, { clientId, companyId, expiresAt, scopes }),
    )
    const { scopes: may, ...plain } = grant
    return {
      json: may === null ? plain : grant,
      text: `"${clientId}" may act for "${companyId}" until ${grant.expiresAt}: ${may?.join(', ') ?? 'everything'}.`,
    }
  },
})

export const grantRevoke = defineHomeCommand({
  summary: 'Take back what a company has granted to a client',
  options: { client: required('ID', 'who may act no longer'), company: required('ID', 'for whom') },
  examples: { 'cutroom grant revoke --client planner --company acme': 'It may act no longer.' },
  run: ({ services, options }) => {
    const { client: clientId, company: companyId } = options
    revokeAccess(services, { clientId, companyId })
    return {
      json: { clientId, companyId, revoked: true },
      text: `"${clientId}" may act for "${companyId}" no longer.`,
    }
  },
})

export const delegationIssue = defineCommand({
  summary: 'Issue a delegation: what a client sends as X-Service-Delegation',
  options: {
    client: required('ID', 'the calling client'),
    company: required('ID', 'the tenant it acts for'),
    subject: required('S', 'the person or service behind it'),
    ttl: optional('SPAN', 'how long it lives, at most 1h (15m)'),
  },
  examples: {
    'cutroom delegation issue --client planner --company acme --subject ada --json': 'Prints {"token"}.',
  },
  run: async ({ options }) => {
    const { client: clientId, company: companyId, subject, ttl } = options
    const lifeSeconds = parseSpan('ttl', ttl ?? '15m')
    const token = await withServices(options, (services) =>
      issueDelegation(services, { clientId, companyId, subject, lifeSeconds }),
    )
    return { json: { token }, text: token }
  },
})

export const serviceTokenIssue = defineCommand({
  summary: 'Issue an ID token for a service that calls /internal',
  options: {
    subject: required('S', 'the service'),
    ttl: optional('SPAN', 'how long it lives, at most 1h (15m)'),
    for: optional('USE', 'worker: it lets a worker node join, and opens nothing else'),
  },
  examples: {
    'cutroom service-token issue --subject scheduler --json': 'Prints {"token"}.',
    'cutroom service-token issue --subject render-1 --for worker': 'What a worker node joins with.',
  },
  run: async ({ options }) => {
    const { subject, ttl } = options
    const joins = parseChoice(options.for, ['worker'], '--for is') !== undefined
    const lifeSeconds = parseSpan('ttl', ttl ?? '15m')
    const token = await withServices(options, (services) =>
      issueServiceToken(services, { subject, lifeSeconds, joins }),
    )
    return { json: { token }, text: token }
  },
})

async function readKeys(path: string): Promise<unknown> {
  try {
    return parseJsonFile(await readFile(path))
  } catch (cause) {
    throw new AppError('INVALID_USAGE', { message: `${path} cannot be read as JSON.`, cause })
  }
}

export const issuerTrust = defineCommand({
  summary: 'Believe delegations of another issuer, by its public keys',
  positionals: ['ISSUER'],
  options: {
    jwks: required('FILE', 'its JSON Web Key Set'),
    company: repeated('ID', 'the companies that it may speak for (all)'),
  },
  examples: {
    'cutroom issuer trust https://id.example.com --jwks keys.json --company acme':
      'Its delegations for acme are believed. Prints what they have to name as their audience.',
  },
  run: async ({ options, positionals: [issuer = ''] }) => {
    const { company: companies } = options
    const jwks = await readKeys(options.jwks)
    // Printed because the issuer's operator has no other place to look it up.
    const audience = await withServices(options, (services) => {
      trustIssuer(services, { issuer, jwks, companies })
      return applianceId(services)
    })
    return {
      json: { issuer, companies, audience },
      text: `"${issuer}" is trusted. Its delegations have to be for this appliance: "aud" is "${audience}".`,
    }
  },
})

export const issuerDistrust = defineHomeCommand({
  summary: 'Believe delegations of an issuer no longer',
  positionals: ['ISSUER'],
  examples: { 'cutroom issuer distrust https://id.example.com': 'Its delegations are refused.' },
  run: ({ services, positionals: [issuer = ''] }) => {
    distrustIssuer(services, issuer)
    return { json: { issuer, trusted: false }, text: `"${issuer}" is trusted no longer.` }
  },
})
