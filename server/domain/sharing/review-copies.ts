/**
 * Copies of clips with a watermark: a render of its own for each text, under a render key of its own. A link with a watermark
 * gives out these and nothing else.
 */
import type { Composition } from '../../contract/composition.ts'
import { joinOrInsertOperation } from '../../db/operations.ts'
import { findShareClip, listWatermarkedLinks } from '../../db/share-copies.ts'
import { withReviewWatermark } from '../../nodes/index.ts'
import { findMediaById } from '../rendering/register-media.ts'
import { planRender, type RenderPlan } from '../rendering/render-clip.ts'
import { renderKeyOf } from '../runs/plan/plan-clips.ts'
import type { HomeServices, Services } from '../services.ts'

/** A copy that a link has not got. */
export interface DueCopy {
  readonly linkId: string
  readonly watermark: string
  readonly key: string
  readonly composition: Composition
}

interface Copy {
  readonly copyKey: string | null
  readonly copyMedia: string | null
}

/** Whether the files that the clip needs were all tried, so that its look is settled. */
const isSettled = ({ unfetched, assets }: RenderPlan): boolean =>
  unfetched.every(({ url }) => assets.has(url))

/** What a link with this text has to show, and the media id of the copy where it is that. */
function planCopy(services: HomeServices, plan: RenderPlan, watermark: string, copy: Copy | null) {
  const composition = withReviewWatermark(plan.composition, watermark)
  const key = renderKeyOf(composition)
  const known = copy?.copyKey === key && isSettled(plan) ? copy.copyMedia : null
  return { composition, key, mediaId: findMediaById(services, known) === null ? null : known }
}

/** The media id of the copy of a link that shows the clip as it is; null: there is none. */
export const currentCopy = (
  services: HomeServices,
  plan: RenderPlan,
  link: { readonly id: string; readonly watermark: string },
): string | null =>
  planCopy(services, plan, link.watermark, findShareClip(services.db, link.id, plan.clip.id)).mediaId

/** The copies that open links lack, of the clip as planned. */
export const listDueCopies = (services: Services | Omit<Services, 'jobs'>, plan: RenderPlan): DueCopy[] =>
  listWatermarkedLinks(services.db, plan.clip.id, services.now()).flatMap(
    ({ linkId, watermark, ...copy }) => {
      if (watermark === null) return []
      const { composition, key, mediaId } = planCopy(services, plan, watermark, copy)
      return mediaId === null ? [{ linkId, watermark, key, composition }] : []
    },
  )

/** Queues one operation for all copies of a clip that open links lack; none where they lack none. */
export function requestCopies(services: Services, clipId: string): void {
  const plan = planRender(services, clipId)
  if (listDueCopies(services, plan).length === 0) return
  const { companyId } = plan.clip
  joinOrInsertOperation(services.db, {
    companyId,
    kind: 'review_copy',
    subjectId: clipId,
    now: services.now(),
  })
  services.jobs.wake()
}
