/** How a Composition lays the source picture out: crops that move, whole pictures, panes, and closer looks. */
import { Type, type Static } from '@sinclair/typebox'
import { Rect } from './composition-pictures.ts'
import { choice, closedObject } from './config-fields.ts'

/** One of several views of the source in one output picture. */
export const Pane = closedObject({
  /** Source rectangle, of the shape of `rect`. */
  crop: Rect,
  /** Where it is shown, reference units. */
  rect: Rect,
})
export type Pane = Static<typeof Pane>

/** How the source picture fills the output during a stretch of frames. Spans follow each other without gap. */
export const LayoutSpan = Type.Union([
  closedObject({
    kind: Type.Literal('crop'),
    startFrame: Type.Integer(),
    endFrame: Type.Integer(),
    /** Source rectangle with the output's aspect ratio; it fills the output. */
    crop: Rect,
    /**
     * Where the rectangle has come to at `endFrame`, of the same shape; absent: it stays. It moves evenly, and where it
     * ends in another size it grows or shrinks evenly as well.
     */
    cropTo: Type.Optional(Rect),
    /** It starts and stops gently instead: the share of the way at a share `t` of the time is t * t * (3 - 2 * t). */
    eased: Type.Optional(Type.Literal(true)),
  }),
  closedObject({
    kind: Type.Literal('fit'),
    startFrame: Type.Integer(),
    endFrame: Type.Integer(),
    /** Source rectangle shown whole, centred, scaled by `zoom` (1: just fits). */
    crop: Rect,
    zoom: Type.Number({ minimum: 1 }),
    background: choice(['blur', 'black']),
    /** Moves the picture down by this share of the output's height; absent is centred. */
    yOffsetPercent: Type.Optional(Type.Number()),
  }),
  closedObject({
    kind: Type.Literal('panes'),
    startFrame: Type.Integer(),
    endFrame: Type.Integer(),
    /** Painted in this order. */
    panes: Type.Array(Pane, { minItems: 1, maxItems: 8 }),
    /** Behind and between them. */
    background: choice(['blur', 'black']),
  }),
])
export type LayoutSpan = Static<typeof LayoutSpan>

/** A closer look. The picture grows to `scale` around a point that stays where it is, and back. */
export const Zoom = closedObject({
  startFrame: Type.Integer(),
  endFrame: Type.Integer(),
  scale: Type.Number({ minimum: 1, maximum: 4 }),
  /** Percent of the output's width and height: the point that stays. */
  xPercent: Type.Number({ minimum: 0, maximum: 100 }),
  yPercent: Type.Number({ minimum: 0, maximum: 100 }),
  /** Frames that growing and shrinking take; 0 is a cut. */
  easeInFrames: Type.Integer({ minimum: 0 }),
  easeOutFrames: Type.Integer({ minimum: 0 }),
})
export type Zoom = Static<typeof Zoom>

/** A rectangle of the source whose content is filled in from its surroundings. */
export const SourcePatch = closedObject({
  rect: Rect,
  /** Output frames on which it is there. */
  startFrame: Type.Integer(),
  endFrame: Type.Integer(),
})
export type SourcePatch = Static<typeof SourcePatch>
