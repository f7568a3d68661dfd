/** A workflow that is not saved yet, shown on a clip. Route under /studio/; not part of either public contract. */
import { Type, type Static } from '@sinclair/typebox'
import { StudioClipSource, StudioComposition } from './studio-editor.ts'
import { WorkflowEdge, WorkflowNode } from './workflow.ts'

export const StudioWorkflowDraft = Type.Object({
  /** The clip that it is shown on; absent: the bundled sample. */
  clipId: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  nodes: Type.Array(WorkflowNode, { maxItems: 100 }),
  edges: Type.Array(WorkflowEdge, { maxItems: 1000 }),
})
export type StudioWorkflowDraft = Static<typeof StudioWorkflowDraft>

export const StudioWorkflowPreview = Type.Object({
  ...StudioComposition.properties,
  source: Type.Pick(StudioClipSource, ['url', 'startSeconds']),
  /** Seconds of the clip before anything is cut out of it. */
  uncutSeconds: Type.Number(),
})
export type StudioWorkflowPreview = Static<typeof StudioWorkflowPreview>
