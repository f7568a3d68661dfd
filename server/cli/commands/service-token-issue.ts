import { issueServiceToken } from '../../domain/access/service-tokens.ts'
import { defineCommand, EXIT } from '../command.ts'
import { parseSpan } from '../moments.ts'
import { withServices } from '../open-home.ts'

/** Issues an ID token for a service of the platform. */
export const serviceTokenIssue = defineCommand({
  summary: 'Issue an ID token for a service that calls /internal',
  positionals: [],
  options: {
    subject: { type: 'string', required: true, value: 'S', description: 'the service' },
    ttl: { type: 'string', value: 'SPAN', description: 'how long it lives, at most 1h (15m)' },
  },
  examples: [{ line: 'cutroom service-token issue --subject scheduler --json', does: 'Prints {"token"}.' }],
  run: async ({ options, terminal }) => {
    const lifeSeconds = parseSpan('ttl', options.ttl ?? '15m')
    const token = await withServices(options, (services) =>
      issueServiceToken(services, { subject: options.subject, lifeSeconds }),
    )
    terminal.out(options.json ? JSON.stringify({ token }) : token)
    return EXIT.done
  },
})
