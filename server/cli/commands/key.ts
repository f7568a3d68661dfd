import { setTimeout as delay } from 'node:timers/promises'
import { KEY_REMEMBERED_MS } from '../../db/api-keys.ts'
import { createApiKey, describeApiKeys, endApiKey } from '../../domain/people/api-keys.ts'
import { defineCommand, required } from '../command.ts'
import { withServices, defineHomeCommand } from '../open-home.ts'
import { table } from '../terminal.ts'

export const keyCreate = defineHomeCommand({
  summary: 'Make an API key for a company; it is shown once and stored hashed',
  options: {
    company: required('ID', 'whose key it is'),
    name: required('N', 'what it is for, to tell keys apart later'),
  },
  examples: {
    'cutroom key create --company local --name "render farm"': 'A key for a script.',
    'cutroom key create --company acme --name ci --json': 'Prints {"id","key"}.',
  },
  run: ({ services, options }) => {
    const { company: companyId, name } = options
    const { id, key } = createApiKey(services, { companyId, name })
    return {
      json: { id, key },
      text: key,
      notes: [`Key ${id} of company "${companyId}". It cannot be shown again.`],
    }
  },
})

export const keyList = defineHomeCommand({
  summary: "List a company's API keys (never the keys themselves)",
  options: { company: required('ID', 'whose keys') },
  examples: { 'cutroom key list --company local': 'Ids, names, when last used, when revoked.' },
  run: ({ services, options }) => {
    const keys = describeApiKeys(services, options.company)
    const rows = keys.map(({ id, name, createdAt, lastUsedAt, revokedAt }) => {
      return [id, name, createdAt, lastUsedAt ?? 'never', revokedAt ?? '-']
    })
    return { json: keys, text: table([['ID', 'NAME', 'MADE', 'LAST USED', 'REVOKED'], ...rows]) }
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
