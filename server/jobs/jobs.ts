/** What the rest of the server may ask of the job machinery. Implemented by orchestrator.ts; faked in tests. */
import type { Failure } from '../contract/errors.ts'
import type { StageInvocation } from '../domain/runs/plan/plan-draft.ts'

export interface SettledOperation {
  readonly state: 'succeeded' | 'failed' | 'cancelled'
  readonly result: unknown
  readonly failure: Failure | null
}

/** What a worker node may have while it holds a task. */
export interface HeldTask {
  readonly stage: string
  readonly key: string
  /** Digests of the kept files that it works on. */
  readonly sources: ReadonlySet<string>
  /** `stage/key` of the results that it works on, and of its own. */
  readonly results: ReadonlySet<string>
}

/** Tasks that are out on worker nodes. */
export interface NodeTasks {
  /**
   * A node says that it has taken this task from the queue, under this lock. False: the task is not out, or the queue
   * does not know that lock.
   */
  take(holder: string, asked: { readonly key: string; readonly lock: string }): Promise<boolean>
  /** What it holds now. */
  heldBy(holder: string): Promise<readonly HeldTask[]>
}

/** What came of a stage that somebody waits for, or how far it is. */
export type WantedState =
  | { readonly kind: 'making'; readonly progress: number }
  | { readonly kind: 'made'; readonly key: string; readonly output: unknown }
  | { readonly kind: 'failed'; readonly failure: Failure }

export interface Jobs {
  /**
   * Has a stage run while somebody waits at a screen, outside the queue: answers when it has ended, or how far it is after
   * `waitMs`. Given up when nobody asks any more. Missing where nothing is worked on.
   */
  whileWanted?(
    wanted: { readonly invocation: StageInvocation; readonly companyId: string },
    waitMs: number,
  ): Promise<WantedState>
  /** Missing where no stage goes to worker nodes. */
  readonly nodes?: NodeTasks
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
