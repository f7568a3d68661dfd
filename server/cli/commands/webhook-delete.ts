import { deleteWebhook } from '../../domain/webhooks/webhooks.ts'
import { defineCommand, EXIT } from '../command.ts'
import { withServices } from '../open-home.ts'

/** Ends a webhook, at once. */
export const webhookDelete = defineCommand({
  summary: 'Delete a webhook and what it was still to be told',
  positionals: ['ID'],
  options: {},
  examples: [{ line: 'cutroom webhook delete ID', does: 'Nothing is sent there any more.' }],
  run: async ({ options, positionals, terminal }) => {
    const id = positionals[0] ?? ''
    await withServices(options, (services) => deleteWebhook(services, id))
    terminal.out(options.json ? JSON.stringify({ id, deleted: true }) : `Webhook ${id} is deleted.`)
    return EXIT.done
  },
})
