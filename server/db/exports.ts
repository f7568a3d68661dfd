/** Queries of the files of delivery profiles: operations of the kind `export`, and the addresses of what they made. */
import { and, desc, eq, inArray, lt, sql } from 'drizzle-orm'
import type { Db } from './client.ts'
import { insertOperation, type Operation } from './operations.ts'
import { inTransaction } from './prepared.ts'
import { media, operations } from './schema.ts'

const MOST = 30

/** What was queued for a clip, the newest first. */
export const listExports = (
  db: Db,
  { companyId, clipId }: { readonly companyId: string; readonly clipId: string },
): Operation[] =>
  db.orm
    .select()
    .from(operations)
    .where(
      and(
        eq(operations.kind, 'export'),
        eq(operations.subjectId, clipId),
        eq(operations.companyId, companyId),
      ),
    )
    .orderBy(desc(operations.createdAt), desc(operations.id))
    .limit(MOST)
    .all()

/** The open operation of this clip and profile that nobody stops, or a new one. */
export function joinOrInsertExport(
  db: Db,
  wanted: {
    readonly companyId: string
    readonly clipId: string
    readonly profile: string
    readonly now: number
  },
): { readonly id: string; readonly joined: boolean } {
  const { companyId, clipId: subjectId, profile, now } = wanted
  return inTransaction(db, () => {
    const open = db.orm
      .select({ id: operations.id })
      .from(operations)
      .where(
        and(
          eq(operations.kind, 'export'),
          eq(operations.subjectId, subjectId),
          inArray(operations.state, ['queued', 'running']),
          eq(operations.cancelRequested, false),
          sql`${operations.input} ->> '$.profile' = ${profile}`,
        ),
      )
      .get()
    if (open !== undefined) return { id: open.id, joined: true }
    const input = { profile }
    return { id: insertOperation(db, { companyId, kind: 'export', subjectId, input, now }), joined: false }
  })
}

/** Ends the addresses of files that were made before a moment; returns the keys of those that still have one. */
export function forgetExports(db: Db, before: number): Set<string> {
  const made = db.orm
    .select({ id: sql<string>`${operations.result} ->> '$.mediaId'` })
    .from(operations)
    .where(and(eq(operations.kind, 'export'), eq(operations.state, 'succeeded')))
  const isExport = inArray(media.id, made)
  db.orm
    .delete(media)
    .where(and(isExport, lt(media.createdAt, before)))
    .run()
  const kept = db.orm.select({ path: media.path }).from(media).where(isExport).all()
  // artefacts/export/<two letters>/<key>/<file>
  return new Set(kept.map(({ path }) => path.split('/')[3] ?? ''))
}
