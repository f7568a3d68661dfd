/** PURE: the files that clips name by address: where they stand in a plan, how they are fetched, what came of it. */
import type { AssetNeed, Assets, AssetState } from '../contract/asset.ts'
import { digestOf } from '../../workers/artefacts.ts'
import type { Stages } from '../../workers/stages/catalog.ts'
import type { OutputOf, ParamsOf } from '../../workers/stages/declare.ts'
import type { SlotResults, StageInvocation } from './plan-draft.ts'

/** How files are fetched: what the appliance may connect to, and its patience. */
export interface FetchLimits {
  readonly addresses: 'any' | 'public'
  readonly idleTimeoutSeconds: number
  readonly totalTimeoutSeconds: number
}

const MOST_BYTES = 50 * 1024 * 1024
/** Seconds. A picture that takes longer would hold every clip of the run up. */
const MOST_IDLE = 20
const MOST_TOTAL = 90

/** Place of a file in the plan of a run; a render asked for later finds it there too. */
export const assetSlot = (url: string): string => `asset:${digestOf(url).slice(0, 16)}`

export function assetInvocation(need: AssetNeed, limits: FetchLimits): StageInvocation {
  const params: ParamsOf<Stages['fetch-asset']> = {
    ...need,
    addresses: limits.addresses,
    maxBytes: MOST_BYTES,
    idleTimeoutSeconds: Math.min(MOST_IDLE, limits.idleTimeoutSeconds),
    totalTimeoutSeconds: Math.min(MOST_TOTAL, limits.totalTimeoutSeconds),
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
    const { digest, width, height, opaque } = result.output as OutputOf<Stages['fetch-asset']>
    assets.set(url, { state: 'ready', digest, width, height, opaque })
  }
  return assets
}
