import { readFile } from 'node:fs/promises'
import { AppError } from '../../contract/errors.ts'
import { importWorkflow } from '../../domain/workflows/workflows.ts'
import { parseJsonFile } from '../../json-file.ts'
import { defineCommand, EXIT } from '../command.ts'
import { withServices } from '../open-home.ts'

/** Saves a workflow from a file. */
export const workflowImport = defineCommand({
  summary: 'Save a workflow file for a company',
  positionals: ['FILE'],
  options: {
    company: { type: 'string', required: true, value: 'ID', description: 'whose workflow it becomes' },
  },
  examples: [
    {
      line: 'cutroom workflow import shorts.json --company local --json',
      does: 'FILE is {name, description, nodes, edges}; prints {"workflowId"}.',
    },
  ],
  run: async ({ options, positionals, terminal }) => {
    const file = await readJsonFile(positionals[0] ?? '')
    const { workflowId } = await withServices(options, (services) =>
      importWorkflow(services, { companyId: options.company, file }),
    )
    terminal.out(options.json ? JSON.stringify({ workflowId }) : workflowId)
    return EXIT.done
  },
})

/** A JSON file that the command line names. Throws INVALID_REQUEST with the file in the sentence. */
export async function readJsonFile(path: string): Promise<unknown> {
  let bytes: Uint8Array
  try {
    bytes = await readFile(path)
  } catch (cause) {
    throw new AppError('INVALID_REQUEST', {
      message: `${path} cannot be read: ${(cause as Error).message}.`,
      cause,
    })
  }
  try {
    return parseJsonFile(bytes)
  } catch (cause) {
    throw new AppError('INVALID_REQUEST', {
      message: `${path} is not JSON: ${(cause as Error).message}.`,
      cause,
    })
  }
}
