import { createWebhook } from '../../domain/webhooks/webhooks.ts'
import { defineCommand, EXIT } from '../command.ts'
import { withServices } from '../open-home.ts'

/** Registers an address that receives events. */
export const webhookCreate = defineCommand({
  summary: 'Have an address told what happens to runs, renders, clips and posts',
  positionals: [],
  options: {
    company: { type: 'string', required: true, value: 'ID', description: 'whose events' },
    url: { type: 'string', required: true, value: 'URL', description: 'where they are sent by POST' },
    event: {
      type: 'string',
      multiple: true,
      value: 'TYPE',
      description: 'run.completed, render.*, ...; may be given several times (all)',
    },
  },
  examples: [
    {
      line: 'cutroom webhook create --company local --url https://studio.example/hooks --event run.completed --event "post.*"',
      does: 'Prints the webhook and, this once, the secret that its requests are signed with.',
    },
  ],
  run: async ({ options, terminal }) => {
    const { company: companyId, url, event: events } = options
    const { webhook, secret } = await withServices(options, (services) =>
      createWebhook(services, { companyId, url, events }),
    )
    if (options.json) terminal.out(JSON.stringify({ ...webhook, secret }))
    else {
      terminal.out(`Webhook ${webhook.id} tells ${webhook.url} of ${webhook.events.join(', ')}.`)
      terminal.out(`Its secret, shown this once: ${secret}`)
    }
    return EXIT.done
  },
})
