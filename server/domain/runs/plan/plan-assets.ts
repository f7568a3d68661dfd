/** PURE: the files that clips name by address: their slots in a plan, how they are fetched, and their state. */
import {
  storedFileDigest,
  type AssetKind,
  type AssetNeed,
  type Assets,
  type AssetState,
  type ReadyAsset,
} from '../../../contract/asset.ts'
import { readBrollAddress } from '../../../contract/clip-broll.ts'
import { requiredAssetsOfRun } from '../../../nodes/index.ts'
import { digestOf } from '../../../../workers/artefacts.ts'
import type { Reach } from '../../../reachable.ts'
import type { ServiceStates } from './broll-providers.ts'
import type { OwnsFile } from '../../library/quota.ts'
import type { Stages } from '../../../../workers/stages/catalog.ts'
import type { OutputOf, ParamsOf } from '../../../../workers/stages/declare.ts'
import type { PlanContext } from './plan-input.ts'
import { planOptionalStage, type SlotResults, type StageInvocation } from './plan-draft.ts'

/** How files are fetched: what the appliance may connect to, and for how long. */
export interface FetchEnvironment {
  readonly addresses: Reach
  /** Free space that fetching must leave on the disk. */
  readonly minFreeBytes: number
  readonly idleTimeoutSeconds: number
  readonly totalTimeoutSeconds: number
  /** Stock services whose files can be fetched only with the user's keys. */
  readonly services: ServiceStates
  /** Which files of the home the company may name by their SHA-256; absent: none. */
  readonly ownsFile?: OwnsFile
}

const MEGABYTE = 1_000_000
/** The limit for a font is 10 MB, whatever kind of file the address turns out to lead to. */
const MAX_FONT_BYTES = { image: 10 * MEGABYTE, video: 10 * MEGABYTE, audio: 10 * MEGABYTE }
const MAX_BYTES = { image: 50 * MEGABYTE, video: 2000 * MEGABYTE, audio: 500 * MEGABYTE }
/** A server that is silent for longer would delay every clip of the run. */
const MAX_IDLE_SECONDS = 20
/** By kind: enough for the largest file of it at ten megabits a second. */
const MAX_TOTAL_SECONDS: Readonly<Record<AssetKind, number>> = {
  image: 90,
  audio: 600,
  video: 1800,
  media: 1800,
  font: 60,
}

/** The slot of a file in the plan of a run; a later render looks for the file there too. */
export const assetSlot = (url: string): string => `asset:${digestOf(url).slice(0, 16)}`

/** Adds every file that the nodes and the drafted clips name, each once. Whether those of the nodes have ended. */
export function planAssets(context: PlanContext): boolean {
  const { snapshot, drafted, environment } = context
  const ofRun = requiredAssetsOfRun(snapshot.nodes)
  const assets = [...ofRun, ...[...drafted.values()].flat()]
  for (const asset of new Map(assets.map((one) => [one.url, one])).values())
    planOptionalStage(context, assetInvocation(asset, environment))
  return haveEnded(ofRun, context.results)
}

/** Whether these files are fetched, or cannot be. */
export const haveEnded = (needs: readonly AssetNeed[], results: SlotResults): boolean =>
  needs.every(({ url }) => results.has(assetSlot(url)))

/** The stage that fetches a file: from the stock service that offers it, from its address, or from the library. */
export function assetInvocation(asset: AssetNeed, environment: FetchEnvironment): StageInvocation {
  return serviceInvocation(asset, environment) ?? addressInvocation(asset, environment)
}

function totalTimeoutOf({ kind }: AssetNeed, environment: FetchEnvironment): number {
  return Math.min(MAX_TOTAL_SECONDS[kind], environment.totalTimeoutSeconds)
}

function addressInvocation(asset: AssetNeed, environment: FetchEnvironment): StageInvocation {
  const digest = storedFileDigest(asset.url)
  const params: ParamsOf<Stages['fetch-asset']> = {
    ...asset,
    ...(digest === null ? {} : { owned: environment.ownsFile?.(digest) === true }),
    addresses: environment.addresses,
    maxBytes: asset.kind === 'font' ? MAX_FONT_BYTES : MAX_BYTES,
    minFreeBytes: environment.minFreeBytes,
    idleTimeoutSeconds: Math.min(MAX_IDLE_SECONDS, environment.idleTimeoutSeconds),
    totalTimeoutSeconds: totalTimeoutOf(asset, environment),
  }
  return {
    slot: assetSlot(asset.url),
    stage: 'fetch-asset',
    params,
    // Limits may differ at the next attempt; the file is still the same.
    keyParams: { url: asset.url, kind: asset.kind },
    inputs: {},
  }
}

/** Null for an address that can be fetched without a service's keys. */
function serviceInvocation(asset: AssetNeed, environment: FetchEnvironment): StageInvocation | null {
  const address = readBrollAddress(asset.url)
  if (address === null) return null
  const service = environment.services[address.provider]
  const params: ParamsOf<Stages['fetch-broll']> = {
    ...address,
    maxBytes: MAX_BYTES,
    minFreeBytes: environment.minFreeBytes,
    totalTimeoutSeconds: totalTimeoutOf(asset, environment),
    access: service.state === 'ready' ? service.access : null,
    refusal: service.state === 'ready' ? '' : service.why,
  }
  return { slot: assetSlot(asset.url), stage: 'fetch-broll', params, keyParams: address, inputs: {} }
}

/** The state of these files; one whose stage has not ended is left out. */
export function assetsOf(needs: readonly AssetNeed[], results: SlotResults): Assets {
  const assets = new Map<string, AssetState>()
  for (const { url } of needs) {
    const result = results.get(assetSlot(url))
    if (result === undefined) continue
    if (result.state === 'failed') {
      assets.set(url, { state: 'failed', message: result.failure?.message ?? 'It could not be fetched.' })
      continue
    }
    const ready = readyAsset(result.output as OutputOf<Stages['fetch-asset']>)
    if (ready !== null) assets.set(url, ready)
  }
  return assets
}

/** Null for the output of an earlier version of the stage: the file counts as not fetched. */
function readyAsset(output: OutputOf<Stages['fetch-asset']>): ReadyAsset | null {
  switch (output.kind) {
    case 'image':
      return { state: 'ready', kind: 'image', picture: output.picture }
    case 'video':
      return { state: 'ready', kind: 'video', video: output.video, sound: output.sound }
    case 'audio':
      return { state: 'ready', kind: 'audio', sound: output.sound }
    case 'font':
      return { state: 'ready', kind: 'font', digest: output.digest }
    default:
      return null
  }
}
