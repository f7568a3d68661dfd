/** What a running stage receives, and the type of a stage's handler. Each stage has a folder whose `stage.ts` exports it. */
import { type ErrorCode, AppError } from '../../server/contract/errors.ts'
import type { ProviderSetting } from '../../server/contract/inference.ts'
import type { EncoderChoice, ToolPaths, UsedModel } from '../protocol.ts'
import type { StageName, Stages } from './catalog.ts'
import type { InputsOf, OutputOf, ParamsOf } from './declare.ts'

export interface StageContext<Inputs extends string = string> {
  /** The stage's own temporary folder. Its content is published together with the result, atomically. */
  readonly folder: string
  /** Path of an input: the file of a source, or the artefact folder of a stage's result. Throws if there is no such input. */
  input(name: Inputs): string
  hasInput(name: Inputs): boolean
  /** The output (from result.json) of the stage that made this input. */
  inputResult(name: Inputs): Promise<unknown>
  /** For a stage that is `spread`: the artefact folders of the parts that were made of it, in order. Absent: none were. */
  readonly parts?: readonly string[]
  /** Reports progress from 0 to 1 with a note for people. It is cheap, so report as often as something changes. */
  progress(fraction: number, note?: string): void
  /**
   * For a stage that `resumes`: its work up to this position is on the disk. The number is of the stage's own kind and
   * grows with the work. Attempts that are interrupted after new checkpoints do not count.
   */
  checkpoint?(position: number): void
  /** Publishes a part of the output early. A resumed attempt repeats earlier parts; the final output has all of them. */
  part?(value: unknown): void
  /** Adds a sentence to the run's warnings. Every fallback must be reported here. */
  warn(message: string): void
  /** Aborted when the task is cancelled or the engine stops. */
  readonly signal: AbortSignal
  readonly tools: ToolPaths
  /** The encoder for a stage that `encodes`; absent: software. */
  readonly encoder?: EncoderChoice
  /** Where models run; absent: `auto`. */
  readonly inference?: ProviderSetting
  /** Models that produced the stage's inputs, for the record. */
  readonly madeWith?: readonly UsedModel[]
  readonly modelFolders: readonly string[]
  readonly resources: string
  /** The home's folder of sources, to which ingest writes atomically. */
  readonly sources: string
  /** A scratch folder that is removed when the stage ends; for a stage that `resumes` it survives an interruption. */
  readonly temporary: string
}

/** Runs a stage. Throws StageError for expected failures; any other error is a defect and becomes STAGE_FAILED. */
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

const REPORT_EVERY_MS = 250
/** If the length is unknown, the progress bar reaches its middle after this many bytes. */
const HALF_WAY_BYTES = 1e8

/** Reports received bytes, such as `Downloading: 3.1 of 80 MB`. Without a known length the bar approaches `upTo`. */
export function bytesProgress(
  context: Pick<StageContext, 'progress'>,
  verb: string,
  upTo = 1,
): (done: number, total: number | null) => void {
  let last = -Infinity
  return (done, total) => {
    const now = performance.now()
    if (now - last < REPORT_EVERY_MS) return
    last = now
    const share = total === null ? done / (done + HALF_WAY_BYTES) : Math.min(1, done / Math.max(1, total))
    const of = total === null ? '' : ` of ${megabytes(total)}`
    context.progress(upTo * share, `${verb}: ${megabytes(done)}${of} MB`)
  }
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)
