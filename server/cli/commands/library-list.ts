import { requireCompany } from '../../domain/people/companies.ts'
import { readLibrary } from '../../domain/library/library.ts'
import { defineCommand, EXIT } from '../command.ts'
import { withServices } from '../open-home.ts'
import { table } from '../terminal.ts'

/** Lists the pictures and videos of a company's library. */
export const libraryList = defineCommand({
  summary: "List a company's library of pictures and videos for b-roll",
  positionals: ['[WORDS...]'],
  options: {
    company: { type: 'string', value: 'ID', description: 'whose library (local)' },
    folder: { type: 'string', value: 'NAME', description: 'only what is in this folder' },
  },
  examples: [
    { line: 'cutroom library list', does: 'Ids, folders and tags.' },
    { line: 'cutroom library list golden gate', does: 'What has both words among its tags or in its name.' },
    { line: 'cutroom library list --folder Cities --json', does: '{ "folders", "items" }' },
  ],
  run: async ({ options, positionals, terminal }) => {
    const companyId = options.company ?? 'local'
    const library = await withServices(options, (services) => {
      requireCompany(services, companyId)
      const whole = readLibrary(services, { companyId, search: positionals.join(' ') })
      const folder = whole.folders.find(({ name, id }) => name === options.folder || id === options.folder)
      if (options.folder === undefined) return whole
      return { ...whole, items: whole.items.filter(({ folderId }) => folderId === (folder?.id ?? '')) }
    })
    if (options.json) terminal.out(JSON.stringify(library))
    else {
      const names = new Map(library.folders.map(({ id, name }) => [id, name]))
      const rows = library.items.map(({ id, kind, width, height, name, folderId, tags }) => [
        id,
        kind,
        `${width}x${height}`,
        name,
        names.get(folderId ?? '') ?? '-',
        tags.join(', '),
      ])
      for (const line of table([['ID', 'KIND', 'SIZE', 'NAME', 'FOLDER', 'TAGS'], ...rows]))
        terminal.out(line)
      if (rows.length === 0) terminal.note('Nothing here. Add pictures with: cutroom library add DIR')
    }
    return EXIT.done
  },
})
