/** The two-step guard: an agent prepares, a person decides, the action consumes. */
import { Type, type Static } from '@sinclair/typebox'
import { Moment } from './envelope.ts'
import { choice, closedObject } from '../config-fields.ts'

export const CONFIRMATION_ACTIONS = ['publish_post', 'cancel_post', 'run_workflow'] as const
export type ConfirmationAction = (typeof CONFIRMATION_ACTIONS)[number]

export const CONFIRMATION_STATES = ['pending', 'approved', 'declined', 'consumed', 'expired'] as const
export type ConfirmationState = (typeof CONFIRMATION_STATES)[number]

export const Confirmation = closedObject({
  id: Type.String(),
  action: Type.String({ enum: [...CONFIRMATION_ACTIONS] }),
  state: Type.String({ enum: [...CONFIRMATION_STATES] }),
  /** For people to look at, not for programs to read: its members may change. */
  preview: Type.Record(Type.String(), Type.Unknown()),
  expiresAt: Moment,
})
export type Confirmation = Omit<Static<typeof Confirmation>, 'action' | 'state'> & {
  action: ConfirmationAction
  state: ConfirmationState
}

export const ConfirmationDecision = closedObject({
  decision: choice(['approve', 'decline']),
  consentText: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
  source: Type.Optional(Type.Literal('mcp_written_consent')),
})
export type ConfirmationDecision = Static<typeof ConfirmationDecision>

/** The body of an action that needs a confirmation. */
export const SocialConfirmationConsume = closedObject({ confirmationId: Type.String({ minLength: 1 }) })
