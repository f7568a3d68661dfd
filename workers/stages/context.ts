/** What a running stage is given, and the type of a stage's handler. One folder per stage, `stage.ts` exports it. */
import type { ErrorCode } from '../../server/contract/errors.ts'
import { AppError } from '../../server/contract/errors.ts'
import type { ProviderSetting } from '../../server/contract/inference.ts'
import type { EncoderChoice, ToolPaths, UsedModel } from '../protocol.ts'
import type { StageName, Stages } from './catalog.ts'
import type { InputsOf, OutputOf, ParamsOf } from './declare.ts'

export interface StageContext<Inputs extends string = string> {
  /** The stage's own temporary folder: what it leaves here is published with its result, atomically. */
  readonly folder: string
  /** Path of an input: the file for a source, the artefact folder for a stage's result. Throws when not given. */
  input(name: Inputs): string
  hasInput(name: Inputs): boolean
  /** The output (result.json) of the stage that made this input. */
  inputResult(name: Inputs): Promise<unknown>
  /** 0 to 1, with a note for people. Cheap: call as often as there is news. */
  progress(fraction: number, note?: string): void
  /**
   * A part of the output that others may go on with while the stage runs. Told again by an attempt that goes on from
   * an earlier one; the output at the end has all of them.
   */
  part?(value: unknown): void
  /** Said in the run's warnings; for every fallback. */
  warn(message: string): void
  /** Aborted when the task is cancelled or the engine stops. */
  readonly signal: AbortSignal
  readonly tools: ToolPaths
  /** How a stage that `encodes` is to encode; absent: by software. */
  readonly encoder?: EncoderChoice
  /** What models are to run on; absent: `auto`. */
  readonly inference?: ProviderSetting
  /** Models that had a part in what it works on, for the record. */
  readonly madeWith?: readonly UsedModel[]
  readonly modelFolders: readonly string[]
  readonly resources: string
  /** Sources folder of the home (ingest writes there, atomically). */
  readonly sources: string
  /** Scratch outside the published folder, removed when the stage ends; of a stage that `resumes`, kept when it is interrupted. */
  readonly temporary: string
}

/** Runs a stage: throws StageError for expected failures, anything else is a defect and becomes STAGE_FAILED. */
export type StageHandler<Name extends StageName> = (
  context: StageContext<InputsOf<Stages[Name]>>,
  params: ParamsOf<Stages[Name]>,
) => Promise<OutputOf<Stages[Name]>>

/** An expected failure of a stage. */
export function stageError(
  code: ErrorCode,
  message: string,
  options: { details?: Record<string, unknown>; cause?: unknown } = {},
): AppError {
  return new AppError(code, { message, ...options })
}
