import { readFile, writeFile } from 'node:fs/promises'
import { AppError } from '../../contract/errors.ts'
import { requireCompany } from '../../domain/people/companies.ts'
import { exportWorkflow, importWorkflow, listWorkflows } from '../../domain/workflows/workflows.ts'
import { parseJsonFile } from '../../config/settings.ts'
import { defineCommand, EXIT, optional, required } from '../command.ts'
import { withServices, defineHomeCommand } from '../open-home.ts'
import { table } from '../terminal.ts'

export const workflowImport = defineCommand({
  summary: 'Save a workflow file for a company',
  positionals: ['FILE'],
  options: { company: required('ID', 'whose workflow it becomes') },
  examples: {
    'cutroom workflow import shorts.json --company local --json':
      'FILE is {name, description, nodes, edges}; prints {"workflowId"}.',
  },
  run: async ({ options, positionals: [path = ''] }) => {
    const file = await readJsonFile(path)
    const { workflowId } = await withServices(options, (services) =>
      importWorkflow(services, { companyId: options.company, file }),
    )
    return { json: { workflowId }, text: workflowId }
  },
})

export const workflowList = defineHomeCommand({
  summary: "List a company's workflows",
  options: { company: optional('ID', 'whose workflows (local)') },
  examples: { 'cutroom workflow list --company local': 'Ids for `cutroom run --workflow`.' },
  run: ({ services, options }) => {
    const companyId = options.company ?? 'local'
    requireCompany(services, companyId)
    const workflows = listWorkflows(services, { companyId })
    const rows = workflows.map(({ id, name, description }) => [id, name, description])
    return { json: workflows, text: table([['ID', 'NAME', 'DESCRIPTION'], ...rows]) }
  },
})

export const workflowExport = defineHomeCommand({
  summary: 'Print a workflow as the file that `workflow import` takes',
  positionals: ['WORKFLOW_ID'],
  options: {
    company: optional('ID', 'whose workflow (local)'),
    out: optional('FILE', 'write it there instead of to stdout'),
  },
  examples: {
    'cutroom workflow export WORKFLOW_ID --out shorts.json': 'Keep it, change it, import it elsewhere.',
  },
  run: async ({ services, options, positionals: [workflowId = ''], terminal }) => {
    const workflow = exportWorkflow(services, { companyId: options.company ?? 'local', workflowId })
    const text = JSON.stringify(workflow, null, options.json ? 0 : 2)
    if (options.out === undefined) terminal.out(text)
    else await writeFile(options.out, `${text}\n`)
    return EXIT.done
  },
})

/** A JSON file that the command line names. Throws INVALID_REQUEST with the file in the sentence. */
export async function readJsonFile(path: string): Promise<unknown> {
  const fail = (problem: string) => (cause: unknown) => {
    throw new AppError('INVALID_REQUEST', {
      message: `${path} ${problem}: ${(cause as Error).message}.`,
      cause,
    })
  }
  const bytes = await readFile(path).catch(fail('cannot be read'))
  try {
    return parseJsonFile(bytes)
  } catch (cause) {
    return fail('is not JSON')(cause)
  }
}
