/** Renders for the tenant API: waited for, within the limit of the organization, or queued; and cancelling a render. */
import type { RenderedClip } from '../../contract/tenant-api/clip.ts'
import type { DomainOperation } from '../../contract/tenant-api/operation.ts'
import { AppError, refuse } from '../../contract/errors.ts'
import { getOperation, renderConcurrencyOf } from '../../db/operations.ts'
import { joinOrInsertRender } from '../../db/operation-list.ts'
import { requireClip } from '../clips/get-clip.ts'
import { presentOperation } from '../operations/read-operation.ts'
import { mediaAddresses } from './register-media.ts'
import { planRender, type RenderResult } from './render-clip.ts'
import type { Services } from '../services.ts'

/** How long the connection stays open; a longer render continues without it. */
const MAX_WAIT_MS = 12 * 3_600_000

interface RenderAddress {
  readonly companyId: string
  readonly clipId: string
  /** Without a slash at its end. */
  readonly baseUrl: string
}

/** RENDER_QUEUE_UNAVAILABLE where this appliance does not render, or is stopping. */
function requireQueue({ config, jobs }: Pick<Services, 'config' | 'jobs'>): void {
  if (config.renderQueue === 'off') throw new AppError('RENDER_QUEUE_UNAVAILABLE')
  if (jobs.takesWork?.() === false)
    throw new AppError('RENDER_QUEUE_UNAVAILABLE', {
      message: 'The appliance is being stopped; nothing was queued. Try again when it is back.',
    })
}

/**
 * Renders a clip and waits for its address. A clip that is rendered already is answered at once, and a running render
 * is waited for: neither counts towards the limit. `rendering`: it continues after `waitMs`. Throws CLIP_NOT_FOUND,
 * RENDER_QUEUE_UNAVAILABLE, RENDER_CONCURRENCY_LIMIT and RENDER_FAILED.
 */
export async function renderAndWait(
  services: Services,
  { companyId, clipId, baseUrl }: RenderAddress,
  waitMs: number = MAX_WAIT_MS,
): Promise<RenderedClip> {
  const { db } = services
  requireClip(services, { companyId, clipId })
  const finished = (mediaId: string): RenderedClip => {
    const renderUrl =
      mediaAddresses(services, baseUrl, [mediaId])(mediaId) ??
      refuse('RENDER_FAILED', 'The rendered file is gone.')
    return { clipId, status: 'finished', renderUrl }
  }
  const { cached } = planRender(services, clipId)
  if (cached !== null) return finished(cached)
  requireQueue(services)
  const most = renderConcurrencyOf(db, companyId)
  const render = joinOrInsertRender(db, { companyId, clipId, now: services.now() }, most)
  if (render === null) {
    const message = `The organization has ${most} renders going on, which is as many as it may; try again later.`
    throw new AppError('RENDER_CONCURRENCY_LIMIT', { message, details: { renderConcurrency: most } })
  }
  services.jobs.wake()
  const settled = await services.jobs.whenSettled(render.id, waitMs)
  if (settled?.state === 'succeeded') return finished((settled.result as RenderResult).mediaId)
  if (settled === null) return { clipId, status: 'rendering', operationId: render.id }
  const { code = 'RENDER_FAILED', message = 'The render failed.' } = settled.failure ?? {}
  throw new AppError('RENDER_FAILED', { message, details: { operationId: render.id, code } })
}

/**
 * Queues a render, or joins the one of this clip that is open. Whatever is queued is carried out in its turn, so that no
 * limit refuses it; a clip that is rendered already is found so by its operation. Synchronous, in the caller's
 * transaction. Throws CLIP_NOT_FOUND and RENDER_QUEUE_UNAVAILABLE.
 */
export function queueRender(
  services: Services,
  { companyId, clipId, baseUrl }: RenderAddress,
): DomainOperation {
  requireClip(services, { companyId, clipId })
  requireQueue(services)
  const render = joinOrInsertRender(services.db, { companyId, clipId, now: services.now() }, Infinity)
  const operation =
    (render === null ? null : getOperation(services.db, render.id)) ??
    refuse('INTERNAL', 'the render that was queued is gone')
  services.jobs.wake()
  return presentOperation(services, operation, baseUrl)
}

/** NOT_FOUND for what is no render of the company; INVALID_STATE for one that has ended. */
export function cancelRender(
  { db, jobs }: Pick<Services, 'db' | 'jobs'>,
  { companyId, operationId }: { companyId: string; operationId: string },
): { operationId: string } {
  const operation = getOperation(db, operationId)
  if (operation?.companyId !== companyId || operation.kind !== 'render')
    throw new AppError('NOT_FOUND', 'There is no such render.')
  const { state } = operation
  if (state !== 'queued' && state !== 'running')
    throw new AppError('INVALID_STATE', {
      message: `This render has ended (${state}); there is nothing to stop.`,
      details: { state },
    })
  jobs.cancel(operationId)
  return { operationId }
}
