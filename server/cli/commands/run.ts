import { parseSource, prepareOutFolder } from '../arguments.ts'
import { defineCommand, EXIT, type Terminal, flag, optional, required } from '../command.ts'
import { resumeOnHome, runOnHome, type FinishedRun } from '../run-on-home.ts'
import { readFile, writeFile } from 'node:fs/promises'
import { AppError } from '../../contract/errors.ts'
import { requireCompany } from '../../domain/people/companies.ts'
import { exportWorkflow, importWorkflow, listWorkflows } from '../../domain/workflows/workflows.ts'
import { parseJsonFile } from '../../config/settings.ts'
import { withServices, defineHomeCommand } from '../open-home.ts'
import { table } from '../terminal.ts'

/** One long video through a workflow. */
export const run = defineCommand({
  summary: 'Run a workflow on a video: an address or a file on this machine',
  positionals: ['URL_OR_FILE'],
  options: {
    company: optional('ID', 'whose run it is (local)'),
    workflow: required('ID', 'workflow id, or its exact name'),
    'node-configs': optional('FILE', 'JSON overrides keyed by node type'),
    wait: flag('stay until it is done, with progress'),
    out: optional('DIR', 'copy the finished clips there (waits)'),
  },
  examples: {
    'cutroom run talk.mp4 --workflow "Vertical shorts" --wait --out clips':
      'Finished clips in ./clips. A talk.srt or talk.vtt beside the video gives the captions.',
    'cutroom run https://example.com/talk.mp4 --company acme --workflow WORKFLOW_ID --json':
      'Queues the run and prints it; `--wait` adds the clips.',
  },
  run: async ({ options, positionals, terminal }) => {
    const nodeConfigs =
      options['node-configs'] === undefined ? undefined : await readJsonFile(options['node-configs'])
    const finished = await runOnHome(
      options,
      {
        companyId: options.company ?? 'local',
        workflow: options.workflow,
        source: parseSource(positionals[0] ?? ''),
        nodeConfigs,
        wait: options.wait || options.out !== undefined,
        out: options.out === undefined ? null : await prepareOutFolder(options.out),
      },
      terminal,
    )
    return reportRun(finished, options.json, terminal)
  },
})

/** Resumes a failed run where it stopped. */
export const resume = defineCommand({
  summary: 'Let a run that failed go on where it stopped, once the cause is mended',
  positionals: ['RUN_ID'],
  options: {
    wait: flag('stay until it is done, with progress'),
    out: optional('DIR', 'copy the finished clips there (waits)'),
  },
  examples: {
    'cutroom resume 4cFZ0yZLQ3yX9yXbq0m1bg --wait':
      'After a full disk or a missing model: finished stages are not done again.',
  },
  run: async ({ options, positionals, terminal }) => {
    const finished = await resumeOnHome(
      options,
      {
        triggerId: positionals[0] ?? '',
        wait: options.wait || options.out !== undefined,
        out: options.out === undefined ? null : await prepareOutFolder(options.out),
      },
      terminal,
    )
    return reportRun(finished, options.json, terminal)
  },
})

/** Prints what became of a run and its clips; the exit code. */
function reportRun(finished: FinishedRun, json: boolean, terminal: Terminal): number {
  if (json) terminal.out(JSON.stringify(finished))
  else {
    for (const warning of finished.run.warnings) terminal.note(`Note: ${warning}`)
    if (finished.run.status === 'Pending') terminal.out(`Run ${finished.run.id} is queued.`)
    finished.clips.forEach((clip, place) => {
      terminal.out(`${String(place + 1).padStart(2)}. ${clip.title}`)
      terminal.out(
        `    ${clip.duration.toFixed(1)} s, score ${Math.round(clip.viralityScore)}, ${clip.file ?? clip.id}`,
      )
    })
  }
  if (finished.run.status !== 'Error') return EXIT.done
  if (!json)
    terminal.note(`cutroom: the run failed (${finished.run.code ?? 'INTERNAL'}): ${finished.run.error ?? ''}`)
  return EXIT.failed
}

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
