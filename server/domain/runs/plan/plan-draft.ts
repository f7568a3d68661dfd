/** PURE: what a plan is made of, and how it is put together while walking through a run's places. */
import type { Failure } from '../../../contract/errors.ts'
import type { InputReference } from '../../../../workers/protocol.ts'
import { STAGES, type StageName, type Stages } from '../../../../workers/stages/catalog.ts'
import type { OutputOf, ParamsOf } from '../../../../workers/stages/declare.ts'

/** An input of a stage: where it lies, and what it is by content (part of the stage's key). */
export interface PlannedInput {
  readonly reference: InputReference
  readonly identity: string
}

export interface StageInvocation {
  readonly slot: string
  readonly stage: StageName
  readonly params: unknown
  readonly inputs: Readonly<Record<string, PlannedInput>>
  /** What of the parameters is part of the key, where that is not all of them. */
  readonly keyParams?: unknown
}

/** A stage of this run that came to an end. */
export interface SlotResult {
  readonly state: 'finished' | 'failed'
  readonly key: string
  readonly output: unknown
  readonly failure: Failure | null
}

export type SlotResults = ReadonlyMap<string, SlotResult>

/** Collects a plan while walking; the first failure wins. */
export interface Draft {
  readonly results: SlotResults
  readonly ready: StageInvocation[]
  readonly slots: { slot: string; stage: StageName }[]
  readonly warnings: string[]
  failure: Failure | null
}

/** Codes after which going on by another way would only fail again. */
const FINAL: ReadonlySet<string> = new Set(['DISK_FULL', 'CANCELLED', 'INTERRUPTED'])

/**
 * Finished output of this place; otherwise null, and the stage is put among the ready ones or its failure is taken as
 * the run's. With `optional`, a failure that can be lived without becomes a warning instead.
 */
export function need<Name extends StageName>(
  draft: Draft,
  invocation: Omit<StageInvocation, 'params' | 'stage'> & { stage: Name; params: ParamsOf<Stages[Name]> },
  optional?: string,
): { output: OutputOf<Stages[Name]>; key: string } | null {
  const { slot, stage } = invocation
  draft.slots.push({ slot, stage })
  const result = draft.results.get(slot)
  if (result === undefined) {
    draft.ready.push(invocation)
    return null
  }
  if (result.state === 'finished') return { output: result.output as OutputOf<Stages[Name]>, key: result.key }
  const failure = result.failure ?? { code: 'STAGE_FAILED', message: `${STAGES[stage].label} failed.` }
  if (optional !== undefined && !FINAL.has(failure.code))
    draft.warnings.push(`${optional} (${failure.message})`)
  else fail(draft, failure)
  return null
}

/** The run ends with this failure, unless it has one already: the first is what it is told by. */
export function fail(draft: Draft, failure: Failure): void {
  draft.failure ??= failure
}

/** A kept source as the input of a stage, by the SHA-256 of its content. */
export const sourceInput = (digest: string): PlannedInput => ({
  reference: { kind: 'source', digest },
  identity: digest,
})
/** The result of another stage as the input of a stage, by its content key. */
export const artefactInput = (stage: StageName, key: string): PlannedInput => ({
  reference: { kind: 'artefact', stage, key },
  identity: key,
})

/**
 * Puts a stage among the ready ones unless it came to an end; whether it did. Its failure is no failure of the run: who
 * compiles without its result says so.
 */
export function settled(draft: Draft, invocation: StageInvocation): boolean {
  const { slot, stage } = invocation
  draft.slots.push({ slot, stage })
  const result = draft.results.get(slot)
  if (result === undefined) draft.ready.push(invocation)
  else if (result.failure !== null && FINAL.has(result.failure.code)) fail(draft, result.failure)
  return result !== undefined
}

export interface TranscriptSource {
  readonly stage: 'captions' | 'speech' | 'speakers'
  readonly key: string
}
