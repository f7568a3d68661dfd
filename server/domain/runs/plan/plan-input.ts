/** What planning a run takes and gives: the run's state, what the machine offers, and the plan itself. PURE types. */
import type { AssetNeed } from '../../../contract/asset.ts'
import type { ClipFaces } from '../../../contract/clip-faces.ts'
import type { Composition } from '../../../contract/composition.ts'
import type { Failure } from '../../../contract/errors.ts'
import type { RunSnapshot } from '../../../contract/run.ts'
import type { Reach } from '../../../reachable.ts'
import type { StageName, Stages } from '../../../../workers/stages/catalog.ts'
import type { ParamsOf } from '../../../../workers/stages/declare.ts'
import type { OwnsFile } from '../../library/owned-files.ts'
import type { ServiceStates } from './broll-providers.ts'
import type { SlotResults, StageInvocation } from './plan-draft.ts'

/** A clip of this run, as made from a candidate. */
export interface PlannedClip {
  readonly id: string
  readonly ordinal: number
  /** Seconds in the source. */
  readonly start: number
  readonly end: number
  readonly extended: { readonly start: number; readonly end: number }
  /** What nodes cut out of it. */
  readonly cuts?: readonly { readonly start: number; readonly end: number }[]
  readonly composition: Composition
  /** Who is seen in it, where that is known. */
  readonly faces?: ClipFaces
}

/** What the plan must know that is not in the snapshot. */
export interface PlanEnvironment {
  readonly addresses: Reach
  readonly maxSourceBytes: number
  readonly minFreeBytes: number
  readonly idleTimeoutSeconds: number
  readonly totalTimeoutSeconds: number
  /** How streams are recorded. */
  readonly streams: StreamLimits
  readonly known: ParamsOf<Stages['ingest']>['known']
  /** Services that have pictures. */
  readonly services: ServiceStates
  /** `user:password` for the source's address; null or left out: it needs none. */
  readonly access?: string | null
  /** How videos on web pages are fetched; left out: they are not. */
  readonly pages?: ParamsOf<Stages['ingest']>['pages']
  /** Files of the home that the run's company may name by their SHA-256; none when left out. */
  readonly ownsFile?: OwnsFile
  /** Whether a model for faces is installed. */
  readonly faces: boolean
  /** Whether a model that tells speakers apart is installed. */
  readonly speakers: boolean
  /** Whether a model that hears laughter, applause and music is installed. */
  readonly sounds: boolean
  /** The user's own language model. */
  readonly judge: JudgeState
  readonly speech:
    /** `model`: its name; left out: the first that is found. */
    | { readonly state: 'installed'; readonly model?: string }
    | { readonly state: 'downloadable'; readonly model: string; readonly targetFolder: string }
    /** The sentence says the one command that mends it. */
    | { readonly state: 'missing'; readonly message: string }
}

export interface RunPlan {
  /** May all start now, side by side. Includes what is running already: the caller knows what is. */
  readonly ready: readonly StageInvocation[]
  /** The candidates are known and the clips are not yet made: draft them, plan again, then make them and plan again. */
  readonly makeClips: boolean
  /** Every stage is finished. */
  readonly done: boolean
  readonly failure?: Failure
  readonly status: 'Processing' | 'Learning'
  /** Every place of the plan that is known so far, in order. */
  readonly slots: readonly { readonly slot: string; readonly stage: StageName }[]
  /** Clips to expect, for the progress bar, while nobody knows. */
  readonly expectedClips: number
  /** Fallbacks and remarks, for the run's warnings. */
  readonly warnings: readonly string[]
}

export interface PlanInput {
  readonly snapshot: RunSnapshot
  readonly results: SlotResults
  readonly environment: PlanEnvironment
  /** Null until they are made. */
  readonly clips: readonly PlannedClip[] | null
  /** Files that the clips need besides those that the nodes name; null until the clips are drafted. */
  readonly drafted: readonly AssetNeed[] | null
}

/** How streams are recorded. */
export interface StreamLimits {
  readonly chunkSeconds: number
  readonly maxSeconds: number
  readonly stallSeconds: number
}

/** Whether a language model is asked. `refused`: it is configured in part; the sentence names the setting. */
export type JudgeState =
  | { readonly state: 'off' }
  | { readonly state: 'refused'; readonly why: string }
  | { readonly state: 'ready'; readonly access: ParamsOf<Stages['judge-clips']>['access'] }
