/** Queries of what the home's files are needed for. */
import type { Db } from './client.ts'

/** Files behind addresses that lie among the results of stages. */
export function storedBytes(db: Pick<Db, 'sqlite'>): { readonly bytes: number; readonly files: number } {
  const found = db.sqlite
    .prepare<[], { bytes: number | null; files: number }>(
      `select sum(bytes) as bytes, count(*) as files
         from (select max(bytes) as bytes from media where path like 'artefacts/%' group by path)`,
    )
    .get()
  return { bytes: found?.bytes ?? 0, files: found?.files ?? 0 }
}

/** Whether any durable work waits or goes on, or a run may be taken up again. */
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
