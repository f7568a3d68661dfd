import { allCompanies } from '../../domain/people/companies.ts'
import { defineCommand, EXIT } from '../command.ts'
import { withServices } from '../open-home.ts'
import { table } from '../terminal.ts'

/** Lists the tenants. */
export const companyList = defineCommand({
  summary: 'List the companies',
  positionals: [],
  options: {},
  examples: [{ line: 'cutroom company list --json', does: 'All companies, oldest first, as a JSON list.' }],
  run: async ({ options, terminal }) => {
    const companies = await withServices(options, allCompanies)
    if (options.json) terminal.out(JSON.stringify(companies))
    else {
      const rows = companies.map(({ id, name, plan, features }) => [
        id,
        name,
        plan,
        features.join(',') || '-',
      ])
      for (const line of table([['ID', 'NAME', 'PLAN', 'FEATURES'], ...rows])) terminal.out(line)
    }
    return EXIT.done
  },
})
