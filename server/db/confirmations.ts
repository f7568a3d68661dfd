/** Queries of confirmations. */
import { and, desc, eq, gt, inArray } from 'drizzle-orm'
import { findBy, insertInto, listWhere, updateBy, type Orm } from './rows.ts'
import { confirmations } from './schema.ts'

export type ConfirmationRow = typeof confirmations.$inferSelect

export const insertConfirmation = insertInto(confirmations)

export const getConfirmation = findBy(confirmations, 'companyId', 'id')

export const updateConfirmation = updateBy(confirmations, 'id')

interface Span {
  /** None that is open was prepared before: for the index. Epoch milliseconds, as all times. */
  readonly since: number
  readonly now: number
}

const open = (companyId: string, { since, now }: Span) =>
  and(
    eq(confirmations.companyId, companyId),
    gt(confirmations.createdAt, since),
    gt(confirmations.expiresAt, now),
  )

/** Undecided ones that can still be decided, the newest first. */
export function listPending(
  db: Orm,
  companyId: string,
  { limit, ...span }: Span & { readonly limit: number },
): ConfirmationRow[] {
  const where = and(open(companyId, span), eq(confirmations.state, 'pending'))
  return listWhere(db, confirmations, { where, order: [desc(confirmations.createdAt)], limit })
}

/** Expires the unused confirmations of a subject now. May be called inside a transaction. */
export function expireConfirmations(db: Orm, companyId: string, subjectId: string, span: Span): void {
  const unused = inArray(confirmations.state, ['pending', 'approved'])
  db.orm
    .update(confirmations)
    .set({ expiresAt: span.now })
    .where(and(open(companyId, span), eq(confirmations.subjectId, subjectId), unused))
    .run()
}
