import { issueDelegation } from '../../domain/access/delegations.ts'
import { defineCommand, EXIT } from '../command.ts'
import { parseSpan } from '../moments.ts'
import { withServices } from '../open-home.ts'

/** Issues a delegation for a local client. */
export const delegationIssue = defineCommand({
  summary: 'Issue a delegation: what a client sends as X-Service-Delegation',
  positionals: [],
  options: {
    client: { type: 'string', required: true, value: 'ID', description: 'the calling client' },
    company: { type: 'string', required: true, value: 'ID', description: 'the tenant it acts for' },
    subject: { type: 'string', required: true, value: 'S', description: 'the person or service behind it' },
    ttl: { type: 'string', value: 'SPAN', description: 'how long it lives, at most 1h (15m)' },
  },
  examples: [
    {
      line: 'cutroom delegation issue --client planner --company acme --subject ada --json',
      does: 'Prints {"token"}.',
    },
  ],
  run: async ({ options, terminal }) => {
    const { client: clientId, company: companyId, subject, ttl } = options
    const lifeSeconds = parseSpan('ttl', ttl ?? '15m')
    const token = await withServices(options, (services) =>
      issueDelegation(services, { clientId, companyId, subject, lifeSeconds }),
    )
    terminal.out(options.json ? JSON.stringify({ token }) : token)
    return EXIT.done
  },
})
