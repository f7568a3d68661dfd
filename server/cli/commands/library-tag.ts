import { AppError } from '../../contract/errors.ts'
import { changeLibraryItem, folderNamed, readLibrary } from '../../domain/library/library.ts'
import { cleanTags } from '../../nodes/index.ts'
import { defineCommand, EXIT } from '../command.ts'
import { withServices } from '../open-home.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'

/** Changes tags, name or folder of an item. */
export const libraryTag = defineCommand({
  summary: 'Change the tags, the name or the folder of a picture or video in the library',
  positionals: ['ITEM_ID', '[TAG...]'],
  options: {
    company: { type: 'string', value: 'ID', description: 'whose library (local)' },
    add: { type: 'boolean', description: 'keep the tags that it has, and add these' },
    name: { type: 'string', value: 'NAME', description: 'call it this' },
    folder: { type: 'string', value: 'NAME', description: 'move it there; made where there is none' },
  },
  examples: [
    { line: 'cutroom library tag ITEM_ID bridge "golden gate"', does: 'These tags and no others.' },
    { line: 'cutroom library tag ITEM_ID fog --add', does: 'One more tag.' },
    { line: 'cutroom library tag ITEM_ID --folder Cities', does: 'Its tags stay as they are.' },
  ],
  run: async ({ options, positionals, terminal }) => {
    const companyId = options.company ?? 'local'
    const [itemId = '', ...tags] = positionals
    const item = await withServices(options, (services) => {
      const before = readLibrary(services, { companyId }).items.find(({ id }) => id === itemId)
      if (before === undefined)
        throw new AppError('NOT_FOUND', { message: 'There is no such item in the library.' })
      const folder =
        options.folder === undefined ? null : folderNamed(services, { companyId, name: options.folder })
      return changeLibraryItem(services, {
        companyId,
        itemId,
        ...(tags.length === 0 ? {} : { tags: cleanTags(options.add ? [...before.tags, ...tags] : tags) }),
        ...omitUndefined({ name: options.name }),
        ...(folder === null ? {} : { folderId: folder.id }),
      })
    })
    terminal.out(options.json ? JSON.stringify(item) : `${item.name}: ${item.tags.join(', ')}`)
    return EXIT.done
  },
})
