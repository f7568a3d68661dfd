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

/** Local files that ended runs have read, and when the last of them ended; none that a run reads that goes on. */
export function listEndedRunFiles(db: Db): Map<string, number> {
  const files = new Map<string, number>()
  for (const { snapshot, status, finishedAt, updatedAt } of db.orm.select().from(runs).all()) {
    const { source } = snapshot as RunSnapshot
    if (source.kind !== 'file') continue
    const ended = status === 'Completed' || status === 'Error' ? (finishedAt ?? updatedAt) : Infinity
    files.set(source.path, Math.max(files.get(source.path) ?? 0, ended))
  }
  return files
}

/** Paths of local files that runs read which are not Completed: Error included, since such a run may go on. */
export function listOpenRunFiles(db: Db): string[] {
  return db.orm
    .select({ snapshot: runs.snapshot })
    .from(runs)
    .where(notInArray(runs.status, ['Completed']))
    .all()
    .flatMap((row) => {
      const { source } = row.snapshot as RunSnapshot
      return source.kind === 'file' ? [source.path] : []
    })
}
