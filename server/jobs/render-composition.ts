/** Renders one composition for an operation of a clip. */
import type { Composition } from '../contract/composition.ts'
import type { Failure } from '../contract/errors.ts'
import { rm } from 'node:fs/promises'
import { resumeFolder } from '../../workers/artefacts.ts'
import { advanceOperation, setResumableKey, type Operation } from '../db/operations.ts'
import type { RunClip } from '../db/run-clips.ts'
import { renderParams } from '../domain/runs/plan/plan-clips.ts'
import { sourceInput, type StageInvocation } from '../domain/runs/plan/plan-draft.ts'
import type { Stages } from '../../workers/stages/catalog.ts'
import type { OutputOf } from '../../workers/stages/declare.ts'
import { runClipStage } from './fetch-then-plan.ts'
import { modelsOfRun, type Machine } from './run-executor.ts'
import type { Verdict } from './verdict.ts'

type Rendered =
  | { readonly kind: 'rendered'; readonly key: string; readonly output: OutputOf<Stages['render']> }
  | Exclude<Verdict, { kind: 'succeeded' }>

export async function renderComposition(
  machine: Machine,
  operation: Operation,
  work: {
    readonly clip: RunClip
    readonly composition: Composition
    readonly onProgress: (share: number) => void
  },
  signal: AbortSignal,
): Promise<Rendered> {
  const { clip, composition, onProgress } = work
  const { companyId, sourceDigest, runId } = clip
  const invocation: StageInvocation = {
    slot: 'render',
    stage: 'render',
    params: renderParams(composition),
    inputs: { source: sourceInput(sourceDigest) },
  }
  const madeWith = runId === null ? [] : modelsOfRun(machine.services.db, runId)
  const { db, home, now } = machine.services
  setResumableKey(db, operation.id, await machine.stages.keyOf(invocation, operation.id))
  const onCheckpoint = (): void => {
    if (operation.leaseOwner !== null) advanceOperation(db, operation.id, operation.leaseOwner, now())
  }
  const request = { invocation, companyId, madeWith, signal, onProgress, onCheckpoint }
  const { key, verdict } = await runClipStage(machine, operation, request, operation.attempts - 1)
  if (verdict.kind === 'done' || verdict.kind === 'stopped') {
    // Nobody goes on with what was cancelled.
    if (signal.reason === 'cancel')
      await rm(resumeFolder(home.temporary, key), { recursive: true, force: true })
    return { kind: 'stopped' }
  }
  if (verdict.kind === 'failed') return { kind: 'failed', failure: asRenderFailure(verdict.failure) }
  return { kind: 'rendered', key, output: verdict.output as OutputOf<Stages['render']> }
}

const asRenderFailure = (failure: Failure): Failure =>
  failure.code === 'STAGE_FAILED' ? { ...failure, code: 'RENDER_FAILED' } : failure
