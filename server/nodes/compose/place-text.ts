/** Moves titles and captions off faces and banners, once it is known what the whole picture looks like. */
import type { ClipFaces } from '../../contract/clip-measurements.ts'
import type { CaptionLayer, Layer, Rect, TitleLayer } from '../../contract/composition.ts'
import type { TextPlaces } from '../declare.ts'
import { bannersAt, headsAt, meet, type SeenSource } from './face-places.ts'
import type { Warn } from '../../contract/render-remarks.ts'

/** Faces are looked at on so many frames of a text's time, evenly. */
const LOOKS = 24
/** How much worse it is to lie on other text, of the clip or of the source, than on a face. */
const ON_TEXT = 2
/** Another position must be clearer than the preferred one by this share of the block. */
const MOVING = 0.02

/**
 * Moves each text to where it covers faces and banners least, captions first. Without measured faces texts stay, with a warning.
 */
export function placeTexts(
  layers: readonly Layer[],
  places: readonly TextPlaces[],
  faces: ClipFaces | undefined,
  seen: SeenSource,
  warn: Warn,
): Layer[] {
  if (places.length === 0) return [...layers]
  if (faces === undefined) {
    const why = 'no faces were looked for when this clip was made, so its text stays where it is'
    for (const setting of places.flatMap(({ settings }) => settings))
      warn('NOT_MEASURED', setting, `${setting}: ${why}.`)
    return [...layers]
  }
  let placed = [...layers]
  const captionsFirst = [...places].sort(
    (a, b) => (a.style === undefined ? 1 : 0) - (b.style === undefined ? 1 : 0),
  )
  for (const textPlaces of captionsFirst) {
    const layer = placed.find((entry) => entry.id === textPlaces.layer)
    if (layer === undefined || (layer.kind !== 'title' && layer.kind !== 'captions')) continue
    const others = layer.kind === 'title' ? captionBlocks(placed, places) : []
    const yPercent = findLeastCovered(textPlaces, framesOf(layer, textPlaces), faces, seen, others)
    placed = placed.map((entry) => (entry === layer ? moved(layer, textPlaces, yPercent) : entry))
  }
  return placed
}

function moved(layer: TitleLayer | CaptionLayer, textPlaces: TextPlaces, yPercent: number): Layer {
  if (layer.kind === 'title') return { ...layer, yPercent }
  const styles = layer.styles.map((style, index) =>
    index === textPlaces.style ? { ...style, yPercent } : style,
  )
  return { ...layer, styles }
}

function framesOf(layer: TitleLayer | CaptionLayer, textPlaces: TextPlaces): number[] {
  const ranges = layer.kind === 'title' ? [layer] : layer.cues.filter((cue) => cue.style === textPlaces.style)
  const total = ranges.reduce((sum, { startFrame, endFrame }) => sum + endFrame - startFrame, 0)
  const frames: number[] = []
  let done = 0
  for (const { startFrame, endFrame } of ranges) {
    for (let frame = startFrame; frame < endFrame; frame++, done++) {
      if (Math.floor((done * LOOKS) / total) !== Math.floor(((done - 1) * LOOKS) / total)) frames.push(frame)
    }
  }
  return frames
}

function blockAt(textPlaces: TextPlaces, yPercent: number): Rect {
  const { widthPercent, heightPercent } = textPlaces
  return {
    x: (textPlaces.xPercent - widthPercent / 2) / 100,
    y: (yPercent - heightPercent / 2) / 100,
    width: widthPercent / 100,
    height: heightPercent / 100,
  }
}

function captionBlocks(layers: readonly Layer[], places: readonly TextPlaces[]): Rect[] {
  return layers.flatMap((layer) =>
    layer.kind !== 'captions'
      ? []
      : layer.styles.map((style, index) => {
          const textPlaces = places.find((entry) => entry.layer === layer.id && entry.style === index)
          const size = textPlaces ?? {
            xPercent: style.xPercent,
            widthPercent: style.wrapWidthPercent,
            heightPercent: 12,
          }
          return blockAt({ ...size, layer: layer.id, settings: [], yPercents: [] }, style.yPercent)
        }),
  )
}

function findLeastCovered(
  textPlaces: TextPlaces,
  frames: readonly number[],
  faces: ClipFaces,
  seen: SeenSource,
  others: readonly Rect[],
): number {
  // Eyes and mouth count twice: covering hair and chin is less bad.
  const heads = frames.map((frame) => headsAt(faces, frame, seen).flatMap((head) => [head, middleOf(head)]))
  const banners = frames.map((frame) => bannersAt(faces, frame, seen))
  const [first = 50, ...rest] = textPlaces.yPercents
  const cost = (yPercent: number): number => {
    const block = blockAt(textPlaces, yPercent)
    const onFaces = heads.reduce((sum, seenHeads) => sum + covered(block, seenHeads), 0)
    const onBanners = banners.reduce((sum, seenBanners) => sum + covered(block, seenBanners), 0)
    return (onFaces + ON_TEXT * onBanners) / Math.max(1, frames.length) + ON_TEXT * covered(block, others)
  }
  let best = { yPercent: first, cost: cost(first) - MOVING }
  for (const yPercent of rest) {
    const now = cost(yPercent)
    if (now < best.cost) best = { yPercent, cost: now }
  }
  return best.yPercent
}

/** The middle half of a head. */
function middleOf({ x, y, width, height }: Rect): Rect {
  return { x: x + width / 4, y: y + height / 4, width: width / 2, height: height / 2 }
}

/** Share of the block that is covered by the rectangles; overlaps count twice, which only affects ties. */
function covered(block: Rect, rects: readonly Rect[]): number {
  const area = block.width * block.height
  return rects.reduce((sum, rect) => {
    const common = meet(block, rect)
    return sum + (common === null ? 0 : (common.width * common.height) / area)
  }, 0)
}
