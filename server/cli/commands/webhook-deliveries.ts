import { AppError } from '../../contract/errors.ts'
import { DELIVERY_STATES, type Delivery } from '../../contract/events.ts'
import { listDeliveries } from '../../domain/webhooks/webhooks.ts'
import { defineCommand, EXIT } from '../command.ts'
import { withServices } from '../open-home.ts'
import { table } from '../terminal.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'

const MOST = 200

function stateOf(given: string | undefined): Delivery['state'] | undefined {
  const state = DELIVERY_STATES.find((name) => name === given)
  if (given !== undefined && state === undefined)
    throw new AppError('INVALID_USAGE', {
      message: `--state should be one of ${DELIVERY_STATES.join(', ')}.`,
    })
  return state
}

/** Lists deliveries of a webhook with their responses. */
export const webhookDeliveries = defineCommand({
  summary: 'What a webhook was told, newest first, and what it answered',
  positionals: ['ID'],
  options: { state: { type: 'string', value: 'STATE', description: 'only these: queued, delivered, dead' } },
  examples: [
    {
      line: 'cutroom webhook deliveries ID --state dead',
      does: 'What was given up; `webhook replay` sends it again.',
    },
  ],
  run: async ({ options, positionals, terminal }) => {
    const state = stateOf(options.state)
    const found = await withServices(options, (services) =>
      listDeliveries(services, positionals[0] ?? '', {
        ...omitUndefined({ state }),
        limit: MOST,
      }),
    )
    if (options.json) terminal.out(JSON.stringify(found))
    else {
      const rows = found.map(
        ({ id, event, subjectId, state: now, attempts, responseStatus, error, nextAt }) => [
          id,
          event,
          subjectId,
          now,
          String(attempts),
          responseStatus === null ? '-' : String(responseStatus),
          nextAt ?? '-',
          error ?? '',
        ],
      )
      const head = ['ID', 'EVENT', 'SUBJECT', 'STATE', 'TRIES', 'ANSWER', 'NEXT', 'ERROR']
      for (const line of table([head, ...rows])) terminal.out(line)
    }
    return EXIT.done
  },
})
