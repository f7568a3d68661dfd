/** Where pictures are, and when. Places in reference units (1080 on the short side), times in output frames. */
import type {
  ImageLayer,
  PictureAsset,
  Rect,
  VideoAsset,
  VideoLayer,
  PictureMove,
} from '../../contract/composition.ts'
import type { PictureMotion } from '../../contract/clip-broll.ts'
import type { WatermarkConfig } from '../../contract/media-configs.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { rationalToNumber } from '../../contract/time.ts'
import type { Size } from '../layout/seen.ts'
import { referenceSize } from '../compose/read-config.ts'
import type { ComposeContext } from '../declare.ts'
import type { Warn } from '../../contract/render-remarks.ts'

type Output = ComposeContext['output']

/** Places of the grid, read like a page: 1 top left, 2 top middle, ... 5 the centre, ... 9 bottom right. */
const DEFAULT_POSITION = 3
/** Percent of the width. */
const DEFAULT_SIZE = 16
const DEFAULT_PADDING = 4

/**
 * The rectangle of a watermark: `size` percent of the output's width, in its own aspect ratio, `padding` percent of the
 * width away from the edges of its cell in the grid. `x` and `y`, percent to its centre, override the grid
 * independently. A size of 1 or less is a share, since no watermark is one percent wide. Default: top right, away from
 * the platforms' buttons.
 */
export function watermarkRect(
  place: Pick<WatermarkConfig, 'position' | 'size' | 'padding' | 'x' | 'y'>,
  picture: Size,
  output: Output,
  warn: Warn,
): Rect {
  const canvas = referenceSize(output)
  const size = percentage(place.size ?? DEFAULT_SIZE)
  const padding = (Math.max(0, place.padding ?? DEFAULT_PADDING) / 100) * canvas.width
  const { width, height } = within(picture, {
    width: (size / 100) * canvas.width,
    height: Math.max(1, canvas.height - 2 * padding),
  })
  const cell = gridCell(place.position, warn)
  const along = (share: number, room: number, length: number): number =>
    share === 0 ? padding : share === 1 ? room - padding - length : (room - length) / 2
  return {
    x: place.x === undefined ? along(cell.column, canvas.width, width) : at(place.x, canvas.width, width),
    y: place.y === undefined ? along(cell.row, canvas.height, height) : at(place.y, canvas.height, height),
    width,
    height,
  }
}

/** Column and row as 0, 0.5 or 1. */
function gridCell(position: number | undefined, warn: Warn): { column: number; row: number } {
  const rounded = Math.round(position ?? DEFAULT_POSITION)
  const known = rounded >= 1 && rounded <= 9
  if (!known) {
    const setting = 'watermarkConfig.position'
    const message = `${setting} ${rounded} was ignored: it should be 1 (top left) to 9 (bottom right).`
    warn('VALUE_IGNORED', setting, message)
  }
  const index = (known ? rounded : DEFAULT_POSITION) - 1
  return { column: (index % 3) / 2, row: Math.floor(index / 3) / 2 }
}

/** From a centre in percent to the start of something `length` long. */
function at(percent: number, room: number, length: number): number {
  return (percent / 100) * room - length / 2
}

function percentage(value: number): number {
  return Math.min(100, Math.max(0.1, value <= 1 ? value * 100 : value))
}

/**
 * The rectangle of an overlay. At scale 1 it has its own size, one pixel per reference unit, or the largest that fits.
 * Centred by default; a position strictly between 0 and 1 is a share of the picture, as with titles, because nothing is
 * centred within one percent of an edge.
 */
export function overlayRect(
  place: { scale?: number; xPosition?: number; yPosition?: number },
  picture: Size,
  output: Output,
): Rect {
  const canvas = referenceSize(output)
  const natural = picture.width <= canvas.width && picture.height <= canvas.height
  const base = natural ? picture : within(picture, canvas)
  const scale = place.scale ?? 1
  const width = base.width * scale
  const height = base.height * scale
  const percent = (value: number | undefined): number =>
    value === undefined ? 50 : value > 0 && value < 1 ? value * 100 : value
  return {
    x: at(percent(place.xPosition), canvas.width, width),
    y: at(percent(place.yPosition), canvas.height, height),
    width,
    height,
  }
}

export function fullRect(output: Output): Rect {
  return { x: 0, y: 0, ...referenceSize(output) }
}

/** Share of the picture by which its slow motion grows, shrinks or moves. */
const MOTION = 0.12

const DRIFT_TO = { zoom_out: 'out', pan_left: 'left', pan_right: 'right' } as const

/** The slow motion of a still picture, as a layer has it. */
export function pictureMotion(motion: PictureMotion): Pick<ImageLayer, 'drift' | 'driftTo'> {
  if (motion === 'still') return {}
  return motion === 'zoom_in' ? { drift: MOTION } : { drift: MOTION, driftTo: DRIFT_TO[motion] }
}

/** Which part of a picture stays, percent, as a layer has it: nothing for the middle. */
export function pictureFocus(x: number, y: number): Pick<ImageLayer, 'focusX' | 'focusY'> {
  const focusOf = (percent: number): number | undefined =>
    percent === 50 ? undefined : Math.min(100, Math.max(0, percent))
  return omitUndefined({ focusX: focusOf(x), focusY: focusOf(y) })
}

function within(picture: Size, box: Size): Size {
  const scale = Math.min(box.width / picture.width, box.height / picture.height)
  return { width: picture.width * scale, height: picture.height * scale }
}

type Showing = Movement & Pick<WatermarkConfig, 'opacity' | 'startOffset' | 'endOffset'>

/** What is to be shown, and where. A video is shown without its sound, again and again. */
export interface Shown {
  readonly id: string
  readonly label: string
  readonly rect: Rect
  readonly fit: ImageLayer['fit']
}

type Timing = Pick<ComposeContext, 'output' | 'durationFrames'>

/** A picture shown from `startOffset` to `endOffset` seconds before the clip's end; null, with a warning, if never. */
export function shownPicture(
  given: Shown & { readonly asset: PictureAsset },
  config: Showing,
  context: Timing,
  warn: Warn,
): ImageLayer | null {
  const showing = showingOf(given, config, context, warn)
  return showing === null ? null : { kind: 'image', asset: given.asset, ...showing }
}

/** The same of a video. */
export function shownVideo(
  given: Shown & { readonly asset: VideoAsset },
  config: Showing,
  context: Timing,
  warn: Warn,
): VideoLayer | null {
  const showing = showingOf(given, config, context, warn)
  if (showing === null) return null
  return {
    kind: 'video',
    asset: given.asset,
    sourceStart: 0,
    loop: true,
    focusX: 50,
    focusY: 50,
    ...showing,
  }
}

function showingOf(given: Shown, config: Showing, context: Timing, warn: Warn) {
  const framesPerSecond = rationalToNumber(context.output.frameRate)
  const startFrame = Math.round((config.startOffset ?? 0) * framesPerSecond)
  const endFrame = context.durationFrames - Math.round((config.endOffset ?? 0) * framesPerSecond)
  const frames = endFrame - startFrame
  if (frames < 1) {
    const seconds = (context.durationFrames / framesPerSecond).toFixed(1)
    const message = `${given.label} is never shown: its offsets leave nothing of this clip's ${seconds} s.`
    warn('NEVER_SHOWN', given.label, message)
    return null
  }
  if (given.rect.width <= 0 || given.rect.height <= 0) return null
  const { id, rect, fit, label } = given
  const moves = readMoves(config, { frames, framesPerSecond, label }, warn)
  return { id, rect, fit, background: null, opacity: config.opacity ?? 1, startFrame, endFrame, ...moves }
}

type Kind = PictureMove['kind']

/**
 * Sides as the names mean them: "slide in left" enters from the left and "slide out left" leaves to the left, but
 * "slide in up" moves upwards, so it enters from below, and "slide out up" leaves over the top.
 */
const COMING: Readonly<Record<string, Kind>> = {
  slideleft: 'left',
  slideright: 'right',
  slideup: 'bottom',
  slidedown: 'top',
  zoomin: 'small',
  zoomout: 'large',
  zoom: 'small',
  pop: 'small',
  scale: 'small',
}
const GOING: Readonly<Record<string, Kind>> = {
  slideleft: 'left',
  slideright: 'right',
  slideup: 'top',
  slidedown: 'bottom',
  zoomin: 'large',
  zoomout: 'small',
  zoom: 'small',
  pop: 'small',
  scale: 'small',
}
const EITHER: Readonly<Record<string, Kind>> = {
  none: 'none',
  cut: 'none',
  fade: 'fade',
  fadein: 'fade',
  fadeout: 'fade',
  dissolve: 'fade',
  crossfade: 'fade',
}

const DEFAULT_SECONDS = 0.5

type Movement = Pick<WatermarkConfig, 'animationDuration' | 'introTransitionId' | 'outroTransitionId'>

/** Coming and going; each takes half of the time at most. Without a name it fades if it has a duration. */
export function readMoves(
  config: Movement,
  shown: { readonly frames: number; readonly framesPerSecond: number; readonly label: string },
  warn: Warn,
): { intro: PictureMove; outro: PictureMove } {
  const unnamed: Kind = (config.animationDuration ?? 0) > 0 ? 'fade' : 'none'
  const wanted = Math.round((config.animationDuration ?? DEFAULT_SECONDS) * shown.framesPerSecond)
  const longest = Math.min(wanted, Math.floor(shown.frames / 2))
  const read = (name: 'introTransitionId' | 'outroTransitionId', table: typeof COMING): PictureMove => {
    const given = config[name]?.toLowerCase().replaceAll(/[^a-z]/gu, '') ?? ''
    const key = given.replace(/^slide(?:in|out)/u, 'slide')
    const known = { ...EITHER, ...table }
    const found = Object.hasOwn(known, key) ? known[key] : undefined
    if (given !== '' && found === undefined) {
      const setting = `${shown.label}.${name}`
      const wanted = String(config[name]).slice(0, 60)
      warn('NAME_UNKNOWN', setting, `${setting} "${wanted}" is not known; it fades instead.`)
    }
    const kind = given === '' ? unnamed : (found ?? 'fade')
    return kind === 'none' || longest === 0 ? { kind: 'none', frames: 0 } : { kind, frames: longest }
  }
  return { intro: read('introTransitionId', COMING), outro: read('outroTransitionId', GOING) }
}
