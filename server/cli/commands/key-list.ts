import { describeApiKeys } from '../../domain/people/api-keys.ts'
import { defineCommand, EXIT } from '../command.ts'
import { withServices } from '../open-home.ts'
import { table } from '../terminal.ts'

/** Lists a company's keys, never their secrets. */
export const keyList = defineCommand({
  summary: "List a company's API keys (never the keys themselves)",
  positionals: [],
  options: { company: { type: 'string', required: true, value: 'ID', description: 'whose keys' } },
  examples: [{ line: 'cutroom key list --company local', does: 'Ids, names, when last used, when revoked.' }],
  run: async ({ options, terminal }) => {
    const keys = await withServices(options, (services) => describeApiKeys(services, options.company))
    if (options.json) terminal.out(JSON.stringify(keys))
    else {
      const rows = keys.map(({ id, name, createdAt, lastUsedAt, revokedAt }) => [
        id,
        name,
        createdAt,
        lastUsedAt ?? 'never',
        revokedAt ?? '-',
      ])
      for (const line of table([['ID', 'NAME', 'MADE', 'LAST USED', 'REVOKED'], ...rows])) terminal.out(line)
    }
    return EXIT.done
  },
})
