/**
 * Where a video layer is, and which time of its file it shows. Shared by the export's ffmpeg graph and the preview's
 * canvas, so that they agree to the pixel and the frame. PURE.
 */
import type { Composition, VideoLayer } from '../../server/contract/composition.ts'
import { valuesOn } from '../../server/contract/keyframes/keyframes.ts'
import { rationalToNumber, ticksToSeconds, type Rational } from '../../server/contract/time.ts'
import { evenBox, inPixels, intersectBox, unionBox, type Box } from './box.ts'
import { BLACK, parseColour } from './colour.ts'
import { driftedAt, driftedPart } from './drift.ts'
import { placed, stanceOf } from './picture-moves.ts'

type Size = { readonly width: number; readonly height: number }

export interface VideoPlace {
  /** All that is painted at rest, the background included: even output pixels, inside the output. */
  readonly box: Box
  /** The video's part of the box. */
  readonly picture: Box
  /** What of the file's picture is shown in `picture`, as shares of its width and height. */
  readonly crop: Box
}

/** The first and one past the last frame of the clip that shows the layer; null when none does. */
export function shownFrames(layer: Pick<VideoLayer, 'startFrame' | 'endFrame'>, durationFrames: number) {
  const startFrame = Math.max(0, layer.startFrame)
  const endFrame = Math.min(durationFrames, layer.endFrame)
  return endFrame > startFrame ? { startFrame, endFrame } : null
}

/** Null when nothing of it is inside the output. */
export function placeVideo(layer: VideoLayer, output: Size): VideoPlace | null {
  const unit = Math.min(output.width, output.height) / 1080
  const { asset, rect } = layer
  const box = inPixels(rect, unit)
  if (box.width <= 0 || box.height <= 0) return null
  const { crop, to } = fittedVideo(layer, asset, box)
  const inside = intersectBox(to, { x: 0, y: 0, ...output })
  if (inside === null) return null
  const picture = onEvenPixels(inside, output)
  const share = { x: crop.width / to.width, y: crop.height / to.height }
  return {
    box: layer.background === null ? picture : onEvenPixels(box, output),
    picture,
    crop: {
      x: crop.x + (inside.x - to.x) * share.x,
      y: crop.y + (inside.y - to.y) * share.y,
      // A crop of less than two pixels is none that ffmpeg makes.
      width: Math.max(Math.min(1, 2 / asset.width), inside.width * share.x),
      height: Math.max(Math.min(1, 2 / asset.height), inside.height * share.y),
    },
  }
}

function fittedVideo(layer: VideoLayer, picture: Size, box: Box): { crop: Box; to: Box } {
  const whole = { x: 0, y: 0, width: 1, height: 1 }
  const scales = [box.width / picture.width, box.height / picture.height] as const
  switch (layer.fit) {
    case 'fill':
      return { crop: whole, to: box }
    case 'contain': {
      const scale = Math.min(...scales)
      const width = picture.width * scale
      const height = picture.height * scale
      const x = box.x + (box.width - width) * (layer.focusX / 100)
      const y = box.y + (box.height - height) * (layer.focusY / 100)
      return { crop: whole, to: { x, y, width, height } }
    }
    case 'cover': {
      const scale = Math.max(...scales)
      const width = scales[0] / scale
      const height = scales[1] / scale
      const crop = {
        x: (1 - width) * (layer.focusX / 100),
        y: (1 - height) * (layer.focusY / 100),
        width,
        height,
      }
      return { crop, to: box }
    }
  }
}

/** To even pixels on every side, at least two of them, inside the output. */
function onEvenPixels(box: Box, output: Size): Box {
  const along = (from: number, to: number, most: number): [number, number] => {
    const last = Math.floor(most / 2) * 2
    const start = Math.min(Math.max(0, Math.round(from / 2) * 2), last - 2)
    return [start, Math.min(last, Math.max(start + 2, Math.round(to / 2) * 2)) - start]
  }
  const [x, width] = along(box.x, box.x + box.width, output.width)
  const [y, height] = along(box.y, box.y + box.height, output.height)
  return { x, y, width, height }
}

/**
 * Whether keyframes change more of it than how opaque all of it is: then it is placed anew on each frame, between pixels
 * too.
 */
export function isMoved({ keyframes = [], asset, background }: VideoLayer): boolean {
  const isWhole = background === null ? asset.opaque : (parseColour(background) ?? BLACK).alpha === 1
  return keyframes.some(({ property }) => property !== 'opacity' || !isWhole)
}

/** A moved layer on one frame. Unlike `VideoPlace` not on whole pixels, and not cut at the edges of the output. */
export interface MovedPlace extends VideoPlace {
  /** From 0 to 1, with the way in which it comes and goes. */
  readonly alpha: number
}

/** Where a layer with keyframes is on a frame; at least a pixel large, and with an alpha of 0 where it shows nothing. */
export function placeMoved(layer: VideoLayer, frame: number, output: Size): MovedPlace {
  const still = valuesOn(layer, frame)
  const given = inPixels(still.rect, Math.min(output.width, output.height) / 1080)
  const isThere = given.width > 0 && given.height > 0
  const box = { ...given, width: Math.max(1, given.width), height: Math.max(1, given.height) }
  const { crop, to } = fittedVideo(still, still.asset, box)
  const painted = still.background === null ? to : box
  const stance = stanceOf(still, frame, painted, output)
  const moved = placed(painted, stance)
  return {
    box: moved,
    picture: pictureIn({ box: painted, picture: to }, moved),
    crop: driftedPart(crop, driftedAt(still, frame)),
    alpha: isThere ? still.opacity * stance.alpha : 0,
  }
}

/** The video's part of its box, where that is now. */
export function pictureIn({ box, picture }: Pick<VideoPlace, 'box' | 'picture'>, now: Box): Box {
  const scale = now.width / box.width
  return {
    x: now.x + (picture.x - box.x) * scale,
    y: now.y + (picture.y - box.y) * scale,
    width: picture.width * scale,
    height: picture.height * scale,
  }
}

/** What it covers of the output then; null: nothing. */
const seenOf = ({ box, alpha }: MovedPlace, output: Size): Box | null =>
  alpha > 0 ? intersectBox(box, { x: 0, y: 0, ...output }) : null

/** All that a moved layer ever covers of the output, in even pixels; null: nothing. `places`: on each of its frames. */
export function reachOf(places: readonly MovedPlace[], output: Size): Box | null {
  const reach = places.map((place) => seenOf(place, output)).reduce(unionBox, null)
  return reach === null ? null : evenBox(reach, output.width, output.height)
}

/** How a layer plays its file, in frames of the output from the layer's `startFrame` on. */
export interface Playing {
  /** Moment of the file on the layer's first frame, seconds. */
  readonly start: number
  /** Frames until the file ends for the first time; Infinity for a layer that does not loop. */
  readonly firstFrames: number
  /** Length of the file's picture, seconds. */
  readonly length: number
}

/** A start past the file's end is brought into it: to its last picture, or round when it loops. */
export function playingOf(layer: VideoLayer, rate: Rational): Playing {
  const own = 1 / rationalToNumber(layer.asset.frameRate)
  const length = Math.max(own, ticksToSeconds(layer.asset.duration))
  const wanted = Math.max(0, ticksToSeconds(layer.sourceStart))
  if (!layer.loop)
    return { start: Math.min(wanted, Math.max(0, length - own)), firstFrames: Infinity, length }
  const start = wanted % length
  const firstFrames = Math.round((length - start) * rationalToNumber(rate))
  return firstFrames < 1 ? playingOf({ ...layer, sourceStart: 0 }, rate) : { start, firstFrames, length }
}

/**
 * The moment of the file, seconds, that is shown on a frame of the clip: the middle of what the frame covers, so that
 * the picture of the file that is on at that moment is the one that the export takes.
 */
export function videoMoment(layer: VideoLayer, frame: number, rate: Rational): number {
  const { start, firstFrames, length } = playingOf(layer, rate)
  const perSecond = rationalToNumber(rate)
  const since = frame - layer.startFrame
  if (since < firstFrames) return Math.min(start + (since + 0.5) / perSecond, length - 0.001)
  return ((since - firstFrames + 0.5) / perSecond) % length
}

/** The video layers that show something, in painting order. */
export function videoLayersOf({ layers, output, durationFrames }: Composition): VideoLayer[] {
  return layers.filter(
    (layer): layer is VideoLayer => layer.kind === 'video' && showsSomething(layer, output, durationFrames),
  )
}

function showsSomething(layer: VideoLayer, output: Size, durationFrames: number): boolean {
  const shown = shownFrames(layer, durationFrames)
  if (shown === null) return false
  if (isMoved(layer)) {
    // The preview asks for each of its frames: usually the first one tells.
    for (let frame = shown.startFrame; frame < shown.endFrame; frame++)
      if (seenOf(placeMoved(layer, frame, output), output) !== null) return true
    return false
  }
  const isSeen = layer.opacity > 0 || (layer.keyframes ?? []).length > 0
  return isSeen && placeVideo(layer, output) !== null
}
