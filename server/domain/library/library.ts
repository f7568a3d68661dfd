/** Use cases of the library: pictures, videos, sounds and fonts that a company stores for its clips. */
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { storeLibraryFile } from '../../adapters/library-file.ts'
import { mediaTools } from '../../adapters/media-tools.ts'
import { storedFileAddress } from '../../contract/asset.ts'
import { isLonger } from '../../contract/characters.ts'
import { invalidRequest, refuse } from '../../contract/errors.ts'
import type { Library, LibraryFolder, LibraryItem, LibraryKind } from '../../contract/library.ts'
import {
  deleteFolder,
  deleteItem,
  findFolderByName,
  findItemByDigest,
  getFolder,
  getItem,
  insertFolder,
  insertItem,
  isContentUsed,
  listFolders,
  listItems,
  updateFolder,
  updateItem,
  type ItemChanges,
  type LibraryItemRow,
} from '../../db/library.ts'
import { newId } from '../../ids.ts'
import { cleanTags, stemsOf, tagsOfName } from '../../nodes/index.ts'
import { sourcePath } from '../../../workers/artefacts.ts'
import { requireCompany } from '../people/companies.ts'
import { requireQuota } from './quota.ts'
import { extensionOf, mediaAddresses, registerMedia } from '../rendering/register-media.ts'
import type { Services } from '../services.ts'
import { uploadSource, usingUpload } from './uploads.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'

type Deps = Pick<Services, 'config' | 'db' | 'home' | 'now' | 'store'>

const MAX_TAGS = 100
const MAX_PICTURE_BYTES = 50_000_000
const MAX_SOUND_BYTES = 500_000_000
const MAX_FONT_BYTES = 10_000_000

/** What can be shown by itself: what is listed where no kind is asked for. */
const SHOWN: readonly LibraryKind[] = ['image', 'video']

/** Without what would spoil logs and lists. */
function cleanName(name: string, field = 'name'): string {
  const clean = name.replaceAll(/\p{Cc}/gu, '').trim()
  if (clean === '' || isLonger(clean, 200)) throw invalidRequest(field, 'A name has 1 to 200 characters.')
  return clean
}

function checkedTags(tags: readonly string[]): string[] {
  const clean = cleanTags(tags)
  if (clean.length > MAX_TAGS) throw invalidRequest('tags', `At most ${MAX_TAGS} tags are kept of one item.`)
  return clean
}

function requireFolder({ db }: Pick<Deps, 'db'>, companyId: string, id: string) {
  return getFolder(db, companyId, id) ?? refuse('NOT_FOUND', 'There is no such folder in the library.')
}

function requireItem({ db }: Pick<Deps, 'db'>, companyId: string, id: string): LibraryItemRow {
  return getItem(db, companyId, id) ?? refuse('NOT_FOUND', 'There is no such item in the library.')
}

function presentItem(row: LibraryItemRow): LibraryItem {
  const { id, name, folderId, tags, kind, mediaType, bytes, width, height, durationMs } = row
  const duration = durationMs === null ? null : durationMs / 1000
  const createdAt = new Date(row.createdAt).toISOString()
  const address = storedFileAddress(row.digest)
  return { id, name, folderId, tags, kind, mediaType, bytes, width, height, duration, address, createdAt }
}

/** Makes a folder. INVALID_REQUEST when there is one of this name, COMPANY_NOT_FOUND. */
export function createFolder(
  services: Pick<Deps, 'db' | 'now'>,
  input: { companyId: string; name: string },
): LibraryFolder {
  requireCompany(services, input.companyId)
  const name = cleanName(input.name)
  const row = { id: newId(), companyId: input.companyId, name, createdAt: services.now() }
  if (!insertFolder(services.db, row)) throw invalidRequest('name', `There is a folder "${name}" already.`)
  return { id: row.id, name, items: 0, createdAt: new Date(row.createdAt).toISOString() }
}

/** The folder of this name, made where there is none. */
export function folderNamed(
  services: Pick<Deps, 'db' | 'now'>,
  input: { companyId: string; name: string },
): { id: string; name: string } {
  const found = findFolderByName(services.db, input.companyId, cleanName(input.name))
  return found ?? createFolder(services, input)
}

/** NOT_FOUND for another company's folder; INVALID_REQUEST when the name is taken. */
export function renameLibraryFolder(
  services: Pick<Deps, 'db'>,
  input: { companyId: string; folderId: string; name: string },
): { id: string; name: string } {
  const folder = requireFolder(services, input.companyId, input.folderId)
  const name = cleanName(input.name)
  const taken = findFolderByName(services.db, input.companyId, name)
  if (taken !== null && taken.id !== folder.id)
    throw invalidRequest('name', `There is a folder "${name}" already.`)
  updateFolder(services.db, folder.id, { name })
  return { id: folder.id, name }
}

/** Its items stay in the library, in no folder. NOT_FOUND for another company's folder. */
export function deleteLibraryFolder(
  services: Pick<Deps, 'db'>,
  input: { companyId: string; folderId: string },
): void {
  deleteFolder(services.db, requireFolder(services, input.companyId, input.folderId).id)
}

export interface NewItem {
  readonly companyId: string
  /** A file that the caller may read: never a path from a request. */
  readonly path: string
  /** For people; default the file's own name. */
  readonly name?: string
  readonly folderId?: string | null
  readonly tags?: readonly string[]
  /** Adds tags from the words of the name; default true. */
  readonly tagByName?: boolean
}

export interface Following {
  readonly signal: AbortSignal
  /** 0 to 1. */
  readonly onProgress: (fraction: number) => void
}

/**
 * Copies a picture, video, sound or font into the home and adds it to the company's library. An item with the same content is
 * not added twice: it gets the new tags as well and moves to the named folder. Throws as `storeLibraryFile`, and
 * QUOTA_EXCEEDED, NOT_FOUND (the folder), INVALID_REQUEST (name or tags), COMPANY_NOT_FOUND.
 */
export async function addLibraryItem(
  services: Deps,
  input: NewItem,
  following: Following,
): Promise<{ item: LibraryItem; added: boolean }> {
  const { config, db, home } = services
  const { companyId } = input
  requireCompany(services, companyId)
  requireQuota(services, companyId)
  const folderId = input.folderId ?? null
  if (folderId !== null) requireFolder(services, companyId, folderId)
  const name = cleanName(input.name ?? basename(input.path))
  const tags = checkedTags([...(input.tags ?? []), ...(input.tagByName === false ? [] : tagsOfName(name))])
  const { paths: tools } = await mediaTools(config)
  const file = await storeLibraryFile({
    path: input.path,
    name,
    sources: home.sources,
    temporary: home.temporary,
    tools,
    minFreeBytes: config.minFreeBytes,
    maxBytes: {
      image: Math.min(MAX_PICTURE_BYTES, config.maxSourceBytes),
      video: config.maxSourceBytes,
      audio: Math.min(MAX_SOUND_BYTES, config.maxSourceBytes),
      font: MAX_FONT_BYTES,
    },
    ...following,
  })
  await services.store?.keepSource(file.digest, following.signal)
  const { durationSeconds, ...facts } = file
  const row: LibraryItemRow = {
    id: newId(),
    companyId,
    folderId,
    name,
    tags,
    ...facts,
    durationMs: durationSeconds === null ? null : Math.round(durationSeconds * 1000),
    createdAt: services.now(),
  }
  if (insertItem(db, row)) return { item: presentItem(row), added: true }
  const before =
    findItemByDigest(db, companyId, file.digest) ??
    refuse('INTERNAL', 'the item was deleted while it was added')
  const merged = checkedTags([...before.tags, ...tags])
  const changes: ItemChanges = { tags: merged, ...(folderId === null ? {} : { folderId }) }
  updateItem(db, before.id, changes)
  return { item: presentItem({ ...before, ...changes }), added: false }
}

/** Adds an upload as addLibraryItem does; the upload itself stays until it is swept away. INVALID_REQUEST: none such. */
export async function addUploadToLibrary(
  services: Deps,
  { uploadId, ...item }: Omit<NewItem, 'path'> & { uploadId: string },
  signal: AbortSignal,
): Promise<{ item: LibraryItem; added: boolean }> {
  const { path, displayName } = uploadSource(services, { companyId: item.companyId, uploadId })
  const named = { ...item, path, name: item.name ?? displayName }
  const following = { signal, onProgress: () => undefined }
  return await usingUpload(uploadId, () => addLibraryItem(services, named, following))
}

/** Only what is named changes. NOT_FOUND for another company's item or folder; INVALID_REQUEST. */
export function changeLibraryItem(
  services: Pick<Deps, 'db'>,
  input: {
    companyId: string
    itemId: string
    name?: string
    tags?: readonly string[]
    folderId?: string | null
  },
): LibraryItem {
  const item = requireItem(services, input.companyId, input.itemId)
  const { name, tags, folderId } = input
  if (typeof folderId === 'string') requireFolder(services, input.companyId, folderId)
  const changes: ItemChanges = {
    ...(name === undefined ? {} : { name: cleanName(name) }),
    ...(tags === undefined ? {} : { tags: checkedTags(tags) }),
    ...omitUndefined({ folderId }),
  }
  updateItem(services.db, item.id, changes)
  return presentItem({ ...item, ...changes })
}

/** Removes an item; its file too, unless something still uses it. NOT_FOUND. */
export async function deleteLibraryItem(
  services: Pick<Deps, 'db' | 'home' | 'store'>,
  input: { companyId: string; itemId: string },
): Promise<{ fileDeleted: boolean }> {
  const item = requireItem(services, input.companyId, input.itemId)
  const { digest } = item
  deleteItem(services.db, item, `sources/${digest.slice(0, 2)}/${digest}`)
  if (isContentUsed(services.db, digest)) return { fileDeleted: false }
  const path = sourcePath(services.home.sources, digest)
  await rm(path, { force: true })
  services.store?.remove(path)
  return { fileDeleted: true }
}

export interface LibraryQuery {
  readonly companyId: string
  readonly folderId?: string
  /** Left out: pictures and videos, what can be shown. */
  readonly kind?: LibraryKind
  /** Words that all have to be among the tags or in the name; endings do not matter. */
  readonly search?: string
}

/** Folders, and the items that fit, oldest first. NOT_FOUND for another company's folder, COMPANY_NOT_FOUND. */
export function readLibrary(services: Pick<Deps, 'db'>, query: LibraryQuery): Library {
  const { companyId, folderId, kind } = query
  requireCompany(services, companyId)
  if (folderId !== undefined) requireFolder(services, companyId, folderId)
  const wanted = stemsOf(query.search ?? '')
  const items = listItems(services.db, companyId).filter((item) => {
    if (folderId !== undefined && item.folderId !== folderId) return false
    if (kind === undefined ? !SHOWN.includes(item.kind) : item.kind !== kind) return false
    const stems = new Set([item.name, ...item.tags].flatMap(stemsOf))
    return wanted.every((stem) => stems.has(stem))
  })
  return {
    folders: listFolders(services.db, companyId).map(({ id, name, items: count, createdAt }) => ({
      id,
      name,
      items: count,
      createdAt: new Date(createdAt).toISOString(),
    })),
    items: items.map(presentItem),
  }
}

/** The same with an address for each file that is there, for the studio to show. `baseUrl` has no slash at its end. */
export function readLibraryWithAddresses(
  services: Pick<Deps, 'db' | 'home' | 'now'>,
  query: LibraryQuery & { baseUrl: string },
): Library {
  const library = readLibrary(services, query)
  const { companyId, baseUrl } = query
  const digests = new Map(listItems(services.db, companyId).map(({ id, digest }) => [id, digest]))
  const media = new Map(
    library.items.flatMap(({ id, mediaType }): [string, string][] => {
      const digest = digests.get(id) ?? ''
      const path = join('sources', digest.slice(0, 2), digest)
      if (!existsSync(join(services.home.root, path))) return []
      const name = `item${extensionOf(mediaType)}`
      return [[id, registerMedia(services, { companyId, path, name, mediaType })]]
    }),
  )
  const addressOf = mediaAddresses(services, baseUrl, [...media.values()])
  return {
    ...library,
    items: library.items.map((item) => {
      const url = addressOf(media.get(item.id))
      return url === undefined ? item : { ...item, url }
    }),
  }
}
