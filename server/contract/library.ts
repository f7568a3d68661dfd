/** The library: pictures, videos and sounds that a company stores for its clips, in folders, with tags. */
import { Type, type Static } from '@sinclair/typebox'
import { choice, closedObject, nullable } from './config-fields.ts'

export const LibraryFolder = Type.Object({
  id: Type.String(),
  name: Type.String(),
  /** How many items it holds. */
  items: Type.Integer(),
  createdAt: Type.String(),
})
export type LibraryFolder = Static<typeof LibraryFolder>

/** What an item is. */
export const LIBRARY_KINDS = ['image', 'video', 'audio', 'font'] as const
export type LibraryKind = (typeof LIBRARY_KINDS)[number]

export const LibraryItem = Type.Object({
  id: Type.String(),
  name: Type.String(),
  /** Null: in no folder. */
  folderId: nullable(Type.String()),
  tags: Type.Array(Type.String()),
  kind: choice(LIBRARY_KINDS),
  mediaType: Type.String(),
  bytes: Type.Integer(),
  /** Pixels, as shown; 0 for a sound and for a font. */
  width: Type.Integer(),
  height: Type.Integer(),
  /** Seconds; null for a picture and for a font. */
  duration: nullable(Type.Number()),
  /** What a clip's settings name it by. */
  address: Type.String(),
  /** Where the file itself can be fetched; given by lists. */
  url: Type.Optional(Type.String()),
  createdAt: Type.String(),
})
export type LibraryItem = Static<typeof LibraryItem>

export const Library = Type.Object({ folders: Type.Array(LibraryFolder), items: Type.Array(LibraryItem) })
export type Library = Static<typeof Library>

const used = Type.Array(Type.Object({ id: Type.String(), name: Type.String() }))

/** What names an item. */
export const LibraryItemUses = Type.Object({
  /** Those that were edited last. */
  clips: used,
  /** All of them. */
  clipCount: Type.Integer(),
  workflows: used,
  brandKits: used,
})
export type LibraryItemUses = Static<typeof LibraryItemUses>

const companyId = Type.Optional(Type.String({ minLength: 1 }))
const folderId = Type.String({ maxLength: 200, description: 'Empty: in no folder' })
const name = Type.String({ minLength: 1, maxLength: 200 })
const tags = Type.Array(Type.String({ maxLength: 200 }), { maxItems: 100 })

/** A file that came in by `PUT /studio/uploads` becomes an item. */
export const LibraryAddRequest = closedObject({
  companyId,
  uploadId: Type.String({ minLength: 1 }),
  folderId: Type.Optional(folderId),
  name: Type.Optional(name),
  tags: Type.Optional(tags),
})

export const LibraryItemChanges = closedObject({
  companyId,
  name: Type.Optional(name),
  tags: Type.Optional(tags),
  folderId: Type.Optional(folderId),
})

export const LibraryFolderRequest = closedObject({ companyId, name })
