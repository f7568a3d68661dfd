/** Queries of watched folders, of what was taken from them, and of clips that are to be written for them. */
import { and, desc, eq, isNull, ne, or, sql, type SQL } from 'drizzle-orm'
import { DEFAULT_PROFILE } from '../contract/delivery-config.ts'
import type { RunStatus } from '../contract/run.ts'
import type { WatchedFileState } from '../contract/watch.ts'
import type { Db } from './client.ts'
import { prepareOnce } from './prepared.ts'
import { deleteBy, findBy, insertInto, listBy, saveInto, updateBy, type Orm } from './rows.ts'
import { clips, media, operations, runs, watchedFiles, watchFolders, watchOutputs } from './schema.ts'

export type WatchFolderRow = Readonly<typeof watchFolders.$inferSelect>
export type WatchedFileRow = Readonly<typeof watchedFiles.$inferSelect>

export const insertWatchFolder = insertInto(watchFolders)
export const getWatchFolder = findBy(watchFolders, 'id')
export const listWatchFolders = listBy(watchFolders, [], 'createdAt', 'id')
export const updateWatchFolder = updateBy(watchFolders, 'id')
export const deleteWatchFolder = deleteBy(watchFolders, 'id')

/** Pauses every folder that is not; how many. For a restored database, which does not know what was taken since. */
export const pauseWatchFolders = (db: Orm): number =>
  db.orm.update(watchFolders).set({ state: 'paused' }).where(eq(watchFolders.state, 'active')).run().changes

export const insertWatchedFile = insertInto(watchedFiles)
export const getWatchedFile = findBy(watchedFiles, 'folderId', 'id')
export const updateWatchedFile = updateBy(watchedFiles, 'id')
export const deleteWatchedFile = deleteBy(watchedFiles, 'folderId', 'id')
const failedIn = (folderId: string, ...more: SQL[]) =>
  and(eq(watchedFiles.folderId, folderId), eq(watchedFiles.state, 'failed'), ...more)

/** What failed before there was a run, so that it is taken again; `path`: only what was there. How many. */
export const deleteFailedFiles = (db: Orm, folderId: string, path?: string): number =>
  db.orm
    .delete(watchedFiles)
    .where(failedIn(folderId, ...(path === undefined ? [] : [eq(watchedFiles.path, path)])))
    .run().changes

/** Runs of the folder that ended in Error. */
export const listFailedRuns = (db: Orm, folderId: string): string[] =>
  db.orm
    .select({ id: runs.id })
    .from(watchedFiles)
    .innerJoin(runs, eq(runs.id, watchedFiles.runId))
    .where(and(eq(watchedFiles.folderId, folderId), eq(runs.status, 'Error')))
    .all()
    .map(({ id }) => id)

/** What a look into the folder needs of the files that are known. */
export type KnownFile = Pick<WatchedFileRow, 'id' | 'path' | 'bytes' | 'modifiedAt' | 'fileId'>

/** Oldest first, so that of two rows of one path the present one comes last. */
export const listKnownFiles = (db: Db, folderId: string): KnownFile[] =>
  prepareOnce<KnownFile>(
    db,
    `select id, path, bytes, modified_at as modifiedAt, file_id as fileId from watched_files
      where folder_id = ? order by created_at, rowid`,
  ).all(folderId)

/** What has this content and was not taken under another name: the first row of it. */
export function findWatchedContent(db: Orm, folderId: string, digest: string): WatchedFileRow | null {
  const first = db.orm
    .select()
    .from(watchedFiles)
    .where(
      and(
        eq(watchedFiles.folderId, folderId),
        eq(watchedFiles.digest, digest),
        ne(watchedFiles.state, 'duplicate'),
      ),
    )
    .orderBy(watchedFiles.createdAt)
  return first.get() ?? null
}

/** By state; what was taken and whose run ended in Error counts as failed. */
export const countWatchedFiles = (
  db: Db,
  folderId: string,
): { readonly state: WatchedFileState; readonly files: number }[] =>
  prepareOnce<{ state: WatchedFileState; files: number }>(
    db,
    `select case when r.status = 'Error' then 'failed' else f.state end as state, count(*) as files
       from watched_files f left join runs r on r.id = f.run_id where f.folder_id = ? group by 1`,
  ).all(folderId)

const written = (folderId: string) => eq(watchOutputs.folderId, folderId)

export const countWrittenClips = (db: Orm, folderId: string): number =>
  db.orm
    .select({ count: sql<number>`count(*)` })
    .from(watchOutputs)
    .where(and(written(folderId), ne(watchOutputs.rendered, '')))
    .get()?.count ?? 0

/** Runs of the folder that are queued or running. */
export const countOpenRuns = (db: Db, folderId: string): number =>
  prepareOnce<{ open: number }>(
    db,
    `select count(*) as open from operations o join watched_files f on f.run_id = o.subject_id
      where f.folder_id = ? and o.kind = 'run' and o.state in ('queued', 'running')`,
  ).get(folderId)?.open ?? 0

export interface ListedFile {
  readonly file: WatchedFileRow
  /** Null where there is none (any more). */
  readonly run: {
    readonly status: RunStatus
    readonly progress: number
    readonly error: string | null
  } | null
  readonly clips: number
}

/** The newest first. */
export function listWatchedFiles(db: Orm, folderId: string, limit: number): ListedFile[] {
  const clipsOfFile = sql<number>`(select count(*) from ${watchOutputs} join ${clips} on ${clips.id} = ${watchOutputs.clipId}
    where ${clips.runId} = ${watchedFiles.runId} and ${watchOutputs.folderId} = ${watchedFiles.folderId})`
  const { status, progress, error } = runs
  return db.orm
    .select({ file: watchedFiles, run: { status, progress, error }, clips: clipsOfFile })
    .from(watchedFiles)
    .leftJoin(runs, eq(runs.id, watchedFiles.runId))
    .where(eq(watchedFiles.folderId, folderId))
    .orderBy(desc(watchedFiles.updatedAt), desc(watchedFiles.createdAt))
    .limit(limit)
    .all()
}

export interface UnwrittenClip {
  readonly clipId: string
  readonly title: string
  /** Path below the folder of the video that it was taken from. */
  readonly source: string
  /** The rendered file, relative to the home. */
  readonly rendered: string
  /** Its name in the output folder, where an earlier render was written. */
  readonly name: string | null
}

/** Clips with a rendered file that is not in the output folder yet, in the order in which they changed. */
export function listUnwrittenClips(
  db: Orm,
  folderId: string,
  { since, limit }: { readonly since: number; readonly limit: number },
): UnwrittenClip[] {
  const { name, rendered } = watchOutputs
  return db.orm
    .select({ clipId: clips.id, title: clips.title, source: watchedFiles.path, rendered: media.path, name })
    .from(watchedFiles)
    .innerJoin(clips, eq(clips.runId, watchedFiles.runId))
    .innerJoin(media, eq(media.id, clips.renderedMedia))
    .leftJoin(watchOutputs, and(written(folderId), eq(watchOutputs.clipId, clips.id)))
    .where(
      and(
        eq(watchedFiles.folderId, folderId),
        sql`${clips.updatedAt} >= ${since}`,
        or(isNull(rendered), ne(rendered, media.path)),
      ),
    )
    .orderBy(clips.updatedAt, clips.ordinal)
    .limit(limit)
    .all()
}

export interface UndeliveredClip {
  readonly clipId: string
  readonly title: string
  /** Its name in the output folder. */
  readonly name: string
  /** The delivery profile that the clip asks for by itself. */
  readonly profile: string
  /** The file, relative to the home. */
  readonly delivered: string
}

/**
 * Clips that were written and ask for a delivery profile, whose newest file of it is not in the output folder. What was exported by
 * another profile was asked for by somebody, for themselves.
 */
export function listUndeliveredClips(
  db: Orm,
  folderId: string,
  { since, limit }: { readonly since: number; readonly limit: number },
): UndeliveredClip[] {
  const profile = sql<string>`${operations.input} ->> '$.profile'`
  const isNewest = sql`not exists (select 1 from operations later where later.kind = 'export' and later.state = 'succeeded'
    and later.subject_id = ${operations.subjectId} and later.input ->> '$.profile' = ${profile}
    and later.created_at > ${operations.createdAt})`
  return db.orm
    .select({ clipId: clips.id, title: clips.title, name: watchOutputs.name, profile, delivered: media.path })
    .from(watchedFiles)
    .innerJoin(clips, eq(clips.runId, watchedFiles.runId))
    .innerJoin(watchOutputs, and(written(folderId), eq(watchOutputs.clipId, clips.id)))
    .innerJoin(operations, and(eq(operations.subjectId, clips.id), eq(operations.kind, 'export')))
    .innerJoin(media, sql`${media.id} = ${operations.result} ->> '$.mediaId'`)
    .where(
      and(
        eq(watchedFiles.folderId, folderId),
        eq(operations.state, 'succeeded'),
        sql`${operations.updatedAt} >= ${since}`,
        sql`json_type(${clips.document}, '$.deliveryConfig') = 'object'`,
        sql`coalesce(${clips.document} ->> '$.deliveryConfig.enabled', 1) <> 0`,
        sql`coalesce(${clips.document} ->> '$.deliveryConfig.profile', ${DEFAULT_PROFILE}) = ${profile}`,
        ne(watchOutputs.delivered, media.path),
        isNewest,
      ),
    )
    .orderBy(operations.updatedAt)
    .limit(limit)
    .all()
}

/** Notes which file of its delivery profile was written for a clip. */
export const saveDelivered = (
  db: Orm,
  { folderId, clipId, delivered }: { folderId: string; clipId: string; delivered: string },
): void =>
  void db.orm
    .update(watchOutputs)
    .set({ delivered })
    .where(and(written(folderId), eq(watchOutputs.clipId, clipId)))
    .run()

/** Names that clips have in an output folder, also of those that were moved out of it. */
export const listOutputNames = (db: Orm, output: string): string[] =>
  db.orm
    .select({ name: watchOutputs.name })
    .from(watchOutputs)
    .innerJoin(watchFolders, eq(watchFolders.id, watchOutputs.folderId))
    .where(eq(watchFolders.output, output))
    .all()
    .map(({ name }) => name)

export const saveWatchOutput = saveInto(watchOutputs, ['folderId', 'clipId'])
