/** What the rest of the server may ask of the job machinery. Implemented by orchestrator.ts; faked in tests. */
import type { Failure } from '../contract/errors.ts'

export interface SettledOperation {
  readonly state: 'succeeded' | 'failed' | 'cancelled'
  readonly result: unknown
  readonly failure: Failure | null
}

export interface Jobs {
  /** There may be new work in the queue: look now rather than at the next poll. */
  wake(): void
  /** Whether what is queued now is taken up in its turn: not while the appliance is being stopped. Yes where it is missing. */
  takesWork?(): boolean
  /** Resolves when the operation settles; null when it has not after `timeoutMs`. */
  whenSettled(operationId: string, timeoutMs: number): Promise<SettledOperation | null>
  /** Asks a queued or running operation to stop. */
  cancel(operationId: string): void
  /** Stops taking work, lets go of leases, ends the engine. */
  stop(): Promise<void>
}
