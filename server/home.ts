/** The folders of a home, by name, in one folder that only its owner can read. */
import { lchownSync, lstatSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from './contract/errors.ts'
import { makeSyncedFolderNow } from '../workers/sync-folder.ts'

export interface Home {
  readonly root: string
  readonly database: string
  readonly sources: string
  readonly artefacts: string
  readonly uploads: string
  readonly models: string
  readonly temporary: string
  readonly lock: string
  /** Whose footage this is: home-identity.ts. */
  readonly identity: string
}

export function homePaths(root: string): Home {
  return {
    root,
    database: join(root, 'cutroom.sqlite'),
    sources: join(root, 'sources'),
    artefacts: join(root, 'artefacts'),
    uploads: join(root, 'uploads'),
    models: join(root, 'models'),
    temporary: join(root, 'temporary'),
    lock: join(root, 'appliance.lock'),
    identity: join(root, 'home.json'),
  }
}

/** Makes what is missing; safe to call any number of times. Throws INVALID_CONFIGURATION where that cannot be done. */
export function openHome(root: string): Home {
  const home = homePaths(root)
  for (const folder of [home.root, home.sources, home.artefacts, home.uploads, home.models, home.temporary])
    makeFolder(folder, root)
  return home
}

function makeFolder(folder: string, root: string): void {
  try {
    makeSyncedFolderNow(folder)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new AppError('INVALID_CONFIGURATION', {
      message: `The home ${root} cannot be used: ${why}. Give your user write access to it, or choose another with --home or CUTROOM_HOME.`,
      cause,
    })
  }
}

/** Gives root's files in another user's home to that user; skips symbolic and several hard links. */
export function giveToOwner(home: Home): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = lstatSync(home.root)
  for (const path of Object.values(home) as string[]) {
    const facts = lstatSync(path, { throwIfNoEntry: false })
    if (facts?.uid === 0 && (facts.isDirectory() || facts.nlink === 1)) lchownSync(path, uid, gid)
  }
}
