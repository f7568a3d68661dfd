/** Queries of media: files that anyone who has their id may fetch. */
import type { Db } from './client.ts'
import { oncePerConnection } from './prepared.ts'
import { media } from './schema.ts'

export type MediaRow = typeof media.$inferSelect

const byId = oncePerConnection((db) =>
  db.sqlite.prepare<[string], MediaRow>(
    `select id, company_id as companyId, path, name, media_type as mediaType, bytes, etag, created_at as createdAt
       from media where id = ?`,
  ),
)

export const getMedia = (db: Db, id: string): MediaRow | null => byId(db).get(id) ?? null

const namesByIds = oncePerConnection((db) =>
  // One array and not a variable per id: the same statement for any number of them.
  db.sqlite.prepare<[string], Pick<MediaRow, 'id' | 'name'>>(
    'select id, name from media where id in (select value from json_each(?))',
  ),
)

/** Names by id, for addresses; deleted ids are left out. */
export function findMediaNames(db: Db, ids: readonly string[]): Map<string, string> {
  if (ids.length === 0) return new Map()
  return new Map(
    namesByIds(db)
      .all(JSON.stringify(ids))
      .map(({ id, name }) => [id, name]),
  )
}

/** Stores a row; if company, path and name exist already, updates the file's facts and keeps the id. */
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
