import { requireCompany } from '../../domain/people/companies.ts'
import { listWorkflows } from '../../domain/workflows/workflows.ts'
import { defineCommand, EXIT } from '../command.ts'
import { withServices } from '../open-home.ts'
import { table } from '../terminal.ts'

/** Lists a company's workflows. */
export const workflowList = defineCommand({
  summary: "List a company's workflows",
  positionals: [],
  options: { company: { type: 'string', value: 'ID', description: 'whose workflows (local)' } },
  examples: [{ line: 'cutroom workflow list --company local', does: 'Ids for `cutroom run --workflow`.' }],
  run: async ({ options, terminal }) => {
    const companyId = options.company ?? 'local'
    const workflows = await withServices(options, (services) => {
      requireCompany(services, companyId)
      return listWorkflows(services, { companyId })
    })
    if (options.json) terminal.out(JSON.stringify(workflows))
    else {
      const rows = workflows.map(({ id, name, description }) => [id, name, description])
      for (const line of table([['ID', 'NAME', 'DESCRIPTION'], ...rows])) terminal.out(line)
    }
    return EXIT.done
  },
})
