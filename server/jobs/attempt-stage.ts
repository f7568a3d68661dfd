/** Retries a stage after its engine died or a tool was killed, up to three times per process without progress. */
import { setTimeout as pause } from 'node:timers/promises'
import { type Failure, failureOf } from '../contract/errors.ts'
import { MAX_STAGE_ATTEMPTS, MAX_STAGE_ATTEMPTS_IN_ALL } from './queue.ts'
import type { StageInvocation } from '../domain/runs/plan/plan-draft.ts'
import type { StageName } from '../../workers/stages/catalog.ts'

export interface Attempts {
  /** Counts an attempt and returns its number over all lives since the last progress; null: nothing is left to do. */
  readonly begin: () => number | null
  /** Runs the stage; calls `begin` when it really starts, and takes the verdict that it may give. */
  readonly work: (
    begin: () => StageVerdict | null,
    onCheckpoint: (position: number) => void,
  ) => Promise<StageVerdict>
  /** The stage's checkpoints reach this far. Whether that is further than in all earlier lives; absent: it is not known. */
  readonly onCheckpoint?: (position: number) => boolean
  readonly signal: AbortSignal
  /** Milliseconds before the second attempt; doubles after that. */
  readonly pauseMs?: number
}

export type FinalVerdict = Exclude<StageVerdict, { kind: 'engine-died' }>

/** Tries until there is a result, a failure worth believing (INTERRUPTED too), or no attempt left. */
export async function attemptStage(attempts: Attempts): Promise<FinalVerdict> {
  const { signal, pauseMs = 250 } = attempts
  let tries = 0
  let furthest = 0
  const begin = (): StageVerdict | null => {
    const counted = attempts.begin()
    if (counted === null) return { kind: 'done' }
    tries += 1
    return counted > MAX_STAGE_ATTEMPTS_IN_ALL ? interrupted() : null
  }
  const onCheckpoint = (position: number): void => {
    if (position <= furthest) return
    furthest = position
    if (attempts.onCheckpoint?.(position) ?? true) tries = 1
  }
  for (;;) {
    const verdict = await attempts.work(begin, onCheckpoint)
    const worthRetrying = verdict.kind === 'engine-died' || (verdict.kind === 'failed' && verdict.retryable)
    if (!worthRetrying) return verdict
    if (tries >= MAX_STAGE_ATTEMPTS) return verdict.kind === 'engine-died' ? interrupted() : verdict
    await pause(pauseMs * 2 ** Math.max(0, tries - 1), undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return { kind: 'stopped' }
  }
}

function interrupted(): FinalVerdict {
  return { kind: 'failed', failure: failureOf('INTERRUPTED'), retryable: false }
}

/** Resolves when the signal aborts, or was aborted before. */
export function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

export interface StageRequest {
  readonly invocation: StageInvocation
  readonly key: string
  readonly companyId: string
  /** Models that produced the stage's inputs, for its report. */
  readonly madeWith?: readonly { readonly stage: StageName; readonly model: string }[]
  /** The span of the stage, for spans of the worker node that does it. */
  readonly traceparent?: string
  /** A person waits for the result, so it goes before other work. */
  readonly urgent: boolean
  readonly signal: AbortSignal
  readonly onProgress: (fraction: number, note: string) => void
  /** Called with the reason when the stage has waited long to start. */
  readonly onWaiting?: (why: string) => void
  /** How far the stage's checkpoints reach. */
  readonly onCheckpoint?: (position: number) => void
  /** A part of the output that the stage delivers while it runs. */
  readonly onPart?: (part: unknown) => void
  /** Called when the stage starts or is found in the cache. A verdict that it returns is used instead. */
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
