import { deleteLibraryItem } from '../../domain/library/library.ts'
import { defineCommand, EXIT } from '../command.ts'
import { withServices } from '../open-home.ts'

/** Takes items out of a company's library. */
export const libraryRemove = defineCommand({
  summary: "Take pictures and videos out of a company's library",
  positionals: ['ITEM_ID', '[ITEM_ID...]'],
  options: { company: { type: 'string', value: 'ID', description: 'whose library (local)' } },
  examples: [
    {
      line: 'cutroom library remove ITEM_ID',
      does: 'A file that clips still use stays until they are gone.',
    },
  ],
  run: async ({ options, positionals, terminal }) => {
    const companyId = options.company ?? 'local'
    const removed = await withServices(options, async (services) => {
      const done: { id: string; fileDeleted: boolean }[] = []
      for (const itemId of positionals) {
        done.push({ id: itemId, ...(await deleteLibraryItem(services, { companyId, itemId })) })
      }
      return done
    })
    if (options.json) terminal.out(JSON.stringify(removed))
    else
      for (const { id, fileDeleted } of removed) {
        terminal.out(`${id} removed${fileDeleted ? '' : '; its file stays, something uses it'}`)
      }
    return EXIT.done
  },
})
