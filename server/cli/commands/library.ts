import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path'
import { AppError, refuse } from '../../contract/errors.ts'
import type { LibraryItem } from '../../contract/library.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { requireCompany } from '../../domain/people/companies.ts'
import {
  addLibraryItem,
  changeLibraryItem,
  deleteLibraryItem,
  folderNamed,
  readLibrary,
} from '../../domain/library/library.ts'
import type { Services } from '../../domain/services.ts'
import { cleanTags, tagsOfName } from '../../nodes/index.ts'
import { defineCommand, flag, optional } from '../command.ts'
import { withServices, defineHomeCommand } from '../open-home.ts'
import { stopSignal } from '../stop-signal.ts'
import { progressReporter, type ProgressReporter, table } from '../terminal.ts'

/** Extensions that a bulk add considers; a file that is named explicitly is always considered. */
const ENDINGS = new Set('png jpg jpeg webp gif mp4 m4v mov webm mkv avi'.split(' ').map((end) => `.${end}`))

interface Found {
  readonly path: string
  /** From the names of the folders below the one that was given. */
  readonly tags: readonly string[]
}

interface Added {
  readonly file: string
  readonly item: LibraryItem | null
  /** False: it was there already, and got the tags. */
  readonly added: boolean
  readonly problem: string | null
}

/** Adds files, or whole folders of files, to a company's library. */
export const libraryAdd = defineCommand({
  summary: "Add pictures and videos, or whole folders of them, to a company's library",
  positionals: ['FILE_OR_DIR', '[FILE_OR_DIR...]'],
  options: {
    company: optional('ID', 'whose library (local)'),
    folder: optional('NAME', 'folder of the library; made where there is none'),
    tags: optional('A,B', 'tags for all of them, with commas between'),
  },
  examples: {
    'cutroom library add ~/broll --folder Cities --tags city,travel':
      'Every picture and video in it; words of file and folder names become tags.',
    'cutroom library add bridge.jpg --tags "golden gate,bridge" --json': 'One file.',
  },
  run: async ({ options, positionals, terminal }) => {
    const companyId = options.company ?? 'local'
    const tags = (options.tags ?? '').split(',')
    const stopping = new AbortController()
    void stopSignal().then(() => stopping.abort())
    const progress = progressReporter(terminal)
    const added: Added[] = []
    try {
      const found = (await Promise.all(positionals.map((given) => filesAt(resolve(given))))).flat()
      if (found.length === 0)
        throw new AppError('INVALID_REQUEST', 'There are no pictures or videos in there.')
      await withServices(options, async (services) => {
        requireCompany(services, companyId)
        const folderId =
          options.folder === undefined ? null : folderNamed(services, { companyId, name: options.folder }).id
        for (const [place, file] of found.entries()) {
          const into = { companyId, folderId, tags: [...tags, ...file.tags] }
          const share = { place, of: found.length, progress, signal: stopping.signal }
          added.push(await addOne(services, file, into, share))
        }
      })
    } finally {
      progress.end()
    }
    return {
      json: added,
      text: added.map(({ file, item, added: isNew, problem }) => {
        const what = isNew ? 'added' : 'was there already'
        return problem ?? `${basename(file)} ${what}: ${item?.tags.join(', ') ?? ''}`
      }),
      failed: added.some(({ problem }) => problem !== null),
    }
  },
})

/** A bad file among many is reported and the others are still added. A full disk or Ctrl-C ends the command. */
async function addOne(
  services: Services,
  file: Found,
  into: { companyId: string; folderId: string | null; tags: string[] },
  share: { place: number; of: number; progress: ProgressReporter; signal: AbortSignal },
): Promise<Added> {
  const { place, of, progress, signal } = share
  const note = `${basename(file.path)} (${place + 1} of ${of})`
  const onProgress = (fraction: number): void => progress.update((place + fraction) / of, note)
  onProgress(0)
  try {
    const { item, added } = await addLibraryItem(
      services,
      { ...into, path: file.path },
      { signal, onProgress },
    )
    return { file: file.path, item, added, problem: null }
  } catch (error) {
    if (!(error instanceof AppError) || !error.code.startsWith('SOURCE_')) throw error
    return { file: file.path, item: null, added: false, problem: error.message }
  }
}

/** Files of a folder and those below it, in order; hidden ones and links are left out. */
async function filesAt(given: string): Promise<Found[]> {
  const facts = await stat(given).catch((cause: unknown) => {
    throw new AppError('INVALID_REQUEST', { message: `There is nothing at ${given}.`, cause })
  })
  if (!facts.isDirectory()) return [{ path: given, tags: [] }]
  const entries = await readdir(given, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && ENDINGS.has(extname(entry.name).toLowerCase()))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(
      (path) =>
        !relative(given, path)
          .split(sep)
          .some((part) => part.startsWith('.')),
    )
    .toSorted()
    .map((path) => ({ path, tags: relative(dirname(given), dirname(path)).split(sep).flatMap(tagsOfName) }))
}

export const libraryList = defineCommand({
  summary: "List a company's library of pictures and videos for b-roll",
  positionals: ['[WORDS...]'],
  options: {
    company: optional('ID', 'whose library (local)'),
    folder: optional('NAME', 'only what is in this folder'),
  },
  examples: {
    'cutroom library list': 'Ids, folders and tags.',
    'cutroom library list golden gate': 'What has both words among its tags or in its name.',
    'cutroom library list --folder Cities --json': '{ "folders", "items" }',
  },
  run: async ({ options, positionals }) => {
    const companyId = options.company ?? 'local'
    const library = await withServices(options, (services) => {
      requireCompany(services, companyId)
      const whole = readLibrary(services, { companyId, search: positionals.join(' ') })
      if (options.folder === undefined) return whole
      const folder = whole.folders.find(({ name, id }) => name === options.folder || id === options.folder)
      return { ...whole, items: whole.items.filter(({ folderId }) => folderId === (folder?.id ?? '')) }
    })
    const names = new Map(library.folders.map(({ id, name }) => [id, name]))
    const rows = library.items.map(({ id, kind, width, height, name, folderId, tags }) => {
      return [id, kind, `${width}x${height}`, name, names.get(folderId ?? '') ?? '-', tags.join(', ')]
    })
    return {
      json: library,
      text: table([['ID', 'KIND', 'SIZE', 'NAME', 'FOLDER', 'TAGS'], ...rows]),
      notes: rows.length === 0 ? ['Nothing here. Add pictures with: cutroom library add DIR'] : [],
    }
  },
})

export const libraryRemove = defineHomeCommand({
  summary: "Take pictures and videos out of a company's library",
  positionals: ['ITEM_ID', '[ITEM_ID...]'],
  options: { company: optional('ID', 'whose library (local)') },
  examples: { 'cutroom library remove ITEM_ID': 'A file that clips still use stays until they are gone.' },
  run: async ({ services, options, positionals }) => {
    const companyId = options.company ?? 'local'
    const removed: { id: string; fileDeleted: boolean }[] = []
    for (const itemId of positionals)
      removed.push({ id: itemId, ...(await deleteLibraryItem(services, { companyId, itemId })) })
    return {
      json: removed,
      text: removed.map(({ id, fileDeleted }) => {
        return `${id} removed${fileDeleted ? '' : '; its file stays, something uses it'}`
      }),
    }
  },
})

export const libraryTag = defineHomeCommand({
  summary: 'Change the tags, the name or the folder of a picture or video in the library',
  positionals: ['ITEM_ID', '[TAG...]'],
  options: {
    company: optional('ID', 'whose library (local)'),
    add: flag('keep the tags that it has, and add these'),
    name: optional('NAME', 'call it this'),
    folder: optional('NAME', 'move it there; made where there is none'),
  },
  examples: {
    'cutroom library tag ITEM_ID bridge "golden gate"': 'These tags and no others.',
    'cutroom library tag ITEM_ID fog --add': 'One more tag.',
    'cutroom library tag ITEM_ID --folder Cities': 'Its tags stay as they are.',
  },
  run: ({ services, options, positionals: [itemId = '', ...tags] }) => {
    const companyId = options.company ?? 'local'
    const before =
      readLibrary(services, { companyId }).items.find(({ id }) => id === itemId) ??
      refuse('NOT_FOUND', 'There is no such item in the library.')
    const { name, folder } = options
    const folderId = folder === undefined ? undefined : folderNamed(services, { companyId, name: folder }).id
    const item = changeLibraryItem(services, {
      companyId,
      itemId,
      ...(tags.length === 0 ? {} : { tags: cleanTags(options.add ? [...before.tags, ...tags] : tags) }),
      ...omitUndefined({ name, folderId }),
    })
    return { json: item, text: `${item.name}: ${item.tags.join(', ')}` }
  },
})
