/** Brand kits: what a brand puts on clips, under one name; workflows apply them, and editors give them to many clips at once. */
import type { BrandKit, BrandKitLook, BrandKits } from '../../contract/branding.ts'
import { AppError, invalidRequest, refuse } from '../../contract/errors.ts'
import {
  deleteBrandKit,
  getBrandKit,
  insertBrandKit,
  listBrandKits,
  updateBrandKit,
  type BrandKitRow,
} from '../../db/brand-kits.ts'
import { workflowsNaming } from '../../db/library-uses.ts'
import { newId } from '../../ids.ts'
import { iso } from '../moments.ts'
import type { ClockServices, DbServices } from '../services.ts'

/** A company has seldom more than a few brands; a list of them is never paged. */
const MOST = 200

interface KitAddress {
  readonly companyId: string
  readonly kitId: string
}

function present(services: DbServices, row: BrandKitRow): BrandKit {
  const { id, companyId, name, look, revision, updatedAt } = row
  const workflows = workflowsNaming(services.db, companyId, id)
  return { id, name, look, revision, workflows, updatedAt: iso(updatedAt) }
}

/** Every kit of the company, oldest first. */
export const readBrandKits = (services: DbServices, companyId: string): BrandKits => ({
  kits: listBrandKits(services.db, companyId).map((row) => present(services, row)),
})

/** How to find what a kit sets, by its id; null for one that is not the company's. */
export const brandKitLooks =
  (services: DbServices, companyId: string) =>
  (kitId: string): BrandKitLook | null =>
    getBrandKit(services.db, companyId, kitId)?.look ?? null

/** What the kit sets. NOT_FOUND. */
export const requireBrandKit = (services: DbServices, { companyId, kitId }: KitAddress): BrandKitLook =>
  brandKitLooks(services, companyId)(kitId) ?? refuse('NOT_FOUND', 'There is no such brand kit.')

/** INVALID_REQUEST for a name that is blank, or that another kit has. */
function checkName(services: DbServices, companyId: string, name: string, kitId?: string): string {
  const clean = name.trim()
  if (clean === '') throw invalidRequest('name', 'A brand kit has a name.')
  const same = listBrandKits(services.db, companyId).find(
    (row) => row.id !== kitId && row.name.toLowerCase() === clean.toLowerCase(),
  )
  if (same !== undefined) throw invalidRequest('name', `There is a brand kit “${same.name}” already.`)
  return clean
}

/** INVALID_REQUEST. */
export function createBrandKit(
  services: ClockServices,
  input: { readonly companyId: string; readonly name: string; readonly look?: BrandKitLook | undefined },
): BrandKit {
  const { companyId, look = {} } = input
  const name = checkName(services, companyId, input.name)
  if (listBrandKits(services.db, companyId).length >= MOST)
    throw invalidRequest('name', `A company has at most ${MOST} brand kits. Delete one first.`)
  const now = services.now()
  const row = { id: newId(), companyId, name, look, revision: 1, createdAt: now, updatedAt: now }
  insertBrandKit(services.db, row)
  return present(services, row)
}

/**
 * Sets the whole kit. Runs that have begun and clips that are made keep what they have. NOT_FOUND, INVALID_REQUEST,
 * PRECONDITION_FAILED where it was changed since that revision.
 */
export function saveBrandKit(
  services: ClockServices,
  input: KitAddress & { readonly revision: number; readonly name: string; readonly look: BrandKitLook },
): BrandKit {
  const { companyId, kitId: id, revision, look } = input
  requireBrandKit(services, input)
  const name = checkName(services, companyId, input.name, id)
  const updatedAt = services.now()
  if (!updateBrandKit(services.db, { id, companyId, revision, name, look, updatedAt }))
    throw new AppError('PRECONDITION_FAILED', {
      message: 'Somebody else has saved this brand kit. Open it again to see their version.',
    })
  const row = getBrandKit(services.db, companyId, id) ?? refuse('NOT_FOUND')
  return present(services, row)
}

/** Clips keep what they have of it. NOT_FOUND; INVALID_STATE with the names of workflows that apply it. */
export function removeBrandKit(services: DbServices, address: KitAddress): void {
  const { companyId, kitId } = address
  requireBrandKit(services, address)
  const users = workflowsNaming(services.db, companyId, kitId).map(({ name }) => `“${name}”`)
  if (users.length > 0)
    refuse('INVALID_STATE', `It is applied by ${users.join(', ')}. Choose another brand kit there first.`)
  deleteBrandKit(services.db, companyId, kitId)
}
