/** Makes the file of a delivery profile with an engine of its own, beside a running appliance or without one. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { AppError } from '../contract/errors.ts'
import { omitUndefined } from '../contract/omit-undefined.ts'
import type { Delivery } from '../contract/profiles/profile.ts'
import { exportInvocation, type PlannedDelivery } from '../domain/rendering/plan-delivery.ts'
import type { Services } from '../domain/services.ts'
import { artefactFolder } from '../../workers/artefacts.ts'
import type { Stages } from '../../workers/stages/catalog.ts'
import type { OutputOf } from '../../workers/stages/declare.ts'
import { attemptStage } from './attempt-stage.ts'
import { createStages } from './orchestrator.ts'

type Deps = Pick<Services, 'config' | 'home' | 'log'>

export interface ExportedFile {
  readonly output: OutputOf<Stages['export']>
  /** The artefact's folder, which nobody else uses and whoever takes the file removes. */
  readonly folder: string
  readonly path: string
}

/** Throws the failure of the stage, and INTERRUPTED when the signal ends it. */
export async function makeExport(
  deps: Deps,
  request: { readonly planned: PlannedDelivery; readonly delivery: Delivery; readonly encoder: string },
  listening: {
    readonly signal: AbortSignal
    readonly onProgress: (fraction: number, note: string) => void
  },
): Promise<ExportedFile> {
  const { planned, delivery, encoder } = request
  const { signal, onProgress } = listening
  const invocation = exportInvocation(planned, delivery, encoder)
  const { engine, stages } = createStages(deps, null)
  try {
    // A scope of its own: the file is taken out of the home, so no other export may find it there.
    const key = await stages.keyOf(invocation, randomUUID())
    let attempts = 0
    const { companyId } = planned.clip
    const verdict = await attemptStage({
      begin: () => ++attempts,
      work: (begin, onCheckpoint) =>
        stages.run({ invocation, key, companyId, urgent: true, signal, onProgress, onCheckpoint, begin }),
      signal,
    })
    if (verdict.kind === 'failed') {
      const { code, message, details } = verdict.failure
      throw new AppError(code, { message, ...omitUndefined({ details }) })
    }
    if (verdict.kind !== 'finished')
      throw new AppError('INTERRUPTED', 'The export was stopped; nothing is left of it.')
    const output = verdict.output as OutputOf<Stages['export']>
    const folder = artefactFolder(deps.home.artefacts, 'export', key)
    return { output, folder, path: join(folder, output.file) }
  } finally {
    await engine.stop()
  }
}
