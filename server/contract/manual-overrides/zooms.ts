/** Zooms that an editor set; they replace those that nodes would choose. */
import { Type, type Static } from '@sinclair/typebox'
import { closedObject } from '../config-fields.ts'

export const ManualZoom = closedObject({
  id: Type.String({ minLength: 1, maxLength: 64 }),
  start: Type.Number({ minimum: 0, description: 'Source second' }),
  end: Type.Number({ minimum: 0, description: 'Source second' }),
  scale: Type.Number({ minimum: 1, maximum: 4 }),
  /** Percent of the output: the point that stays where it is. */
  xPercent: Type.Number({ minimum: 0, maximum: 100 }),
  yPercent: Type.Number({ minimum: 0, maximum: 100 }),
  /** Seconds that growing and shrinking take; 0 is a cut. */
  easeSeconds: Type.Number({ minimum: 0, maximum: 10 }),
})
export type ManualZoom = Static<typeof ManualZoom>

/** Sorted, without overlap. */
export const ManualZooms = Type.Array(ManualZoom, { maxItems: 500 })
