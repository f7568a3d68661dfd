/** The models that the stages of a run used, as their results name them. */
import type { Db } from '../db/client.ts'
import { listRunStages } from '../db/runs.ts'
import type { StageName } from '../../workers/stages/catalog.ts'

export function modelsOfRun(db: Db, runId: string): { stage: StageName; model: string }[] {
  return listRunStages(db, runId).flatMap(({ stage, output }) => {
    const model = (output as { model?: unknown } | null)?.model
    return typeof model === 'string' ? [{ stage: stage as StageName, model }] : []
  })
}
