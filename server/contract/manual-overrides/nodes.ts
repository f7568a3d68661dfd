/** Nodes that an editor has switched or set for one clip, over those that its run was made with. */
import { Type, type Static } from '@sinclair/typebox'
import { closedObject } from '../config-fields.ts'

const ManualNode = closedObject({
  enabled: Type.Boolean(),
  /** In the node's own form; it replaces the run's configuration. */
  config: Type.Record(Type.String(), Type.Unknown()),
})
type ManualNode = Static<typeof ManualNode>

/** By node type. */
export const ManualNodes = Type.Record(Type.String({ maxLength: 64 }), ManualNode)
