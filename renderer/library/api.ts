/** The library's routes. */
import {
  LIBRARY_KINDS,
  type Library,
  type LibraryItem,
  type LibraryItemUses,
} from '../../server/contract/library.ts'
import { call, json } from '../state/api.ts'

const itemPath = (id: string): string => `/studio/library/items/${encodeURIComponent(id)}`

/** All items, the newest first. */
export async function loadMedia(): Promise<LibraryItem[]> {
  const lists = await Promise.all(LIBRARY_KINDS.map((kind) => call<Library>(`/studio/library?kind=${kind}`)))
  return lists
    .flatMap(({ items }) => items)
    .toSorted((a, b) => (a.createdAt === b.createdAt ? 0 : a.createdAt < b.createdAt ? 1 : -1))
}

export const addMedia = (uploadId: string) =>
  call<{ item: LibraryItem; added: boolean }>('/studio/library', json('POST', { uploadId }))

export const renameMedia = (id: string, name: string) =>
  call<{ item: LibraryItem }>(itemPath(id), json('PATCH', { name }))

/** RequestRefused with the names of what uses it. `last`: the window is closing. */
export const deleteMedia = (id: string, last = false) =>
  call<unknown>(`${itemPath(id)}?unused=true`, { method: 'DELETE', keepalive: last })

export const loadUses = (id: string) => call<LibraryItemUses>(`${itemPath(id)}/uses`)
