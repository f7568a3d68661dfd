/** Media: what may be fetched by its unguessable token. Paths come from our table only and never leave the home. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { refuse } from '../../contract/errors.ts'
import type { RenderWarning } from '../../contract/render-warnings.ts'
import {
  findMediaParts,
  getMedia,
  getMediaByToken,
  saveMedia,
  type MediaAddressParts,
  type MediaRow,
} from '../../db/media.ts'
import { newMediaId } from '../../ids.ts'
import type { Home } from '../../home.ts'
import { ELSEWHERE_FILE, readStoredResult, RESULT_FILE } from '../../../workers/artefacts.ts'
import type { StageName } from '../../../workers/stages/catalog.ts'
import type { DbServices, HomeServices, Services } from '../services.ts'
import type { ByteRange } from '../store/object-store.ts'
import { fileStem } from './file-names.ts'
import { mediaQuery } from './media-links.ts'

/** What a render operation leaves as its result. */
export interface RenderResult {
  readonly mediaId: string
  /** The encoder, as ffmpeg names it; absent where nothing was rendered. */
  readonly encoder?: string
  /** What it lost; absent where it lost nothing. */
  readonly warnings?: readonly RenderWarning[]
}

/**
 * Strong validator: content-addressed files do not change under their path, so path, size and time distinguish
 * versions.
 */
function etagOf(path: string, bytes: number, modifiedMs: number): string {
  const hash = createHash('sha256').update(`${path}\n${bytes}\n${modifiedMs}`).digest('base64url')
  return `"${hash.slice(0, 27)}"`
}

function inside(folder: string, file: string): boolean {
  return file.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

/**
 * Path of a stored file, relative to the home, with forward slashes; throws for files outside of sources and artefacts.
 */
function relativePath(home: Home, path: string): string {
  const absolute = isAbsolute(path) ? resolve(path) : resolve(home.root, path)
  if (![home.artefacts, home.sources].some((folder) => inside(resolve(folder), absolute)))
    throw new Error(`only files under sources and artefacts can be media: ${absolute}`)
  return relative(home.root, absolute).split(sep).join('/')
}

/** What ends an address: as `fileStem` makes it, with an ending; never a path. */
const MEDIA_NAME =
  /^[\p{L}\p{N}\p{Extended_Pictographic}\p{Regional_Indicator}][\p{L}\p{M}\p{N}\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}._\-\u200c\u200d]{0,200}$/u

/**
 * Makes a stored file fetchable and returns its media id: the same for the same company, clip, path and name. `path` is
 * absolute or relative to the home, under `sources` or `artefacts`; `name` ends the address. With `clipId` the address is
 * that clip's alone, and ends with it. Throws when the file is not there, and CLIP_NOT_FOUND.
 */
export function registerMedia(
  services: Pick<Services, 'db' | 'home' | 'now'>,
  input: { companyId: string; clipId?: string; path: string; name: string; mediaType: string },
): string {
  if (!MEDIA_NAME.test(input.name)) throw new Error(`not a media name: ${input.name}`)
  const path = relativePath(services.home, input.path)
  const facts = factsOf(services.home, path)
  const id = saveMedia(services.db, {
    id: newMediaId(),
    token: newMediaId(),
    companyId: input.companyId,
    clipId: input.clipId ?? null,
    path,
    name: input.name,
    mediaType: input.mediaType,
    bytes: facts.size,
    etag: etagOf(path, facts.size, facts.mtimeMs),
    createdAt: services.now(),
  })
  return id ?? refuse('CLIP_NOT_FOUND')
}

/** Size and time of a file of the home; those of its result where the file is in the store alone. Throws where there is neither. */
function factsOf({ root }: Home, path: string): { readonly size: number; readonly mtimeMs: number } {
  const file = join(root, path)
  const away = existsSync(file) ? null : inStoreAlone(file)
  if (away !== null) return away
  const facts = statSync(file)
  if (!facts.isFile()) throw new Error(`not a file: ${path}`)
  return facts
}

/** Null: it is not listed so. */
function inStoreAlone(file: string): { readonly size: number; readonly mtimeMs: number } | null {
  const folder = dirname(file)
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8')
  if (!existsSync(join(folder, ELSEWHERE_FILE))) return null
  const name = basename(file)
  if (!(JSON.parse(read(ELSEWHERE_FILE)) as string[]).includes(name)) return null
  const size = readStoredResult(read(RESULT_FILE))?.files.find(({ path }) => path === name)?.bytes
  return size === undefined ? null : { size, mtimeMs: statSync(join(folder, RESULT_FILE)).mtimeMs }
}

/** Endings of names by media type. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/webp': '.webp',
  'image/gif': '.gif',
  'video/mp4': '.mp4',
  'video/quicktime': '.mov',
  'video/webm': '.webm',
  'video/x-matroska': '.mkv',
  'video/mp2t': '.ts',
  'video/x-msvideo': '.avi',
  'audio/mpeg': '.mp3',
  'audio/mp4': '.m4a',
  'audio/wav': '.wav',
  'audio/flac': '.flac',
  'audio/ogg': '.ogg',
  'audio/aac': '.aac',
  'audio/aiff': '.aiff',
}

export const extensionOf = (mediaType: string): string => EXTENSIONS[mediaType] ?? '.bin'

export interface FoundMedia {
  readonly file: string
  readonly name: string
  readonly mediaType: string
  readonly bytes: number
  readonly etag: string
  /** Epoch milliseconds. */
  readonly modified: number
  /** Reads it from the store, where it is not in the home; null: it is not there either. */
  readonly open?: (range: ByteRange) => Promise<Readable | null>
}

/**
 * The file behind an address, with its present facts: here, or else in the store. Null when there is none, or it is outside
 * of the two folders.
 */
export function findMedia(
  services: HomeServices & Pick<Services, 'store'>,
  token: string,
  name: string,
): FoundMedia | null {
  const row = getMediaByToken(services.db, token)
  return row?.name === name ? (foundOf(services, row) ?? inStore(services, row)) : null
}

/** The file as the store has it; null: there is no store. */
function inStore({ store }: Pick<Services, 'store'>, row: MediaRow): FoundMedia | null {
  if (store === undefined) return null
  const { path, name, mediaType, bytes, etag, createdAt } = row
  return {
    file: path,
    name,
    mediaType,
    bytes,
    etag,
    modified: createdAt,
    open: (range) => store.read(path, range),
  }
}

function foundOf({ home }: Pick<Services, 'home'>, row: MediaRow): FoundMedia | null {
  try {
    const file = realpathSync(join(home.root, row.path))
    // Only files in these two folders, wherever they are mounted and wherever links lead.
    if (![home.artefacts, home.sources].some((folder) => inside(realpathSync(folder), file))) return null
    const facts = statSync(file)
    if (!facts.isFile()) return null
    const etag = etagOf(row.path, facts.size, facts.mtimeMs)
    return {
      file,
      name: row.name,
      mediaType: row.mediaType,
      bytes: facts.size,
      etag,
      modified: facts.mtimeMs,
    }
  } catch (error) {
    // The file may have been removed from the home by a person.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/**
 * The file behind a media id; null when there is none, or its file is missing. One whose result lies in the store alone has `open`,
 * and is brought here by `bringMedia`.
 */
export function findMediaById(
  services: HomeServices & Pick<Services, 'store'>,
  id: string | null | undefined,
): FoundMedia | null {
  const row = typeof id === 'string' ? getMedia(services.db, id) : null
  if (row === null) return null
  const isAway = () => inStoreAlone(join(services.home.root, row.path)) !== null
  return foundOf(services, row) ?? (isAway() ? inStore(services, row) : null)
}

/** The same, with its file in the home. Throws STORE_UNAVAILABLE. */
export async function bringMedia(
  services: Services,
  id: string | null | undefined,
): Promise<FoundMedia | null> {
  const found = findMediaById(services, id)
  if (found?.open === undefined) return found
  const [, stage = '', , key = ''] = found.file.split('/')
  await services.store?.bringResult({ stage: stage as StageName, key })
  const here = findMediaById(services, id)
  return here?.open === undefined ? here : null
}

/**
 * The same file under a name of this title, for a clip whose title changed and whose file shows it as before; the id itself
 * where the file is gone, or nothing of the title can be in a name.
 */
export function renameMedia(
  services: Pick<Services, 'db' | 'home' | 'now'>,
  clipId: string,
  { id, title }: { readonly id: string; readonly title: string },
): string {
  const row = getMedia(services.db, id)
  if (row === null || findMediaById(services, id) === null) return id
  const ending = /\.[a-z0-9]{1,8}$/u.exec(row.name)?.[0] ?? ''
  const name = `${fileStem(title, row.name.slice(0, row.name.length - ending.length))}${ending}`
  const { companyId, path, mediaType } = row
  return registerMedia(services, { companyId, clipId, path, name, mediaType })
}

/** The address of a file, without a host; where addresses are signed, it opens for `leastSeconds` or longer. */
export const mediaPath = (
  services: DbServices,
  { token, name }: MediaAddressParts,
  leastSeconds?: number,
): string => `/media/${token}/${encodeURIComponent(name)}${mediaQuery(services, token, leastSeconds)}`

export type MediaAddresses = (id: string | null | undefined) => string | undefined

/** A function from media id to absolute address, for these ids; `baseUrl` has no slash at its end. */
export function mediaAddresses(
  services: DbServices,
  baseUrl: string,
  ids: readonly (string | null | undefined)[],
  leastSeconds?: number,
): MediaAddresses {
  const wanted = [...new Set(ids.filter((id) => typeof id === 'string'))]
  const parts = findMediaParts(services.db, wanted)
  return (id) => {
    const found = typeof id === 'string' ? parts.get(id) : undefined
    return found === undefined ? undefined : baseUrl + mediaPath(services, found, leastSeconds)
  }
}

/** How a file of this appliance is named where it is stored, as in posts: a path that is no address, and outlives them. */
const STORED = /^\/media\/([\w-]{1,100})\//

/** Media id that a stored path names; null: a whole address, or none. */
export const storedMediaId = (stored: string | null): string | null => STORED.exec(stored ?? '')?.[1] ?? null

/** What is stored of a file: `storedMediaId` reads it. Null where the file is unknown. */
export function storedMediaPath({ db }: DbServices, id: string | null | undefined): string | null {
  const row = typeof id === 'string' ? getMedia(db, id) : null
  return row === null ? null : `/media/${row.id}/${encodeURIComponent(row.name)}`
}
