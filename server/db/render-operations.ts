/** Queries of renders in the queue that count what a company has going on. */
import { and, count, eq, inArray } from 'drizzle-orm'
import type { Db } from './client.ts'
import { findOpenOperation, insertOperation } from './operations.ts'
import { operations } from './schema.ts'

/** Renders of a company that are queued or running. */
function countOpenRenders(db: Pick<Db, 'orm'>, companyId: string): number {
  const row = db.orm
    .select({ open: count() })
    .from(operations)
    .where(
      and(
        inArray(operations.state, ['queued', 'running']),
        eq(operations.kind, 'render'),
        eq(operations.companyId, companyId),
      ),
    )
    .get()
  return row?.open ?? 0
}

/**
 * The render of this clip that is queued or running, or a new one, unless the company has `most` going on already:
 * then null. Counted and queued in one transaction, so that of two callers at the same moment only one gets the last
 * place.
 */
export function joinOrInsertRender(
  db: Db,
  render: { readonly companyId: string; readonly clipId: string; readonly now: number },
  most: number,
): { readonly id: string; readonly joined: boolean } | null {
  const { companyId, clipId: subjectId, now } = render
  return db.orm.transaction(
    () => {
      const open = findOpenOperation(db, 'render', subjectId)
      if (open !== null && !open.cancelRequested) return { id: open.id, joined: true }
      if (countOpenRenders(db, companyId) >= most) return null
      return { id: insertOperation(db, { companyId, kind: 'render', subjectId, now }), joined: false }
    },
    { behavior: 'immediate' },
  )
}
