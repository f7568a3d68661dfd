/** Media: what may be fetched by its unguessable id. Paths come from our table only and never leave the home. */
import { createHash } from 'node:crypto'
import { realpathSync, statSync } from 'node:fs'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { findMediaNames, getMedia, saveMedia } from '../../db/media.ts'
import { newMediaId } from '../../ids.ts'
import type { Home } from '../../home.ts'
import type { DbServices, HomeServices, Services } from '../services.ts'
import { fileStem } from './file-names.ts'

/** What a render operation leaves as its result. */
export interface RenderResult {
  readonly mediaId: string
  /** The encoder, as ffmpeg names it; absent where nothing was rendered. */
  readonly encoder?: string
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
 * Makes a stored file fetchable and returns its media id: the same for the same company, path and name. `path` is
 * absolute or relative to the home, under `sources` or `artefacts`; `name` ends the address. Throws when the file is
 * not there.
 */
export function registerMedia(
  services: Pick<Services, 'db' | 'home' | 'now'>,
  input: { companyId: string; path: string; name: string; mediaType: string },
): string {
  if (!MEDIA_NAME.test(input.name)) throw new Error(`not a media name: ${input.name}`)
  const path = relativePath(services.home, input.path)
  const facts = statSync(join(services.home.root, path))
  if (!facts.isFile()) throw new Error(`not a file: ${path}`)
  return saveMedia(services.db, {
    id: newMediaId(),
    companyId: input.companyId,
    path,
    name: input.name,
    mediaType: input.mediaType,
    bytes: facts.size,
    etag: etagOf(path, facts.size, facts.mtimeMs),
    createdAt: services.now(),
  })
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
}

/** The file behind an address, with its present facts; null when there is none, or it is outside of the two folders. */
export function findMedia(services: HomeServices, id: string, name: string): FoundMedia | null {
  const row = getMedia(services.db, id)
  if (row?.name !== name) return null
  const { home } = services
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

/** The file behind a media id; null when there is none, or its file is missing. */
export function findMediaById(services: HomeServices, id: string | null | undefined): FoundMedia | null {
  const name = typeof id === 'string' ? getMedia(services.db, id)?.name : undefined
  return typeof id === 'string' && name !== undefined ? findMedia(services, id, name) : null
}

/**
 * The same file under a name of this title, for a clip whose title changed and whose file shows it as before; the id itself
 * where the file is gone, or nothing of the title can be in a name.
 */
export function renameMedia(
  services: Pick<Services, 'db' | 'home' | 'now'>,
  id: string,
  title: string,
): string {
  const row = getMedia(services.db, id)
  if (row === null || findMedia(services, id, row.name) === null) return id
  const ending = /\.[a-z0-9]{1,8}$/u.exec(row.name)?.[0] ?? ''
  const name = `${fileStem(title, row.name.slice(0, row.name.length - ending.length))}${ending}`
  const { companyId, path, mediaType } = row
  return registerMedia(services, { companyId, path, name, mediaType })
}

export type MediaAddresses = (id: string | null | undefined) => string | undefined

/** A function from media id to absolute address, for these ids; `baseUrl` has no slash at its end. */
export function mediaAddresses(
  services: DbServices,
  baseUrl: string,
  ids: readonly (string | null | undefined)[],
): MediaAddresses {
  const wanted = [...new Set(ids.filter((id) => typeof id === 'string'))]
  const names = wanted.length === 0 ? new Map<string, string>() : findMediaNames(services.db, wanted)
  return (id) => {
    const name = typeof id === 'string' ? names.get(id) : undefined
    return name === undefined ? undefined : `${baseUrl}/media/${String(id)}/${encodeURIComponent(name)}`
  }
}
