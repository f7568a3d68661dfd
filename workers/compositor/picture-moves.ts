/** How pictures come and go, for the export's ffmpeg graph and the canvas alike. PURE. */
import type { PictureMove } from '../../server/contract/composition.ts'
import { scaleBox, type Box } from './box.ts'

interface Size {
  readonly width: number
  readonly height: number
}

/** Animation state of a picture at one frame. */
export interface Stance {
  readonly alpha: number
  readonly scale: number
  readonly x: number
  readonly y: number
}

const AT_REST: Stance = { alpha: 1, scale: 1, x: 0, y: 0 }
const SMALL = 0.3
const LARGE = 1.5

const easeOut = (t: number): number => 1 - (1 - t) ** 3

/** The stance at `share` of the way from the far end (0) to rest (1). Sides move just out of the output. */
function stanceAt(kind: PictureMove['kind'], share: number, box: Box, output: Size): Stance {
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

/** The timing of a layer that is shown for a while. */
export interface Showing {
  readonly startFrame: number
  readonly endFrame: number
  readonly intro: PictureMove
  readonly outro: PictureMove
}

/** The stance at a frame. The first and the last frame already show something, one step from the far end. */
export function stanceOf(layer: Showing, frame: number, rest: Box, output: Size): Stance {
  const { intro, outro } = layer
  const since = frame - layer.startFrame + 1
  const left = layer.endFrame - frame
  if (since <= intro.frames) return stanceAt(intro.kind, since / (intro.frames + 1), rest, output)
  if (left <= outro.frames) return stanceAt(outro.kind, left / (outro.frames + 1), rest, output)
  return AT_REST
}

/** Where the box is then. */
export function placed(rest: Box, stance: Stance): Box {
  const scaled = scaleBox(rest, stance.scale, rest.x + rest.width / 2, rest.y + rest.height / 2)
  return { ...scaled, x: scaled.x + stance.x, y: scaled.y + stance.y }
}
