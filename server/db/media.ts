/** Queries of media: files that anyone who holds their id may fetch. */
import { inArray } from 'drizzle-orm'
import type { Db } from './client.ts'
import { media } from './schema.ts'

export type MediaRow = typeof media.$inferSelect

const lookups = new WeakMap<Db, (id: string) => MediaRow | undefined>()

export function getMedia(db: Db, id: string): MediaRow | null {
  let lookup = lookups.get(db)
  if (lookup === undefined) {
    const statement = db.sqlite.prepare<[string], MediaRow>(
      `select id, company_id as companyId, path, name, media_type as mediaType, bytes, etag, created_at as createdAt
         from media where id = ?`,
    )
    lookup = (key) => statement.get(key)
    lookups.set(db, lookup)
  }
  return lookup(id) ?? null
}

/** Names by id, for making addresses; ids that are gone are left out. */
export function findMediaNames(db: Db, ids: readonly string[]): Map<string, string> {
  const names = new Map<string, string>()
  // SQLite takes 32766 variables; a page of clips has a few hundred ids.
  for (let from = 0; from < ids.length; from += 10_000) {
    const rows = db.orm
      .select({ id: media.id, name: media.name })
      .from(media)
      .where(inArray(media.id, ids.slice(from, from + 10_000)))
      .all()
    for (const row of rows) names.set(row.id, row.name)
  }
  return names
}

/** Stores a row; when company, path and name are there already, the file's facts are renewed and the old id kept. */
export function saveMedia(db: Pick<Db, 'orm'>, row: MediaRow): string {
  const { mediaType, bytes, etag } = row
  return db.orm
    .insert(media)
    .values(row)
    .onConflictDoUpdate({
      target: [media.companyId, media.path, media.name],
      set: { mediaType, bytes, etag },
    })
    .returning({ id: media.id })
    .get().id
}
