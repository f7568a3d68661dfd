/** Requests for brand kits. */
import type { BrandKit, BrandKitLook, BrandKits } from '../../server/contract/branding.ts'
import { call, json } from '../state/api.ts'

const PATH = '/studio/brand-kits'
const pathOf = (id: string): string => `${PATH}/${encodeURIComponent(id)}`

export const listBrandKits = async (): Promise<readonly BrandKit[]> => (await call<BrandKits>(PATH)).kits

export const createBrandKit = async (name: string, look: BrandKitLook = {}): Promise<BrandKit> =>
  (await call<{ kit: BrandKit }>(PATH, json('POST', { name, look }))).kit

/** RequestRefused where somebody else has saved it since that revision. */
export const saveBrandKit = async (
  id: string,
  version: Pick<BrandKit, 'revision' | 'name' | 'look'>,
): Promise<BrandKit> => (await call<{ kit: BrandKit }>(pathOf(id), json('PUT', version))).kit

export const deleteBrandKit = (id: string) => call<unknown>(pathOf(id), { method: 'DELETE' })
