/**
 * POST /render and its like: one render per clip at a time, later requests join it; an unchanged clip is answered from
 * what was rendered before. The rendering itself is an operation of the queue (jobs/render-executor.ts).
 */
import type { AssetNeed, Assets } from '../../contract/asset.ts'
import type { Composition } from '../../contract/composition.ts'
import { AppError, refuse } from '../../contract/errors.ts'
import type { RenderResponse } from '../../contract/public-clip.ts'
import { renderWarnings, type RenderWarning } from '../../contract/render-warnings.ts'
import type { SourceFacts } from '../../contract/source-facts.ts'
import type { Rational } from '../../contract/time.ts'
import {
  joinOrInsertOperation,
  insertUnlessQueued,
  getOperation,
  renderConcurrencyOf,
} from '../../db/operations.ts'
import { getRunClip, type RunClip } from '../../db/run-clips.ts'
import { getRunStage, type RunStage } from '../../db/runs.ts'
import { compileComposition, requiredAssets } from '../../nodes/index.ts'
import { assetSlot, assetsOf } from '../runs/plan/plan-assets.ts'
import { findMediaById, mediaAddresses, type RenderResult } from './register-media.ts'
import { renderKeyOf } from '../runs/plan/plan-clips.ts'
import { type SlotResult, slotIn } from '../runs/plan/plan-draft.ts'
import type { ClockServices, DbServices, HomeServices, Services } from '../services.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import type { Clip } from '../../db/clips.ts'
import { factsOfClip, requireClip } from '../clips/get-clip.ts'
import type { RenderedClip } from '../../contract/tenant-api/clip.ts'
import type { DomainOperation } from '../../contract/tenant-api/operation.ts'
import { joinOrInsertRender } from '../../db/operation-list.ts'
import { presentOperation } from '../operations/read-operation.ts'
import { inTransaction } from '../../db/prepared.ts'
import type { RenderRemark } from '../../contract/render-remarks.ts'

/** A request waits this long before it is answered that the render is still running. */
const RENDER_WAIT_MS = 30 * 60_000

export interface RenderPlan {
  readonly clip: RunClip
  readonly composition: Composition
  readonly renderKey: string
  readonly warnings: readonly RenderRemark[]
  /** The media id of what was rendered before, when that is what a render would make and its file is still there. */
  readonly cached: string | null
  /** Files that the clip needs and that were not fetched, or not with success. */
  readonly unfetched: readonly AssetNeed[]
  /** The state of the files that it needs, by address. */
  readonly assets: Assets
}

/**
 * What rendering this clip now means; `frameRate`: other than its own, for a delivery profile. Throws CLIP_NOT_FOUND, and
 * INTERNAL for a clip without facts of its source.
 */
export function planRender(services: HomeServices, clipId: string, frameRate?: Rational): RenderPlan {
  const clip = getRunClip(services.db, clipId) ?? refuse('CLIP_NOT_FOUND')
  const probe = clip.runId === null ? null : stageOfClip(services, clip, 'probe')
  if (probe?.state !== 'finished')
    throw new AppError('INTERNAL', 'the facts of the clip’s source are missing')
  const facts = probe.output as SourceFacts
  const needs = requiredAssets(clip.document)
  const assets = assetsOf(needs, fetchedFor(services, needs, clip))
  const { document } = clip
  const { composition, warnings } = compileComposition({
    document,
    words: [...clip.words],
    facts,
    assets,
    ...omitUndefined({ frameRate }),
  })
  const renderKey = renderKeyOf(composition)
  // A file that was never fetched may change the picture.
  const untried = needs.some(({ url }) => !assets.has(url))
  const known = clip.renderKey === renderKey && !untried ? clip.renderedMedia : null
  // A restored database may lack its files, and people remove files: a missing file is rendered again.
  const cached = findMediaById(services, known) === null ? null : known
  const unfetched = needs.filter(({ url }) => assets.get(url)?.state !== 'ready')
  return { clip, composition, renderKey, warnings, cached, unfetched, assets }
}

/** A clip and where its stages are. */
type ClipOfRun = Pick<RunClip, 'runId' | 'document'>

/** A stage of the clip's run, of its chunk where it has one; a later render fetches for all of the run's clips alike. */
function stageOfClip({ db }: DbServices, { runId, document }: ClipOfRun, slot: string): RunStage | null {
  if (runId === null) return null
  const own = getRunStage(db, runId, slotIn(document.chunk?.index, slot))
  return own?.state === 'finished' ? own : (getRunStage(db, runId, slot) ?? own)
}

/** What the clip's run, or an earlier render of one of its clips, has fetched. */
export function fetchedFor(
  services: DbServices,
  needs: readonly AssetNeed[],
  clip: ClipOfRun,
): Map<string, SlotResult> {
  const results = new Map<string, SlotResult>()
  for (const { url } of needs) {
    const slot = assetSlot(url)
    const row = stageOfClip(services, clip, slot)
    if (row === null || row.state === 'running') continue
    const { state, key, output, failure } = row
    results.set(slot, { state, key, output, failure })
  }
  return results
}

/** The files that a clip needs, as far as they were fetched, or tried. */
export function knownAssets(services: DbServices, clip: ClipOfRun): Assets {
  const needs = requiredAssets(clip.document)
  return assetsOf(needs, fetchedFor(services, needs, clip))
}

/** What a render of this plan loses whatever is fetched meanwhile. */
const lostAnyway = ({ clip, warnings }: RenderPlan): RenderWarning[] =>
  renderWarnings(clip.id, warnings).filter(({ code }) => code !== 'FILE_LEFT_OUT')

/** Throws RENDER_INCOMPLETE where something is lost. */
function refuseIncomplete(warnings: readonly RenderWarning[]): void {
  if (warnings.length > 0) throw new AppError('RENDER_INCOMPLETE', { details: { warnings } })
}

/** The rendered file, unless a file that it lacks may be there by now: then that is fetched again first. */
function fileAsItIs({ config }: Pick<Services, 'config'>, { cached, unfetched }: RenderPlan): string | null {
  return unfetched.length === 0 || config.renderQueue === 'off' ? cached : null
}

/**
 * Requests a render without waiting: the media id of the cached one, or the operation (an open one is joined). Throws
 * RENDER_INCOMPLETE where `strict` and it is known already that something will be lost.
 */
export function requestRender(
  services: Services,
  clipId: string,
  strict = false,
): { operationId: string } | { cached: string; warnings: readonly RenderWarning[] } {
  const plan = planRender(services, clipId)
  if (strict) refuseIncomplete(lostAnyway(plan))
  const cached = fileAsItIs(services, plan)
  if (cached !== null) return { cached, warnings: plan.clip.renderWarnings ?? [] }
  const { companyId } = plan.clip
  const operation = { companyId, kind: 'render' as const, subjectId: clipId, now: services.now() }
  const { id } = joinOrInsertOperation(services.db, operation)
  services.jobs.wake()
  return { operationId: id }
}

/** `warnings` as answers carry them: left out where there are none. */
const told = (warnings: readonly RenderWarning[]) =>
  warnings.length === 0 ? {} : { warnings: [...warnings] }

function finished(services: Services, mediaId: string, warnings: readonly RenderWarning[]): RenderResponse {
  const renderUrl = mediaAddresses(services, '', [mediaId])(mediaId)
  return { status: 'finished', ...omitUndefined({ renderUrl }), ...told(warnings) }
}

/**
 * Renders a clip and waits; a failed render is an answer, and `rendering` means that it continues after `waitMs`. The
 * address is a path (`/media/...`). Throws CLIP_NOT_FOUND, also for a clip of another company.
 */
export async function renderClip(
  services: Services,
  input: { companyId: string; clipId: string; strict?: boolean | undefined },
  waitMs: number = RENDER_WAIT_MS,
): Promise<RenderResponse> {
  try {
    return await renderOrRefuse(services, input, waitMs)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'RENDER_INCOMPLETE') throw error
    const { code, message, details } = error
    return {
      status: 'failed',
      error: message,
      code,
      details: details as NonNullable<RenderResponse['details']>,
    }
  }
}

/** The same; throws RENDER_INCOMPLETE. */
async function renderOrRefuse(
  services: Services,
  input: { companyId: string; clipId: string; strict?: boolean | undefined },
  waitMs: number,
): Promise<RenderResponse> {
  const { strict = false } = input
  const clip = getRunClip(services.db, input.clipId)
  if (clip?.companyId !== input.companyId || !clip.published) throw new AppError('CLIP_NOT_FOUND')
  const requested = requestRender(services, input.clipId, strict)
  const complete = (mediaId: string, warnings: readonly RenderWarning[] = []): RenderResponse => {
    if (strict) refuseIncomplete(warnings)
    return finished(services, mediaId, warnings)
  }
  if ('cached' in requested) return complete(requested.cached, requested.warnings)
  const settled = await services.jobs.whenSettled(requested.operationId, waitMs)
  if (settled === null) return { status: 'rendering' }
  if (settled.state === 'succeeded') {
    const { mediaId, warnings } = settled.result as RenderResult
    return complete(mediaId, warnings)
  }
  const failure = settled.failure ?? { code: 'RENDER_FAILED' as const, message: 'The render failed.' }
  return { status: 'failed', error: failure.message, code: failure.code }
}

/**
 * Queues the thumbnail of an edited clip, in the transaction that stores the edit; nothing for a clip whose source is
 * unknown.
 */
export function requestThumbnail(services: ClockServices, clip: Clip): void {
  if (factsOfClip(services, clip) === null) return
  const { id: subjectId, companyId } = clip
  insertUnlessQueued(services.db, { companyId, kind: 'thumbnail', subjectId, now: services.now() })
}

/** How long the connection stays open; a longer render continues without it. */
const MAX_WAIT_MS = 12 * 3_600_000

interface RenderAddress {
  readonly companyId: string
  readonly clipId: string
  /** Without a slash at its end. */
  readonly baseUrl: string
  /** Refuse a render that lost something. */
  readonly strict?: boolean | undefined
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
 * RENDER_QUEUE_UNAVAILABLE, RENDER_CONCURRENCY_LIMIT, RENDER_FAILED, and RENDER_INCOMPLETE where `strict`.
 */
export async function renderAndWait(
  services: Services,
  { companyId, clipId, baseUrl, strict = false }: RenderAddress,
  waitMs: number = MAX_WAIT_MS,
): Promise<RenderedClip> {
  const { db } = services
  requireClip(services, { companyId, clipId })
  const finished = (mediaId: string, warnings: readonly RenderWarning[] = []): RenderedClip => {
    if (strict) refuseIncomplete(warnings)
    const renderUrl =
      mediaAddresses(services, baseUrl, [mediaId])(mediaId) ??
      refuse('RENDER_FAILED', 'The rendered file is gone.')
    return { clipId, status: 'finished', renderUrl, ...told(warnings) }
  }
  const plan = planRender(services, clipId)
  if (strict) refuseIncomplete(lostAnyway(plan))
  const cached = fileAsItIs(services, plan)
  if (cached !== null) return finished(cached, plan.clip.renderWarnings ?? [])
  requireQueue(services)
  const most = renderConcurrencyOf(db, companyId)
  const render = joinOrInsertRender(db, { companyId, clipId, now: services.now() }, most)
  if (render === null) {
    const message = `The organization has ${most} renders going on, which is as many as it may; try again later.`
    throw new AppError('RENDER_CONCURRENCY_LIMIT', { message, details: { renderConcurrency: most } })
  }
  services.jobs.wake()
  const settled = await services.jobs.whenSettled(render.id, waitMs)
  if (settled?.state === 'succeeded') {
    const { mediaId, warnings } = settled.result as RenderResult
    return finished(mediaId, warnings)
  }
  if (settled === null) return { clipId, status: 'rendering', operationId: render.id }
  const { code = 'RENDER_FAILED', message = 'The render failed.' } = settled.failure ?? {}
  throw new AppError('RENDER_FAILED', { message, details: { operationId: render.id, code } })
}

/**
 * Queues a render, or joins the one of this clip that is open. Whatever is queued is carried out in its turn, so that no
 * limit refuses it; a clip that is rendered already is found so by its operation. Synchronous, in the caller's
 * transaction. Throws CLIP_NOT_FOUND, RENDER_QUEUE_UNAVAILABLE, and RENDER_INCOMPLETE where `strict` and it is known
 * already that something will be lost; what is found later ends the operation so.
 */
export function queueRender(
  services: Services,
  { companyId, clipId, baseUrl, strict = false }: RenderAddress,
): DomainOperation {
  requireClip(services, { companyId, clipId })
  requireQueue(services)
  if (strict) refuseIncomplete(lostAnyway(planRender(services, clipId)))
  const render = joinOrInsertRender(services.db, { companyId, clipId, strict, now: services.now() }, Infinity)
  const operation =
    (render === null ? null : getOperation(services.db, render.id)) ??
    refuse('INTERNAL', 'the render that was queued is gone')
  services.jobs.wake()
  return presentOperation(services, operation, baseUrl)
}

/**
 * Queues a render of each of these clips, in their order; an open one is joined, and a clip whose file shows it as it is
 * is left out. Throws RENDER_QUEUE_UNAVAILABLE.
 */
export function queueRenders(
  services: Services,
  clips: readonly Pick<Clip, 'id' | 'companyId'>[],
): { clipId: string; operationId: string }[] {
  requireQueue(services)
  const { db, now } = services
  const missing = clips.filter(({ id }) => planRender(services, id).cached === null)
  const start = now()
  const renders = inTransaction(db, () =>
    missing.flatMap(({ id: clipId, companyId }, place) => {
      // Renders are carried out by the moment of their request.
      const render = joinOrInsertRender(db, { companyId, clipId, now: start + place }, Infinity)
      return render === null ? [] : { clipId, operationId: render.id }
    }),
  )
  services.jobs.wake()
  return renders
}

/** Stops a render or an export. NOT_FOUND for what is none of the company's; INVALID_STATE for one that has ended. */
export function cancelRender(
  { db, jobs }: Pick<Services, 'db' | 'jobs'>,
  { companyId, operationId }: { companyId: string; operationId: string },
): { operationId: string } {
  const operation = getOperation(db, operationId)
  const kinds: readonly string[] = ['render', 'export']
  if (operation?.companyId !== companyId || !kinds.includes(operation.kind))
    throw new AppError('NOT_FOUND', 'There is no such render.')
  const { state, kind } = operation
  if (state !== 'queued' && state !== 'running')
    throw new AppError('INVALID_STATE', {
      message: `This ${kind} has ended (${state}); there is nothing to stop.`,
      details: { state },
    })
  jobs.cancel(operationId)
  return { operationId }
}
