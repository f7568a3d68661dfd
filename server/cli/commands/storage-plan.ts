import { planRetention } from '../../domain/settings/retention.ts'
import { defineCommand, EXIT } from '../command.ts'
import { withServices } from '../open-home.ts'
import { table } from '../terminal.ts'

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

/** What `storage clean` would remove. */
export const storagePlan = defineCommand({
  summary: 'Show what was kept long enough and would go, and what each company keeps; nothing is touched',
  positionals: [],
  options: {},
  examples: [
    {
      line: 'cutroom storage plan',
      does: 'By kind, as CUTROOM_KEEP_SOURCES_DAYS, CUTROOM_KEEP_RESULTS_DAYS and CUTROOM_KEEP_UPLOADS_DAYS say.',
    },
  ],
  run: async ({ options, terminal }) => {
    const plan = await withServices(options, planRetention)
    if (options.json) {
      terminal.out(JSON.stringify(plan))
      return EXIT.done
    }
    const kinds = plan.items.map(({ label, days, files, bytes }) => [
      label,
      days === null ? 'for good' : `${days} days`,
      ...(days === null ? ['-', '-'] : [String(files), megabytes(bytes)]),
    ])
    for (const line of table([['WHAT', 'KEPT', 'FILES', 'SIZE'], ...kinds])) terminal.out(line)
    const companies = plan.companies.map(({ id, bytes, quotaBytes }) => [
      id,
      megabytes(bytes),
      quotaBytes === null ? '-' : megabytes(quotaBytes),
    ])
    for (const line of table([['COMPANY', 'KEEPS', 'MAY KEEP'], ...companies])) terminal.out(line)
    return EXIT.done
  },
})
