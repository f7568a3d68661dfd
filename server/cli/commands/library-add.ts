import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path'
import { AppError } from '../../contract/errors.ts'
import type { LibraryItem } from '../../contract/library.ts'
import { requireCompany } from '../../domain/people/companies.ts'
import { addLibraryItem, folderNamed } from '../../domain/library/library.ts'
import type { Services } from '../../domain/services.ts'
import { tagsOfName } from '../../nodes/index.ts'
import { defineCommand, EXIT } from '../command.ts'
import { withServices } from '../open-home.ts'
import { progressReporter, type ProgressReporter } from '../progress.ts'
import { stopSignal } from '../stop-signal.ts'

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
    company: { type: 'string', value: 'ID', description: 'whose library (local)' },
    folder: { type: 'string', value: 'NAME', description: 'folder of the library; made where there is none' },
    tags: { type: 'string', value: 'A,B', description: 'tags for all of them, with commas between' },
  },
  examples: [
    {
      line: 'cutroom library add ~/broll --folder Cities --tags city,travel',
      does: 'Every picture and video in it; words of file and folder names become tags.',
    },
    { line: 'cutroom library add bridge.jpg --tags "golden gate,bridge" --json', does: 'One file.' },
  ],
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
        throw new AppError('INVALID_REQUEST', { message: 'There are no pictures or videos in there.' })
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
    if (options.json) terminal.out(JSON.stringify(added))
    else
      for (const { file, item, added: isNew, problem } of added) {
        const what = isNew ? 'added' : 'was there already'
        terminal.out(problem ?? `${basename(file)} ${what}: ${item?.tags.join(', ') ?? ''}`)
      }
    return added.every(({ problem }) => problem === null) ? EXIT.done : EXIT.failed
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
