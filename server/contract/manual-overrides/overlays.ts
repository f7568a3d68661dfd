/** Pictures, videos and texts that an editor has laid over stretches of a clip. */
import { Type, type Static } from '@sinclair/typebox'
import { PICTURE_FITS, PICTURE_MOTIONS } from '../clip-broll.ts'
import { choice, closedObject, mediaUrlField } from '../config-fields.ts'

const percent = Type.Number({ minimum: -100, maximum: 200 })

/** Source seconds: an overlay stays on its words when the clip is trimmed. Positions are of its centre, percent. */
const common = {
  id: Type.String({ minLength: 1, maxLength: 64 }),
  start: Type.Number({ minimum: 0 }),
  end: Type.Number({ minimum: 0 }),
  xPercent: percent,
  yPercent: percent,
  opacity: Type.Number({ minimum: 0, maximum: 1 }),
  fadeSeconds: Type.Number({ minimum: 0, maximum: 10 }),
}

export const ManualOverlay = Type.Union([
  closedObject({
    kind: Type.Literal('media'),
    ...common,
    url: mediaUrlField('Picture or video'),
    widthPercent: Type.Number({ minimum: 1, maximum: 400 }),
    /** It fills the whole picture instead of being as wide as that; its place is then what stays of it. */
    fit: Type.Optional(choice(PICTURE_FITS)),
    /** Of a picture; `still` when absent. */
    motion: Type.Optional(choice(PICTURE_MOTIONS)),
  }),
  closedObject({
    kind: Type.Literal('text'),
    ...common,
    text: Type.String({ minLength: 1, maxLength: 500 }),
    fontFamily: Type.String({ minLength: 1, maxLength: 200 }),
    /** Reference units. */
    fontSize: Type.Number({ minimum: 8, maximum: 400 }),
    fontWeight: Type.Integer({ minimum: 100, maximum: 1000 }),
    colour: Type.String({ maxLength: 64 }),
    /** Empty: none. */
    background: Type.String({ maxLength: 64 }),
  }),
])
export type ManualOverlay = Static<typeof ManualOverlay>

/** The first is at the bottom. */
export const ManualOverlays = Type.Array(ManualOverlay, { maxItems: 100 })
