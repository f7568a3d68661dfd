/** Stages that run beside the queue for nobody in particular: other work has the places of their lane before them. */
import { attemptStage, type StageRunner } from './attempt-stage.ts'
import type { BackgroundResult, BackgroundStage } from './jobs.ts'

/** Runs the stage, or finds its result in the cache. Throws for defects only. */
export async function runInBackground(
  stages: StageRunner,
  { invocation, companyId, signal, onProgress }: BackgroundStage,
): Promise<BackgroundResult> {
  const key = await stages.keyOf(invocation, '')
  let attempts = 0
  const verdict = await attemptStage({
    begin: () => ++attempts,
    work: (begin, onCheckpoint) =>
      stages.run({ invocation, key, companyId, urgent: false, signal, onProgress, onCheckpoint, begin }),
    signal,
  })
  if (verdict.kind === 'finished')
    return { kind: 'made', key, output: verdict.output, warnings: verdict.warnings }
  if (verdict.kind === 'failed') return { kind: 'failed', failure: verdict.failure }
  return { kind: 'stopped' }
}
