import { createApiKey } from '../../domain/people/api-keys.ts'
import { defineCommand, EXIT } from '../command.ts'
import { withServices } from '../open-home.ts'

/** Makes an API key. */
export const keyCreate = defineCommand({
  summary: 'Make an API key for a company; it is shown once and stored hashed',
  positionals: [],
  options: {
    company: { type: 'string', required: true, value: 'ID', description: 'whose key it is' },
    name: {
      type: 'string',
      required: true,
      value: 'N',
      description: 'what it is for, to tell keys apart later',
    },
  },
  examples: [
    { line: 'cutroom key create --company local --name "render farm"', does: 'A key for a script.' },
    { line: 'cutroom key create --company acme --name ci --json', does: 'Prints {"id","key"}.' },
  ],
  run: async ({ options, terminal }) => {
    const { company, name } = options
    const created = await withServices(options, (services) =>
      createApiKey(services, { companyId: company, name }),
    )
    if (options.json) terminal.out(JSON.stringify({ id: created.id, key: created.key }))
    else {
      terminal.out(created.key)
      terminal.note(`Key ${created.id} of company "${company}". It cannot be shown again.`)
    }
    return EXIT.done
  },
})
