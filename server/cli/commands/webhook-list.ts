import { listWebhooks } from '../../domain/webhooks/webhooks.ts'
import { defineCommand, EXIT } from '../command.ts'
import { withServices } from '../open-home.ts'
import { table } from '../terminal.ts'

/** Lists webhooks, never their secrets. */
export const webhookList = defineCommand({
  summary: 'List webhooks (never their secrets)',
  positionals: [],
  options: { company: { type: 'string', value: 'ID', description: 'whose (all)' } },
  examples: [{ line: 'cutroom webhook list --company local', does: 'Ids, addresses, events, states.' }],
  run: async ({ options, terminal }) => {
    const webhooks = await withServices(options, (services) =>
      listWebhooks(services, options.company ?? null),
    )
    if (options.json) terminal.out(JSON.stringify(webhooks))
    else {
      const rows = webhooks.map(({ id, companyId, url, events, state }) => [
        id,
        companyId,
        state,
        events.join(','),
        url,
      ])
      for (const line of table([['ID', 'COMPANY', 'STATE', 'EVENTS', 'URL'], ...rows])) terminal.out(line)
    }
    return EXIT.done
  },
})
