/** What an editor's thumbnail draws, as layers that are in no composition that is rendered. PURE. */
import type { Assets } from '../../contract/asset.ts'
import type { ClipDocument } from '../../contract/clip.ts'
import {
  sourceFrameOn,
  type Composition,
  type ImageLayer,
  type Layer,
  type Rect,
  type ShapeLayer,
  type TitleLayer,
} from '../../contract/composition.ts'
import type { ThumbnailCutout, ThumbnailItem } from '../../contract/manual-overrides/thumbnail.ts'
import { SOURCE_FRAME } from '../../contract/composition-pictures.ts'
import { secondsToTicks, ticksToSeconds } from '../../contract/time.ts'
import { pictureAt } from '../pictures/asset.ts'
import { normaliseColour, seeThrough } from './colours.ts'
import { sourceFaces } from './face-places.ts'
import { languageOf } from './language.ts'
import { referenceSize } from './read-config.ts'
import { withBreaks } from './script-words.ts'
import { frameInSpan } from '../../contract/time-map/frames.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { warnTo, type RenderRemark, type Warn } from '../../contract/render-remarks.ts'

export interface ThumbnailDesign {
  readonly frame: number
  /** Whether what the clip shows there is in it as well. */
  readonly clipLayers: boolean
  /** Over everything else, on every frame. */
  readonly layers: readonly Layer[]
  readonly warnings: readonly RenderRemark[]
}

interface Given {
  readonly composition: Composition
  readonly document: Pick<ClipDocument, 'overrides' | 'language' | 'faces'> &
    Partial<Pick<ClipDocument, 'title'>>
  readonly assets: Assets
}

interface Drawn extends Given {
  /** Output frame that is shown. */
  readonly frame: number
  readonly warn: Warn
}

const STILL = { kind: 'none', frames: 0 } as const
/** Of the font size: air between the letters and the edge of what is behind them, and its corners. */
const PADDING = { x: 0.35, y: 0.15, radius: 0.15 }
const ROUNDED = 0.12
/** Default outline that keeps letters legible on any picture. */
const SHADOW = { colour: '#00000099', blur: 18, offsetX: 0, offsetY: 4 }

/** The thumbnail set as a manual override; null: it is chosen automatically. */
export function thumbnailDesign(given: Given): ThumbnailDesign | null {
  const { composition, document } = given
  const design = document.overrides?.thumbnail
  if (design === undefined) return null
  const warnings: RenderRemark[] = []
  const warn = warnTo(warnings)
  const frame = frameOf(composition, design.moment, warn)
  const drawn: Drawn = { ...given, frame, warn }
  const layers = design.items.flatMap((item) => layerOf(item, drawn) ?? [])
  return { frame, clipLayers: design.clipLayers, layers, warnings }
}

/** The frame that shows this second of the source, or the played one nearest to it. */
function frameOf(composition: Composition, second: number, warn: Warn): number {
  const moment = secondsToTicks(second)
  const away = ({ sourceStart, sourceEnd }: Composition['timeMap'][number]): number =>
    Math.max(0, sourceStart - moment, moment - (sourceEnd - 1))
  const [span] = composition.timeMap.toSorted((a, b) => away(a) - away(b))
  if (span === undefined) return 0
  if (away(span) > 0) {
    const shown = ticksToSeconds(moment < span.sourceStart ? span.sourceStart : span.sourceEnd)
    warn(
      'NEVER_SHOWN',
      'thumbnail',
      `The moment of the thumbnail, ${second.toFixed(1)} s, is not played any more; it is taken from ${shown.toFixed(1)} s.`,
    )
  }
  // Times are stored in milliseconds, so a time just before a frame means that frame.
  const frame = Math.floor(frameInSpan(span, moment) + 0.05)
  return sourceFrameOn(composition, Math.min(span.endFrame - 1, frame))
}

function layerOf(item: ThumbnailItem, drawn: Drawn): Layer | null {
  switch (item.kind) {
    case 'text':
      return textLayer(item, drawn)
    case 'shape':
      return shapeLayer(item, drawn)
    case 'picture':
      return pictureLayer(item, drawn)
    case 'cutout':
      return cutoutLayer(item, drawn)
  }
}

const shownAll = ({ composition }: Drawn) => ({ startFrame: 0, endFrame: composition.durationFrames })
const idOf = ({ id }: ThumbnailItem): string => `thumbnail:${id}`

function read(given: string, fallback: string, { warn }: Drawn): string {
  const colour = normaliseColour(given)
  if (colour === null)
    warn('VALUE_IGNORED', 'thumbnail', `"${given.slice(0, 60)}" is no colour; the thumbnail takes another.`)
  return colour ?? fallback
}

/** Position of an item of this size; reference units. */
function rectAt(item: Pick<ThumbnailItem, 'xPercent' | 'yPercent'>, size: Size, { composition }: Drawn) {
  const canvas = referenceSize(composition.output)
  return {
    x: (item.xPercent / 100) * canvas.width - size.width / 2,
    y: (item.yPercent / 100) * canvas.height - size.height / 2,
    ...size,
  }
}
type Size = Pick<Rect, 'width' | 'height'>

type Of<Kind extends ThumbnailItem['kind']> = Extract<ThumbnailItem, { kind: Kind }>

const MAX_LETTERS = 90

/** A title, shortened to fit on a thumbnail; `otherwise`: it is empty. */
export function thumbnailTitle(title: string, otherwise: string): string {
  const words = title.replaceAll(/\s+/gu, ' ').trim()
  if ([...words].length <= MAX_LETTERS) return words === '' ? otherwise : words
  const cut = [...words].slice(0, MAX_LETTERS).join('')
  return `${cut.slice(0, Math.max(20, cut.lastIndexOf(' ')))}…`
}

function textLayer(item: Of<'text'>, drawn: Drawn): TitleLayer | null {
  const shown = item.followsTitle === true ? thumbnailTitle(drawn.document.title ?? '', item.text) : item.text
  const text = shown.replaceAll(/\s+/gu, ' ').trim()
  if (text === '') return null
  const { fontFamily, fontSize, fontWeight, align } = item
  const filled = item.background.trim() !== ''
  const outlined = item.outlineColour.trim() !== '' && item.outlineWidth > 0
  const language = languageOf(text.split(' '), drawn.document.language)
  return {
    kind: 'title',
    id: idOf(item),
    text: withBreaks(text),
    ...shownAll(drawn),
    fadeFrames: 0,
    ...(language === 'und' ? {} : { language }),
    face: {
      fontFamily,
      fontSize,
      fontWeight,
      italic: false,
      lineHeight: 1.08,
      letterSpacing: 0,
      textCase: item.upperCase ? 'upper' : 'none',
      colour: read(item.colour, '#ffffff', drawn),
      outline: outlined
        ? { colour: read(item.outlineColour, '#000000', drawn), width: item.outlineWidth }
        : null,
      shadow: filled || outlined ? null : SHADOW,
    },
    backdrop: {
      fill: filled ? 'line' : 'none',
      colour: filled ? read(item.background, '#000000', drawn) : '#000000',
      opacity: 1,
      paddingX: fontSize * PADDING.x,
      paddingY: fontSize * PADDING.y,
      radius: fontSize * PADDING.radius,
    },
    align,
    xPercent: item.xPercent,
    yPercent: item.yPercent,
    maxWidthPercent: item.widthPercent,
    targetHeightPercent: 0,
  }
}

function shapeLayer(item: Of<'shape'>, drawn: Drawn): ShapeLayer {
  const canvas = referenceSize(drawn.composition.output)
  const size = {
    width: (item.widthPercent / 100) * canvas.width,
    height: (item.heightPercent / 100) * canvas.height,
  }
  const paint = (colour: string): string => seeThrough(read(colour, '#000000', drawn), item.opacity)
  return {
    kind: 'shape',
    id: idOf(item),
    rect: rectAt(item, size, drawn),
    ...shownAll(drawn),
    colour: paint(item.colour),
    radius: item.form === 'rect' ? item.radius : 0,
    ...(item.colourTo.trim() === '' ? {} : { colourTo: paint(item.colourTo) }),
    ...(item.form === 'ellipse' ? { ellipse: true } : {}),
  }
}

const SHORT_SIDE = 1080
const widthOf = ({ sizePercent }: { readonly sizePercent: number }): number =>
  (sizePercent / 100) * SHORT_SIDE

function pictureLayer(item: Of<'picture'>, drawn: Drawn): ImageLayer | null {
  const asset = pictureAt(drawn.assets, item.url, 'A picture of the thumbnail', drawn.warn, 'thumbnail')
  if (asset === null) return null
  const width = widthOf(item)
  const size = { width, height: (width * asset.height) / asset.width }
  return {
    kind: 'image',
    id: idOf(item),
    asset,
    rect: rectAt(item, size, drawn),
    ...shownAll(drawn),
    fit: 'fill',
    background: null,
    opacity: item.opacity,
    intro: STILL,
    outro: STILL,
  }
}

function cutoutLayer(item: ThumbnailCutout, drawn: Drawn): ImageLayer | null {
  const { source } = drawn.composition
  if (!source.hasVideo) {
    drawn.warn(
      'NOTHING_FOUND',
      'thumbnail',
      'The thumbnail has no cut-out: there is no picture in the source to cut it from.',
    )
    return null
  }
  const width = widthOf(item)
  const size = { width, height: width * item.ratio }
  const ringed = item.ringColour.trim() !== '' && item.ringWidth > 0
  return {
    kind: 'image',
    id: idOf(item),
    rect: rectAt(item, size, drawn),
    ...shownAll(drawn),
    asset: { digest: SOURCE_FRAME, width: source.width, height: source.height, opaque: true },
    part: partOf(item, source),
    fit: 'fill',
    background: null,
    opacity: 1,
    intro: STILL,
    outro: STILL,
    ...(item.form === 'rounded'
      ? { radius: Math.min(size.width, size.height) * ROUNDED }
      : { ellipse: true }),
    ...(item.form === 'person' ? { person: personOf(item, drawn) } : {}),
    ...(ringed ? { ring: { colour: read(item.ringColour, '#ffffff', drawn), width: item.ringWidth } } : {}),
  }
}

/** The faces that belong to a cut-out and those that do not, by whether they are inside its box at its time. */
function personOf(item: ThumbnailCutout, { composition, document, frame }: Drawn) {
  const { source } = composition
  const part = partOf(item, source)
  const within = ({ x, y, width, height }: Rect): boolean =>
    Math.abs(x + width / 2 - part.x - part.width / 2) < part.width / 2 &&
    Math.abs(y + height / 2 - part.y - part.height / 2) < part.height / 2
  const seen = document.faces === undefined ? [] : sourceFaces(document.faces, frame, composition)
  return {
    faces: seen.filter((face) => within(face)),
    others: seen.filter((face) => !within(face)),
    ...omitUndefined({ bias: item.outlineBias }),
  }
}

/** What is lifted out, inside the source and of the item's shape; display pixels. */
function partOf({ fromX, fromY, fromWidth, ratio }: ThumbnailCutout, source: Size): Rect {
  const wanted = (fromWidth / 100) * source.width
  const width = Math.min(wanted, source.height / ratio)
  const height = width * ratio
  const inside = (middle: number, length: number, all: number): number =>
    Math.max(0, Math.min(all - length, (middle / 100) * all - length / 2))
  return { x: inside(fromX, width, source.width), y: inside(fromY, height, source.height), width, height }
}
