/** Stages that run for an open page, outside the queue, until they are requested no more. */
import type { Failure } from '../contract/errors.ts'
import type { StageInvocation } from '../domain/runs/plan/plan-draft.ts'
import { attemptStage, type StageRunner } from './attempt-stage.ts'
import type { ForegroundState } from './jobs.ts'

/** A stage is aborted after this time without a request for it. */
const MAX_IDLE_MS = 12_000

interface Entry {
  readonly abort: AbortController
  readonly settled: Promise<void>
  state: ForegroundState
  timer: NodeJS.Timeout
}

export function createForegroundStages(stages: StageRunner, maxIdleMs = MAX_IDLE_MS) {
  const entries = new Map<string, Entry>()

  /** The result is stored as long: a failed stage is not tried again by every request that follows. */
  const forgetLater = (key: string): NodeJS.Timeout =>
    setTimeout(() => {
      entries.get(key)?.abort.abort()
      entries.delete(key)
    }, maxIdleMs).unref()

  function begin(key: string, invocation: StageInvocation, companyId: string): Entry {
    const abort = new AbortController()
    const { signal } = abort
    let attempts = 0
    const onProgress = (progress: number): void => {
      if (entry.state.kind === 'making') entry.state = { kind: 'making', progress }
    }
    const settled = attemptStage({
      begin: () => ++attempts,
      work: (begin, onCheckpoint) =>
        stages.run({ invocation, key, companyId, urgent: true, signal, onProgress, onCheckpoint, begin }),
      signal,
    }).then(
      (verdict) => {
        entry.state = stateOf(verdict, key)
      },
      (error: unknown) => {
        const message = error instanceof Error ? error.message : String(error)
        entry.state = { kind: 'failed', failure: { code: 'INTERNAL', message } }
      },
    )
    const entry: Entry = { abort, settled, state: { kind: 'making', progress: 0 }, timer: forgetLater(key) }
    entries.set(key, entry)
    return entry
  }

  return {
    /** Runs the stage unless it is running or cached. Resolves when it has ended, or with its progress after `waitMs`. */
    request: async (
      { invocation, companyId }: { readonly invocation: StageInvocation; readonly companyId: string },
      waitMs: number,
    ): Promise<ForegroundState> => {
      const key = await stages.keyOf(invocation, '')
      const entry = entries.get(key) ?? begin(key, invocation, companyId)
      clearTimeout(entry.timer)
      entry.timer = forgetLater(key)
      const patience = new Promise((resolve) => setTimeout(resolve, waitMs).unref())
      await Promise.race([entry.settled, patience])
      return entry.state
    },
    stop: async (): Promise<void> => {
      const going = [...entries.values()]
      entries.clear()
      for (const { abort, timer } of going) {
        clearTimeout(timer)
        abort.abort()
      }
      await Promise.all(going.map(({ settled }) => settled))
    },
  }
}

const failedState = (failure: Failure): ForegroundState => ({ kind: 'failed', failure })

function stateOf(verdict: Awaited<ReturnType<typeof attemptStage>>, key: string): ForegroundState {
  if (verdict.kind === 'finished') return { kind: 'made', key, output: verdict.output }
  if (verdict.kind === 'failed') return failedState(verdict.failure)
  return failedState({ code: 'CANCELLED', message: 'It was given up, because nobody waited for it.' })
}
