/**
 * Messages between server, engine and pool threads: plain values only, because an Error subclass would lose its code on
 * the way. PURE: no Node, no clock.
 */
import type { Failure } from '../server/contract/errors.ts'
import type { ProviderSetting } from '../server/contract/inference.ts'
import type { EncoderChoice } from './media/arguments/render-encoder.ts'
import type { StageName } from './stages/catalog.ts'

export type { EncoderChoice } from './media/arguments/render-encoder.ts'

/** Identity of a stage's input; the worker turns it into a path in the home. */
export type InputReference =
  | { readonly kind: 'source'; readonly digest: string }
  | { readonly kind: 'artefact'; readonly stage: StageName; readonly key: string }

/** Name of the input that holds one part of a stage that is `spread`. */
export const partInput = (part: number): string => `part-${part}`

/** The parts among the inputs of a task, in order. */
export function partInputs(inputs: StageTask['inputs']): InputReference[] {
  const parts: InputReference[] = []
  for (let found = inputs[partInput(0)]; found !== undefined; found = inputs[partInput(parts.length)])
    parts.push(found)
  return parts
}

/** Folders of the home that workers may write to or read from. */
export interface WorkFolders {
  readonly sources: string
  readonly artefacts: string
  readonly temporary: string
}

export interface ToolPaths {
  readonly ffmpeg: string
  readonly ffprobe: string
  /** Which of the builds on this machine that is and why it was taken, for the record. */
  readonly chosen?: string
}

/** A model that earlier stages of a run used. */
export interface UsedModel {
  readonly stage: StageName
  readonly name: string
  /** Name and content as installed now; absent when the model is no longer installed. */
  readonly fingerprint?: string
}

export interface StageTask {
  readonly taskId: string
  readonly stage: StageName
  /** Content key; also the name of the artefact folder. */
  readonly key: string
  readonly params: unknown
  readonly inputs: Readonly<Record<string, InputReference>>
  readonly folders: WorkFolders
  readonly tools: ToolPaths
  /** For stages that encode the final picture; absent: software. Part of the content key. */
  readonly encoder?: EncoderChoice
  /** Where models run; absent: `auto`. Not part of the key, because results differ by rounding only. */
  readonly inference?: ProviderSetting
  /** Models that produced the stage's inputs, for the record. Not part of the key. */
  readonly madeWith?: readonly UsedModel[]
  /** Folders searched for models; the first match is used. */
  readonly modelFolders: readonly string[]
  /** Fonts, presets and the like that ship with the appliance. */
  readonly resources: string
}

export type StageOutcome =
  | {
      readonly ok: true
      readonly output: unknown
      readonly warnings: readonly string[]
      readonly milliseconds: number
      /** Found in the cache: nothing was computed. */
      readonly reused: boolean
    }
  | { readonly ok: false; readonly failure: Failure; readonly retryable: boolean }

export type EngineRequest =
  | { readonly kind: 'run'; readonly task: StageTask }
  | { readonly kind: 'cancel'; readonly taskId: string }
  | { readonly kind: 'shutdown' }

export type EngineEvent =
  | { readonly kind: 'ready'; readonly pid: number; readonly threads: number }
  | { readonly kind: 'progress'; readonly taskId: string; readonly fraction: number; readonly note: string }
  /** Work up to this position is on the disk and outlives an interruption; see `StageContext.checkpoint`. */
  | { readonly kind: 'checkpoint'; readonly taskId: string; readonly position: number }
  /** A part of the output with which other work can start; the complete output at the end includes all parts. */
  | { readonly kind: 'part'; readonly taskId: string; readonly part: unknown }
  | { readonly kind: 'outcome'; readonly taskId: string; readonly outcome: StageOutcome }
