import { defineCommand } from '../command.ts'
import { outFolder } from '../out-folder.ts'
import { runOnHome } from '../run-on-home.ts'
import { sourceOf } from '../source-of.ts'
import { reportRun } from '../report-run.ts'
import { readJsonFile } from './workflow-import.ts'

/** One long video through a workflow. */
export const run = defineCommand({
  summary: 'Run a workflow on a video: an address or a file on this machine',
  positionals: ['URL_OR_FILE'],
  options: {
    company: { type: 'string', value: 'ID', description: 'whose run it is (local)' },
    workflow: { type: 'string', required: true, value: 'ID', description: 'workflow id, or its exact name' },
    'node-configs': { type: 'string', value: 'FILE', description: 'JSON overrides keyed by node type' },
    wait: { type: 'boolean', description: 'stay until it is done, with progress' },
    out: { type: 'string', value: 'DIR', description: 'copy the finished clips there (waits)' },
  },
  examples: [
    {
      line: 'cutroom run talk.mp4 --workflow "Vertical shorts" --wait --out clips',
      does: 'Finished clips in ./clips. A talk.srt or talk.vtt beside the video gives the captions.',
    },
    {
      line: 'cutroom run https://example.com/talk.mp4 --company acme --workflow WORKFLOW_ID --json',
      does: 'Queues the run and prints it; `--wait` adds the clips.',
    },
  ],
  run: async ({ options, positionals, terminal }) => {
    const nodeConfigs =
      options['node-configs'] === undefined ? undefined : await readJsonFile(options['node-configs'])
    const finished = await runOnHome(
      options,
      {
        companyId: options.company ?? 'local',
        workflow: options.workflow,
        source: sourceOf(positionals[0] ?? ''),
        nodeConfigs,
        wait: options.wait || options.out !== undefined,
        out: options.out === undefined ? null : await outFolder(options.out),
      },
      terminal,
    )
    return reportRun(finished, options.json, terminal)
  },
})
