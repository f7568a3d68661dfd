/** Which folders may be watched and written to, and whether they are there now. */
import { constants } from 'node:fs'
import { access, mkdir, realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { invalidRequest } from '../../contract/errors.ts'
import { isThisMachine } from '../../reachable.ts'
import type { Services } from '../services.ts'

/** Whether `path` is the folder or lies in it. Both are real and absolute. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/**
 * Folders below which the studio may name a folder: those of CUTROOM_WATCH_ROOTS; without any, the user's own on an
 * appliance that only this machine reaches. The command line may name any: whoever may use it may read the files too.
 */
export function watchRoots({ watchRoots, host, publicUrl }: Services['config']): readonly string[] {
  if (watchRoots.length > 0) return watchRoots
  return isThisMachine(host) && publicUrl === null ? [homedir()] : []
}

export interface CheckedFolder {
  /** Without links. */
  readonly path: string
  readonly isMount: boolean
}

/** A share that is away leaves the folder that it was mounted on, on the disk of its parent. */
async function isMountPoint(path: string): Promise<boolean> {
  const [own, parent] = await Promise.all([stat(path), stat(dirname(path))])
  return own.dev !== parent.dev
}

interface Checking {
  readonly field: 'folder' | 'output'
  readonly home: string
  /** Null: any folder. */
  readonly roots: readonly string[] | null
}

/** The real path of a folder that a person named. INVALID_REQUEST: it is none, lies in the home, or may not be named. */
export async function checkFolder(
  given: string,
  { field, home, roots }: Checking,
  access_: 'read' | 'write',
): Promise<CheckedFolder> {
  if (!isAbsolute(given) || given.includes('\0'))
    throw invalidRequest(field, `Give the whole path of the folder; ${given.slice(0, 200)} is none.`)
  // Before anything on the disk is looked at, so that nobody learns what is outside of the roots.
  requireRoot(resolve(given), field, roots)
  const path = await realFolder(resolve(given), field, access_)
  const realRoots = roots === null ? null : await Promise.all(roots.map(realOrGiven))
  requireRoot(path, field, realRoots)
  const ownHome = await realOrGiven(home)
  if (isWithin(ownHome, path) || isWithin(path, ownHome))
    throw invalidRequest(
      field,
      `${path} holds the appliance's own files, or lies in them; take another folder.`,
    )
  return { path, isMount: await isMountPoint(path) }
}

const realOrGiven = (path: string): Promise<string> => realpath(path).catch(() => resolve(path))

function requireRoot(path: string, field: string, roots: readonly string[] | null): void {
  const root = roots?.find((one) => isWithin(one, path))
  if (roots === null) return
  const isHidden =
    root !== undefined &&
    relative(root, path)
      .split(sep)
      .some((part) => /^\.[^.]/.test(part))
  if (root !== undefined && !isHidden) return
  const where =
    roots.length === 0
      ? 'None is allowed yet: name folders in CUTROOM_WATCH_ROOTS ("watchRoots" in config.json)'
      : `Allowed is what lies in ${roots.join(', ')} (CUTROOM_WATCH_ROOTS, or "watchRoots" in config.json)`
  throw invalidRequest(field, `The studio may not name this folder. ${where}, or use "cutroom watch add".`)
}

async function realFolder(path: string, field: string, use: 'read' | 'write'): Promise<string> {
  try {
    if (use === 'write') await mkdir(path, { recursive: true })
    const real = await realpath(path)
    if (!(await stat(real)).isDirectory()) throw invalidRequest(field, `${path} is not a folder.`)
    await access(real, use === 'write' ? constants.W_OK | constants.X_OK : constants.R_OK | constants.X_OK)
    return real
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === undefined || code === 'INVALID_REQUEST') throw error
    const why = code === 'ENOENT' ? 'there is no such folder' : (error as Error).message
    const what = use === 'write' ? 'written to' : 'read'
    throw invalidRequest(field, `${path} cannot be ${what} by this appliance: ${why}.`)
  }
}

/**
 * Why a watched or output folder cannot be used now; null: it can. Nothing is decided from what an absent share shows.
 */
export async function folderTrouble(
  path: string,
  { isMount, use }: { readonly isMount: boolean; readonly use: 'read' | 'write' },
): Promise<string | null> {
  const away = `${path} is not there now: the share or disk may be away. It goes on by itself when it is back.`
  try {
    if ((await realpath(path)) !== path)
      return `${path} leads to another place since it was added. Remove it here and add it again.`
    if (isMount && !(await isMountPoint(path))) return away
    await access(path, use === 'write' ? constants.W_OK | constants.X_OK : constants.R_OK | constants.X_OK)
    return null
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
      return `${path} cannot be ${use === 'write' ? 'written to' : 'read'} by this appliance: check its permissions.`
    return away
  }
}
