/** Queries of media: files that anyone who has their token may fetch. */
import Database from 'better-sqlite3'
import { and, eq, inArray, isNull, or } from 'drizzle-orm'
import type { Db } from './client.ts'
import { oncePerConnection } from './prepared.ts'
import { clips, media } from './schema.ts'

export type MediaRow = typeof media.$inferSelect

const COLUMNS = `id, token, company_id as companyId, clip_id as clipId, path, name, media_type as mediaType, bytes, etag,
  created_at as createdAt`

const byId = oncePerConnection((db) =>
  db.sqlite.prepare<[string], MediaRow>(`select ${COLUMNS} from media where id = ?`),
)

export const getMedia = (db: Db, id: string): MediaRow | null => byId(db).get(id) ?? null

const byToken = oncePerConnection((db) =>
  db.sqlite.prepare<[string], MediaRow>(`select ${COLUMNS} from media where token = ?`),
)

/** The file whose address holds this token. */
export const getMediaByToken = (db: Db, token: string): MediaRow | null => byToken(db).get(token) ?? null

/** What an address is made of. */
export type MediaAddressParts = Pick<MediaRow, 'token' | 'name'>

const partsByIds = oncePerConnection((db) =>
  // One array and not a variable per id: the same statement for any number of them.
  db.sqlite.prepare<[string], Pick<MediaRow, 'id'> & MediaAddressParts>(
    'select id, token, name from media where id in (select value from json_each(?))',
  ),
)

/** What addresses are made of, by id; deleted ids are left out. */
export function findMediaParts(db: Db, ids: readonly string[]): Map<string, MediaAddressParts> {
  if (ids.length === 0) return new Map()
  return new Map(
    partsByIds(db)
      .all(JSON.stringify(ids))
      .map(({ id, ...parts }) => [id, parts]),
  )
}

const NEW_FACTS = 'set media_type = excluded.media_type, bytes = excluded.bytes, etag = excluded.etag'

const upsert = oncePerConnection((db) =>
  db.sqlite.prepare<[MediaRow], Pick<MediaRow, 'id'>>(
    `insert into media (id, token, company_id, clip_id, path, name, media_type, bytes, etag, created_at)
       values (@id, @token, @companyId, @clipId, @path, @name, @mediaType, @bytes, @etag, @createdAt)
       on conflict (company_id, path, name) where clip_id is null do update ${NEW_FACTS}
       on conflict (clip_id, path, name) do update ${NEW_FACTS}
       returning id`,
  ),
)

/**
 * Stores a row and returns its id; if the same company, clip, path and name exist already, updates the file's facts and
 * keeps the id. Null: its clip is gone.
 */
export function saveMedia(db: Db, row: MediaRow): string | null {
  try {
    return upsert(db).get(row)?.id ?? null
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code === 'SQLITE_CONSTRAINT_FOREIGNKEY') return null
    throw error
  }
}

/** Ids of media that a clip's row names. */
const namedBy = ({ document, renderedMedia, renderedThumbnailMedia }: typeof clips.$inferSelect): string[] =>
  [
    renderedMedia,
    renderedThumbnailMedia,
    ...Object.values(document.media),
    ...(document.earlierRenders ?? []).map((one) => one.media),
  ].filter((id) => typeof id === 'string')

/**
 * Gives the files of a clip other addresses, made by `newToken`: those they had lead nowhere from now on. Files from before
 * clips had rows of their own are found by what the clip's row names; an address that other clips have as well changes
 * for them too. May be called inside a transaction.
 */
export function renewMediaTokens(
  db: Db,
  { companyId, clipId }: { readonly companyId: string; readonly clipId: string },
  newToken: () => string,
): void {
  const clip = db.orm
    .select()
    .from(clips)
    .where(and(eq(clips.id, clipId), eq(clips.companyId, companyId)))
    .get()
  if (clip === undefined) return
  const unowned = and(isNull(media.clipId), eq(media.companyId, companyId), inArray(media.id, namedBy(clip)))
  const own = db.orm
    .select({ id: media.id })
    .from(media)
    .where(or(eq(media.clipId, clipId), unowned))
    .all()
  for (const { id } of own) db.orm.update(media).set({ token: newToken() }).where(eq(media.id, id)).run()
}
