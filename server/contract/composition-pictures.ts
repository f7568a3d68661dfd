/** Pictures in a Composition: still ones, moving ones, and the wave that is drawn of the sound. */
import { Type, type Static } from '@sinclair/typebox'
import { Rational, Ticks } from './time.ts'

const closed = { additionalProperties: false } as const

export const Rect = Type.Object(
  { x: Type.Number(), y: Type.Number(), width: Type.Number(), height: Type.Number() },
  closed,
)
export type Rect = Static<typeof Rect>

/** A still picture that was fetched: by content, so that the same picture is the same Composition wherever it came from. */
export const PictureAsset = Type.Object(
  {
    /** SHA-256 of the kept file. */
    digest: Type.String(),
    /** Pixels, as shown. */
    width: Type.Integer({ minimum: 1 }),
    height: Type.Integer({ minimum: 1 }),
    /** Nothing shines through it anywhere. */
    opaque: Type.Boolean(),
  },
  closed,
)
export type PictureAsset = Static<typeof PictureAsset>

/**
 * How a picture comes or goes. Sides say where it comes from or leaves to, past the edge of the output; `small` and
 * `large` the size that it grows or shrinks from or to, while it fades.
 */
export const PictureMove = Type.Object(
  {
    kind: Type.Union([
      Type.Literal('none'),
      Type.Literal('fade'),
      Type.Literal('left'),
      Type.Literal('right'),
      Type.Literal('top'),
      Type.Literal('bottom'),
      Type.Literal('small'),
      Type.Literal('large'),
    ]),
    frames: Type.Integer({ minimum: 0 }),
  },
  closed,
)
export type PictureMove = Static<typeof PictureMove>

export const ImageLayer = Type.Object(
  {
    kind: Type.Literal('image'),
    id: Type.String(),
    asset: PictureAsset,
    /** Where it is at rest, reference units; may reach past the output. */
    rect: Rect,
    /** How the picture fills the rectangle: whole, cropped to it, or stretched. */
    fit: Type.Union([Type.Literal('contain'), Type.Literal('cover'), Type.Literal('fill')]),
    /** Of the rectangle's corners, reference units; absent: they are square. */
    radius: Type.Optional(Type.Number({ minimum: 0 })),
    /** Shown in the ellipse that fills the rectangle, instead of in corners. */
    ellipse: Type.Optional(Type.Literal(true)),
    /** Only this part of the picture is shown, in its pixels. */
    part: Type.Optional(Rect),
    /**
     * Only who stands before the rest is shown, along the outline that is found in the picture itself; where none is
     * found, the layer is shown as it would be without this. Of the source's own picture only (SOURCE_FRAME).
     */
    person: Type.Optional(
      Type.Object(
        {
          /** Of who is meant, and of others: the faces that were measured, in its pixels. */
          faces: Type.Array(Rect),
          others: Type.Array(Rect),
          /** Takes more where above 0, less below. */
          bias: Type.Optional(Type.Number({ minimum: -1, maximum: 1 })),
        },
        closed,
      ),
    ),
    /** Drawn around its shape, outwards, reference units. */
    ring: Type.Optional(Type.Object({ colour: Type.String(), width: Type.Number({ minimum: 0 }) }, closed)),
    /**
     * While it is shown, the picture slowly grows inside its rectangle, from its middle, by this share; what no longer
     * fits is cut off. Absent: it stands still.
     */
    drift: Type.Optional(Type.Number({ minimum: 0, maximum: 0.5 })),
    /** Fills the rectangle behind the picture; null: nothing. */
    background: Type.Union([Type.String(), Type.Null()]),
    opacity: Type.Number({ minimum: 0, maximum: 1 }),
    startFrame: Type.Integer(),
    endFrame: Type.Integer(),
    intro: PictureMove,
    outro: PictureMove,
  },
  closed,
)
export type ImageLayer = Static<typeof ImageLayer>

/** A video file that was fetched, or taken from the library, by content. */
export const VideoAsset = Type.Object(
  {
    digest: Type.String(),
    /** Pixels, as shown (after rotation). */
    width: Type.Integer({ minimum: 1 }),
    height: Type.Integer({ minimum: 1 }),
    frameRate: Rational,
    duration: Ticks,
    hasAudio: Type.Boolean(),
    /** Stream of the file that holds the picture. */
    videoStream: Type.Integer({ minimum: 0 }),
    hdr: Type.Boolean(),
    interlaced: Type.Boolean(),
    /** Nothing shines through it: the file has no transparency. */
    opaque: Type.Boolean(),
    /** What its YCbCr means, where the file says; absent: judged by the size, as players do. */
    colourMatrix: Type.Optional(
      Type.Union([Type.Literal('bt709'), Type.Literal('bt601'), Type.Literal('bt2020')]),
    ),
    /** HDR that does not say what its red, green and blue are. */
    unknownPrimaries: Type.Optional(Type.Literal(true)),
  },
  closed,
)
export type VideoAsset = Static<typeof VideoAsset>

/** A moving picture over the clip: b-roll, an overlay, a card. It is laid under every layer that comes after it. */
export const VideoLayer = Type.Object(
  {
    kind: Type.Literal('video'),
    id: Type.String(),
    asset: VideoAsset,
    /** Moment of the file that is shown on `startFrame`. */
    sourceStart: Ticks,
    /** Starts again from the file's beginning when it ends before `endFrame`; otherwise its last picture is held. */
    loop: Type.Boolean(),
    rect: Rect,
    fit: Type.Union([Type.Literal('contain'), Type.Literal('cover'), Type.Literal('fill')]),
    /** Which part stays when `cover` cuts, percent of what is cut: 50 is the middle. */
    focusX: Type.Number({ minimum: 0, maximum: 100 }),
    focusY: Type.Number({ minimum: 0, maximum: 100 }),
    /** Fills the rectangle behind the picture; null: nothing. */
    background: Type.Union([Type.String(), Type.Null()]),
    opacity: Type.Number({ minimum: 0, maximum: 1 }),
    startFrame: Type.Integer(),
    endFrame: Type.Integer(),
    intro: PictureMove,
    outro: PictureMove,
  },
  closed,
)
export type VideoLayer = Static<typeof VideoLayer>

/**
 * The clip's sound as a moving wave. `bars` stand on the rectangle's lower edge, what is heard now in the middle and what
 * was heard a moment ago further out; `mirror` is a strip of the sound around the rectangle's middle that passes from
 * right to left, what is heard now in its centre and what is still to come paler; `line` is a curve that swings.
 */
export const AudiogramLayer = Type.Object(
  {
    kind: Type.Literal('audiogram'),
    id: Type.String(),
    rect: Rect,
    colour: Type.String(),
    /** Drawn around the wave, so that it stands out from a picture, or glows; absent: nothing. Reference units. */
    halo: Type.Optional(Type.Object({ colour: Type.String(), width: Type.Number({ minimum: 0 }) }, closed)),
    style: Type.Union([Type.Literal('bars'), Type.Literal('line'), Type.Literal('mirror')]),
    startFrame: Type.Integer(),
    endFrame: Type.Integer(),
    /**
     * Height of the wave, a character for each `framesPerLevel` frames from `startFrame` on: `0` is none, `Z` all of it
     * (base 36). Taken from the sound's measured levels, so that preview and export draw the same.
     */
    levels: Type.String({ pattern: '^[0-9A-Z]*$' }),
    framesPerLevel: Type.Number({ exclusiveMinimum: 0 }),
  },
  closed,
)
export type AudiogramLayer = Static<typeof AudiogramLayer>

/** A rectangle, or an ellipse, of one colour, or of one that runs into another from its top to its bottom. */
export const ShapeLayer = Type.Object(
  {
    kind: Type.Literal('shape'),
    id: Type.String(),
    rect: Rect,
    colour: Type.String(),
    /** Colour at the bottom; absent: the same as at the top. */
    colourTo: Type.Optional(Type.String()),
    /** Of the corners, reference units. */
    radius: Type.Number({ minimum: 0 }),
    /** The ellipse that fills the rectangle, instead of it. */
    ellipse: Type.Optional(Type.Literal(true)),
    startFrame: Type.Integer(),
    endFrame: Type.Integer(),
  },
  closed,
)
export type ShapeLayer = Static<typeof ShapeLayer>
