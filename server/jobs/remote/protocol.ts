/** What crosses to worker nodes by Redis: a task without any path, and its end. Files go over HTTP. */
import type { Failure } from '../../contract/errors.ts'
import type { ProviderSetting } from '../../contract/inference.ts'
import { digestOf } from '../../../workers/artefacts.ts'
import type { EncoderChoice, InputReference, StageTask, UsedModel } from '../../../workers/protocol.ts'
import { STAGES, type StageName } from '../../../workers/stages/catalog.ts'
import type { Lane } from '../../../workers/stages/declare.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'

/** One stage to run. Its content key is the job's id, so that no task is queued twice. */
export interface RemoteTask {
  readonly stage: StageName
  readonly version: number
  readonly key: string
  readonly params: unknown
  readonly inputs: Readonly<Record<string, InputReference>>
  /** The models in the key, task to fingerprint. All `none`: without models, whatever is installed. */
  readonly models: Readonly<Record<string, string>>
  /** Stored files that the parameters name in addition to the inputs. */
  readonly sources: readonly string[]
  readonly encoder?: EncoderChoice
  readonly madeWith?: readonly UsedModel[]
  readonly inference?: ProviderSetting
  /** The span of the stage that asked for it first (W3C Trace Context). Not part of the key. */
  readonly traceparent?: string
}

/** How it ended; the result itself is on the appliance by then. */
export type RemoteEnd =
  { readonly ok: true } | { readonly ok: false; readonly failure: Failure; readonly retryable: boolean }

export interface RemoteProgress {
  readonly fraction: number
  readonly note: string
  /** How far the stage's checkpoints reach on that node; absent: it has none. */
  readonly checkpoint?: number
}

/** A task whose lock is not renewed for this long is given to another node. */
export const LOCK_MS = 10_000
export const STALL_CHECK_MS = 3000
export const RENEW_MS = 2500
/** A task is held no longer than this: a node that hangs must not delay a run for ever. */
export const MAX_HOLD_MS = 12 * 3_600_000
/** How often a task may be lost with its node. */
export const MAX_LOST = 2
/** Reported for a task that was lost too often. */
export const LOST_TOO_OFTEN = 'lost with its node too often'
/** A node that does not report within this time counts as gone. */
export const NODE_SEEN_MS = 15_000

/** What a place at a node is: renders fill several cores, so there are fewer of those. */
export const LABELS = ['cpu', 'render', 'gpu'] as const
export type PlaceKind = (typeof LABELS)[number]

/**
 * Stages that depend only on their inputs; stages that use the network, or whose result is not stored or of one run alone, stay on the
 * appliance.
 */
export const isRemote = (stage: StageName, lane: Lane = STAGES[stage].lane): boolean =>
  (lane === 'cpu' || lane === 'gpu') && STAGES[stage].reuse === 'content'

export function placeOf(stage: StageName): PlaceKind {
  if (stage === 'render') return 'render'
  return STAGES[stage].lane === 'gpu' ? 'gpu' : 'cpu'
}

/** Names in Redis that belong to one appliance. */
export const redisBase = (applianceId: string): string => `cutroom-${applianceId}`
export const cancelKey = (base: string, key: string): string => `${base}:cancel:${key}`
export const nodeKey = (base: string, nodeId: string): string => `${base}:node:${nodeId}`

/** The queue for tasks that need these models: a node takes only from queues of exactly its models. */
export function queueName(base: string, place: PlaceKind, models: Readonly<Record<string, string>>): string {
  return Object.keys(models).length === 0
    ? `${base}-${place}`
    : `${base}-${place}-${digestOf(models).slice(0, 16)}`
}

/** Every SHA-256 that a value names, anywhere in it. */
export function digestsIn(value: unknown): Set<string> {
  const found = new Set<string>()
  const look = (part: unknown): void => {
    if (typeof part === 'string') {
      if (/^[0-9a-f]{64}$/.test(part)) found.add(part)
    } else if (Array.isArray(part)) part.forEach(look)
    else if (typeof part === 'object' && part !== null) Object.values(part).forEach(look)
  }
  look(value)
  return found
}

/** Whether a task is to be done without any model, whatever is installed. */
export const withoutModels = ({ models }: Pick<RemoteTask, 'models'>): boolean =>
  Object.values(models).every((fingerprint) => fingerprint === NO_MODEL)
export const NO_MODEL = 'none'

/** The task for a node; `isKept`: whether the appliance has this file. */
export function toRemoteTask(
  task: StageTask,
  models: RemoteTask['models'],
  isStored: (digest: string) => boolean,
): RemoteTask {
  const { stage, key, params, inputs, encoder, madeWith, inference } = task
  const named = new Set(
    Object.values(inputs).flatMap((input) => (input.kind === 'source' ? [input.digest] : [])),
  )
  return {
    stage,
    version: STAGES[stage].version,
    key,
    params,
    inputs,
    models,
    sources: [...digestsIn(params)].filter((digest) => !named.has(digest) && isStored(digest)),
    ...omitUndefined({ encoder, madeWith, inference }),
  }
}
