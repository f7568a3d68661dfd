/**
 * What crosses between server, engine and pool threads: plain values only (an Error subclass loses its code on the
 * way). PURE: no Node, no clock.
 */
import type { Failure } from '../server/contract/errors.ts'
import type { ProviderSetting } from '../server/contract/inference.ts'
import type { EncoderChoice } from './media/arguments/render-encoder.ts'
import type { StageName } from './stages/catalog.ts'

export type { EncoderChoice } from './media/arguments/render-encoder.ts'

/** Where a stage's input lies, by content: the worker turns it into a path under the home. */
export type InputReference =
  | { readonly kind: 'source'; readonly digest: string }
  | { readonly kind: 'artefact'; readonly stage: StageName; readonly key: string }

/** Folders of the home that workers may write to or read from. */
export interface WorkFolders {
  readonly sources: string
  readonly artefacts: string
  readonly temporary: string
}

export interface ToolPaths {
  readonly ffmpeg: string
  readonly ffprobe: string
}

/** A model that earlier stages of a run worked with. */
export interface UsedModel {
  readonly stage: StageName
  readonly name: string
  /** Name and content as they are installed now; absent when it is installed no more. */
  readonly fingerprint?: string
}

export interface StageTask {
  readonly taskId: string
  readonly stage: StageName
  /** Content key; names the artefact folder. */
  readonly key: string
  readonly params: unknown
  readonly inputs: Readonly<Record<string, InputReference>>
  readonly folders: WorkFolders
  readonly tools: ToolPaths
  /** For stages that encode a finished picture; absent: software. Part of the key. */
  readonly encoder?: EncoderChoice
  /** What models are to run on; absent: `auto`. No part of the key: the results differ by rounding only. */
  readonly inference?: ProviderSetting
  /** Models that had a part in what the stage works on, for the record: no part of the key. */
  readonly madeWith?: readonly UsedModel[]
  /** Folders searched for models, first match wins. */
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
      /** Taken from the cache: nothing was computed. */
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
  /** A part of the output that others may go on with; the output at the end has all of them. */
  | { readonly kind: 'part'; readonly taskId: string; readonly part: unknown }
  | { readonly kind: 'outcome'; readonly taskId: string; readonly outcome: StageOutcome }
