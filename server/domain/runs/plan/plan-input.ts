/** PURE types: what planning a run takes and returns, and the context that is passed through its steps. */
import type { AssetNeed } from '../../../contract/asset.ts'
import type { ClipFaces } from '../../../contract/clip-measurements.ts'
import type { Composition } from '../../../contract/composition.ts'
import type { Failure } from '../../../contract/errors.ts'
import type { FindClipsSettings } from '../../../contract/clip-candidate.ts'
import type { PickRequest } from '../../../contract/review.ts'
import type { RunSnapshot } from '../../../contract/run.ts'
import type { SourceFacts } from '../../../contract/source-facts.ts'
import type { Reach } from '../../../reachable.ts'
import type { StageName, Stages } from '../../../../workers/stages/catalog.ts'
import type { ParamsOf } from '../../../../workers/stages/declare.ts'
import type { OwnsFile } from '../../library/quota.ts'
import type { ServiceStates } from './broll-providers.ts'
import type { Draft, FinishedStage, PlannedInput, SlotResults, StageInvocation } from './plan-draft.ts'
import type { RenderRemark } from '../../../contract/render-remarks.ts'

/** A clip of this run, as made from a candidate. */
export interface PlannedClip {
  readonly id: string
  readonly ordinal: number
  /** Seconds in the source. */
  readonly extended: { readonly start: number; readonly end: number }
  readonly composition: Composition
  /** What its nodes could not do. */
  readonly warnings?: readonly RenderRemark[]
  /** Its face tracks, where faces were detected. */
  readonly faces?: ClipFaces
  /** Names of its speakers by number, where they have any. */
  readonly speakers?: readonly string[]
}

/** Whether candidates are judged by a language model. `refused`: it is only partly configured; `why` names the setting. */
export type JudgeState =
  | { readonly state: 'off' }
  | { readonly state: 'refused'; readonly why: string }
  | { readonly state: 'ready'; readonly access: ParamsOf<Stages['judge-clips']>['access'] }

/** Whether speech is transcribed by the studio's own server. `refused`: it is only partly configured. */
export type SpeechServerState =
  | { readonly state: 'off' }
  | { readonly state: 'refused'; readonly why: string }
  | {
      readonly state: 'server'
      readonly access: NonNullable<ParamsOf<Stages['speech']>['server']>
    }

/** How streams are recorded. Seconds. */
export interface StreamLimits {
  readonly chunkSeconds: number
  readonly maxSeconds: number
  readonly stallSeconds: number
}

/** What a plan needs to know that is not in the snapshot: settings of the appliance and installed models. */
export interface PlanEnvironment {
  readonly addresses: Reach
  readonly maxSourceBytes: number
  readonly minFreeBytes: number
  readonly idleTimeoutSeconds: number
  readonly totalTimeoutSeconds: number
  readonly streams: StreamLimits
  /** The stored file of the source's address, for revalidation; null where there is none. */
  readonly known: ParamsOf<Stages['ingest']>['known']
  /** Stock services that offer b-roll. */
  readonly services: ServiceStates
  /** `user:password` for the source's address; null or absent: it needs none. */
  readonly access?: string | null
  /** How videos on web pages are fetched; absent: they are not. */
  readonly pages?: ParamsOf<Stages['ingest']>['pages']
  /** Which files of the home the run's company may name by their SHA-256; absent: none. */
  readonly ownsFile?: OwnsFile
  /** Whether a face model is installed. */
  readonly faces: boolean
  /** Whether a voice activity model is installed; absent: no. */
  readonly voiceActivity?: boolean
  /** Whether a model that compares lips with sound is installed. */
  readonly activeSpeaker: boolean
  /** Whether a speaker model is installed. */
  readonly speakers: boolean
  /** Whether a model that detects laughter, applause and music is installed. */
  readonly sounds: boolean
  readonly judge: JudgeState
  readonly speech:
    /** `model`: its name; absent: the first that is found. */
    | { readonly state: 'installed'; readonly model?: string }
    | { readonly state: 'downloadable'; readonly model: string; readonly targetFolder: string }
    | Extract<SpeechServerState, { state: 'server' }>
    /** The message names the command that installs one. */
    | { readonly state: 'missing'; readonly message: string }
}

/** The voices of a stream before one of its parts; `waiting`: not known yet; null: there are none. */
export type EarlierVoices = PlannedInput | 'waiting' | null

/** How far the clips of a source are, by ordinal: what is in their rows, and not in the results of stages. */
export interface ClipStates {
  /** Drafted, with the files that each needs. */
  readonly drafted: ReadonlyMap<number, readonly AssetNeed[]>
  /** Made: they have a composition. */
  readonly made: ReadonlyMap<number, PlannedClip>
  /** Nothing is left to do: listed, or the run has a clip of this range already. */
  readonly settled: ReadonlySet<number>
}

/** Everything that a plan is decided from. */
export interface PlanInput extends ClipStates {
  readonly snapshot: RunSnapshot
  readonly results: SlotResults
  /** Stages that are being carried out; absent: none that this plan asks about. */
  readonly begun?: ReadonlySet<string>
  readonly environment: PlanEnvironment
  /** What is picked besides what the workflow finds; absent: that is what the plan is of. */
  readonly pick?: PickRequest
  /** Absent: this is no part of a stream. */
  readonly earlierVoices?: EarlierVoices
}

/** What a run does next. */
export interface RunPlan {
  /** Stages that may all start now, at the same time. Includes those that run already, which the caller knows. */
  readonly ready: readonly StageInvocation[]
  /** Clips that can be drafted, and drafted clips that can be made, by ordinal. Plan again afterwards. */
  readonly draftable: readonly number[]
  readonly makeable: readonly number[]
  /** Clips whose own stages are finished, by ordinal. */
  readonly finished: readonly number[]
  /** Every stage is finished. */
  readonly done: boolean
  readonly failure?: Failure
  readonly status: 'Processing' | 'Learning'
  /** Every slot of the plan that is known so far, in order. */
  readonly slots: readonly { readonly slot: string; readonly stage: StageName }[]
  /** The number of clips to expect, for the progress bar before they are known. */
  readonly expectedClips: number
  /** Fallbacks and remarks, for the run's warnings. */
  readonly warnings: readonly string[]
}

/** Passed to every step of a plan; a step adds its stages to it as to a draft. */
export interface PlanContext extends PlanInput, Draft {
  readonly results: SlotResults
  readonly settings: FindClipsSettings
}

/** The source of a run, once it has been fetched and probed. */
export interface PlannedSource {
  readonly input: PlannedInput
  readonly facts: SourceFacts
  readonly ingest: FinishedStage<'ingest'>
  readonly probe: FinishedStage<'probe'>
}

/** The finished audio stage; null for a source without sound. */
export type PlannedAudio = FinishedStage<'audio'> | null
