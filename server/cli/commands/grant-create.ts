import { grantAccess } from '../../domain/access/clients.ts'
import { defineCommand, EXIT } from '../command.ts'
import { parseMoment } from '../moments.ts'
import { withServices } from '../open-home.ts'

/** Gives a client leave to act for a company, or renews it. */
export const grantCreate = defineCommand({
  summary: 'Let a client act for a company until a moment; again: renew it',
  positionals: [],
  options: {
    client: { type: 'string', required: true, value: 'ID', description: 'who may act' },
    company: { type: 'string', required: true, value: 'ID', description: 'for whom' },
    expires: {
      type: 'string',
      required: true,
      value: 'WHEN',
      description: 'a date, a date and time, or a span from now such as 90d',
    },
  },
  examples: [
    {
      line: 'cutroom grant create --client planner --company acme --expires 90d',
      does: 'For the next 90 days.',
    },
  ],
  run: async ({ options, terminal }) => {
    const { client, company, expires } = options
    const grant = await withServices(options, (services) =>
      grantAccess(services, {
        clientId: client,
        companyId: company,
        expiresAt: parseMoment('expires', expires, services.now()),
      }),
    )
    terminal.out(
      options.json ? JSON.stringify(grant) : `"${client}" may act for "${company}" until ${grant.expiresAt}.`,
    )
    return EXIT.done
  },
})
