/** Measures how well a composition frames the known people of its source. PURE. */
import type { ClipFaces } from '../../contract/clip-measurements.ts'
import {
  legsOf,
  sourceFrames,
  type CaptionLayer,
  type Composition,
  type Rect,
  type FramingQuality,
} from '../../contract/composition.ts'
import { rationalToNumber } from '../../contract/time.ts'
import { meet, shownFaces, sourceFaces } from '../compose/face-places.ts'
import { referenceSize } from '../compose/read-config.ts'
import { estimateWidth } from '../compose/script-words.ts'
import { cropAt, shownParts } from './view-at.ts'
import { headOf, type Point, type Size } from './seen.ts'

/** Sampling more frames adds nothing, and an hour has a hundred thousand. */
const MAX_FRAMES = 3000
/** A face is shown when this share of its box is in the picture. */
const SHOWN = 0.75
/** A caption covers a face when it hides more than this share of its box. */
const HIDDEN = 0.1

type Measured = Pick<
  Composition,
  | 'durationFrames'
  | 'headFrames'
  | 'tailFrames'
  | 'layers'
  | 'layout'
  | 'output'
  | 'source'
  | 'timeMap'
  | 'zooms'
>

/** Null where the faces are not known, or the source has no picture. */
export function framingQuality(composition: Measured, faces: ClipFaces | undefined): FramingQuality | null {
  if (faces === undefined || !composition.source.hasVideo) return null
  const { startFrame: first, endFrame } = sourceFrames(composition)
  const total = endFrame - first
  const frames = Math.min(total, MAX_FRAMES)
  const seen = { ...composition, zooms: composition.zooms ?? [] }
  const captions = composition.layers.filter((layer): layer is CaptionLayer => layer.kind === 'captions')
  const counts = { noFaceShown: 0, headCut: 0, spoken: 0, onSpeaker: 0, captionOnFace: 0 }
  for (let at = 0; at < frames; at++) {
    const frame = first + Math.floor((at * total) / frames)
    const people = shownFaces(faces, frame, seen)
    const visible = people.filter(({ places }) => isShown(places))
    const speakers = people.filter(({ speaks }) => speaks)
    if (people.length > 0 && visible.length === 0) counts.noFaceShown += 1
    if (isHeadCut(faces, frame, composition)) counts.headCut += 1
    if (speakers.length > 0) counts.spoken += 1
    if (speakers.some((person) => visible.includes(person))) counts.onSpeaker += 1
    const blocks = captions.flatMap((layer) => captionBlockAt(layer, frame, composition.output) ?? [])
    const covered = blocks.some((block) =>
      people.some(({ places }) => places.some((box) => shareInside(box, block) > HIDDEN)),
    )
    if (covered) counts.captionOnFace += 1
  }
  const share = (count: number, of: number): number => rounded(count / Math.max(1, of))
  return {
    frames,
    noFaceShown: share(counts.noFaceShown, frames),
    headCut: share(counts.headCut, frames),
    onSpeaker: counts.spoken === 0 ? null : share(counts.onSpeaker, counts.spoken),
    captionOnFace: captions.length === 0 ? null : share(counts.captionOnFace, frames),
    ...cameraMotion(composition),
  }
}

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000

/** So much of a head is in a view that shows it, and so much where it counts as whole: boxes are not measured better. */
const HEAD_SHOWN = 0.5
const HEAD_WHOLE = 0.97

/** Whether a head is shown by views that all cut it; zooms into the picture are not regarded. */
function isHeadCut(faces: ClipFaces, frame: number, { layout, source, timeMap }: Measured): boolean {
  const span = layout.find(({ startFrame, endFrame }) => startFrame <= frame && frame < endFrame)
  if (span === undefined) return false
  const views = shownParts(span, frame)
  return sourceFaces(faces, frame, { source, timeMap }).some(({ x, y, width, height }) => {
    const { left, top, right, bottom } = headOf(
      { x: x + width / 2, y: y + height / 2, width, height },
      source,
    )
    const head = { x: left, y: top, width: right - left, height: bottom - top }
    const most = Math.max(0, ...views.map((view) => shareInside(head, view)))
    return most >= HEAD_SHOWN && most < HEAD_WHOLE
  })
}

const PICTURE: Rect = { x: 0, y: 0, width: 1, height: 1 }

/** Whether enough of a face is in the picture in one of its places (shares of the output). */
export function isShown(places: readonly Rect[]): boolean {
  return places.some((box) => shareInside(box, PICTURE) >= SHOWN)
}

export function shareInside(box: Rect, within: Rect): number {
  const common = meet(box, within)
  return common === null ? 0 : (common.width * common.height) / (box.width * box.height)
}

/** About where the captions of a frame are drawn, in shares of the output; null: none are shown. */
export function captionBlockAt(layer: CaptionLayer, frame: number, output: Size): Rect | null {
  const cue = layer.cues.find(({ startFrame, endFrame }) => startFrame <= frame && frame < endFrame)
  const style = cue === undefined ? undefined : layer.styles[cue.style]
  if (cue === undefined || style === undefined) return null
  const { face, backdrop } = style
  const reference = referenceSize(output)
  const text = cue.words.map((word) => word.text + (word.joinsNext === true ? '' : ' ')).join('')
  const unbroken = estimateWidth(text.trim(), face) * face.fontSize
  const widest = (style.wrapWidthPercent / 100) * reference.width
  // Lines break between words, so that they are not full: a tenth of each stays free.
  const lines = Math.max(1, Math.min(style.maxLines, Math.ceil(unbroken / (0.9 * widest))))
  const padding = backdrop.fill === 'none' ? { x: 0, y: 0 } : { x: backdrop.paddingX, y: backdrop.paddingY }
  const width = (Math.min(widest, unbroken / lines) + 2 * padding.x) / reference.width
  const height = (face.fontSize * face.lineHeight * lines + 2 * padding.y) / reference.height
  return { x: style.xPercent / 100 - width / 2, y: style.yPercent / 100 - height / 2, width, height }
}

/** Differences of the view's place from frame to frame, in its widths. Cuts are no motion. */
export function cameraMotion(
  composition: Pick<Composition, 'layout' | 'output'>,
): Pick<FramingQuality, 'jerk' | 'acceleration'> {
  const rate = rationalToNumber(composition.output.frameRate)
  const motion = { squares: 0, frames: 0, acceleration: 0 }
  for (const path of continuousPaths(composition.layout)) {
    motion.frames += path.length
    for (let frame = 0; frame + 3 < path.length; frame++) {
      motion.acceleration = Math.max(motion.acceleration, difference(path, frame, [1, -2, 1]) * rate ** 2)
      motion.squares += (difference(path, frame, [-1, 3, -3, 1]) * rate ** 3) ** 2
    }
  }
  return {
    jerk: rounded(Math.sqrt(motion.squares / Math.max(1, motion.frames))),
    acceleration: rounded(motion.acceleration),
  }
}

function difference(path: readonly Point[], frame: number, weights: readonly number[]): number {
  const axis = (pick: (place: Point) => number): number =>
    weights.reduce((sum, weight, at) => {
      const place = path[frame + at]
      return place === undefined ? sum : sum + weight * pick(place)
    }, 0)
  return Math.hypot(
    axis(({ x }) => x),
    axis(({ y }) => y),
  )
}

/** The places of the view, frame by frame, in its widths; a new list after each cut. */
function continuousPaths(layout: Composition['layout']): Point[][] {
  const paths: Point[][] = []
  let end: Rect | null = null
  let unit = 1
  const views = layout.flatMap((span) => {
    if (span.kind !== 'panes') return [span]
    const moving = span.panes.filter(({ legs }) => legs !== undefined)
    return [null, ...moving.flatMap((pane) => [...legsOf(pane, span), null])]
  })
  for (const span of views) {
    if (span?.kind !== 'crop') {
      end = null
      continue
    }
    const { crop, cropTo = crop } = span
    const goesOn = end !== null && end.x === crop.x && end.y === crop.y && end.width === crop.width
    if (!goesOn) paths.push([])
    // A view that zooms while it moves is measured at its centre, in widths of the view at its start.
    if (!goesOn) unit = crop.width
    const path = paths.at(-1)
    for (let frame = span.startFrame; frame < span.endFrame; frame++) {
      const { x, y, width, height } = cropAt(span, frame)
      path?.push({ x: (x + width / 2) / unit, y: (y + height / 2) / unit })
    }
    end = cropTo
  }
  return paths
}
