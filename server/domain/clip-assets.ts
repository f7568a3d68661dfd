/** What came of the files that a clip names, as it is saved. */
import type { StudioAssets } from '../contract/studio-assets.ts'
import { requiredAssets } from '../nodes/index.ts'
import { requireClip } from './get-clip.ts'
import { assetsOf } from './plan-assets.ts'
import { fetchedFor } from './render-clip.ts'
import type { Services } from './services.ts'

/**
 * The clip's files by address. Those that are waited for are fetched by the operation that takes the thumbnail anew after
 * each edit, or by the next render. Throws CLIP_NOT_FOUND.
 */
export function clipAssets(
  services: Pick<Services, 'db'>,
  address: { readonly companyId: string; readonly clipId: string },
): StudioAssets {
  const clip = requireClip(services, address)
  const needs = requiredAssets(clip.document)
  const known = assetsOf(needs, fetchedFor(services, needs, clip))
  return {
    assets: needs.map(({ url }) => {
      const state = known.get(url)
      if (state === undefined) return { url, state: 'waiting' as const }
      if (state.state === 'failed') return { url, state: 'failed' as const, message: state.message }
      return { url, state: 'ready' as const, kind: state.kind }
    }),
  }
}
