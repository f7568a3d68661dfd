import { setTimeout as delay } from 'node:timers/promises'
import { KEY_REMEMBERED_MS } from '../../db/api-keys.ts'
import { SCOPE_ABOUT, SCOPES, WORK_SCOPES } from '../../contract/scopes.ts'
import { readScopes } from '../../domain/access/scopes.ts'
import { createApiKey, describeApiKeys, endApiKey } from '../../domain/people/api-keys.ts'
import { parseMoment } from '../arguments.ts'
import { defineCommand, optional, repeated, required } from '../command.ts'
import { withServices, defineHomeCommand } from '../open-home.ts'
import { table } from '../terminal.ts'

export const keyCreate = defineHomeCommand({
  summary: 'Make an API key for a company; it is shown once and stored hashed',
  options: {
    company: required('ID', 'whose key it is'),
    name: required('N', 'what it is for, to tell keys apart later'),
    scope: repeated('S', `one of ${SCOPES.join(', ')} (all but admin)`),
    expires: optional(
      'WHEN',
      'when it ends: a date, a date and time, or a span from now such as 90d (never)',
    ),
  },
  examples: {
    'cutroom key create --company local --name website --scope read --scope trigger --expires 90d':
      'A key that starts runs and reads what came of them, for 90 days.',
    'cutroom key create --company local --name "render farm"': 'A key for a script.',
    'cutroom key create --company acme --name ci --json': 'Prints {"id","key"}.',
  },
  run: ({ services, options }) => {
    const { company: companyId, name, scope, expires } = options
    const scopes = scope.length === 0 ? {} : { scopes: scope }
    const end = expires === undefined ? {} : { expiresAt: parseMoment('expires', expires, services.now()) }
    const { id, key } = createApiKey(services, { companyId, name, ...scopes, ...end })
    return {
      json: { id, key },
      text: key,
      notes: [
        `Key ${id} of company "${companyId}". It cannot be shown again.`,
        ...readScopes(scope.length === 0 ? WORK_SCOPES : scope).map((one) => `${one}: ${SCOPE_ABOUT[one]}`),
      ],
    }
  },
})

export const keyList = defineHomeCommand({
  summary: "List a company's API keys (never the keys themselves)",
  options: { company: required('ID', 'whose keys') },
  examples: { 'cutroom key list --company local': 'Ids, names, scopes, when last used, ended or revoked.' },
  run: ({ services, options }) => {
    const keys = describeApiKeys(services, options.company)
    const rows = keys.map(({ id, name, scopes, createdAt, lastUsedAt, expiresAt, revokedAt }) => [
      id,
      name,
      scopes?.join(',') ?? 'everything (made before scopes)',
      createdAt,
      lastUsedAt ?? 'never',
      expiresAt ?? 'never',
      revokedAt ?? '-',
    ])
    const heads = ['ID', 'NAME', 'SCOPES', 'MADE', 'LAST USED', 'ENDS', 'REVOKED']
    return { json: keys, text: table([heads, ...rows]) }
  },
})

export const keyRevoke = defineCommand({
  summary: 'Revoke an API key, at once and for good',
  positionals: ['KEY_ID'],
  examples: { 'cutroom key revoke 3q2-7wAbCdEfGhIjKlMnOp': 'The id is in `cutroom key list`.' },
  run: async ({ options, positionals: [id = ''] }) => {
    await withServices(options, (services) => endApiKey(services, id))
    // A running server caches a key for this long; only then is the message below true.
    await delay(KEY_REMEMBERED_MS)
    return { json: { id, revoked: true }, text: `Key ${id} is revoked.` }
  },
})
