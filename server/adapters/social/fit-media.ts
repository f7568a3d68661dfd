/** PURE: whether a finished clip is within a platform's limits, and how it is made to be. */
import { FIT_AUDIO_KILOBITS } from '../../../workers/media/arguments/fit.ts'
import type { PlatformLimits } from '../../contract/platforms/platform.ts'

export interface MediaFacts {
  readonly bytes: number
  readonly seconds: number
  readonly width: number
  readonly height: number
}

export type Fit =
  | { readonly kind: 'as-it-is' }
  | {
      readonly kind: 'encode'
      readonly width: number
      readonly height: number
      readonly videoKilobits: number
    }
  /** A sentence without the platform's name. */
  | { readonly kind: 'refused'; readonly why: string }

/** Below this bit rate a phone's picture falls apart; the clip is then reported as too long. */
const MIN_KILOBITS = 500
/** Of the bytes that are allowed: containers take some too, and encoders miss their aim by a little. */
const SHARE = 0.92

const even = (value: number): number => Math.max(2, Math.round(value / 2) * 2)

export function fitMedia(facts: MediaFacts, { video }: Pick<PlatformLimits, 'video'>): Fit {
  const { bytes, seconds, width, height } = facts
  const refused = (why: string): Fit => ({ kind: 'refused', why })
  const { least, most } = video.seconds
  if (seconds < least - 0.05 || seconds > most + 0.05)
    return refused(`it takes videos of ${least} to ${most} seconds, and this one has ${seconds.toFixed(1)}`)
  const aspect = width / height
  if (aspect < video.aspect.least - 0.005 || aspect > video.aspect.most + 0.005)
    return refused(`it does not take a video of ${width}x${height}`)
  if (Math.min(width, height) < video.shortSide)
    return refused(`it takes ${video.shortSide} pixels at least, and this one is ${width}x${height}`)
  const scale = Math.min(1, video.longSide / Math.max(width, height))
  if (bytes <= video.bytes && scale === 1) return { kind: 'as-it-is' }
  const allowed = (video.bytes * 8 * SHARE) / seconds / 1000 - FIT_AUDIO_KILOBITS
  if (allowed < MIN_KILOBITS)
    return refused(`it takes ${Math.round(video.bytes / 1e6)} MB, too few for ${Math.round(seconds)} seconds`)
  const now = (bytes * 8) / seconds / 1000
  const videoKilobits = Math.floor(Math.min(allowed, Math.max(now, MIN_KILOBITS)))
  return { kind: 'encode', width: even(width * scale), height: even(height * scale), videoKilobits }
}
