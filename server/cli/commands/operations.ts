import { AppError } from '../../contract/errors.ts'
import { OPERATION_FILTERS } from '../../contract/settings.ts'
import { listOperations, retryOperation } from '../../domain/operations/failed-operations.ts'
import { retryAll, sentencesOfLeft } from '../../domain/runs/resume-all.ts'
import { readRunningAppliance } from '../../jobs/home-lock.ts'
import { parseChoice } from '../arguments.ts'
import { defineCommand, flag, optional } from '../command.ts'
import { withServices, defineHomeCommand } from '../open-home.ts'
import { table } from '../terminal.ts'

/** What the queue has, above all what was given up. */
export const operationsList = defineCommand({
  summary: 'List operations of the queue; those in state dead wait for a person',
  options: {
    state: optional('STATE', OPERATION_FILTERS.join(', ')),
    company: optional('ID', 'only of this company'),
  },
  examples: { 'cutroom operations list --state dead': 'What failed, may succeed, and was not tried again.' },
  run: async ({ options }) => {
    const state = parseChoice(options.state, OPERATION_FILTERS, '--state is') ?? null
    const found = await withServices(options, (services) =>
      listOperations(services, { companyId: options.company ?? null, state }),
    )
    if (found.length === 0) return { json: found, text: [], notes: ['There are none.'] }
    const rows = found.map(({ id, companyId, kind, state: now, attempts, updatedAt, failure }) => {
      const why = failure === null ? '' : `${failure.code}: ${failure.message}`
      return [id, companyId, kind, now, String(attempts), updatedAt, why]
    })
    return {
      json: found,
      text: table([['ID', 'COMPANY', 'KIND', 'STATE', 'TRIES', 'CHANGED', 'WHY'], ...rows]),
    }
  },
})

export const operationsRetry = defineHomeCommand({
  summary:
    'Try a failed operation once more, or all that were given up (--all); a run goes on with what it has',
  positionals: ['[OPERATION_ID]'],
  options: { all: flag('everything that `operations list --state dead` lists') },
  examples: {
    'cutroom operations retry 4cFZ0yZLQ3yX9yXbq0m1bg': 'Queues it as a new operation.',
    'cutroom operations retry --all --json': '{ "retried": 20, "operations": [...], "left": {} }',
  },
  run: ({ services, options, positionals: [wanted] }) => {
    if (options.all === (wanted !== undefined))
      throw new AppError('INVALID_USAGE', 'Give the id of an operation, or --all.')
    const note = 'No appliance is running on this home: it begins when one is started (cutroom serve).'
    const idle = readRunningAppliance(services.home) === null ? [note] : []
    if (wanted === undefined) {
      const gone = retryAll(services)
      const retried = gone.queued.length
      return {
        json: { retried, operations: gone.queued, left: gone.left },
        text: `${retried} ${retried === 1 ? 'operation was' : 'operations were'} queued again.`,
        notes: [...sentencesOfLeft(gone), ...(retried > 0 ? idle : [])],
      }
    }
    const { operationId } = retryOperation(services, { companyId: null, operationId: wanted })
    return { json: { operationId }, text: `Queued again as ${operationId}.`, notes: idle }
  },
})
