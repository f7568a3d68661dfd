/** Layouts that an editor set for ranges of a clip; nodes lay out the ranges between them. */
import { Type, type Static } from '@sinclair/typebox'
import { choice, closedObject } from '../config-fields.ts'

const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description })
const second = (description: string) => Type.Number({ minimum: 0, description })

/** Source seconds. */
const stretch = { start: second('Source second of its beginning'), end: second('Source second of its end') }

/** A part of the source picture with the shape that it is to fill. */
export const ManualView = closedObject({
  x: share('Centre, share of the source picture from its left edge'),
  y: share('Centre, share of the source picture from its top edge'),
  zoom: Type.Number({ minimum: 1, maximum: 8, description: '1 shows as much as fits the shape' }),
})
export type ManualView = Static<typeof ManualView>

export const ManualKeyframe = closedObject({
  at: second('Source second at which the view is this one'),
  ...ManualView.properties,
})
export type ManualKeyframe = Static<typeof ManualKeyframe>

export const ManualLayout = Type.Union([
  closedObject({
    kind: Type.Literal('crop'),
    ...stretch,
    /** In order of time; interpolated between them, constant before the first and after the last. */
    keyframes: Type.Array(ManualKeyframe, { minItems: 1, maxItems: 500 }),
    eased: Type.Boolean({ description: 'It starts and stops gently at each keyframe' }),
  }),
  closedObject({
    kind: Type.Literal('fit'),
    ...stretch,
    zoom: Type.Number({ minimum: 1, maximum: 8 }),
    background: choice(['blur', 'black']),
  }),
  closedObject({
    kind: Type.Literal('split'),
    ...stretch,
    /** From the top, or row by row where there are more than three. */
    views: Type.Array(ManualView, { minItems: 2, maxItems: 4 }),
  }),
  closedObject({
    kind: Type.Literal('follow'),
    ...stretch,
    /** Id of the track in the clip's faces. In shots in which it is not seen the nodes decide. */
    person: Type.Integer({ minimum: 0 }),
    zoom: Type.Number({ minimum: 1, maximum: 8 }),
  }),
])
export type ManualLayout = Static<typeof ManualLayout>

/** Sorted, without overlap. */
export const ManualLayouts = Type.Array(ManualLayout, { maxItems: 500 })
export type ManualLayouts = Static<typeof ManualLayouts>
