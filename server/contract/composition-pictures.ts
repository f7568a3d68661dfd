/** Pictures in a Composition: still ones, moving ones, and the wave that is drawn of the sound. */
import { Type, type Static } from '@sinclair/typebox'
import { HDR_COLOURS } from './colour-matrix.ts'
import { KEYFRAMES } from './keyframes/keyframes.ts'
import { Rational, Ticks } from './time.ts'
import { choice, closedObject, nullable } from './config-fields.ts'

export const Rect = closedObject({
  x: Type.Number(),
  y: Type.Number(),
  width: Type.Number(),
  height: Type.Number(),
})
export type Rect = Static<typeof Rect>

/** A still picture that was fetched: by content, so that the same picture is the same Composition wherever it came from. */
export const PictureAsset = closedObject({
  /** SHA-256 of the stored file. */
  digest: Type.String(),
  /** Pixels, as shown. */
  width: Type.Integer({ minimum: 1 }),
  height: Type.Integer({ minimum: 1 }),
  /** Nothing shines through it anywhere. */
  opaque: Type.Boolean(),
})
export type PictureAsset = Static<typeof PictureAsset>

/** How a picture enters or leaves: from or to beyond a side, or growing or shrinking while it fades. */
export const PictureMove = closedObject({
  kind: choice(['none', 'fade', 'left', 'right', 'top', 'bottom', 'small', 'large']),
  frames: Type.Integer({ minimum: 0 }),
})
export type PictureMove = Static<typeof PictureMove>

/** What still and moving pictures have in common. */
const SHOWN = {
  /** Share by which the picture slowly grows from its centre while it is shown; absent: it does not. */
  drift: Type.Optional(Type.Number({ minimum: 0, maximum: 0.5 })),
  /** Instead it shrinks by that share, or stays as much larger while the view moves to that side; absent: it grows. */
  driftTo: Type.Optional(choice(['out', 'left', 'right'])),
  /** Fills the rectangle behind the picture; null: nothing. */
  background: nullable(Type.String()),
  opacity: Type.Number({ minimum: 0, maximum: 1 }),
  startFrame: Type.Integer(),
  endFrame: Type.Integer(),
  intro: PictureMove,
  outro: PictureMove,
  ...KEYFRAMES,
}

export const ImageLayer = closedObject({
  kind: Type.Literal('image'),
  id: Type.String(),
  asset: PictureAsset,
  /** Where it is at rest, reference units; may reach past the output. */
  rect: Rect,
  /** How the picture fills the rectangle: whole, cropped to it, or stretched. */
  fit: choice(['contain', 'cover', 'fill']),
  /** Of the rectangle's corners, reference units; absent: they are square. */
  radius: Type.Optional(Type.Number({ minimum: 0 })),
  /** Shown in the ellipse that fills the rectangle, instead of in corners. */
  ellipse: Type.Optional(Type.Literal(true)),
  /** Only this part of the picture is shown, in its pixels. */
  part: Type.Optional(Rect),
  /**
   * Shows only the person in front, cut out along the outline found in the picture; without an outline the whole
   * layer is shown. Only for the source's own picture (SOURCE_FRAME).
   */
  person: Type.Optional(
    closedObject({
      /** Measured faces of the person who is meant and of others, in the picture's pixels. */
      faces: Type.Array(Rect),
      others: Type.Array(Rect),
      /** Takes more where above 0, less below. */
      bias: Type.Optional(Type.Number({ minimum: -1, maximum: 1 })),
    }),
  ),
  /** Drawn around its shape, outwards, reference units. */
  ring: Type.Optional(closedObject({ colour: Type.String(), width: Type.Number({ minimum: 0 }) })),
  /** Which part stays when `cover` cuts, or where it is between the bars of `contain`, percent; absent: the middle. */
  focusX: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
  focusY: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
  ...SHOWN,
})
export type ImageLayer = Static<typeof ImageLayer>

/** A video file that was fetched, or taken from the library, by content. */
export const VideoAsset = closedObject({
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
  /** Without a matrix it is chosen by the size, as players do. */
  ...HDR_COLOURS,
})
export type VideoAsset = Static<typeof VideoAsset>

/** A moving picture over the clip: b-roll, an overlay, a card. It is laid under every layer that comes after it. */
export const VideoLayer = closedObject({
  kind: Type.Literal('video'),
  id: Type.String(),
  asset: VideoAsset,
  /** Moment of the file that is shown on `startFrame`. */
  sourceStart: Ticks,
  /** Starts again from the file's beginning when it ends before `endFrame`; otherwise its last picture is held. */
  loop: Type.Boolean(),
  rect: Rect,
  fit: choice(['contain', 'cover', 'fill']),
  /** Which part stays when `cover` cuts, or where it is between the bars of `contain`, percent: 50 is the middle. */
  focusX: Type.Number({ minimum: 0, maximum: 100 }),
  focusY: Type.Number({ minimum: 0, maximum: 100 }),
  ...SHOWN,
})
export type VideoLayer = Static<typeof VideoLayer>

/**
 * The clip's sound as a moving wave. `bars` stand on the rectangle's lower edge, the present in the middle and the past
 * further out; `mirror` is a strip of sound around the rectangle's middle that moves from right to left, the present at
 * its centre and the future paler; `line` is an oscillating curve.
 */
export const AudiogramLayer = closedObject({
  kind: Type.Literal('audiogram'),
  id: Type.String(),
  rect: Rect,
  colour: Type.String(),
  /** Outline or glow around the wave; absent: none. Reference units. */
  halo: Type.Optional(closedObject({ colour: Type.String(), width: Type.Number({ minimum: 0 }) })),
  style: choice(['bars', 'line', 'mirror']),
  startFrame: Type.Integer(),
  endFrame: Type.Integer(),
  /**
   * Height of the wave, a character for each `framesPerLevel` frames from `startFrame` on: `0` is none, `Z` all of it
   * (base 36). Taken from the sound's measured levels, so that preview and export draw the same.
   */
  levels: Type.String({ pattern: '^[0-9A-Z]*$' }),
  framesPerLevel: Type.Number({ exclusiveMinimum: 0 }),
  ...KEYFRAMES,
})
export type AudiogramLayer = Static<typeof AudiogramLayer>

/** A rectangle, or an ellipse, of one colour, or of one that runs into another from its top to its bottom. */
export const ShapeLayer = closedObject({
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
  /** 1 when absent. */
  opacity: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  startFrame: Type.Integer(),
  endFrame: Type.Integer(),
  ...KEYFRAMES,
})
export type ShapeLayer = Static<typeof ShapeLayer>

/** Digest that stands for the source's own frame in a thumbnail's layers; in no composition that is rendered. */
export const SOURCE_FRAME = 'source-frame'
