/** The file of a shared clip that reviewers play, and how its frames are counted. */
import type { Rational } from '../../contract/time.ts'
import type { SharedClip } from '../../contract/sharing.ts'
import type { Clip } from '../../db/clips.ts'
import { latestOperationId } from '../../db/operation-list.ts'
import { findOpenOperation, getOperation } from '../../db/operations.ts'
import { factsOfClip } from '../clips/get-clip.ts'
import { findMediaById } from '../rendering/register-media.ts'
import { planRender, requestRender } from '../rendering/render-clip.ts'
import type { HomeServices, Services } from '../services.ts'

export interface SharedFile extends Pick<SharedClip, 'frameRate' | 'width' | 'height' | 'state'> {
  /** Null: there is no file of the clip as it is now. */
  readonly mediaId: string | null
}

/** Frames a second. */
const rateOf = ({ numerator, denominator }: Rational): number => numerator / denominator

/** A clip whose run is gone cannot be rendered any more: the file that it has is what reviewers see. */
function lastFile(services: HomeServices, { document, renderedMedia }: Clip): SharedFile {
  const [, width = 16, height = 9] = (/^(\d+)x(\d+)$/.exec(document.videoResolution) ?? []).map(Number)
  const found = findMediaById(services, renderedMedia) !== null
  return {
    mediaId: found ? renderedMedia : null,
    frameRate: document.fps,
    width,
    height,
    state: found ? 'ready' : 'failed',
  }
}

/** The file of the clip as it is now. */
export function sharedFile(services: HomeServices, clip: Clip): SharedFile {
  if (factsOfClip(services, clip) === null) return lastFile(services, clip)
  const { composition, cached } = planRender(services, clip.id)
  const { frameRate, width, height } = composition.output
  const rendering = findOpenOperation(services.db, 'render', clip.id) !== null
  const state = cached !== null ? 'ready' : rendering ? 'rendering' : 'failed'
  return { mediaId: cached, frameRate: rateOf(frameRate), width, height, state }
}

/** Whether the last render failed and nothing has changed since: another one would fail as well. */
function isHopeless({ db }: HomeServices, { id, updatedAt }: Clip): boolean {
  const last = latestOperationId(db, 'render', id)
  const operation = last === null ? null : getOperation(db, last)
  return operation?.state === 'failed' && operation.updatedAt >= updatedAt
}

/** Begins to render what cannot be played yet, once for each version of a clip. */
export function prepareFile(services: Services, clip: Clip): void {
  if (factsOfClip(services, clip) !== null && !isHopeless(services, clip)) requestRender(services, clip.id)
}
