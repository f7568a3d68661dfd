/** Workflows as services see them, and the request to run one. */
import { Type, type Static } from '@sinclair/typebox'
import { WorkflowEdge, WorkflowNode } from '../workflow.ts'
import { Moment } from './envelope.ts'
import { closedObject, choice, oneOf } from '../config-fields.ts'

const Revision = Type.String({ description: 'Opaque; another one after every change of the workflow' })

export const WorkflowItem = closedObject({
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  revision: Revision,
  /** Types of its nodes, in the order in which it names them. */
  nodeTypes: Type.Array(Type.String()),
  createdAt: Moment,
  updatedAt: Moment,
})
export type WorkflowItem = Static<typeof WorkflowItem>

export const WorkflowDetail = closedObject({
  ...WorkflowItem.properties,
  nodes: Type.Array(WorkflowNode),
  edges: Type.Array(WorkflowEdge),
})
export type WorkflowDetail = Static<typeof WorkflowDetail>

const WorkflowInput = closedObject({
  // What an address may be is decided with the source itself: here it is only described.
  url: Type.Optional(
    Type.Unknown({
      type: 'string',
      minLength: 1,
      maxLength: 8192,
      format: 'uri',
      description: 'Publicly reachable long-form video',
    }),
  ),
  values: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description:
        'Flat settings of the run as the public trigger takes them (orientation, minLengthTarget, keywords and so on)',
    }),
  ),
})

/** The body of both prepare-run and run; each route checks what it needs. */
export const WorkflowRequest = closedObject({
  confirmationId: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  expectedWorkflowRevision: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  input: Type.Optional(WorkflowInput),
  nodeConfigs: Type.Optional(
    Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()), {
      description: 'Node type to the settings that override the saved ones',
    }),
  ),
  workflowId: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
})
export type WorkflowRequest = Static<typeof WorkflowRequest>

export const DISPATCH_STATES = ['queued', 'leased', 'done', 'failed'] as const
export type DispatchState = (typeof DISPATCH_STATES)[number]

/** A confirmed run on its way: ids of the run and of its operation are known from the start. */
export const WorkflowDispatch = closedObject({
  id: Type.String(),
  state: oneOf(DISPATCH_STATES),
  workflowId: Type.String(),
  workflowRevision: Revision,
  runId: Type.String({ description: 'GET /runs/{runId} tells how it goes' }),
  operationId: Type.String({ description: 'GET /operations/{operationId} tells the same of the work' }),
  createdAt: Moment,
})
export type WorkflowDispatch = Static<typeof WorkflowDispatch>

export const CONFIRMATION_ACTIONS = ['publish_post', 'cancel_post', 'run_workflow'] as const
export type ConfirmationAction = (typeof CONFIRMATION_ACTIONS)[number]

export const CONFIRMATION_STATES = ['pending', 'approved', 'declined', 'consumed', 'expired'] as const
export type ConfirmationState = (typeof CONFIRMATION_STATES)[number]

export const Confirmation = closedObject({
  id: Type.String(),
  action: oneOf(CONFIRMATION_ACTIONS),
  state: oneOf(CONFIRMATION_STATES),
  /** For people to look at, not for programs to read: its members may change. */
  preview: Type.Record(Type.String(), Type.Unknown()),
  expiresAt: Moment,
})
export type Confirmation = Static<typeof Confirmation>

export const ConfirmationDecision = closedObject({
  decision: choice(['approve', 'decline']),
  consentText: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
  source: Type.Optional(Type.Literal('mcp_written_consent')),
})
export type ConfirmationDecision = Static<typeof ConfirmationDecision>

/** The body of an action that needs a confirmation. */
export const SocialConfirmationConsume = closedObject({ confirmationId: Type.String({ minLength: 1 }) })
