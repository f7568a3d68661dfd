/** The image layer: a still picture that enters, stays and leaves. */
import type { ImageLayer, Rect } from '../../../server/contract/composition.ts'
import { SOURCE_FRAME } from '../../../server/contract/composition-pictures.ts'
import { growBox, inPixels, intersectBox, unionBox, type Box } from '../box.ts'
import type { DrawingContext, PictureLike } from '../canvas.ts'
import { cutOutDigest, cutOutSize } from '../cutout/cut-out-job.ts'
import { paintBehind, traceEllipse, traceRounded } from '../paths.ts'
import { driftedAt, driftedPart, type Drifted } from '../drift.ts'
import { placed, stanceOf, type Stance } from '../picture-moves.ts'
import { cssColour, parseColour, WHITE } from '../colour.ts'
import type { LayoutContext, PreparedLayer } from './layer.ts'

export function prepareImage(layer: ImageLayer, context: LayoutContext): PreparedLayer {
  const { unit } = context
  const loaded = context.pictures.get(layer.asset.digest)
  // A preview has the source's picture where its player is: it is known when it is drawn.
  const played = loaded === undefined && layer.asset.digest === SOURCE_FRAME ? context.videos : null
  const pictureNow = (): PictureLike | undefined => loaded ?? played?.(SOURCE_FRAME, 0)?.image
  const cutNow = cutOutNow(layer, context)
  const isThere = loaded !== undefined || played !== null
  if (!isThere) {
    const message = `The picture of ${layer.id} is not there, so it is left out.`
    context.warn('FILE_LEFT_OUT', context.setting.field, message)
  }
  const rest = inPixels(layer.rect, unit)
  const startFrame = Math.max(0, layer.startFrame)
  const endFrame = Math.min(context.durationFrames, layer.endFrame)
  const nothing = !isThere || endFrame <= startFrame || layer.opacity === 0

  const stance = (frame: number): Stance | null =>
    nothing || frame < startFrame || frame >= endFrame ? null : stanceOf(layer, frame, rest, context)
  const boxAt = (frame: number): Box | null => {
    const at = stance(frame)
    return at === null ? null : visible(placed(rest, at), context, (layer.ring?.width ?? 0) * unit)
  }
  const stateAt = (frame: number): string => {
    const at = stance(frame)
    if (at === null) return ''
    const moves = [at.alpha, at.scale, at.x, at.y].map((value) => value.toFixed(3)).join(' ')
    const { grown, along } = driftedAt(layer, frame)
    if (grown === 1) return moves
    return `${moves} ${grown.toFixed(6)}${along === 0.5 ? '' : ` ${along.toFixed(6)}`}`
  }
  return {
    id: layer.id,
    box: nothing ? null : reach(layer, startFrame, endFrame, boxAt),
    shown: nothing ? [] : [{ startFrame, endFrame }],
    stateAt,
    paintedAt: boxAt,
    damage: (from, to) => (stateAt(from) === stateAt(to) ? null : unionBox(boxAt(from), boxAt(to))),
    draw: (canvas, frame) => {
      const at = stance(frame)
      const picture = at === null ? undefined : pictureNow()
      if (at === null || picture === undefined) return
      const cut = cutNow()
      if (cut !== null) return paintCutOut(canvas, cut, placed(rest, at), layer.opacity * at.alpha)
      const shown = { unit, alpha: layer.opacity * at.alpha, drifted: driftedAt(layer, frame) }
      paint(canvas, layer, picture, placed(rest, at), shown)
    },
  }
}

interface CutOutPicture {
  readonly picture: PictureLike
  /** Of its width, without what is there for the ring alone: that part to each side. */
  readonly margin: number
}

/** Returns the finished cut-out of a layer that shows a person; null where there is none. */
function cutOutNow(layer: ImageLayer, { pictures, videos, unit }: LayoutContext): () => CutOutPicture | null {
  if (layer.person === undefined) return () => null
  const digest = cutOutDigest(layer)
  const { width, margin } = cutOutSize(layer, unit)
  return () => {
    const picture = pictures.get(digest) ?? videos?.(digest, 0)?.image
    return picture === undefined ? null : { picture, margin: margin / width }
  }
}

function paintCutOut(canvas: DrawingContext, { picture, margin }: CutOutPicture, box: Box, alpha: number) {
  const to = growBox(box, margin * box.width)
  canvas.save()
  canvas.globalAlpha = alpha
  canvas.imageSmoothingEnabled = true
  canvas.imageSmoothingQuality = 'high'
  canvas.drawImage(picture, 0, 0, picture.width, picture.height, to.x, to.y, to.width, to.height)
  canvas.restore()
}

function visible(box: Box, { width, height }: LayoutContext, ring: number): Box | null {
  return intersectBox(growBox(box, ring + 1), { x: 0, y: 0, width, height })
}

/** Everything that is painted: at rest and on each frame of the moves. */
function reach(
  layer: ImageLayer,
  startFrame: number,
  endFrame: number,
  boxAt: (frame: number) => Box | null,
): Box | null {
  const intro = Math.min(endFrame, layer.startFrame + layer.intro.frames + 1)
  const outro = Math.max(intro, layer.endFrame - layer.outro.frames)
  // A layer may have come before the first frame.
  let whole: Box | null = boxAt(startFrame)
  for (let frame = startFrame; frame < intro; frame++) whole = unionBox(whole, boxAt(frame))
  for (let frame = outro; frame < endFrame; frame++) whole = unionBox(whole, boxAt(frame))
  return whole
}

function paint(
  canvas: DrawingContext,
  layer: ImageLayer,
  picture: PictureLike,
  box: Box,
  { unit, alpha, drifted }: { readonly unit: number; readonly alpha: number; readonly drifted: Drifted },
): void {
  const { from: whole, to } =
    layer.part === undefined
      ? fitted(layer, picture, box)
      : { from: scaledPart(layer.part, layer.asset, picture), to: box }
  const from = drifted.grown === 1 ? whole : driftedPart(whole, drifted)
  canvas.save()
  canvas.globalAlpha = alpha
  canvas.imageSmoothingEnabled = true
  canvas.imageSmoothingQuality = 'high'
  // Corners and rings grow and shrink with the picture.
  const scale = unit * (box.width / (layer.rect.width * unit))
  const trace = (outwards: number): void => {
    canvas.beginPath()
    if (layer.ellipse === true) traceEllipse(canvas, growBox(box, outwards))
    else traceRounded(canvas, growBox(box, outwards), roundedBy(layer.radius ?? 0, scale, outwards))
  }
  if (layer.ring !== undefined && layer.ring.width > 0) {
    canvas.fillStyle = cssColour(parseColour(layer.ring.colour) ?? WHITE)
    trace(layer.ring.width * scale)
    canvas.fill()
  }
  if (layer.ellipse === true || (layer.radius !== undefined && layer.radius > 0)) {
    trace(0)
    canvas.clip()
  }
  if (layer.background !== null) paintBehind(canvas, layer.background, box, layer.asset.opaque ? to : null)
  canvas.drawImage(picture, from.x, from.y, from.width, from.height, to.x, to.y, to.width, to.height)
  canvas.restore()
}

/** Around round corners a ring is round too, around square ones square. */
const roundedBy = (radius: number, scale: number, outwards: number): number =>
  radius > 0 ? radius * scale + outwards : 0

/** A part of the picture as it is known, in the pixels of the one that is there: a preview's is smaller. */
function scaledPart(part: Rect, known: PictureLike, picture: PictureLike): Rect {
  const across = picture.width / known.width
  const down = picture.height / known.height
  return { x: part.x * across, y: part.y * down, width: part.width * across, height: part.height * down }
}

/** The part of the picture that is drawn, and where, so that it fills the box as `fit` says. */
function fitted(
  { fit, focusX = 50, focusY = 50 }: Pick<ImageLayer, 'fit' | 'focusX' | 'focusY'>,
  picture: PictureLike,
  box: Box,
) {
  const whole = { x: 0, y: 0, width: picture.width, height: picture.height }
  if (fit === 'fill') return { from: whole, to: box }
  const scales = [box.width / picture.width, box.height / picture.height] as const
  const scale = fit === 'contain' ? Math.min(...scales) : Math.max(...scales)
  const width = Math.min(box.width, picture.width * scale)
  const height = Math.min(box.height, picture.height * scale)
  // On whole pixels, so that no seam shows between the picture and what fills the box around it.
  const left = Math.round(box.x + (box.width - width) * (focusX / 100))
  const top = Math.round(box.y + (box.height - height) * (focusY / 100))
  const to = { x: left, y: top, width: Math.round(width), height: Math.round(height) }
  const taken = width / scale
  const tall = height / scale
  return {
    from: {
      x: (picture.width - taken) * (focusX / 100),
      y: (picture.height - tall) * (focusY / 100),
      width: taken,
      height: tall,
    },
    to,
  }
}
