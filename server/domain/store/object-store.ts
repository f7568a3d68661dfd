/**
 * Where footage and results lie: objects named as their files are below a home, `sources/ab/ab12…` and
 * `artefacts/STAGE/ab/ab12…/FILE`. In a folder here; in a bucket: adapters/s3-objects.ts.
 */
import { createReadStream, existsSync } from 'node:fs'
import { copyFile, readdir, rename, rm, stat } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { makeSyncedFolder, syncFile, syncFolder } from '../../../workers/sync-folder.ts'

export interface StoredObject {
  readonly name: string
  readonly bytes: number
}

/** The first and the last byte of a part, both included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Every call throws STORE_UNAVAILABLE where the store is away, or refuses. */
export interface ObjectStore {
  /** As a person knows it. */
  readonly place: string
  /** Null: there is no such object. */
  readonly size: (name: string, signal?: AbortSignal) => Promise<number | null>
  /** Stores a file, whole or not at all, in place of what has the name. */
  readonly put: (name: string, path: string, signal?: AbortSignal) => Promise<void>
  /** Writes the object to a file, which is synced. False: there is none. */
  readonly get: (name: string, path: string, signal?: AbortSignal) => Promise<boolean>
  /** All of it or a part; null: there is no such object. */
  readonly read: (name: string, range?: ByteRange) => Promise<Readable | null>
  /** Everything below a folder, in no order. */
  readonly list: (folder: string, signal?: AbortSignal) => AsyncIterable<StoredObject>
  readonly remove: (name: string) => Promise<void>
  /** Addresses that open one object for one method and a short time; absent where there are none. They are never logged. */
  readonly address?: (wanted: AddressWish) => Promise<SignedAddress>
  /** Absent where there are no addresses. */
  readonly parts?: PartsBySomebody
}

export interface PartsUpload {
  readonly name: string
  readonly uploadId: string
}

/** Objects whose parts somebody else sends, by addresses: nothing of them is there before `end`. */
export interface PartsBySomebody {
  /** The id of the upload. */
  readonly begin: (name: string) => Promise<string>
  /** For one part, for a short time. Never logged. */
  readonly address: (
    part: PartsUpload & { readonly number: number; readonly seconds: number },
  ) => Promise<string>
  /** Puts the parts together. False: there is no such upload, or not any more. */
  readonly end: (upload: PartsUpload & { readonly etags: readonly string[] }) => Promise<boolean>
}

export interface AddressWish {
  readonly name: string
  readonly method: 'GET' | 'PUT'
  readonly seconds: number
}

export interface SignedAddress {
  readonly url: string
  /** To be sent along, as they are signed. */
  readonly headers: Readonly<Record<string, string>>
}

/** Folders of a home that a store holds. */
export const STORED_FOLDERS = ['sources', 'artefacts'] as const

const UNFINISHED = /^\.|\.(part|gone|restoring)$/

/** Files below a folder, such as a home. */
export function openFolderObjects(root: string): ObjectStore {
  const pathOf = (name: string): string => join(root, ...name.split('/'))
  const sizeOf = async (name: string): Promise<number | null> => {
    const facts = await stat(pathOf(name)).catch(() => null)
    return facts?.isFile() === true ? facts.size : null
  }
  return {
    place: root,
    size: sizeOf,
    put: (name, path) => copyWhole(path, pathOf(name)),
    get: async (name, path) => {
      if ((await sizeOf(name)) === null) return false
      await copyFile(pathOf(name), path)
      await syncFile(path)
      return true
    },
    read: async (name, range) =>
      (await sizeOf(name)) === null ? null : createReadStream(pathOf(name), { ...range }),
    list: (folder) => filesBelow(root, folder),
    remove: (name) => rm(pathOf(name), { force: true }),
  }
}

async function copyWhole(from: string, to: string): Promise<void> {
  await makeSyncedFolder(dirname(to))
  const partial = join(dirname(to), `.${randomUUID()}.part`)
  try {
    await copyFile(from, partial)
    await syncFile(partial)
    await rename(partial, to)
    await syncFolder(dirname(to))
  } finally {
    await rm(partial, { force: true })
  }
}

async function* filesBelow(root: string, folder: string): AsyncGenerator<StoredObject> {
  const path = join(root, ...folder.split('/'))
  if (!existsSync(path)) return
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (UNFINISHED.test(entry.name)) continue
    const name = `${folder}/${entry.name}`
    if (entry.isDirectory()) yield* filesBelow(root, name)
    else if (entry.isFile()) yield { name, bytes: (await stat(join(path, entry.name))).size }
  }
}
