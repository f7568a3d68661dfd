/** Queries for retention: which files and results are needed, and when they were last used. */
import { sql } from 'drizzle-orm'
import type { Db } from './client.ts'
import { oncePerConnection } from './prepared.ts'

/** A result of a stage that runs have, all of them ended. */
export interface EndedResult {
  readonly stage: string
  readonly key: string
  /** When the last run that has it ended, milliseconds since the epoch. */
  readonly endedAt: number
}

/** Results of these stages that only runs have that ended before a moment, and that no address leads into. */
export function resultsOfEndedRuns(db: Db, stages: readonly string[], before: number): EndedResult[] {
  return db.orm.all<EndedResult>(sql`
    select ended.stage, ended.key, ended.endedAt from (
      select run_stages.stage as stage, run_stages.key as key,
             max(coalesce(runs.finished_at, runs.updated_at)) as endedAt
        from run_stages join runs on runs.id = run_stages.run_id
       where run_stages.stage in (select value from json_each(${JSON.stringify(stages)}))
       group by run_stages.stage, run_stages.key
      having sum(runs.status not in ('Completed', 'Error')) = 0) as ended
     where ended.endedAt < ${before}
       and ended.key not in (
             -- artefacts/<stage>/<two letters>/<key>/<file>
             select substr(path, 14 + instr(substr(path, 11), '/'), 64) from media where path like 'artefacts/%')
     order by endedAt`)
}

/** Runs in Error make it again when they are resumed; Completed runs keep the row as history. */
export function forgetResult(db: Pick<Db, 'orm'>, stage: string, key: string): void {
  db.orm.run(sql`
    delete from run_stages where stage = ${stage} and key = ${key}
       and run_id in (select id from runs where status = 'Error')`)
}

/** When the stored file of this digest was last used, as far as the tables show; null: they do not know it. */
export function lastUseOfSource(db: Pick<Db, 'orm'>, digest: string): number | null {
  return db.orm.get<{ at: number | null }>(sql`
    select max(at) as at from (
      select max(created_at) as at from sources where digest = ${digest}
      union all select max(fetched_at) from source_addresses where digest = ${digest}
      union all select max(coalesce(finished_at, updated_at)) from runs where source_digest = ${digest}
      union all select max(coalesce(finished_at, started_at)) from run_stages
                 where instr(coalesce(output, ''), ${digest}) > 0)`).at
}

/** Whether a stored file is needed by a library, a clip, an open run or a post. Searches all clips. */
export function isSourceNeeded(db: Pick<Db, 'orm'>, digest: string): boolean {
  return (
    db.orm.get<{ needed: number }>(sql`
    select exists (select 1 from library_items where digest = ${digest})
        or exists (select 1 from runs where source_digest = ${digest} and status not in ('Completed', 'Error'))
        or exists (select 1 from clips where source_digest = ${digest} or instr(document, ${digest}) > 0)
        or exists (select 1 from run_stages join runs on runs.id = run_stages.run_id
                    where instr(coalesce(output, ''), ${digest}) > 0
                      and (runs.status not in ('Completed', 'Error')
                           or exists (select 1 from clips where clips.run_id = runs.id)))
        or exists (select 1 from media where instr(path, ${digest}) > 0
                    and (exists (select 1 from clips where instr(document, media.id) > 0
                                   or rendered_media = media.id or rendered_thumbnail_media = media.id)
                         or exists (select 1 from posts where instr(coalesce(media_url, ''), media.id) > 0
                                   or instr(coalesce(thumbnail_url, ''), media.id) > 0))) as needed`)
      .needed !== 0
  )
}

/** Results that refer to this file: later runs must not reuse them. */
export function resultsNamingSource(db: Pick<Db, 'orm'>, digest: string): { stage: string; key: string }[] {
  return db.orm.all<{ stage: string; key: string }>(sql`
    select distinct stage, key from run_stages where instr(coalesce(output, ''), ${digest}) > 0`)
}

/** Removes a stored file from the tables: its addresses, its origin, and the results of ended runs. */
export function forgetSource(db: Pick<Db, 'orm'>, digest: string): void {
  for (const { stage, key } of resultsNamingSource(db, digest)) forgetResult(db, stage, key)
  db.orm.run(sql`delete from source_addresses where digest = ${digest}`)
  db.orm.run(sql`delete from sources where digest = ${digest}`)
  db.orm.run(sql`delete from media where path = ${`sources/${digest.slice(0, 2)}/${digest}`}`)
}

/** Bytes that a company stores: media, sources of its runs, its library, its uploads; each file once. */
export function companyBytes(db: Pick<Db, 'orm'>, companyId: string): number {
  const { bytes } = db.orm.get<{ bytes: number | null }>(sql`
    select sum(bytes) as bytes from (
      select path as file, max(bytes) as bytes from (
        select path, bytes from media where company_id = ${companyId}
        union all
        select 'sources/' || substr(digest, 1, 2) || '/' || digest, bytes from sources
         where digest in (select source_digest from runs where company_id = ${companyId})
        union all
        select 'sources/' || substr(digest, 1, 2) || '/' || digest, bytes from library_items
         where company_id = ${companyId}
        union all
        select 'uploads/' || id, bytes from uploads where company_id = ${companyId})
      group by path)`)
  return bytes ?? 0
}

/** Files behind addresses that lie among the results of stages, by stage. */
export function storedBytes(
  db: Pick<Db, 'sqlite'>,
): { readonly stage: string; readonly bytes: number; readonly files: number }[] {
  // artefacts/<stage>/<two letters>/<key>/<file>
  return db.sqlite
    .prepare<[], { stage: string; bytes: number; files: number }>(
      `select substr(path, 11, instr(substr(path, 11), '/') - 1) as stage, sum(bytes) as bytes, count(*) as files
         from (select path, max(bytes) as bytes from media where path like 'artefacts/%' group by path)
        group by stage`,
    )
    .all()
}

/** What the newest run of a stored file calls it, or the address that it came from; null: neither is known. */
export function nameOfSource(db: Pick<Db, 'orm'>, digest: string): string | null {
  return db.orm.get<{ name: string | null }>(sql`
    select coalesce(
      (select coalesce(json_extract(snapshot, '$.source.displayName'), json_extract(snapshot, '$.source.url'))
         from runs where source_digest = ${digest} order by created_at desc limit 1),
      (select url from source_addresses where digest = ${digest} order by fetched_at desc limit 1)) as name`)
    .name
}

/** What the newest run that has a result calls its source; null: there is none. */
export function sourceNameOfResult(db: Pick<Db, 'orm'>, stage: string, key: string): string | null {
  const found = db.orm.get<{ name: string | null } | undefined>(sql`
    select coalesce(json_extract(snapshot, '$.source.displayName'), json_extract(snapshot, '$.source.url')) as name
      from run_stages join runs on runs.id = run_stages.run_id
     where run_stages.stage = ${stage} and run_stages.key = ${key}
     order by runs.created_at desc limit 1`)
  return found?.name ?? null
}

/** Whether any operation is queued or running, so that a run may use stored results. */
export function anyOperationOpen(db: Pick<Db, 'sqlite'>): boolean {
  const open = db.sqlite.prepare<[], { found: number }>(
    "select exists(select 1 from operations where state in ('queued', 'running')) as found",
  )
  return open.get()?.found === 1
}

/** `stage/key` of every result that is part of a run, or that an address leads into. */
export function listStoredArtefacts(db: Pick<Db, 'sqlite'>): Set<string> {
  const stages = db.sqlite
    .prepare<[], { name: string }>("select distinct stage || '/' || key as name from run_stages")
    .all()
  const media = db.sqlite
    .prepare<[], { path: string }>("select distinct path from media where path like 'artefacts/%'")
    .all()
  const stageNames = new Set(stages.map(({ name }) => name))
  for (const { path } of media) {
    // artefacts/<stage>/<two letters>/<key>/<file>
    const [, stage = '', , key = ''] = path.split('/')
    stageNames.add(`${stage}/${key}`)
  }
  return stageNames
}

const query = oncePerConnection(({ sqlite }) =>
  sqlite.prepare<[{ stage: string; key: string; from: string; to: string }], { kept: number }>(
    `select exists(select 1 from run_stages where stage = @stage and key = @key)
         or exists(select 1 from media where path >= @from and path < @to) as kept`,
  ),
)

/** Whether the result of a stage is part of a run now, or an address leads into it. */
export function isCachedResult(db: Db, stage: string, key: string): boolean {
  const folder = `artefacts/${stage}/${key.slice(0, 2)}/${key}`
  // What begins with the folder and a slash: the character after a slash is a nought.
  return query(db).get({ stage, key, from: `${folder}/`, to: `${folder}0` })?.kept !== 0
}
