/** Queries of brand kits. */
import { and, eq } from 'drizzle-orm'
import { deleteBy, findBy, insertInto, listBy, type Orm } from './rows.ts'
import { brandKits } from './schema.ts'

export type BrandKitRow = Readonly<typeof brandKits.$inferSelect>

export const insertBrandKit = insertInto(brandKits)
export const getBrandKit = findBy(brandKits, 'companyId', 'id')
export const listBrandKits = listBy(brandKits, ['companyId'], 'createdAt', 'id')
export const deleteBrandKit = deleteBy(brandKits, 'companyId', 'id')

/** False when it is not there at this revision. */
export function updateBrandKit(
  db: Orm,
  change: Pick<BrandKitRow, 'id' | 'companyId' | 'revision' | 'name' | 'look' | 'updatedAt'>,
): boolean {
  const { id, companyId, revision, ...values } = change
  const own = [eq(brandKits.id, id), eq(brandKits.companyId, companyId), eq(brandKits.revision, revision)]
  return (
    db.orm
      .update(brandKits)
      .set({ ...values, revision: revision + 1 })
      .where(and(...own))
      .run().changes === 1
  )
}
