import { defineCommand } from '../command.ts'
import { outFolder } from '../out-folder.ts'
import { reportRun } from '../report-run.ts'
import { resumeOnHome } from '../run-on-home.ts'

/** Resumes a failed run where it stopped. */
export const resume = defineCommand({
  summary: 'Let a run that failed go on where it stopped, once the cause is mended',
  positionals: ['RUN_ID'],
  options: {
    wait: { type: 'boolean', description: 'stay until it is done, with progress' },
    out: { type: 'string', value: 'DIR', description: 'copy the finished clips there (waits)' },
  },
  examples: [
    {
      line: 'cutroom resume 4cFZ0yZLQ3yX9yXbq0m1bg --wait',
      does: 'After a full disk or a missing model: finished stages are not done again.',
    },
  ],
  run: async ({ options, positionals, terminal }) => {
    const finished = await resumeOnHome(
      options,
      {
        triggerId: positionals[0] ?? '',
        wait: options.wait || options.out !== undefined,
        out: options.out === undefined ? null : await outFolder(options.out),
      },
      terminal,
    )
    return reportRun(finished, options.json, terminal)
  },
})
