/** The library and the files of a clip, as the branding panel asks for them. */
import type { Library, LibraryItem } from '../../../server/contract/library.ts'
import { call, json } from '../../state/api.ts'

export type FileKind = LibraryItem['kind']

/** Items of these kinds, newest first. */
export async function itemsOf(kinds: readonly FileKind[]): Promise<LibraryItem[]> {
  const lists = await Promise.all(
    kinds.map((kind) => call<Library>(`/studio/library?kind=${encodeURIComponent(kind)}`)),
  )
  return lists.flatMap(({ items }) => items).toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
}

/** Puts an upload into the library. */
export const storeUpload = async (uploadId: string): Promise<LibraryItem> =>
  (await call<{ item: LibraryItem }>('/studio/library', json('POST', { uploadId }))).item
