/**
 * The video layer. In the export ffmpeg lays it over the picture itself, between the bands that are under and over it,
 * and nothing is painted here; a preview gives pictures of the file and has them painted in the same places.
 */
import type { VideoLayer } from '../../../server/contract/composition.ts'
import type { Box } from '../box.ts'
import type { DrawingContext } from '../canvas.ts'
import { driftedAt, driftedPart } from '../drift.ts'
import { paintBehind } from '../paths.ts'
import { placed, stanceOf } from '../picture-moves.ts'
import {
  isMoved,
  pictureIn,
  placeMoved,
  placeVideo,
  shownFrames,
  videoMoment,
  type MovedPlace,
} from '../video-place.ts'
import type { LayoutContext, PreparedLayer, VideoPicture } from './layer.ts'

export function prepareVideo(layer: VideoLayer, context: LayoutContext): PreparedLayer {
  const { videos, frameRate } = context
  const moves = isMoved(layer)
  const place = placeVideo(layer, context)
  const range = shownFrames(layer, context.durationFrames)
  const isShown = (frame: number): boolean =>
    range !== null && frame >= range.startFrame && frame < range.endFrame
  /** Where it is on a frame, and how opaque; null: it shows nothing. */
  const on = (frame: number): MovedPlace | null => {
    if (moves) return placeMoved(layer, frame, context)
    if (place === null) return null
    const stance = stanceOf(layer, frame, place.box, context)
    const moved = placed(place.box, stance)
    const box = stance.scale === 1 ? onEven(moved) : moved
    const crop = driftedPart(place.crop, driftedAt(layer, frame))
    return { box, picture: pictureIn(place, box), crop, alpha: layer.opacity * stance.alpha }
  }
  return {
    id: layer.id,
    // No band is made for it: bands are what the compositor gives to ffmpeg.
    box: null,
    shown: [],
    stateAt: () => '',
    paintedAt: () => null,
    damage: () => null,
    draw: (canvas, frame) => {
      const there = videos === null || !isShown(frame) ? null : on(frame)
      if (videos === null || there === null || there.alpha <= 0) return
      const picture = videos(layer.asset.digest, videoMoment(layer, frame, frameRate))
      if (picture !== null) paint(canvas, layer, picture, there)
    },
  }
}

/** ffmpeg lays pictures with colour of half the size on pairs of pixels, while they slide too. */
function onEven(box: Box): Box {
  const even = (value: number): number => Math.round(value / 2) * 2
  const x = even(box.x)
  const y = even(box.y)
  const width = Math.max(2, even(box.x + box.width) - x)
  return { x, y, width, height: Math.max(2, even(box.y + box.height) - y) }
}

function paint(
  canvas: DrawingContext,
  layer: VideoLayer,
  picture: VideoPicture,
  { box, picture: to, crop, alpha }: MovedPlace,
): void {
  canvas.save()
  canvas.globalAlpha = alpha
  canvas.imageSmoothingEnabled = true
  canvas.imageSmoothingQuality = 'high'
  if (layer.background !== null) paintBehind(canvas, layer.background, box, layer.asset.opaque ? to : null)
  canvas.drawImage(
    picture.image,
    crop.x * picture.width,
    crop.y * picture.height,
    crop.width * picture.width,
    crop.height * picture.height,
    to.x,
    to.y,
    to.width,
    to.height,
  )
  canvas.restore()
}
