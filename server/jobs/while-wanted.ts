/**
 * Stages that run while somebody waits for them at a screen, outside the queue: what nobody asks for any more is given
 * up. Nothing of it is kept but the artefacts, which the next one who asks finds.
 */
import type { Failure } from '../contract/errors.ts'
import type { StageInvocation } from '../domain/runs/plan/plan-draft.ts'
import { attemptStage } from './attempt-stage.ts'
import type { WantedState } from './jobs.ts'
import type { StageRunner } from './stage-request.ts'

/** Given up when nobody has asked for so long. */
const WANTED_MS = 12_000

interface Entry {
  readonly abort: AbortController
  readonly settled: Promise<void>
  state: WantedState
  timer: NodeJS.Timeout
}

export interface WhileWanted {
  /** Has the stage run, unless it does or did; answers when it has ended, or how far it is after `waitMs`. */
  ask(
    wanted: { readonly invocation: StageInvocation; readonly companyId: string },
    waitMs: number,
  ): Promise<WantedState>
  stop(): Promise<void>
}

export function createWhileWanted(stages: StageRunner, wantedMs = WANTED_MS): WhileWanted {
  const entries = new Map<string, Entry>()

  /** Until then the verdict is kept too: a failure is told once to each who asked, and not tried over and over. */
  const forgetLater = (key: string): NodeJS.Timeout =>
    setTimeout(() => {
      entries.get(key)?.abort.abort()
      entries.delete(key)
    }, wantedMs).unref()

  function begin(key: string, invocation: StageInvocation, companyId: string): Entry {
    const abort = new AbortController()
    const { signal } = abort
    let attempts = 0
    const onProgress = (progress: number): void => {
      if (entry.state.kind === 'making') entry.state = { kind: 'making', progress }
    }
    const settled = attemptStage({
      begin: () => ++attempts,
      work: (begin) => stages.run({ invocation, key, companyId, urgent: true, signal, onProgress, begin }),
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
    async ask({ invocation, companyId }, waitMs) {
      const key = await stages.keyOf(invocation, '')
      const entry = entries.get(key) ?? begin(key, invocation, companyId)
      clearTimeout(entry.timer)
      entry.timer = forgetLater(key)
      const patience = new Promise((resolve) => setTimeout(resolve, waitMs).unref())
      await Promise.race([entry.settled, patience])
      return entry.state
    },
    async stop() {
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

const given = (failure: Failure): WantedState => ({ kind: 'failed', failure })

function stateOf(verdict: Awaited<ReturnType<typeof attemptStage>>, key: string): WantedState {
  if (verdict.kind === 'finished') return { kind: 'made', key, output: verdict.output }
  if (verdict.kind === 'failed') return given(verdict.failure)
  return given({ code: 'CANCELLED', message: 'It was given up, because nobody waited for it.' })
}
