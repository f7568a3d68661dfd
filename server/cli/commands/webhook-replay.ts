import { replayDelivery } from '../../domain/webhooks/webhooks.ts'
import { defineCommand, EXIT } from '../command.ts'
import { withServices } from '../open-home.ts'

/** Sends one delivery again. */
export const webhookReplay = defineCommand({
  summary: 'Tell a webhook once more what it was told, or was not',
  positionals: ['DELIVERY'],
  options: {},
  examples: [
    {
      line: 'cutroom webhook replay DELIVERY',
      does: 'The appliance on this home sends it at once; a paused webhook goes on.',
    },
  ],
  run: async ({ options, positionals, terminal }) => {
    const id = positionals[0] ?? ''
    await withServices(options, (services) => replayDelivery(services, id))
    terminal.out(options.json ? JSON.stringify({ id, state: 'queued' }) : `Delivery ${id} is sent again.`)
    return EXIT.done
  },
})
