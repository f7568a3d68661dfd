/**
 * Writes finished clips of watched folders, with their captions, to the output folder: whole or not at all. Where the workflow
 * asks for a delivery profile, its file is written beside the clip once it is made.
 */
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, copyFile, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../contract/errors.ts'
import {
  listOutputNames,
  listUndeliveredClips,
  listUnwrittenClips,
  saveDelivered,
  saveWatchOutput,
  type UndeliveredClip,
  type UnwrittenClip,
  type WatchFolderRow,
} from '../../db/watch.ts'
import { freeBytes, isDiskFull, requireDiskSpace } from '../../../workers/media/disk.ts'
import type { WordFormat } from '../../contract/profiles/profile.ts'
import { FORMATS } from '../../interchange/index.ts'
import { exportClip } from '../rendering/export-clip.ts'
import { requireProfile } from '../rendering/plan-delivery.ts'
import type { Services } from '../services.ts'
import { foldName, freeName, outputName } from './output-names.ts'
import { folderTrouble } from './folder-paths.ts'
import { syncFolder } from '../../../workers/sync-folder.ts'

type Deps = Pick<Services, 'db' | 'home' | 'now' | 'log'>

/** Hidden, so that nobody takes it for a clip; what a killed process left is removed. */
const DRAFT = /^\.cutroom-[0-9a-f-]{36}\.part$/
const CAPTIONS = ['srt', 'vtt'] as const
const AT_ONCE = 20
/** A change is stored with a time from before its transaction ended. */
const SLACK_MS = 60_000
/** Of the disk with the output folder, which others write to as well. */
const MIN_FREE_BYTES = 64 * 1024 * 1024

export interface Written {
  /** One sentence; null: everything that was finished is written. */
  readonly problem: string | null
  /** Nothing that changed before is left to write. Epoch milliseconds, for `since`. */
  readonly upTo: number
}

/**
 * Writes clips whose rendered file is not in the output folder. Where one was written before, its own file is replaced;
 * what a person moved out of the folder is not written again. `since`: clips that changed before are written already.
 */
export async function writeClips(
  services: Deps,
  folder: WatchFolderRow,
  { since, signal }: { readonly since: number; readonly signal: AbortSignal },
): Promise<Written> {
  const { db, now } = services
  const { output, outputIsMount: isMount } = folder
  const upTo = now() - SLACK_MS
  if (output === null) return { problem: null, upTo }
  const found = listUnwrittenClips(db, folder.id, { since, limit: AT_ONCE })
  const delivered = listUndeliveredClips(db, folder.id, { since, limit: AT_ONCE })
  if (found.length + delivered.length === 0) return { problem: null, upTo }
  const trouble = await folderTrouble(output, { isMount, use: 'write' })
  if (trouble !== null) return { problem: trouble, upTo: since }
  try {
    const names = await namesIn(output)
    for (const clip of found) {
      signal.throwIfAborted()
      await writeClip(services, { folder, output, clip, names })
    }
    for (const clip of delivered) {
      signal.throwIfAborted()
      await writeDelivered(services, { folder, output, clip })
    }
  } catch (error) {
    if (signal.aborted) return { problem: null, upTo: since }
    return { problem: describeProblem(services, folder, output, error), upTo: since }
  }
  const isAll = Math.max(found.length, delivered.length) < AT_ONCE
  return { problem: null, upTo: isAll ? upTo : since }
}

function describeProblem({ log }: Deps, { id }: WatchFolderRow, output: string, error: unknown): string {
  log.warn('a clip could not be written to its output folder', { folder: id, error })
  if (error instanceof AppError) return error.message
  if (isDiskFull(error)) return `The disk with ${output} is full. Free some space; it goes on by itself.`
  return `A clip could not be written to ${output}: ${(error as Error).message}`
}

/** Names in the folder, folded and without endings. */
async function namesIn(output: string): Promise<Set<string>> {
  const names = new Set<string>()
  for (const name of await readdir(output)) {
    if (DRAFT.test(name)) await rm(join(output, name), { force: true })
    else names.add(foldName(name.replace(/\.[^.]+$/u, '')))
  }
  return names
}

interface Writing {
  readonly folder: WatchFolderRow
  readonly output: string
  readonly clip: UnwrittenClip
  readonly names: Set<string>
}

async function writeClip(services: Deps, { folder, output, clip, names }: Writing): Promise<void> {
  const { db, home, now } = services
  const { clipId, title, rendered } = clip
  const file = join(home.root, rendered)
  // Cleared away since: it is written when it is rendered again.
  if (!(await hasRoom(file, output, title))) return
  const name = clip.name ?? reserveName(services, { folder, output, clip, names })
  for (const ending of CAPTIONS) {
    const text = captionsOf(services, clipId, ending)
    if (text !== null)
      await replaceFile(output, `${name}.${ending}`, (draft) =>
        writeFile(draft, text, { flag: 'wx', flush: true }),
      )
  }
  await replaceFile(output, `${name}.mp4`, copyOf(file))
  saveWatchOutput(db, { folderId: folder.id, clipId, rendered, name, writtenAt: now() })
}

/** The file of its delivery profile, beside the clip: `name.PROFILE.mxf`, and the words that belong to it. */
async function writeDelivered(
  services: Deps,
  { folder, output, clip }: Pick<Writing, 'folder' | 'output'> & { readonly clip: UndeliveredClip },
): Promise<void> {
  const { db, home } = services
  const { clipId, title, name, delivered } = clip
  const profile = requireProfile(clip.profile)
  const file = join(home.root, delivered)
  if (!(await hasRoom(file, output, title))) return
  for (const format of profile.sidecars) {
    const text = captionsOf(services, clipId, format)
    if (text !== null)
      await replaceFile(output, `${name}.${profile.name}.${FORMATS[format].extension}`, (draft) =>
        writeFile(draft, text, { flag: 'wx', flush: true }),
      )
  }
  await replaceFile(output, `${name}.${profile.name}.${profile.extension}`, copyOf(file))
  saveDelivered(db, { folderId: folder.id, clipId, delivered })
}

/** False: the file is gone. Throws DISK_FULL. */
async function hasRoom(file: string, output: string, title: string): Promise<boolean> {
  const facts = await stat(file).catch(() => null)
  if (facts === null) return false
  // Some shares do not say how much is free.
  if ((await freeBytes(output).catch(() => 0)) > 0)
    requireDiskSpace(output, { what: `“${title}”`, bytes: facts.size, minFreeBytes: MIN_FREE_BYTES })
  return true
}

const copyOf =
  (file: string) =>
  async (draft: string): Promise<void> => {
    await copyFile(file, draft, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
    await using written = await open(draft, 'r+')
    await written.sync()
  }

/**
 * Stored before the file is there: after a kill it is replaced, and not written a second time beside itself. Nothing is
 * awaited, so that no other folder with this output takes the same name.
 */
function reserveName({ db, now }: Deps, { folder, output, clip, names }: Writing): string {
  const reserved = new Set(listOutputNames(db, output).map(foldName))
  const isTaken = (folded: string): boolean => names.has(folded) || reserved.has(folded)
  const name = freeName(outputName(clip.source, clip.title), isTaken)
  saveWatchOutput(db, { folderId: folder.id, clipId: clip.clipId, rendered: '', name, writtenAt: now() })
  return name
}

/** Null: the clip has no words. */
function captionsOf(services: Deps, clipId: string, format: WordFormat): string | null {
  try {
    const { text } = exportClip(services, { clipId, companyId: null, format, references: 'names' })
    return text.includes('-->') || text.includes('<p ') ? text : null
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    // Edited meanwhile in a way that cannot be written; the render that is there is worth having.
    services.log.warn('captions of a clip could not be written', { clip: clipId, error })
    return null
  }
}

/**
 * Under a name of our own until it is whole; the rename replaces a link of that name, never what it leads to. Who may
 * read and write the folder may read and write the file, whatever the umask of a service.
 */
async function replaceFile(
  output: string,
  name: string,
  write: (draft: string) => Promise<void>,
): Promise<void> {
  const draft = join(output, `.cutroom-${randomUUID()}.part`)
  try {
    await write(draft)
    const { mode } = await stat(output)
    // Some shares have no rights of files.
    await chmod(draft, (mode & 0o666) | 0o600).catch(() => undefined)
    await rename(draft, join(output, name))
    await syncFolder(output)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined)
    throw error
  }
}
