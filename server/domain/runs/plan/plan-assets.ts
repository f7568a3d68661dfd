/** PURE: the files that clips name by address: where they stand in a plan, how they are fetched, what came of it. */
import {
  storedFileDigest,
  type AssetKind,
  type AssetNeed,
  type Assets,
  type AssetState,
  type ReadyAsset,
} from '../../../contract/asset.ts'
import { digestOf } from '../../../../workers/artefacts.ts'
import type { Reach } from '../../../reachable.ts'
import type { ServiceStates } from './broll-providers.ts'
import type { OwnsFile } from '../../library/owned-files.ts'
import { brollFetch } from './plan-broll.ts'
import type { Stages } from '../../../../workers/stages/catalog.ts'
import type { OutputOf, ParamsOf } from '../../../../workers/stages/declare.ts'
import type { SlotResults, StageInvocation } from './plan-draft.ts'

/** How files are fetched: what the appliance may connect to, and its patience. */
export interface FetchLimits {
  readonly addresses: Reach
  /** So much of the disk stays free. */
  readonly minFreeBytes: number
  readonly idleTimeoutSeconds: number
  readonly totalTimeoutSeconds: number
  /** Services that hand out what they have to who may have it. */
  readonly services: ServiceStates
  /** Files of the home that the company may name by their SHA-256; none when left out. */
  readonly ownsFile?: OwnsFile
}

const MEGABYTE = 1_000_000
/** Whatever a file turns out to be that is asked for as a font: 10 MB. */
const MOST_FONT_BYTES = { image: 10 * MEGABYTE, video: 10 * MEGABYTE, audio: 10 * MEGABYTE }
const MOST_BYTES = { image: 50 * MEGABYTE, video: 2000 * MEGABYTE, audio: 500 * MEGABYTE }
/** Seconds. A server that is silent for longer would hold every clip of the run up. */
const MOST_IDLE = 20
/** Seconds in all, by kind: the largest of each over a line of ten megabits a second. */
const MOST_TOTAL: Readonly<Record<AssetKind, number>> = {
  image: 90,
  audio: 600,
  video: 1800,
  media: 1800,
  font: 60,
}

/** Place of a file in the plan of a run; a render asked for later finds it there too. */
export const assetSlot = (url: string): string => `asset:${digestOf(url).slice(0, 16)}`

/** The stage that fetches a file that a run names: from the service that hands it out, its address or the library. */
export function assetInvocation(need: AssetNeed, limits: FetchLimits): StageInvocation {
  const handedOut = brollFetch(need, limits.services, {
    maxBytes: MOST_BYTES,
    minFreeBytes: limits.minFreeBytes,
    totalTimeoutSeconds: Math.min(MOST_TOTAL[need.kind], limits.totalTimeoutSeconds),
  })
  if (handedOut !== null) return { ...handedOut, slot: assetSlot(need.url) }
  const digest = storedFileDigest(need.url)
  const params: ParamsOf<Stages['fetch-asset']> = {
    ...need,
    ...(digest === null ? {} : { owned: limits.ownsFile?.(digest) === true }),
    addresses: limits.addresses,
    maxBytes: need.kind === 'font' ? MOST_FONT_BYTES : MOST_BYTES,
    minFreeBytes: limits.minFreeBytes,
    idleTimeoutSeconds: Math.min(MOST_IDLE, limits.idleTimeoutSeconds),
    totalTimeoutSeconds: Math.min(MOST_TOTAL[need.kind], limits.totalTimeoutSeconds),
  }
  return {
    slot: assetSlot(need.url),
    stage: 'fetch-asset',
    params,
    // Limits may differ at the next attempt; it is still the same file.
    keyParams: { url: need.url, kind: need.kind },
    inputs: {},
  }
}

/** What came of these needs, as far as it is known. */
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

/** Null for what an earlier version of the stage has left: it counts as not fetched. */
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
