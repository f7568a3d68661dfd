/** Queries of stored sources, the addresses they came from, and uploads. */
import { eq } from 'drizzle-orm'
import type { Db } from './client.ts'
import { deleteBy, findBy, insertInto, listBy, updateBy, type Orm } from './rows.ts'
import { sourceAddresses, sources, uploads } from './schema.ts'

export type KnownSource = NonNullable<ReturnType<typeof findKnownSource>>

/** What an earlier fetch of this address brought, or null. */
export function findKnownSource(db: Db, url: string) {
  const { etag, lastModified } = sourceAddresses
  const known = db.orm
    .select({ digest: sources.digest, bytes: sources.bytes, etag, lastModified })
    .from(sourceAddresses)
    .innerJoin(sources, eq(sources.digest, sourceAddresses.digest))
  return known.where(eq(sourceAddresses.url, url)).get() ?? null
}

export interface FetchedSource {
  readonly digest: string
  readonly bytes: number
  readonly mediaType: string
  /** The address as the run gave it; null for local files. */
  readonly url: string | null
  readonly etag: string | null
  readonly lastModified: string | null
  readonly now: number
}

/** Stores a source and the validators of its address. May be called inside a transaction. */
export function saveSource(db: Orm, source: FetchedSource): void {
  const { digest, bytes, mediaType, url, etag, lastModified, now } = source
  db.orm.insert(sources).values({ digest, bytes, mediaType, createdAt: now }).onConflictDoNothing().run()
  if (url === null) return
  const address = { digest, etag, lastModified, fetchedAt: now }
  db.orm
    .insert(sourceAddresses)
    .values({ url, ...address })
    .onConflictDoUpdate({ target: sourceAddresses.url, set: address })
    .run()
}

/** An upload as stored. */
export type Upload = Readonly<typeof uploads.$inferSelect>

export const insertUpload = insertInto(uploads)

export const updateUpload = updateBy(uploads, 'id')

export const getUpload = findBy(uploads, 'companyId', 'id')

export const listUploads = listBy(uploads, [])

export const deleteUpload = deleteBy(uploads, 'id')
