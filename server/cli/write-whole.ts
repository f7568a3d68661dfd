/** Files that a command leaves: whole under their name, or not at all. */
import { copyFile, open, rename, rm, stat, writeFile, constants } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { dirname, resolve } from 'node:path'
import { invalidRequest } from '../contract/errors.ts'

export interface Draft {
  /** Gives it this content, and its name. */
  readonly write: (text: string) => Promise<void>
  /** Moves this file there, and gives it its name. */
  readonly take: (path: string) => Promise<void>
  /** Removes what has no name yet. */
  readonly discard: () => Promise<void>
}

/**
 * A file beside its later place, which proves that there can be one. Throws INVALID_REQUEST for a folder, and for what cannot
 * be written.
 */
export async function openDraft(file: string): Promise<Draft> {
  const target = resolve(file)
  if ((await stat(target).catch(() => null))?.isDirectory() === true)
    throw invalidRequest('output', `${target} is a folder. Name the file that is to be written.`)
  const partial = `${target}.${randomBytes(4).toString('hex')}.part`
  try {
    await (await open(partial, 'wx')).close()
  } catch (error) {
    const why =
      (error as NodeJS.ErrnoException).code === 'ENOENT'
        ? 'its folder is not there'
        : String((error as Error).message)
    throw invalidRequest('output', `Nothing can be written in ${dirname(target)}: ${why}.`)
  }
  return {
    write: async (text) => {
      await writeFile(partial, text, { flush: true })
      await rename(partial, target)
    },
    take: async (path) => {
      await move(path, partial)
      await rename(partial, target)
    },
    discard: () => rm(partial, { force: true }),
  }
}

/** On one disk nothing is copied. */
async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    await copyFile(from, to, constants.COPYFILE_FICLONE)
  }
}
