/** Nodes that an editor has switched or set for one clip, over those that its run was made with. */
import { Type, type Static } from '@sinclair/typebox'

export const HandNode = Type.Object(
  {
    enabled: Type.Boolean(),
    /** In the node's own form; it stands in the place of the run's. */
    config: Type.Record(Type.String(), Type.Unknown()),
  },
  { additionalProperties: false },
)
export type HandNode = Static<typeof HandNode>

/** By node type. */
export const HandNodes = Type.Record(Type.String({ maxLength: 64 }), HandNode)
export type HandNodes = Static<typeof HandNodes>
