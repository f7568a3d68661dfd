/** What every layer kind gives the compositor. One file per kind; registry.ts lists them. */
import type { Rational } from '../../../server/contract/time.ts'
import type { Box } from '../box.ts'
import type { DrawingContext, PictureLike } from '../canvas.ts'
import { parseColour, WHITE, type Rgba } from '../colour.ts'
import type { FontTable } from '../font-table.ts'
import type { Warn } from '../../../server/contract/render-remarks.ts'
import type { LayerSetting } from '../layer-setting.ts'

/** The composition's pictures, decoded, by the digest of their files. */
export type Pictures = ReadonlyMap<string, PictureLike>

/** One picture of a video, ready to be drawn, with its size as shown. */
export interface VideoPicture {
  readonly image: PictureLike
  readonly width: number
  readonly height: number
}

/** Gives the picture of a video file that is on at a moment, seconds from its start; null while there is none yet. */
export type Videos = (digest: string, seconds: number) => VideoPicture | null

/** What a layer may use while it is laid out. */
export interface LayoutContext {
  /** Only for measuring text. */
  readonly canvas: DrawingContext
  readonly fonts: FontTable
  readonly pictures: Pictures
  /** Null where the caller composites videos itself. */
  readonly videos: Videos | null
  /** Output size in pixels. */
  readonly width: number
  readonly height: number
  /** Output pixels per reference unit. */
  readonly unit: number
  readonly framesPerSecond: number
  readonly frameRate: Rational
  readonly durationFrames: number
  readonly warn: Warn
  /** The setting that the layer's look comes from, for warnings. */
  readonly setting: LayerSetting
}

export interface FrameRange {
  readonly startFrame: number
  readonly endFrame: number
}

/** A text as it is laid out, at rest: its lines with what is behind them, without outlines, shadows and moves. */
export interface TextBlock extends FrameRange {
  readonly box: Box
  /** The point that the style's place is for; where the block would leave the picture, as near to it as it may be. */
  readonly centreX: number
  readonly centreY: number
}

/** A layer laid out once; everything after that is a function of the frame. Boxes are in output pixels. */
export interface PreparedLayer {
  readonly id: string
  /** Everything that the layer ever paints; null when it paints nothing. */
  readonly box: Box | null
  /** When it shows something: sorted, apart from each other. */
  readonly shown: readonly FrameRange[]
  /** Equal for two frames exactly when both look the same; '' when nothing is shown. */
  stateAt(frame: number): string
  /** Bounding box of everything that is drawn at this frame; null when nothing is. */
  paintedAt(frame: number): Box | null
  /** Where two frames may differ; null when they do not. */
  damage(from: number, to: number): Box | null
  draw(canvas: DrawingContext, frame: number): void
  /** Of layers of text: the block that is shown at this frame, or else the one that is shown nearest to it. */
  blockAt?(frame: number): TextBlock | null
}

/** White, with a warning, for what is no colour. */
export function readColour(text: string, { setting, warn }: LayoutContext): Rgba {
  const colour = parseColour(text)
  if (colour === null)
    warn('VALUE_IGNORED', setting.field, `"${text}" is not a colour; white is used in its place.`)
  return colour ?? WHITE
}

/** The one that is shown at the frame, the later of two; else the nearest in time; null when there is none. */
export function nearestRange<Range extends FrameRange>(
  ranges: readonly Range[],
  frame: number,
): Range | null {
  const away = ({ startFrame, endFrame }: FrameRange): number =>
    Math.max(0, startFrame - frame, frame - (endFrame - 1))
  return ranges.reduce<Range | null>(
    (best, range) => (best === null || away(range) <= away(best) ? range : best),
    null,
  )
}

/** Sorts ranges and joins those that touch. */
export function joinRanges(ranges: readonly FrameRange[]): FrameRange[] {
  const joined: { startFrame: number; endFrame: number }[] = []
  for (const range of [...ranges].sort((a, b) => a.startFrame - b.startFrame)) {
    if (range.endFrame <= range.startFrame) continue
    const last = joined.at(-1)
    if (last !== undefined && range.startFrame <= last.endFrame)
      last.endFrame = Math.max(last.endFrame, range.endFrame)
    else joined.push({ startFrame: range.startFrame, endFrame: range.endFrame })
  }
  return joined
}
