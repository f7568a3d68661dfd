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
import { placeVideo, shownFrames, videoMoment, type VideoPlace } from '../video-place.ts'
import type { LayoutContext, PreparedLayer, VideoPicture } from './layer.ts'

export function prepareVideo(layer: VideoLayer, context: LayoutContext): PreparedLayer {
  const { videos, frameRate } = context
  const place = placeVideo(layer, context)
  const range = shownFrames(layer, context.durationFrames)
  const isShown = (frame: number): boolean =>
    range !== null && frame >= range.startFrame && frame < range.endFrame && layer.opacity > 0
  return {
    id: layer.id,
    // No band is made for it: bands are what the compositor gives to ffmpeg.
    box: null,
    shown: [],
    stateAt: () => '',
    paintedAt: () => null,
    damage: () => null,
    draw: (canvas, frame) => {
      if (videos === null || place === null || !isShown(frame)) return
      const picture = videos(layer.asset.digest, videoMoment(layer, frame, frameRate))
      if (picture === null) return
      const stance = stanceOf(layer, frame, place.box, context)
      const moved = placed(place.box, stance)
      const box = stance.scale === 1 ? onEven(moved) : moved
      const crop = driftedPart(place.crop, driftedAt(layer, frame))
      paint(canvas, { layer, picture, place: { ...place, crop }, box, alpha: layer.opacity * stance.alpha })
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

interface Painting {
  readonly layer: VideoLayer
  readonly picture: VideoPicture
  readonly place: VideoPlace
  /** Where the place's box is on this frame. */
  readonly box: Box
  readonly alpha: number
}

function paint(canvas: DrawingContext, { layer, picture, place, box, alpha }: Painting): void {
  const scale = box.width / place.box.width
  const to = {
    x: box.x + (place.picture.x - place.box.x) * scale,
    y: box.y + (place.picture.y - place.box.y) * scale,
    width: place.picture.width * scale,
    height: place.picture.height * scale,
  }
  const { crop } = place
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
