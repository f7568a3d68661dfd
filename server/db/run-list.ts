/** Lists of runs for people; what one run needs is in runs.ts. */
import { desc, eq, notInArray } from 'drizzle-orm'
import type { RunSnapshot, RunStatus } from '../contract/run.ts'
import type { Db } from './client.ts'
import type { Run } from './runs.ts'
import { runs } from './schema.ts'

/** A company's newest runs first. */
export function listRuns(db: Db, companyId: string, limit: number): Run[] {
  return db.orm
    .select()
    .from(runs)
    .where(eq(runs.companyId, companyId))
    .orderBy(desc(runs.createdAt), desc(runs.id))
    .limit(limit)
    .all()
    .map((row) => ({ ...row, status: row.status as RunStatus, snapshot: row.snapshot as RunSnapshot }))
}

/** The name of a file. A home may be called by several names (a link, a command's --home), a file in it by one. */
export const fileName = (path: string): string => path.split(/[\\/]/).at(-1) ?? ''

/** Names of local files that runs have read, and when the last of these ended; Infinity while one goes on. */
export function listEndedRunFiles(db: Db): Map<string, number> {
  const files = new Map<string, number>()
  for (const { snapshot, status, finishedAt, updatedAt } of db.orm.select().from(runs).all()) {
    const { source } = snapshot as RunSnapshot
    if (source.kind !== 'file') continue
    const ended = status === 'Completed' || status === 'Error' ? (finishedAt ?? updatedAt) : Infinity
    const name = fileName(source.path)
    files.set(name, Math.max(files.get(name) ?? 0, ended))
  }
  return files
}

/** Names of local files that runs read which are not Completed: Error included, since such a run may go on. */
export function listOpenRunFiles(db: Db): ReadonlySet<string> {
  const sources = openRuns(db).map(({ snapshot }) => snapshot.source)
  return new Set(sources.flatMap((source) => (source.kind === 'file' ? [fileName(source.path)] : [])))
}

function openRuns(db: Db): { readonly id: string; readonly snapshot: RunSnapshot }[] {
  return db.orm
    .select({ id: runs.id, snapshot: runs.snapshot })
    .from(runs)
    .where(notInArray(runs.status, ['Completed']))
    .all()
    .map(({ id, snapshot }) => ({ id, snapshot: snapshot as RunSnapshot }))
}

/** Lets runs that are not Completed read their local file somewhere else; `where` answers null for one that stays. */
export function moveOpenRunFiles(db: Db, where: (path: string) => string | null): number {
  let moved = 0
  for (const { id, snapshot } of openRuns(db)) {
    const { source } = snapshot
    const path = source.kind === 'file' ? where(source.path) : null
    if (path === null) continue
    const changed = { ...snapshot, source: { ...source, path } }
    db.orm.update(runs).set({ snapshot: changed }).where(eq(runs.id, id)).run()
    moved += 1
  }
  return moved
}
