/** A stage to run, as the queue hands it to a runner, and how it ended. */
import type { Failure } from '../contract/errors.ts'
import type { StageInvocation } from '../domain/runs/plan/plan-draft.ts'
import type { StageName } from '../../workers/stages/catalog.ts'

export interface StageRequest {
  readonly invocation: StageInvocation
  readonly key: string
  readonly companyId: string
  /** Models that had a part in what the stage is given, for its report. */
  readonly madeWith?: readonly { readonly stage: StageName; readonly model: string }[]
  /** Somebody is waiting at a screen. */
  readonly urgent: boolean
  readonly signal: AbortSignal
  readonly onProgress: (fraction: number, note: string) => void
  /** Nobody works on it, and this is why: said once it takes long. */
  readonly onWaiting?: (why: string) => void
  /** A part of the output that the stage has handed out while it runs. */
  readonly onPart?: (part: unknown) => void
  /**
   * Called when the stage really starts (it has its place), or is taken from the cache: waiting is no attempt. A verdict
   * is taken instead of running.
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
  /** Somebody else has stored the result already. */
  | { readonly kind: 'done' }

export interface StageRunner {
  /** The content key; `scope` is part of it for stages that are only reused within one run. */
  keyOf(invocation: StageInvocation, scope: string): Promise<string>
  run(request: StageRequest): Promise<StageVerdict>
}
