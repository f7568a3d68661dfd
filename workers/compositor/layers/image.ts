/** The image layer: a still picture that comes, stays and goes. */
import type { ImageLayer, PictureMove, Rect } from '../../../server/contract/composition.ts'
import { intersectBox, scaleBox, unionBox, type Box } from '../box.ts'
import type { DrawingContext, PictureLike } from '../canvas.ts'
import { traceRounded } from '../rounded.ts'
import type { LayoutContext, PreparedLayer } from './layer.ts'

/** How the picture stands at one frame. */
interface Stance {
  readonly alpha: number
  readonly scale: number
  readonly x: number
  readonly y: number
}

const AT_REST: Stance = { alpha: 1, scale: 1, x: 0, y: 0 }
const SMALL = 0.3
const LARGE = 1.5

const easeOut = (t: number): number => 1 - (1 - t) ** 3

/**
 * The stance when a move is `share` from its far end (0) to rest (1). Sides move by as much as takes the box just out of
 * the output.
 */
function stanceAt(kind: PictureMove['kind'], share: number, box: Box, output: LayoutContext): Stance {
  const away = 1 - easeOut(share)
  switch (kind) {
    case 'none':
      return AT_REST
    case 'fade':
      return { ...AT_REST, alpha: share }
    case 'left':
      return { ...AT_REST, x: -away * Math.max(0, box.x + box.width) }
    case 'right':
      return { ...AT_REST, x: away * Math.max(0, output.width - box.x) }
    case 'top':
      return { ...AT_REST, y: -away * Math.max(0, box.y + box.height) }
    case 'bottom':
      return { ...AT_REST, y: away * Math.max(0, output.height - box.y) }
    case 'small':
      return { ...AT_REST, alpha: share, scale: 1 + (SMALL - 1) * away }
    case 'large':
      return { ...AT_REST, alpha: share, scale: 1 + (LARGE - 1) * away }
  }
}

export function prepareImage(layer: ImageLayer, context: LayoutContext): PreparedLayer {
  const { unit } = context
  const picture = context.pictures.get(layer.asset.digest)
  if (picture === undefined) context.warn(`The picture of ${layer.id} is not there, so it is left out.`)
  const rest: Box = {
    x: layer.rect.x * unit,
    y: layer.rect.y * unit,
    width: layer.rect.width * unit,
    height: layer.rect.height * unit,
  }
  const startFrame = Math.max(0, layer.startFrame)
  const endFrame = Math.min(context.durationFrames, layer.endFrame)
  const nothing = picture === undefined || endFrame <= startFrame || layer.opacity === 0

  /** Null when nothing is shown. The first and the last frame already show something, one step from the far end. */
  const stance = (frame: number): Stance | null => {
    if (nothing || frame < startFrame || frame >= endFrame) return null
    const { intro, outro } = layer
    const [since, left] = [frame - layer.startFrame + 1, layer.endFrame - frame]
    if (since <= intro.frames) return stanceAt(intro.kind, since / (intro.frames + 1), rest, context)
    if (left <= outro.frames) return stanceAt(outro.kind, left / (outro.frames + 1), rest, context)
    return AT_REST
  }
  const boxAt = (frame: number): Box | null => {
    const at = stance(frame)
    return at === null ? null : visible(placed(rest, at), context)
  }
  const stateAt = (frame: number): string => {
    const at = stance(frame)
    return at === null ? '' : [at.alpha, at.scale, at.x, at.y].map((value) => value.toFixed(3)).join(' ')
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
      if (at === null || picture === undefined) return
      paint(canvas, layer, picture, placed(rest, at), { unit, alpha: layer.opacity * at.alpha })
    },
  }
}

function placed(rest: Box, stance: Stance): Box {
  const scaled = scaleBox(rest, stance.scale, rest.x + rest.width / 2, rest.y + rest.height / 2)
  return { ...scaled, x: scaled.x + stance.x, y: scaled.y + stance.y }
}

/** What of a box is in the output, with the pixel that smoothing reaches beyond. */
function visible(box: Box, { width, height }: LayoutContext): Box | null {
  const grown = { x: box.x - 1, y: box.y - 1, width: box.width + 2, height: box.height + 2 }
  return intersectBox(grown, { x: 0, y: 0, width, height })
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
  let whole: Box | null = null
  for (let frame = startFrame; frame < intro; frame++) whole = unionBox(whole, boxAt(frame))
  for (let frame = outro; frame < endFrame; frame++) whole = unionBox(whole, boxAt(frame))
  return whole
}

function paint(
  canvas: DrawingContext,
  layer: ImageLayer,
  picture: PictureLike,
  box: Box,
  { unit, alpha }: { readonly unit: number; readonly alpha: number },
): void {
  const { from, to } = fitted(layer.fit, picture, box)
  canvas.save()
  canvas.globalAlpha = alpha
  canvas.imageSmoothingEnabled = true
  canvas.imageSmoothingQuality = 'high'
  if (layer.radius !== undefined && layer.radius > 0) {
    canvas.beginPath()
    // Corners grow and shrink with the picture.
    traceRounded(canvas, box, layer.radius * unit * (box.width / (layer.rect.width * unit)))
    canvas.clip()
  }
  if (layer.background !== null) paintBehind(canvas, layer.background, box, layer.asset.opaque ? to : null)
  canvas.drawImage(picture, from.x, from.y, from.width, from.height, to.x, to.y, to.width, to.height)
  canvas.restore()
}

/**
 * The background of the box. An opaque picture leaves out its own place: painted over a background, a picture that is
 * half faded would show it through. Whatever is transparent keeps the background behind it.
 */
function paintBehind(canvas: DrawingContext, colour: string, box: Box, picture: Box | null): void {
  canvas.fillStyle = colour
  if (picture === null) return canvas.fillRect(box.x, box.y, box.width, box.height)
  const [right, bottom] = [picture.x + picture.width, picture.y + picture.height]
  canvas.fillRect(box.x, box.y, box.width, picture.y - box.y)
  canvas.fillRect(box.x, bottom, box.width, box.y + box.height - bottom)
  canvas.fillRect(box.x, picture.y, picture.x - box.x, picture.height)
  canvas.fillRect(right, picture.y, box.x + box.width - right, picture.height)
}

/** The part of the picture that is drawn, and where, so that it fills the box as `fit` says. */
export function fitted(
  fit: ImageLayer['fit'],
  picture: PictureLike,
  box: Box,
): { readonly from: Rect; readonly to: Rect } {
  const whole = { x: 0, y: 0, width: picture.width, height: picture.height }
  if (fit === 'fill') return { from: whole, to: box }
  const scales = [box.width / picture.width, box.height / picture.height] as const
  const scale = fit === 'contain' ? Math.min(...scales) : Math.max(...scales)
  const [width, height] = [
    Math.min(box.width, picture.width * scale),
    Math.min(box.height, picture.height * scale),
  ]
  // On whole pixels, so that no seam shows between the picture and what fills the box around it.
  const [left, top] = [
    Math.round(box.x + (box.width - width) / 2),
    Math.round(box.y + (box.height - height) / 2),
  ]
  const to = { x: left, y: top, width: Math.round(width), height: Math.round(height) }
  const [taken, tall] = [width / scale, height / scale]
  return {
    from: { x: (picture.width - taken) / 2, y: (picture.height - tall) / 2, width: taken, height: tall },
    to,
  }
}
