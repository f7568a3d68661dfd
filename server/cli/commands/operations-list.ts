import { OPERATION_FILTERS, type OperationFilter } from '../../contract/settings.ts'
import { AppError } from '../../contract/errors.ts'
import { listOperations } from '../../domain/operations/failed-operations.ts'
import { defineCommand, EXIT } from '../command.ts'
import { withServices } from '../open-home.ts'
import { table } from '../terminal.ts'

function stateOf(text: string | undefined): OperationFilter | null {
  if (text === undefined) return null
  const found = OPERATION_FILTERS.find((state) => state === text)
  if (found === undefined)
    throw new AppError('INVALID_USAGE', { message: `--state is one of ${OPERATION_FILTERS.join(', ')}.` })
  return found
}

/** What the queue has, above all what was given up. */
export const operationsList = defineCommand({
  summary: 'List operations of the queue; those in state dead wait for a person',
  positionals: [],
  options: {
    state: { type: 'string', value: 'STATE', description: OPERATION_FILTERS.join(', ') },
    company: { type: 'string', value: 'ID', description: 'only of this company' },
  },
  examples: [
    {
      line: 'cutroom operations list --state dead',
      does: 'What failed, may succeed, and was not tried again.',
    },
  ],
  run: async ({ options, terminal }) => {
    const filter = { companyId: options.company ?? null, state: stateOf(options.state) }
    const found = await withServices(options, (services) => listOperations(services, filter))
    if (options.json) terminal.out(JSON.stringify(found))
    else if (found.length === 0) terminal.note('There are none.')
    else {
      const rows = found.map(({ id, companyId, kind, state, attempts, updatedAt, failure }) => [
        id,
        companyId,
        kind,
        state,
        String(attempts),
        updatedAt,
        failure === null ? '' : `${failure.code}: ${failure.message}`,
      ])
      const head = ['ID', 'COMPANY', 'KIND', 'STATE', 'TRIES', 'CHANGED', 'WHY']
      for (const line of table([head, ...rows])) terminal.out(line)
    }
    return EXIT.done
  },
})
