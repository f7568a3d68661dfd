/** What people do in Review: decide about clips, pick from the run besides, have what is kept rendered. */
import { AppError, invalidRequest, refuse } from '../../contract/errors.ts'
import type {
  FindRequest,
  MergeRequest,
  Pick as PresentedPick,
  PickRequest,
  RangeRequest,
  RenderKept,
  ReviewDecisions,
  ReviewedClip,
} from '../../contract/review.ts'
import type { SourceFacts } from '../../contract/source-facts.ts'
import { listKept } from '../../contract/time-map/clip-times.ts'
import { ticksToSeconds } from '../../contract/time.ts'
import { getClip, type Clip } from '../../db/clips.ts'
import { insertPick } from '../../db/picks.ts'
import { inTransaction } from '../../db/prepared.ts'
import { listKeptClips, saveReview } from '../../db/review.ts'
import { getRunStage, listRunStages, type Run } from '../../db/runs.ts'
import { queueRenders } from '../rendering/render-clip.ts'
import { isStream, type SlotResult } from '../runs/plan/plan-draft.ts'
import { joinRanges } from '../runs/plan/plan-picks.ts'
import { requireRun } from '../runs/runs.ts'
import type { DbServices, Services } from '../services.ts'
import { presentPick, type RunAddress } from './read-review.ts'

/** The listed clip of this run, or CLIP_NOT_FOUND. */
function requireClipOfRun({ db }: DbServices, { companyId, runId }: RunAddress, clipId: string): Clip {
  const clip = getClip(db, companyId, clipId)
  return clip?.runId === runId ? clip : refuse('CLIP_NOT_FOUND', { details: { clipId } })
}

/** Stores decisions in their order, all or none. Throws TRIGGER_NOT_FOUND and CLIP_NOT_FOUND. */
export function decideClips(
  services: DbServices,
  { decisions, ...address }: RunAddress & ReviewDecisions,
): { clips: ReviewedClip[] } {
  const { companyId, runId: triggerId } = address
  requireRun(services, { companyId, triggerId })
  return inTransaction(services.db, () => {
    for (const { clipId, review } of decisions)
      saveReview(services.db, requireClipOfRun(services, address, clipId), review)
    const ids = [...new Set(decisions.map(({ clipId }) => clipId))]
    return {
      clips: ids.map((clipId) => {
        const { review, keptOrder } = requireClipOfRun(services, address, clipId)
        return { clipId, review, keptOrder }
      }),
    }
  })
}

/** Queues the kept clips in the order of their keeping. Throws TRIGGER_NOT_FOUND, RENDER_QUEUE_UNAVAILABLE. */
export function renderKept(
  services: Services,
  { companyId, runId, clipIds }: RunAddress & { clipIds?: readonly string[] },
): RenderKept {
  const run = requireRun(services, { companyId, triggerId: runId })
  const kept = listKeptClips(services.db, run.id)
  return {
    renders: queueRenders(
      services,
      kept.filter(({ id }) => clipIds?.includes(id) !== false),
    ),
  }
}

/** Finds clips anew, with what is given in place of what the workflow has. Throws as pickFrom does. */
export function findAgain(services: Services, { companyId, runId, ...request }: RunAddress & FindRequest) {
  const { minLength, maxLength } = request
  if (minLength !== undefined && maxLength !== undefined && minLength > maxLength)
    throw invalidRequest('minLength', `"minLength" should be at most "maxLength" (${maxLength}).`)
  return pickFrom(services, { companyId, runId }, () => ({ kind: 'find', ...request }))
}

const SHORTEST_SECONDS = 1

/** Makes a clip of a range of the source. Throws as pickFrom does. */
export function pickRange(services: Services, { companyId, runId, start, end }: RunAddress & RangeRequest) {
  return pickFrom(services, { companyId, runId }, (run) => {
    const last = Math.min(end, sourceSeconds(services, run))
    if (last - start < SHORTEST_SECONDS)
      throw invalidRequest('end', `The range should be at least ${SHORTEST_SECONDS} s of the video.`)
    return { kind: 'range', start, end: last }
  })
}

function sourceSeconds({ db }: DbServices, { id }: Run): number {
  const probe = getRunStage(db, id, 'probe')
  if (probe?.state !== 'finished')
    throw new AppError('INVALID_STATE', 'The video is still being fetched; try again in a moment.')
  return ticksToSeconds((probe.output as SourceFacts).duration)
}

/** Makes one clip of several: what each of them plays, in the order of the source. Throws as pickFrom does. */
export function mergeClips(services: Services, { companyId, runId, clipIds }: RunAddress & MergeRequest) {
  const ids = [...new Set(clipIds)]
  if (ids.length < 2) throw invalidRequest('clipIds', 'Name two clips or more.')
  return pickFrom(services, { companyId, runId }, () => {
    const clips = ids.map((id) => requireClipOfRun(services, { companyId, runId }, id))
    return {
      kind: 'merge',
      clipIds: ids,
      ranges: joinRanges(clips.flatMap(({ document }) => listKept(document))),
    }
  })
}

/**
 * Stores a pick and queues it. Throws TRIGGER_NOT_FOUND, and INVALID_STATE for a recording in parts, whose parts have a
 * time of their own each.
 */
function pickFrom(
  services: Services,
  { companyId, runId }: RunAddress,
  requestOf: (run: Run) => PickRequest,
): PresentedPick {
  const { db, jobs, now } = services
  const run = requireRun(services, { companyId, triggerId: runId })
  const results = new Map<string, SlotResult>()
  for (const { slot, state, key, output, failure } of listRunStages(db, run.id))
    if (state !== 'running') results.set(slot, { state, key, output, failure })
  if (isStream(run.snapshot.source, results))
    throw new AppError(
      'INVALID_STATE',
      'Clips of a livestream are found part by part; nothing can be picked from it besides.',
    )
  const pick = insertPick(db, run, requestOf(run), now())
  jobs.wake()
  return presentPick(pick, 0)
}
