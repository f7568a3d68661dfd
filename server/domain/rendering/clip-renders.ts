/** What was rendered of a clip: found again after a reload, in another window, and after a restart. */
import { readyField } from '../promises/promised-times.ts'
import type { StudioRenders } from '../../contract/studio-editor.ts'
import { latestOperationId } from '../../db/operation-list.ts'
import { findOpenOperation, getOperation } from '../../db/operations.ts'
import { requireClip } from '../clips/get-clip.ts'
import type { HomeServices } from '../services.ts'
import { findMediaById, mediaAddresses } from './register-media.ts'

/** Throws CLIP_NOT_FOUND. `baseUrl` has no slash at its end. */
export function listRenders(
  services: HomeServices,
  address: { readonly companyId: string; readonly clipId: string; readonly baseUrl: string },
): StudioRenders {
  const { db } = services
  const { id, renderKey, renderedMedia: media, document } = requireClip(services, address)
  const current = renderKey === null || media === null ? [] : [{ renderKey, media }]
  const known = [...current, ...(document.earlierRenders ?? [])]
  const addressOf = mediaAddresses(
    services,
    address.baseUrl,
    known.map((one) => one.media),
  )
  const files = known.flatMap((one) => {
    const url = findMediaById(services, one.media) === null ? undefined : addressOf(one.media)
    return url === undefined ? [] : [{ renderKey: one.renderKey, url }]
  })
  const open = findOpenOperation(db, 'render', id)
  if (open !== null) {
    const { id: operationId, progress, state, cancelRequested: stopping } = open
    const waits = state === 'queued'
    const ready = readyField(services, 'render', open.subjectId)
    return { open: { operationId, progress, waits, stopping, ...ready }, files, problem: null }
  }
  const last = latestOperationId(db, 'render', id)
  const ended = last === null ? null : getOperation(db, last)
  return { open: null, files, problem: ended?.state === 'failed' ? (ended.failure?.message ?? '') : null }
}
