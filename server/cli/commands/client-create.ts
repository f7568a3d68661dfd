import { createClient } from '../../domain/access/clients.ts'
import { defineCommand, EXIT } from '../command.ts'
import { withServices } from '../open-home.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'

/** Registers an OAuth client. */
export const clientCreate = defineCommand({
  summary: 'Register a service that calls the domain API; companies grant to it',
  positionals: ['ID'],
  options: {
    company: { type: 'string', required: true, value: 'ID', description: 'who registers it' },
    name: { type: 'string', value: 'N', description: 'what people call it (its id)' },
  },
  examples: [{ line: 'cutroom client create planner --company acme --json', does: 'Prints the client.' }],
  run: async ({ options, positionals, terminal }) => {
    const { company, name } = options
    const client = await withServices(options, (services) =>
      createClient(services, {
        id: positionals[0] ?? '',
        companyId: company,
        ...omitUndefined({ name }),
      }),
    )
    terminal.out(options.json ? JSON.stringify(client) : `Client "${client.id}" is registered.`)
    if (!options.json)
      terminal.note(`It needs a grant: cutroom grant create --client ${client.id} --company ID --expires 90d`)
    return EXIT.done
  },
})
