import { retryOperation } from '../../domain/operations/failed-operations.ts'
import { readRunningAppliance } from '../../jobs/home-lock.ts'
import { defineCommand, EXIT } from '../command.ts'
import { withServices } from '../open-home.ts'

/** Another try for what failed. */
export const operationsRetry = defineCommand({
  summary: 'Try a failed operation once more; a run goes on with what it has',
  positionals: ['OPERATION_ID'],
  options: {},
  examples: [
    { line: 'cutroom operations retry 4cFZ0yZLQ3yX9yXbq0m1bg', does: 'Queues it as a new operation.' },
  ],
  run: async ({ options, positionals, terminal }) => {
    const { operationId, running } = await withServices(options, (services) => ({
      ...retryOperation(services, { companyId: null, operationId: positionals[0] ?? '' }),
      running: readRunningAppliance(services.home) !== null,
    }))
    terminal.out(options.json ? JSON.stringify({ operationId }) : `Queued again as ${operationId}.`)
    if (!running && !options.json)
      terminal.note('No appliance is running on this home: it begins when one is started (cutroom serve).')
    return EXIT.done
  },
})
