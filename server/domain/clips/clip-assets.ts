/** The state of the files that a saved clip names; stops fetching them, and requests it again. */
import type { StudioAssets } from '../../contract/studio-footage.ts'
import { findOpenOperation } from '../../db/operations.ts'
import { requiredAssets } from '../../nodes/index.ts'
import { requireClip } from './get-clip.ts'
import { assetsOf } from '../runs/plan/plan-assets.ts'
import { fetchedFor } from '../rendering/render-clip.ts'
import { requestThumbnail } from '../rendering/request-thumbnail.ts'
import type { Services } from '../services.ts'

interface ClipAddress {
  readonly companyId: string
  readonly clipId: string
}

/**
 * The clip's files by address. Files that are not fetched yet are fetched by the operation that takes the thumbnail again
 * after each edit, or by the next render. Throws CLIP_NOT_FOUND.
 */
export function clipAssets(services: Pick<Services, 'db'>, address: ClipAddress): StudioAssets {
  const clip = requireClip(services, address)
  const needs = requiredAssets(clip.document)
  const known = assetsOf(needs, fetchedFor(services, needs, clip))
  const assets = needs.map(({ url }): StudioAssets['assets'][number] => {
    const state = known.get(url)
    if (state === undefined) return { url, state: 'waiting' }
    if (state.state === 'failed') return { url, state: 'failed', message: state.message }
    return { url, state: 'ready', kind: state.kind }
  })
  const open = assets.some(({ state }) => state === 'waiting')
    ? findOpenOperation(services.db, 'thumbnail', clip.id)
    : null
  return {
    assets,
    fetching: open === null ? null : { progress: open.progress, stopping: open.cancelRequested },
  }
}

/**
 * Stops fetching the clip's files. Fetched files and the thumbnail stay. Throws
 * CLIP_NOT_FOUND.
 */
export function stopFetching(services: Services, address: ClipAddress): StudioAssets {
  const { id } = requireClip(services, address)
  // One operation may be running and the next one queued.
  for (let left = 2; left > 0; left--) {
    const open = findOpenOperation(services.db, 'thumbnail', id)
    if (open !== null && !open.cancelRequested) services.jobs.cancel(open.id)
  }
  return clipAssets(services, address)
}

/** Fetches missing files again, for example after fetching was stopped. Throws CLIP_NOT_FOUND. */
export function fetchAgain(services: Services, address: ClipAddress): StudioAssets {
  requestThumbnail(services, requireClip(services, address))
  services.jobs.wake()
  return clipAssets(services, address)
}
