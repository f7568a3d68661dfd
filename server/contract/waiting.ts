/** GET /studio/confirmations: what was prepared by clients and waits for a person. */
import { Type, type Static } from '@sinclair/typebox'
import { Confirmation } from './tenant-api/confirmation.ts'

export const WaitingConfirmation = Type.Object({
  confirmation: Confirmation,
  /** The kind of caller: an agent, a service, or the studio itself. */
  client: Type.Object({ id: Type.String(), name: Type.String() }),
})
export type WaitingConfirmation = Omit<Static<typeof WaitingConfirmation>, 'confirmation'> & {
  confirmation: Confirmation
}

export const WaitingConfirmations = Type.Object({ confirmations: Type.Array(WaitingConfirmation) })
