import { AppError } from '../../contract/errors.ts'
import { anyOperationOpen } from '../../db/storage.ts'
import { sweepRetention } from '../../domain/settings/retention.ts'
import { defineCommand, EXIT } from '../command.ts'
import { withServices } from '../open-home.ts'
import { progressReporter } from '../progress.ts'

/** Deletes what has passed its retention time. */
export const storageClean = defineCommand({
  summary: 'Remove what was kept long enough now, also while the appliance runs; `storage plan` shows it',
  positionals: [],
  options: {},
  examples: [
    { line: 'cutroom storage clean', does: 'What clips, libraries, posts and addresses need always stays.' },
  ],
  run: async ({ options, terminal }) => {
    const progress = progressReporter(terminal)
    const swept = await withServices(options, (services) => {
      if (anyOperationOpen(services.db))
        throw new AppError('INVALID_STATE', {
          message: 'Runs or renders are going on. Clean when they have ended.',
        })
      return sweepRetention(services, { onProgress: (note) => progress.update(0, note) })
    }).finally(() => progress.end())
    terminal.out(
      options.json
        ? JSON.stringify(swept)
        : `${swept.files} ${swept.files === 1 ? 'file' : 'files'} removed, ${(swept.bytes / 1e6).toFixed(1)} MB.`,
    )
    return EXIT.done
  },
})
