/** The thumbnail of a clip as an editor has designed it: one moment of the source, and what is laid over it. */
import { Type, type Static } from '@sinclair/typebox'
import { choice, closedObject, mediaAddress } from '../config-fields.ts'

/** Percent of the output's width and height, of the item's centre: the same design fits every shape. */
const place = {
  id: Type.String({ minLength: 1, maxLength: 64 }),
  xPercent: Type.Number({ minimum: -100, maximum: 200 }),
  yPercent: Type.Number({ minimum: -100, maximum: 200 }),
}
const colour = Type.String({ minLength: 1, maxLength: 64 })
/** Empty: none. */
const maybeColour = Type.String({ maxLength: 64 })
const opacity = Type.Number({ minimum: 0, maximum: 1 })
/** Width in percent of the output's short side: a circle stays one, as large, in every shape. */
const sizePercent = Type.Number({ minimum: 1, maximum: 400 })

const ThumbnailText = closedObject({
  kind: Type.Literal('text'),
  ...place,
  text: Type.String({ minLength: 1, maxLength: 300 }),
  /** The clip's title is shown instead, as it is then; absent: the text was typed. */
  followsTitle: Type.Optional(Type.Literal(true)),
  fontFamily: Type.String({ minLength: 1, maxLength: 200 }),
  /** Reference units. */
  fontSize: Type.Number({ minimum: 8, maximum: 600 }),
  fontWeight: Type.Integer({ minimum: 100, maximum: 1000 }),
  upperCase: Type.Boolean(),
  align: choice(['left', 'center', 'right']),
  /** Lines are broken at this share of the output's width, percent. */
  widthPercent: Type.Number({ minimum: 5, maximum: 100 }),
  colour,
  outlineColour: maybeColour,
  /** Reference units. */
  outlineWidth: Type.Number({ minimum: 0, maximum: 60 }),
  background: maybeColour,
})

const ThumbnailShape = closedObject({
  kind: Type.Literal('shape'),
  ...place,
  form: choice(['rect', 'ellipse']),
  /** Percent of the output's width and height. */
  widthPercent: Type.Number({ minimum: 0.5, maximum: 300 }),
  heightPercent: Type.Number({ minimum: 0.5, maximum: 300 }),
  /** Of a rectangle's corners, reference units. */
  radius: Type.Number({ minimum: 0, maximum: 1000 }),
  colour,
  /** It runs into this one towards its bottom; empty: it is of one colour. */
  colourTo: maybeColour,
  opacity,
})

const ThumbnailPicture = closedObject({
  kind: Type.Literal('picture'),
  ...place,
  url: mediaAddress('Picture'),
  sizePercent,
  opacity,
})

/** A part of the frame, cut out as a simple shape or along the outline of the person in it. */
export const ThumbnailCutout = closedObject({
  kind: Type.Literal('cutout'),
  ...place,
  form: choice(['ellipse', 'rounded', 'person']),
  sizePercent,
  /** Height for its width. */
  ratio: Type.Number({ minimum: 0.25, maximum: 4 }),
  /** Middle of what is lifted out, percent of the source's width and height. */
  fromX: Type.Number({ minimum: 0, maximum: 100 }),
  fromY: Type.Number({ minimum: 0, maximum: 100 }),
  /** Its width, percent of the source's. */
  fromWidth: Type.Number({ minimum: 2, maximum: 100 }),
  /** Drawn around the form; of a person along the outline. */
  ringColour: maybeColour,
  /** Reference units. */
  ringWidth: Type.Number({ minimum: 0, maximum: 100 }),
  /** Of a person: takes more of what may be theirs where above 0, less below. */
  outlineBias: Type.Optional(Type.Number({ minimum: -1, maximum: 1 })),
})
export type ThumbnailCutout = Static<typeof ThumbnailCutout>

export const ThumbnailItem = Type.Union([ThumbnailText, ThumbnailShape, ThumbnailPicture, ThumbnailCutout])
export type ThumbnailItem = Static<typeof ThumbnailItem>

export const ManualThumbnail = closedObject({
  /** Source second. */
  moment: Type.Number({ minimum: 0 }),
  /** Whether title, watermark and whatever else the clip shows there, captions apart, are in it as well. */
  clipLayers: Type.Boolean(),
  /** The first is at the bottom. */
  items: Type.Array(ThumbnailItem, { maxItems: 40 }),
})
export type ManualThumbnail = Static<typeof ManualThumbnail>
