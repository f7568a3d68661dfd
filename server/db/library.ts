/** Queries of the library: the pictures and videos that a company stores for its clips. */
import { and, asc, count, eq, getTableColumns, like, sql } from 'drizzle-orm'
import type { Db } from './client.ts'
import { deleteBy, findBy, insertNewInto, listBy, updateBy } from './rows.ts'
import { libraryFolders, libraryItems, media } from './schema.ts'

export type LibraryFolderRow = typeof libraryFolders.$inferSelect
export type LibraryItemRow = typeof libraryItems.$inferSelect

/** By name, with how many items each holds. */
export function listFolders(db: Db, companyId: string): (LibraryFolderRow & { items: number })[] {
  return db.orm
    .select({ ...getTableColumns(libraryFolders), items: count(libraryItems.id) })
    .from(libraryFolders)
    .leftJoin(libraryItems, eq(libraryItems.folderId, libraryFolders.id))
    .where(eq(libraryFolders.companyId, companyId))
    .groupBy(libraryFolders.id)
    .orderBy(asc(libraryFolders.name))
    .all()
}

export const getFolder = findBy(libraryFolders, 'companyId', 'id')

export const findFolderByName = findBy(libraryFolders, 'companyId', 'name')

/** False when the company has a folder of this name already. */
export const insertFolder = insertNewInto(libraryFolders)

export const updateFolder = updateBy(libraryFolders, 'id')

/** Its items stay, in no folder. */
export const deleteFolder = deleteBy(libraryFolders, 'id')

/** Oldest first. */
export const listItems = listBy(libraryItems, ['companyId'], 'createdAt', 'id')

export const getItem = findBy(libraryItems, 'companyId', 'id')

export const findItemByDigest = findBy(libraryItems, 'companyId', 'digest')

/** False when the company has an item with this content already. */
export const insertItem = insertNewInto(libraryItems)

export type ItemChanges = Partial<Pick<LibraryItemRow, 'name' | 'tags' | 'folderId'>>

export function updateItem(db: Db, id: string, changes: ItemChanges): void {
  if (Object.keys(changes).length === 0) return
  db.orm.update(libraryItems).set(changes).where(eq(libraryItems.id, id)).run()
}

/** Deletes an item and the addresses of its file in the studio: those of this path whose name is `item.*`. */
export function deleteItem(db: Db, item: Pick<LibraryItemRow, 'id' | 'companyId'>, path: string): void {
  const shown = and(eq(media.companyId, item.companyId), eq(media.path, path), like(media.name, 'item.%'))
  db.orm.transaction((change) => {
    change.delete(libraryItems).where(eq(libraryItems.id, item.id)).run()
    change.delete(media).where(shown).run()
  })
}

/** Whether this content is the company's own: an item of its library, or the source of one of its runs. */
export function ownsContent(db: Db, companyId: string, digest: string): boolean {
  const found = db.orm.get<{ owned: number }>(sql`
    select exists (select 1 from library_items where company_id = ${companyId} and digest = ${digest})
        or exists (select 1 from runs where company_id = ${companyId} and source_digest = ${digest}) as owned`)
  return found.owned !== 0
}

/** Whether anything refers to this stored file. Searches all clips: called only before deleting. */
export function isContentUsed(db: Db, digest: string): boolean {
  const found = db.orm.get<{ used: number }>(sql`
    select exists (select 1 from library_items where digest = ${digest})
        or exists (select 1 from sources where digest = ${digest})
        or exists (select 1 from runs where source_digest = ${digest})
        or exists (select 1 from clips where source_digest = ${digest} or instr(document, ${digest}) > 0)
        or exists (select 1 from run_stages where instr(coalesce(output, ''), ${digest}) > 0)
        or exists (select 1 from workflows where instr(graph, ${digest}) > 0)
        or exists (select 1 from media where instr(path, ${digest}) > 0) as used`)
  return found.used !== 0
}
