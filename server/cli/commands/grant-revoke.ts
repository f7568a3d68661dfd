import { revokeAccess } from '../../domain/access/clients.ts'
import { defineCommand, EXIT } from '../command.ts'
import { withServices } from '../open-home.ts'

/** Takes a client's leave back, at once. */
export const grantRevoke = defineCommand({
  summary: 'Take back what a company has granted to a client',
  positionals: [],
  options: {
    client: { type: 'string', required: true, value: 'ID', description: 'who may act no longer' },
    company: { type: 'string', required: true, value: 'ID', description: 'for whom' },
  },
  examples: [{ line: 'cutroom grant revoke --client planner --company acme', does: 'It may act no longer.' }],
  run: async ({ options, terminal }) => {
    const { client: clientId, company: companyId } = options
    await withServices(options, (services) => revokeAccess(services, { clientId, companyId }))
    terminal.out(
      options.json
        ? JSON.stringify({ clientId, companyId, revoked: true })
        : `"${clientId}" may act for "${companyId}" no longer.`,
    )
    return EXIT.done
  },
})
