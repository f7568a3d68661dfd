/** Workflows: a directed acyclic graph of nodes, saved per company. */
import { Type, type Static } from '@sinclair/typebox'
import { Metadata } from './metadata.ts'
import { BasicClip } from './public-clip.ts'
import { ReadyAt } from './promises.ts'
import { RunStatus, WaitsFor } from './run.ts'
import { nullable } from './config-fields.ts'

export const WorkflowNode = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 200 }),
  type: Type.String({ minLength: 1, maxLength: 100 }),
  config: Type.Record(Type.String(), Type.Unknown()),
  position: Type.Optional(Type.Object({ x: Type.Number(), y: Type.Number() })),
})
export type WorkflowNode = Static<typeof WorkflowNode>

export const WorkflowEdge = Type.Object({
  id: Type.Optional(Type.String()),
  source: Type.String(),
  target: Type.String(),
})
export type WorkflowEdge = Static<typeof WorkflowEdge>

export const WorkflowGraph = Type.Object({ nodes: Type.Array(WorkflowNode), edges: Type.Array(WorkflowEdge) })
export type WorkflowGraph = Static<typeof WorkflowGraph>

/** The form of `cutroom workflow import FILE`. */
export const WorkflowFile = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 200 }),
  description: Type.Optional(Type.String({ maxLength: 2000 })),
  nodes: Type.Array(WorkflowNode),
  edges: Type.Optional(Type.Array(WorkflowEdge)),
})
export type WorkflowFile = Static<typeof WorkflowFile>

export const WorkflowSummary = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
})
export type WorkflowSummary = Static<typeof WorkflowSummary>

export const WorkflowDocument = Type.Intersect([WorkflowSummary, WorkflowGraph])
export type WorkflowDocument = Static<typeof WorkflowDocument>

/** A workflow in the studio's editor; `revision` is returned with the saved one. */
export const EditedWorkflow = Type.Intersect([WorkflowDocument, Type.Object({ revision: Type.Integer() })])
export type EditedWorkflow = Static<typeof EditedWorkflow>

const Moment = nullable(Type.String({ description: 'ISO-8601 UTC' }))

export const WorkflowResults = Type.Object({
  status: RunStatus,
  /** Empty until Completed; highest viralityScore first. */
  clips: Type.Array(BasicClip),
  /** Only when the status is Error: a sentence for a person, and the code for a program. */
  error: Type.Optional(Type.String()),
  code: Type.Optional(Type.String()),
  waitsFor: Type.Optional(WaitsFor),
  readyAt: Type.Optional(ReadyAt),
  progress: Type.Number({ minimum: 0, maximum: 1 }),
  /** What it is doing, for people; empty when it does nothing. */
  stage: Type.String(),
  warnings: Type.Array(Type.String()),
  startedAt: Moment,
  finishedAt: Moment,
  metadata: Metadata,
})
export type WorkflowResults = Static<typeof WorkflowResults>
