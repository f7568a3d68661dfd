/** Renders one composition for an operation of a clip. */
import type { Composition } from '../contract/composition.ts'
import type { Failure } from '../contract/errors.ts'
import type { Operation } from '../db/operations.ts'
import type { RunClip } from '../db/run-clips.ts'
import { renderParams } from '../domain/runs/plan/plan-clips.ts'
import { sourceInput, type StageInvocation } from '../domain/runs/plan/plan-draft.ts'
import type { Stages } from '../../workers/stages/catalog.ts'
import type { OutputOf } from '../../workers/stages/declare.ts'
import { runClipStage } from './fetch-then-plan.ts'
import { modelsOfRun, type Machine, type Verdict } from './run-executor.ts'

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
  const request = { invocation, companyId, madeWith, signal, onProgress }
  const { key, verdict } = await runClipStage(machine, operation, request, operation.attempts - 1)
  if (verdict.kind === 'done' || verdict.kind === 'stopped') return { kind: 'stopped' }
  if (verdict.kind === 'failed') return { kind: 'failed', failure: asRenderFailure(verdict.failure) }
  return { kind: 'rendered', key, output: verdict.output as OutputOf<Stages['render']> }
}

const asRenderFailure = (failure: Failure): Failure =>
  failure.code === 'STAGE_FAILED' ? { ...failure, code: 'RENDER_FAILED' } : failure
