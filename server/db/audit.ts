/** Queries of the audit log. */
import { and, desc, eq, gte, isNull, lt, or, sql, type SQL } from 'drizzle-orm'
import type { ActorKind } from '../contract/audit.ts'
import type { Db } from './client.ts'
import { oncePerConnection } from './prepared.ts'
import { auditLog } from './schema.ts'

export type AuditLogRow = typeof auditLog.$inferSelect
export type NewAuditRow = Omit<AuditLogRow, 'seq'>

const inserting = oncePerConnection((db) => {
  const insert = db.sqlite.prepare<NewAuditRow>(
    `insert into audit_log (at, actor_kind, actor_id, actor_name, company_id, method, route, resource_id, status, request_id)
     values (@at, @actorKind, @actorId, @actorName, @companyId, @method, @route, @resourceId, @status, @requestId)`,
  )
  return db.sqlite.transaction((rows: readonly NewAuditRow[]) => {
    for (const row of rows) insert.run(row)
  })
})

export function insertAuditRows(db: Db, rows: readonly NewAuditRow[]): void {
  inserting(db)(rows)
}

export interface AuditFilter {
  /** Epoch milliseconds. */
  readonly since?: number
  readonly actor?: ActorKind
  readonly outcome?: 'done' | 'refused'
  /** Rows of this company, and those of none. */
  readonly companyId?: string
  /** Rows older than the one with this number. */
  readonly before?: number
}

/** Exit codes of commands begin at 1 where HTTP's refusals begin at 400. */
const REFUSED = sql`(${auditLog.status} >= 400 or (${auditLog.method} = 'CLI' and ${auditLog.status} <> 0))`

/** The newest rows first. */
export function listAuditRows(db: Pick<Db, 'orm'>, filter: AuditFilter, limit: number): AuditLogRow[] {
  const wanted: (SQL | undefined)[] = [
    filter.since === undefined ? undefined : gte(auditLog.at, filter.since),
    filter.actor === undefined ? undefined : eq(auditLog.actorKind, filter.actor),
    filter.companyId === undefined
      ? undefined
      : or(isNull(auditLog.companyId), eq(auditLog.companyId, filter.companyId)),
    filter.before === undefined ? undefined : lt(auditLog.seq, filter.before),
    filter.outcome === undefined ? undefined : filter.outcome === 'refused' ? REFUSED : sql`not ${REFUSED}`,
  ]
  const found = db.orm
    .select()
    .from(auditLog)
    .where(and(...wanted))
  return found.orderBy(desc(auditLog.seq)).limit(limit).all()
}

const pruning = oncePerConnection((db) =>
  db.sqlite.prepare<[number, number]>(
    'delete from audit_log where seq in (select seq from audit_log where at < ? order by at limit ?)',
  ),
)

/** Removes up to `most` rows from before a moment; how many went. */
export const pruneAuditRows = (db: Db, before: number, most: number): number =>
  pruning(db).run(before, most).changes
