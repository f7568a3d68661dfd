/** Finds where a clip comes to rest: an end card that covers everything, a last picture that is held. */
import { createCanvas } from '@napi-rs/canvas'
import type { Composition } from '../../../server/contract/composition.ts'
import { drawBand, stateAt, type Band, type PreparedComposition } from '../../compositor/compositor.ts'
import { shownFrames, videoLayersOf } from '../../compositor/video-place.ts'

/** A shorter rest saves nothing. */
const LEAST_FRAMES = 2

/**
 * The first frame that is shown unchanged until the clip's end; null: there is none. What is hidden below a picture that fills the
 * output may move on, for nothing of it is seen.
 */
export function findStillEnding(
  composition: Composition,
  { bands, width, height }: Pick<PreparedComposition, 'bands' | 'width' | 'height'>,
): number | null {
  const { durationFrames } = composition
  let from = 0
  for (const band of bands.toReversed()) {
    from = Math.max(from, restsFrom(band, durationFrames))
    if (durationFrames - from < LEAST_FRAMES) return null
    const fills = band.box.width === width && band.box.height === height
    if (fills && isOpaque(band, durationFrames - 1)) return afterVideos(composition, from, band.videosBelow)
  }
  return afterVideos(composition, Math.max(from, sourceRestsFrom(composition)), 0)
}

/** The first frame from which on the band shows one state until the clip's end. */
function restsFrom(band: Band, durationFrames: number): number {
  const last = stateAt(band, durationFrames - 1)
  let from = durationFrames - 1
  while (from > 0 && stateAt(band, from - 1) === last) from -= 1
  return from
}

/** From where on the picture below all layers is one. */
function sourceRestsFrom({ source, durationFrames, tailFrames = 0 }: Composition): number {
  if (!source.hasVideo) return 0
  return tailFrames === 0 ? durationFrames : durationFrames - tailFrames - 1
}

/** `from`, or null where one of the video layers that lie higher than `videosBelow` of them is still shown then. */
function afterVideos(composition: Composition, from: number, videosBelow: number): number | null {
  const { durationFrames } = composition
  const above = videoLayersOf(composition).slice(videosBelow)
  const isPlaying = above.some((layer) => (shownFrames(layer, durationFrames)?.endFrame ?? 0) > from)
  return isPlaying || durationFrames - from < LEAST_FRAMES ? null : from
}

/** Whether nothing of what lies below is seen through the band. */
function isOpaque(band: Band, frame: number): boolean {
  const { width, height } = band.box
  const context = createCanvas(width, height).getContext('2d')
  drawBand(context, band, frame)
  const { data } = context.getImageData(0, 0, width, height)
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return false
  return true
}
