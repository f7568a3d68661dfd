/** Where an item of the library is used, and deleting one that is used nowhere. */
import { AppError, refuse } from '../../contract/errors.ts'
import type { LibraryItemUses } from '../../contract/library.ts'
import { brandKitsNaming, clipsNaming, workflowsNaming } from '../../db/library-uses.ts'
import { getItem } from '../../db/library.ts'
import type { DbServices, HomeServices } from '../services.ts'
import { deleteLibraryItem } from './library.ts'

/** So many clips are named; the others are counted. */
const NAMED = 20

interface ItemAddress {
  readonly companyId: string
  readonly itemId: string
}

/**
 * Clips, workflows and brand kits that name the item. What takes it from its folder is not among them: it takes another one
 * from there. NOT_FOUND.
 */
export function libraryItemUses({ db }: DbServices, { companyId, itemId }: ItemAddress): LibraryItemUses {
  const { digest } =
    getItem(db, companyId, itemId) ?? refuse('NOT_FOUND', 'There is no such item in the library.')
  const { total, first } = clipsNaming(db, { companyId, digest, most: NAMED })
  return {
    clips: first,
    clipCount: total,
    workflows: workflowsNaming(db, companyId, digest),
    brandKits: brandKitsNaming(db, companyId, digest),
  }
}

/** Deletes an item that nothing uses. NOT_FOUND; INVALID_STATE with the names of what does, for it could not have it again. */
export async function deleteUnusedItem(
  services: HomeServices,
  address: ItemAddress,
): Promise<{ fileDeleted: boolean }> {
  const { clips, clipCount, workflows, brandKits } = libraryItemUses(services, address)
  const users = [...workflows, ...brandKits, ...clips].map(({ name }) => `“${name}”`)
  if (users.length === 0) return await deleteLibraryItem(services, address)
  const others = clipCount - clips.length
  throw new AppError('INVALID_STATE', {
    message: `It is used by ${users.join(', ')}${others > 0 ? ` and ${others} more clips` : ''}. Choose another file there first.`,
    details: { clipCount, workflows: workflows.length, brandKits: brandKits.length },
  })
}
