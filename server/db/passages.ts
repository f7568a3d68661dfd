/** Queries of the passages that search by meaning reads (schema.ts): which runs wait for it, and what is stored of them. */
import type { Db } from './client.ts'
import { inTransaction, prepareOnce } from './prepared.ts'
import { passageIndexes } from './schema.ts'
import { deleteBy } from './rows.ts'

/** The condition by which a run, `r`, has ended and has a transcript. */
export const WITH_TRANSCRIPT = `r.status in ('Completed', 'Error') and exists (
  select 1 from run_stages s where s.run_id = r.id and s.state = 'finished' and s.stage in ('captions', 'speech', 'speakers'))`

/** The condition by which a run waits to be indexed: by this model and version, and as it ended. */
const WAITING = `not exists (select 1 from passage_indexes i
  where i.run_id = r.id and i.model = ? and i.version = ? and i.ended_at is r.finished_at) and ${WITH_TRANSCRIPT}`

export interface WaitingRun {
  readonly runId: string
  readonly companyId: string
  readonly endedAt: number | null
}

/** The run to be indexed next, the newest first; null: there is none. */
export function nextToIndex(db: Db, model: string, version: number): WaitingRun | null {
  const text = `select r.id as runId, r.company_id as companyId, r.finished_at as endedAt
    from runs r where ${WAITING} order by r.created_at desc, r.id limit 1`
  return prepareOnce<WaitingRun>(db, text).get(model, version) ?? null
}

/** How many runs wait. */
export function countToIndex(db: Db, model: string, version: number): number {
  const text = `select count(*) as waiting from runs r where ${WAITING}`
  return prepareOnce<{ waiting: number }>(db, text).get(model, version)?.waiting ?? 0
}

export type IndexedRun = Omit<typeof passageIndexes.$inferInsert, 'passages' | 'indexedAt'>

export interface IndexedPassage {
  readonly chunk: number | null
  readonly start: number
  readonly end: number
  readonly text: string
  /** The text as the full-text index has it. */
  readonly words: string
}

/** Replaces what is stored of a run, at once. Nothing is stored of a run that is gone. */
export function saveIndexedRun(
  db: Db,
  run: IndexedRun,
  passages: readonly IndexedPassage[],
  now: number,
): void {
  inTransaction(db, () => {
    deleteIndexedRun(db, run.runId)
    const exists = db.sqlite.prepare('select 1 from runs where id = ? and company_id = ?')
    if (exists.get(run.runId, run.companyId) === undefined) return
    db.orm
      .insert(passageIndexes)
      .values({ ...run, passages: passages.length, indexedAt: now })
      .run()
    const row = db.sqlite.prepare(
      `insert into passages (run_id, company_id, place, chunk, start, end, text) values (?, ?, ?, ?, ?, ?, ?)`,
    )
    const index = db.sqlite.prepare('insert into passage_words (rowid, scope, words) values (?, ?, ?)')
    const scope = scopeOf(run.companyId)
    for (const [place, { chunk, start, end, text, words }] of passages.entries()) {
      const { lastInsertRowid } = row.run(run.runId, run.companyId, place, chunk, start, end, text)
      index.run(lastInsertRowid, scope, words)
    }
  })
}

/** Whether anything of this company is indexed. */
export const hasPassages = (db: Db, companyId: string): boolean =>
  prepareOnce(db, 'select 1 from passage_indexes where company_id = ? limit 1').get(companyId) !== undefined

/** Passages, words and vectors of a run. */
export const deleteIndexedRun = deleteBy(passageIndexes, 'runId')

/** The company as a word of the index. */
const scopeOf = (companyId: string): string => `c${Buffer.from(companyId, 'utf8').toString('hex')}`

/** The FTS5 expression of passages of this company that match; `match` comes from domain/search/search-terms.ts. */
export const passageMatch = (companyId: string, match: string): string =>
  `({scope} : "${scopeOf(companyId)}") AND ({words} : ${match})`

/** Forgets the runs that could not be indexed as they should be, so that they wait again. */
export function deleteFailedIndexes(db: Db): void {
  db.sqlite.prepare('delete from passage_indexes where problem is not null').run()
}

/** Each indexed run with the transcripts that it was made from, `stage/key`. */
export function listIndexedTranscripts(db: Db): { runId: string; transcripts: readonly string[] }[] {
  const { runId, transcripts } = passageIndexes
  return db.orm.select({ runId, transcripts }).from(passageIndexes).all()
}

/** What is stored of another run of this company with the same transcripts, read by the same model; null: nothing. */
export function findSameIndex(
  db: Db,
  {
    companyId,
    model,
    version,
    transcripts,
  }: Pick<IndexedRun, 'companyId' | 'model' | 'version' | 'transcripts'>,
): { readonly vectors: Buffer | null; readonly size: number; readonly passages: Passages } | null {
  const text = `select run_id as runId, vectors, size from passage_indexes
    where company_id = ? and model = ? and version = ? and transcripts = ? and problem is null limit 1`
  const known = prepareOnce<{ runId: string; vectors: Buffer | null; size: number }>(db, text).get(
    companyId,
    model,
    version,
    JSON.stringify(transcripts),
  )
  if (known === undefined) return null
  const rows = prepareOnce<Passages[number]>(
    db,
    'select chunk, start, end, text from passages where run_id = ? order by place',
  )
  return { vectors: known.vectors, size: known.size, passages: rows.all(known.runId) }
}

type Passages = readonly Omit<IndexedPassage, 'words'>[]

export interface IndexCounts {
  readonly runs: number
  readonly indexed: number
  readonly problems: number
}

/** How many runs there are to search in, and how many of them are indexed, over all companies. */
export function countIndexed(db: Db, model: string, version: number): IndexCounts {
  const text = `select count(*) as runs, count(i.run_id) as indexed, count(i.problem) as problems
    from runs r left join passage_indexes i
      on i.run_id = r.id and i.model = ? and i.version = ? and i.ended_at is r.finished_at
    where ${WITH_TRANSCRIPT}`
  return prepareOnce<IndexCounts>(db, text).get(model, version) ?? { runs: 0, indexed: 0, problems: 0 }
}
