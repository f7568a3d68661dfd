/**
 * The audit log. Rows are gathered for a moment and stored together, after the answers that they are about have been sent:
 * no caller waits for them, and many calls at once cost one write. What was gathered is stored before the database is
 * closed; a process that is killed may lose the last quarter of a second.
 */
import type { Actor, AuditPage, AuditRow } from '../../contract/audit.ts'
import { invalidRequest } from '../../contract/errors.ts'
import {
  insertAuditRows,
  listAuditRows,
  pruneAuditRows,
  type AuditFilter,
  type AuditLogRow,
  type NewAuditRow,
} from '../../db/audit.ts'
import { oncePerConnection } from '../../db/prepared.ts'
import type { Services } from '../services.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'

const GATHER_MS = 250
const GATHER_ROWS = 200
/** What could not be stored is tried again after this. */
const TRY_AGAIN_MS = 30_000
/** Buffered in memory while the disk is full. Older entries are lost then, which is logged. */
const MAX_WAITING = 10_000
const DAY = 86_400_000
const PRUNE_EVERY_MS = DAY / 4
const PRUNE_AT_ONCE = 1000
const MAX_TEXT = 200
const DEFAULT_PAGE = 100

type Deps = Pick<Services, 'db' | 'now' | 'log' | 'config'>

/** A call as it is recorded. */
export interface RecordedCall {
  readonly actor: Actor
  readonly companyId: string | null
  readonly method: string
  /** The route's template, never the address itself. */
  readonly route: string
  readonly resourceId: string | null
  readonly status: number
  readonly requestId: string
}

interface Gathered {
  rows: NewAuditRow[]
  timer: NodeJS.Timeout | null
  prunedAt: number
}

const gatheredOf = oncePerConnection((): Gathered => ({ rows: [], timer: null, prunedAt: -Infinity }))
const closing = new WeakSet<object>()

const short = (text: string): string => text.slice(0, MAX_TEXT)
const shortOrNull = (text: string | null): string | null => (text === null ? null : short(text))

/** Has a row written soon. Never throws. */
export function recordCall(services: Deps, call: RecordedCall): void {
  const gathered = gatheredOf(services.db)
  if (!closing.has(services.db)) {
    closing.add(services.db)
    services.db.beforeClose(() => flushAudit(services))
  }
  const { actor, companyId, method, route, resourceId, status, requestId } = call
  gathered.rows.push({
    at: services.now(),
    actorKind: actor.kind,
    actorId: short(actor.id),
    actorName: shortOrNull(actor.name),
    companyId,
    method,
    route,
    resourceId: shortOrNull(resourceId),
    status,
    requestId: short(requestId),
  })
  if (gathered.rows.length === GATHER_ROWS && gathered.timer !== null) {
    clearTimeout(gathered.timer)
    gathered.timer = setTimeout(() => flushAudit(services), 0)
  }
  gathered.timer ??= setTimeout(() => flushAudit(services), GATHER_MS)
  gathered.timer.unref()
}

/** Stores what was gathered, and now and then removes what is too old. Never throws: what cannot be stored waits. */
export function flushAudit(services: Deps): void {
  const gathered = gatheredOf(services.db)
  if (gathered.timer !== null) clearTimeout(gathered.timer)
  gathered.timer = null
  const { rows } = gathered
  try {
    if (rows.length > 0) insertAuditRows(services.db, rows)
    gathered.rows = []
    prune(services, gathered)
  } catch (error) {
    // Empty when it was only the pruning that failed.
    const waiting = gathered.rows
    gathered.rows = waiting.slice(-MAX_WAITING)
    const lost = waiting.length - gathered.rows.length
    if (services.db.sqlite.open) gathered.timer = setTimeout(() => flushAudit(services), TRY_AGAIN_MS).unref()
    services.log.error('rows of the audit log could not be stored', {
      waiting: gathered.rows.length,
      lost,
      error,
    })
  }
}

function prune(services: Deps, gathered: Gathered): void {
  const now = services.now()
  if (now - gathered.prunedAt < PRUNE_EVERY_MS) return
  const went = pruneAuditRows(services.db, now - services.config.auditDays * DAY, PRUNE_AT_ONCE)
  // The batch was full, so there may be more; the next flush continues.
  if (went < PRUNE_AT_ONCE) gathered.prunedAt = now
}

function present(row: AuditLogRow): AuditRow {
  const { seq, at, actorKind, actorId, actorName, ...rest } = row
  return {
    id: seq,
    at: new Date(at).toISOString(),
    ...rest,
    actor: { kind: actorKind, id: actorId, name: actorName },
  }
}

/** The newest rows first, what was gathered a moment ago included. `since`: ISO-8601. INVALID_REQUEST. */
export function readAudit(
  services: Deps,
  query: Omit<AuditFilter, 'since'> & { since?: string; limit?: number },
): AuditPage {
  const { since, limit = DEFAULT_PAGE, ...filter } = query
  const from = since === undefined ? undefined : Date.parse(since)
  if (Number.isNaN(from)) throw invalidRequest('since', '"since" is a moment such as 2027-01-31T12:00:00Z.')
  flushAudit(services)
  const found = listAuditRows(services.db, { ...filter, ...omitUndefined({ since: from }) }, limit + 1)
  const rows = found.slice(0, limit).map(present)
  return {
    rows,
    next: found.length > limit ? (rows.at(-1)?.id ?? null) : null,
    keptDays: services.config.auditDays,
  }
}
