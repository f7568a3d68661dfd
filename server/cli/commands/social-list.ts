import { requireCompany } from '../../domain/people/companies.ts'
import { listSocialAccounts } from '../../domain/publishing/accounts.ts'
import { defineCommand, EXIT } from '../command.ts'
import { withServices } from '../open-home.ts'
import { table } from '../terminal.ts'

/** The accounts of a company, without what opens them. */
export const socialList = defineCommand({
  summary: 'List the connected accounts of a company',
  positionals: [],
  options: {
    company: { type: 'string', required: true, value: 'ID', description: 'whose accounts' },
  },
  examples: [{ line: 'cutroom social list --company acme', does: 'Handles, platforms and how they stand.' }],
  run: async ({ options, terminal }) => {
    const accounts = await withServices(options, (services) =>
      listSocialAccounts(services, requireCompany(services, options.company).id),
    )
    if (options.json) terminal.out(JSON.stringify(accounts))
    else if (accounts.length === 0) terminal.out('No account is connected: posts become packages.')
    else
      for (const line of table([
        ['ID', 'PLATFORM', 'HANDLE', 'STATE'],
        ...accounts.map(({ id, platform, handle, state }) => [id, platform, handle, state]),
      ]))
        terminal.out(line)
    return EXIT.done
  },
})
