/** A stage to run, as the queue passes it to a runner, and its result. */
import type { Failure } from '../contract/errors.ts'
import type { StageInvocation } from '../domain/runs/plan/plan-draft.ts'
import type { StageName } from '../../workers/stages/catalog.ts'

export interface StageRequest {
  readonly invocation: StageInvocation
  readonly key: string
  readonly companyId: string
  /** Models that produced the stage's inputs, for its report. */
  readonly madeWith?: readonly { readonly stage: StageName; readonly model: string }[]
  /** A person waits for the result, so it goes before other work. */
  readonly urgent: boolean
  readonly signal: AbortSignal
  readonly onProgress: (fraction: number, note: string) => void
  /** Called with the reason when the stage has waited long to start. */
  readonly onWaiting?: (why: string) => void
  /** A part of the output that the stage delivers while it runs. */
  readonly onPart?: (part: unknown) => void
  /**
   * Called when the stage starts or is taken from the cache; waiting does not count as an attempt. A verdict that it
   * returns is used instead of running the stage.
   */
  readonly begin: () => StageVerdict | null
}

export type StageVerdict =
  | {
      readonly kind: 'finished'
      readonly output: unknown
      readonly warnings: readonly string[]
      readonly reused: boolean
      readonly milliseconds: number
    }
  | { readonly kind: 'failed'; readonly failure: Failure; readonly retryable: boolean }
  | { readonly kind: 'engine-died' }
  /** The signal was aborted. */
  | { readonly kind: 'stopped' }
  /** The result is stored already. */
  | { readonly kind: 'done' }

export interface StageRunner {
  /** The content key; `scope` is part of it for stages that are only reused within one run. */
  keyOf(invocation: StageInvocation, scope: string): Promise<string>
  run(request: StageRequest): Promise<StageVerdict>
}
