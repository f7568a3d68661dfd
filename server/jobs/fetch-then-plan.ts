/** What an operation of one clip does first: the files that the clip names are fetched, then it is planned. */
import { type Operation, setOperationProgress } from '../db/operations.ts'
import { addRunWarnings, getRun } from '../db/runs.ts'
import { serviceStates } from '../domain/runs/plan/broll-providers.ts'
import { ownedFiles } from '../domain/library/quota.ts'
import { assetInvocation, type FetchEnvironment } from '../domain/runs/plan/plan-assets.ts'
import { planRender, type RenderPlan } from '../domain/rendering/render-clip.ts'
import { reachable } from '../reachable.ts'
import { attemptStage, type FinalVerdict, type StageRequest } from './attempt-stage.ts'
import { runSlot, type Machine } from './run-executor.ts'
import { nextTurn } from './lanes.ts'
import { sentencesOf } from '../contract/render-remarks.ts'

/** Runs one stage of a clip for an operation, which comes before other work. `earlier`: attempts of earlier processes. */
export async function runClipStage(
  { stages }: Pick<Machine, 'stages'>,
  operation: Operation,
  request: Pick<StageRequest, 'invocation' | 'companyId' | 'signal'> & Partial<StageRequest>,
  earlier = 0,
): Promise<{ readonly key: string; readonly verdict: FinalVerdict }> {
  const key = await stages.keyOf(request.invocation, operation.id)
  let attempts = earlier
  const verdict = await attemptStage({
    begin: () => ++attempts,
    work: (begin, onCheckpoint) =>
      stages.run({ onProgress: () => undefined, ...request, key, urgent: true, onCheckpoint, begin }),
    onCheckpoint: (position) => {
      request.onCheckpoint?.(position)
      attempts = 1
      return true
    },
    signal: request.signal,
  })
  return { key, verdict }
}

export interface FetchOptions {
  /** Addresses that were tried by this operation. */
  readonly tried: Set<string>
  readonly again?: boolean
  /** Of what is fetched now, 0 to 1. */
  readonly onProgress?: (share: number) => void
}

/** The clip's plan once its files were fetched or tried (again, unless `again` is false); null: stopped. */
export async function fetchThenPlan(
  machine: Machine,
  operation: Operation,
  { tried, again = true, onProgress = () => undefined }: FetchOptions,
  signal: AbortSignal,
): Promise<RenderPlan | null> {
  const { db, config } = machine.services
  const common = {
    addresses: reachable(config),
    minFreeBytes: config.minFreeBytes,
    idleTimeoutSeconds: config.sourceIdleTimeoutSeconds,
    totalTimeoutSeconds: config.sourceTotalTimeoutSeconds,
    services: serviceStates(config),
  }
  for (;;) {
    await nextTurn()
    const plan = planRender(machine.services, operation.subjectId)
    const run = plan.clip.runId === null ? null : getRun(db, plan.clip.runId)
    const missing = plan.unfetched.filter(({ url }) => !tried.has(url) && (again || !plan.assets.has(url)))
    if (run === null || missing.length === 0) {
      if (run !== null) addRunWarnings(db, run.id, sentencesOf(plan.warnings))
      return plan
    }
    for (const { url } of missing) tried.add(url)
    const limits: FetchEnvironment = { ...common, ownsFile: ownedFiles(machine.services, run.companyId) }
    const shares = new Map(missing.map(({ url }) => [url, 0]))
    const report = (url: string, share: number): void => {
      shares.set(url, share)
      onProgress([...shares.values()].reduce((sum, one) => sum + one, 0) / shares.size)
    }
    await Promise.all(
      missing.map(async (need) => {
        const onProgress = (share: number): void => report(need.url, share)
        await runSlot(machine, run, assetInvocation(need, limits), signal, { onProgress })
        report(need.url, 1)
      }),
    )
    if (signal.aborted) return null
  }
}

const PROGRESS_EVERY_MS = 500

/** Stores a progress from 0 to 1: at most once per interval, and always the last one. */
export function operationProgress({ services }: Machine, { id }: Operation): (share: number) => void {
  let last = Number.NEGATIVE_INFINITY
  return (share) => {
    if (share < 1 && performance.now() - last < PROGRESS_EVERY_MS) return
    last = performance.now()
    setOperationProgress(services.db, id, share, services.now())
  }
}
