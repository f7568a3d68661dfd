/** Whether a cut can copy the source's streams, and where it starts. PURE. */
import { hdrColours } from '../../../../server/contract/colour-matrix.ts'
import type { SourceFacts, VideoFacts } from '../../../../server/contract/source-facts.ts'
import { rationalToNumber, timesRaised } from '../../../../server/contract/time.ts'
import type { CutPicture } from '../../../media/arguments/cut.ts'

/** Containers whose seeking lands where it says. */
const SEEKABLE = new Set(['mp4', 'mov', 'matroska'])
const COPY_AUDIO = new Set(['aac', 'mp3'])
/** A key frame or a held picture further back than this makes the cut begin too early: encode, and from the start. */
const FURTHEST_BACK = 12
const MAX_SIDE = 1920
const MAX_FRAMES = 30
/** Of what is scrubbed, on the short side: as much as the editor's picture shows. */
const SCRUB_SIDE = 540

/** Whether browsers play the source's streams as they are. */
export function canCopy(facts: SourceFacts): boolean {
  const { video, audio } = facts
  if (video === null || !SEEKABLE.has(facts.container)) return false
  const picture = video.codec === 'h264' && video.pixelFormat === 'yuv420p' && video.bitsPerSample === 8
  return picture && !video.interlaced && !video.hdr && (audio === null || COPY_AUDIO.has(audio.codec))
}

/** A frame of the source near the start that was asked for; seconds from the source's time 0. */
export interface NearFrame {
  readonly time: number
  readonly keyFrame: boolean
}

export interface CutStarts {
  /** Last key frame at or before the start; null when it is too far back. */
  readonly keyFrame: number | null
  /** Last frame at or before the start (the one that is shown then); null when it is too far back: it is held. */
  readonly frame: number | null
}

/** Picks the starts out of the frames around it, in any order. Half a millisecond of rounding is forgiven. */
export function cutStarts(frames: readonly NearFrame[], start: number): CutStarts {
  const before = frames.filter(({ time }) => time <= start + 0.0005)
  const latest = (list: readonly NearFrame[]): number | null =>
    list.reduce<number | null>((best, { time }) => (best === null || time > best ? time : best), null)
  const near = (time: number | null): number | null =>
    time !== null && start - time <= FURTHEST_BACK ? time : null
  return { keyFrame: near(latest(before.filter((frame) => frame.keyFrame))), frame: near(latest(before)) }
}

/** Size and rate of an encoded cut: not above 1920 on the long side, not above 30 frames a second; null without video. */
export function cutPicture(facts: SourceFacts): CutPicture | null {
  const { video } = facts
  return video === null ? null : pictureOf(video, MAX_SIDE / Math.max(video.width, video.height))
}

/** The same of a cut that is scrubbed: not above 540 on the short side. */
export function scrubPicture(facts: SourceFacts): CutPicture | null {
  const { video } = facts
  return video === null ? null : pictureOf(video, SCRUB_SIDE / Math.min(video.width, video.height))
}

function pictureOf(video: VideoFacts, wanted: number): CutPicture {
  const shrink = Math.min(1, wanted)
  const even = (side: number): number => Math.max(2, 2 * Math.round((side * shrink) / 2))
  const { numerator, denominator } = video.frameRate
  // 50 becomes 25 and 59.94 becomes 29.97: every second frame, evenly.
  const divide = Math.max(1, Math.ceil(rationalToNumber(video.frameRate) / MAX_FRAMES - 0.01))
  return {
    width: even(video.width),
    height: even(video.height),
    rate: `${numerator * timesRaised(video.frameRate)}/${denominator * divide}`,
    interlaced: video.interlaced,
    hdr: video.hdr,
    ...hdrColours(video),
  }
}
