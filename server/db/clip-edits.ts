/** Queries of edits of many clips, by which they are taken back. */
import { and, eq, lt } from 'drizzle-orm'
import { insertInto, listBy, type Orm } from './rows.ts'
import { clipEditParts } from './schema.ts'

export const insertClipEditPart = insertInto(clipEditParts)
export const listClipEditParts = listBy(clipEditParts, ['companyId', 'editId'], 'createdAt', 'clipId')

export function deleteClipEditPart(
  db: Orm,
  { companyId, editId, clipId }: { companyId: string; editId: string; clipId: string },
): void {
  const own = [
    eq(clipEditParts.companyId, companyId),
    eq(clipEditParts.editId, editId),
    eq(clipEditParts.clipId, clipId),
  ]
  db.orm
    .delete(clipEditParts)
    .where(and(...own))
    .run()
}

/** Those that are older than this moment can no longer be taken back. */
export function deleteClipEditPartsBefore(db: Orm, moment: number): void {
  db.orm.delete(clipEditParts).where(lt(clipEditParts.createdAt, moment)).run()
}
