import { writeFile } from 'node:fs/promises'
import { exportWorkflow } from '../../domain/workflows/workflows.ts'
import { defineCommand, EXIT } from '../command.ts'
import { withServices } from '../open-home.ts'

/** Writes a workflow as the file that `workflow import` takes. */
export const workflowExport = defineCommand({
  summary: 'Print a workflow as the file that `workflow import` takes',
  positionals: ['WORKFLOW_ID'],
  options: {
    company: { type: 'string', value: 'ID', description: 'whose workflow (local)' },
    out: { type: 'string', value: 'FILE', description: 'write it there instead of to stdout' },
  },
  examples: [
    {
      line: 'cutroom workflow export WORKFLOW_ID --out shorts.json',
      does: 'Keep it, change it, import it elsewhere.',
    },
  ],
  run: async ({ options, positionals, terminal }) => {
    const workflow = await withServices(options, (services) =>
      exportWorkflow(services, { companyId: options.company ?? 'local', workflowId: positionals[0] ?? '' }),
    )
    const text = JSON.stringify(workflow, null, options.json ? 0 : 2)
    if (options.out === undefined) terminal.out(text)
    else await writeFile(options.out, `${text}\n`)
    return EXIT.done
  },
})
