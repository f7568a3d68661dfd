/** Decides whether a cut can copy the source's streams, and where it starts. PURE. */
import { hdrColours } from '../../../../server/contract/colour-matrix.ts'
import type { SourceFacts, VideoFacts } from '../../../../server/contract/source-facts.ts'
import { rationalToNumber, timesRaised } from '../../../../server/contract/time.ts'
import type { CutPicture } from '../../../media/arguments/cut.ts'

/** Containers in which seeking is accurate. */
const SEEKABLE = new Set(['mp4', 'mov', 'matroska'])
const COPY_AUDIO = new Set(['aac', 'mp3'])
/** If the keyframe or the held picture lies further back than this, the cut would begin too early, so it is encoded. */
const MAX_BACK_SECONDS = 12
const MAX_SIDE = 1920
const MAX_FRAME_RATE = 30
/** Short side of files for scrubbing, which is the size of the editor's preview. */
const SCRUB_SIDE = 540

/** Whether browsers can play the source's streams unchanged. */
export function canCopy(facts: SourceFacts): boolean {
  const { video, audio } = facts
  if (video === null || !SEEKABLE.has(facts.container)) return false
  const picture = video.codec === 'h264' && video.pixelFormat === 'yuv420p' && video.bitsPerSample === 8
  return picture && !video.interlaced && !video.hdr && (audio === null || COPY_AUDIO.has(audio.codec))
}

/** A frame of the source near the requested start; seconds from the source's time 0. */
export interface NearFrame {
  readonly time: number
  readonly keyFrame: boolean
}

export interface CutStarts {
  /** Last keyframe at or before the start; null when it is too far back. */
  readonly keyFrame: number | null
  /** Last frame at or before the start, which is the one shown then; null when it is too far back. */
  readonly frame: number | null
}

/** Picks the starts from frames in any order, with half a millisecond of tolerance for rounding. */
export function cutStarts(frames: readonly NearFrame[], start: number): CutStarts {
  const before = frames.filter(({ time }) => time <= start + 0.0005)
  const latest = (list: readonly NearFrame[]): number | null =>
    list.reduce<number | null>((best, { time }) => (best === null || time > best ? time : best), null)
  const near = (time: number | null): number | null =>
    time !== null && start - time <= MAX_BACK_SECONDS ? time : null
  return { keyFrame: near(latest(before.filter((frame) => frame.keyFrame))), frame: near(latest(before)) }
}

/** Size and rate of an encoded cut: at most 1920 on the long side and 30 frames per second; null without video. */
export function cutPicture(facts: SourceFacts): CutPicture | null {
  const { video } = facts
  return video === null ? null : pictureOf(video, MAX_SIDE / Math.max(video.width, video.height))
}

/** The same for a cut for scrubbing: at most 540 on the short side. */
export function scrubPicture(facts: SourceFacts): CutPicture | null {
  const { video } = facts
  return video === null ? null : pictureOf(video, SCRUB_SIDE / Math.min(video.width, video.height))
}

function pictureOf(video: VideoFacts, wanted: number): CutPicture {
  const shrink = Math.min(1, wanted)
  const even = (side: number): number => Math.max(2, 2 * Math.round((side * shrink) / 2))
  const { numerator, denominator } = video.frameRate
  // 50 becomes 25 and 59.94 becomes 29.97, so that frames are dropped evenly.
  const divide = Math.max(1, Math.ceil(rationalToNumber(video.frameRate) / MAX_FRAME_RATE - 0.01))
  return {
    width: even(video.width),
    height: even(video.height),
    rate: `${numerator * timesRaised(video.frameRate)}/${denominator * divide}`,
    interlaced: video.interlaced,
    hdr: video.hdr,
    ...hdrColours(video),
  }
}
