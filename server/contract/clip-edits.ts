/** One edit of many clips: made clip by clip, and taken back as one. */
import { Type, type Static } from '@sinclair/typebox'
import { choice, closedObject, nullable } from './config-fields.ts'

/** Chosen by who edits, so that what belongs together is taken back together. */
export const ClipEditId = Type.String({ pattern: '^[\\w-]{8,64}$' })

export const ClipEditRequest = closedObject({
  editId: ClipEditId,
  /** Commands of the clip editor, in their order. */
  calls: Type.Optional(
    Type.Array(
      closedObject({
        name: Type.String({ minLength: 1, maxLength: 64 }),
        arguments: Type.Record(Type.String(), Type.Unknown()),
      }),
      { minItems: 1, maxItems: 10 },
    ),
  ),
  /** A brand kit to put on the clip, before the commands. */
  brandKitId: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
})
export type ClipEditRequest = Static<typeof ClipEditRequest>

export const ClipEditMade = Type.Object({
  state: choice(['done', 'unchanged', 'refused']),
  /** A sentence for what was refused; null: nothing was. */
  why: nullable(Type.String()),
})
export type ClipEditMade = Static<typeof ClipEditMade>

export const ClipEditUndone = Type.Object({
  /** Ids of the clips that are as they were. */
  restored: Type.Array(Type.String()),
  /** Clips that somebody has changed since: they stay as they are. */
  left: Type.Array(Type.Object({ clipId: Type.String(), title: Type.String() })),
})
export type ClipEditUndone = Static<typeof ClipEditUndone>
