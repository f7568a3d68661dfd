/** The file of a shared clip that reviewers play, and how its frames are counted. */
import type { Rational } from '../../contract/time.ts'
import type { SharedClip } from '../../contract/sharing.ts'
import type { Clip } from '../../db/clips.ts'
import { latestOperationId } from '../../db/operation-list.ts'
import { findOpenOperation, getOperation } from '../../db/operations.ts'
import { findShareClip } from '../../db/share-copies.ts'
import { factsOfClip } from '../clips/get-clip.ts'
import { findMediaById, type FoundMedia } from '../rendering/register-media.ts'
import { planRender, requestRender } from '../rendering/render-clip.ts'
import type { HomeServices, Services } from '../services.ts'
import { currentCopy, requestCopies } from './review-copies.ts'

export interface SharedFile extends Pick<
  SharedClip,
  'frameRate' | 'width' | 'height' | 'state' | 'progress'
> {
  /** Null: there is no file of the clip as it is now. */
  readonly mediaId: string | null
  /** As `lookKeyOf`. */
  readonly lookKey: string | null
}

/** What of a link says which files go out by it. */
export interface LinkFiles {
  readonly id: string
  readonly watermark: string | null
}

/** Frames a second. */
const rateOf = ({ numerator, denominator }: Rational): number => numerator / denominator

/** The one file of a clip that a link gives out: with a watermark its own copy, and never the clip's file. */
const fileOfLink = ({ db }: Pick<Services, 'db'>, { id, watermark }: LinkFiles, clip: Clip): string | null =>
  watermark === null ? clip.renderedMedia : (findShareClip(db, id, clip.id)?.copyMedia ?? null)

/** The file behind a media id where it is the one that the link gives out. */
export const findSharedMedia = (
  services: HomeServices,
  link: LinkFiles,
  { clip, mediaId }: { readonly clip: Clip; readonly mediaId: string },
): FoundMedia | null =>
  fileOfLink(services, link, clip) === mediaId ? findMediaById(services, mediaId) : null

/** A clip whose run is gone cannot be rendered any more: the file that it has is what reviewers see. */
function lastFile(services: HomeServices, link: LinkFiles, clip: Clip): SharedFile {
  const { document } = clip
  const [, width = 16, height = 9] = (/^(\d+)x(\d+)$/.exec(document.videoResolution) ?? []).map(Number)
  const last = fileOfLink(services, link, clip)
  const found = findMediaById(services, last) !== null
  return {
    mediaId: found ? last : null,
    lookKey: null,
    frameRate: document.fps,
    width,
    height,
    state: found ? 'ready' : 'failed',
    progress: found ? 1 : 0,
  }
}

const kindOf = ({ watermark }: LinkFiles) => (watermark === null ? 'render' : 'review_copy')

/** The file of the clip as it is now. */
export function sharedFile(services: HomeServices, link: LinkFiles, clip: Clip): SharedFile {
  if (factsOfClip(services, clip) === null) return lastFile(services, link, clip)
  const plan = planRender(services, clip.id)
  const { frameRate, width, height } = plan.composition.output
  const { id, watermark } = link
  const mediaId = watermark === null ? plan.cached : currentCopy(services, plan, { id, watermark })
  const rendering = findOpenOperation(services.db, kindOf(link), clip.id)
  const state = mediaId !== null ? 'ready' : rendering !== null ? 'rendering' : 'failed'
  const progress = mediaId !== null ? 1 : (rendering?.progress ?? 0)
  return { mediaId, lookKey: plan.renderKey, frameRate: rateOf(frameRate), width, height, state, progress }
}

/** The render key of a clip as it looks now, whatever was rendered; null: its run is gone, and it stays as it is. */
export const lookKeyOf = (services: HomeServices, clip: Clip): string | null =>
  factsOfClip(services, clip) === null ? null : planRender(services, clip.id).renderKey

/** Whether the last attempt failed and nothing has changed since: another one would fail as well. */
function isHopeless({ db }: HomeServices, link: LinkFiles, { id, updatedAt }: Clip): boolean {
  const last = latestOperationId(db, kindOf(link), id)
  const operation = last === null ? null : getOperation(db, last)
  return operation?.state === 'failed' && operation.updatedAt >= updatedAt
}

/** Begins to render what cannot be played yet, once for each version of a clip. */
export function prepareFile(services: Services, link: LinkFiles, clip: Clip): void {
  if (factsOfClip(services, clip) === null || isHopeless(services, link, clip)) return
  if (link.watermark === null) requestRender(services, clip.id)
  else requestCopies(services, clip.id)
}
