/** PURE: b-roll in the plan of a run: which services are asked for what, before there are clips; what is fetched for them. */
import type { AssetNeed } from '../../../contract/asset.ts'
import type { ClipCandidate } from '../../../contract/clip-candidate.ts'
import { readBrollAddress, type BrollCandidate } from '../../../contract/clip-broll.ts'
import type { RunSnapshot } from '../../../contract/run.ts'
import { brollSettings } from '../../../nodes/index.ts'
import type { Stages } from '../../../../workers/stages/catalog.ts'
import type { OutputOf, ParamsOf } from '../../../../workers/stages/declare.ts'
import { BROLL_SERVICES, type ServiceName, type ServiceStates } from './broll-providers.ts'
import { settled, type Draft, type SlotResults, type StageInvocation } from './plan-draft.ts'

/** A service's allowance is the user's: one run asks at most this often. */
const MOST_QUERIES = 12
/** Keywords of one clip that are asked for, by how often b-roll is shown. */
const QUERIES_OF_CLIP = { low: 2, medium: 3, high: 5 } as const
const RESULTS = 5

const searchSlot = (name: ServiceName): string => `broll:${name}`

export interface BrollPlanInput {
  readonly snapshot: RunSnapshot
  readonly candidates: readonly ClipCandidate[]
  readonly services: ServiceStates
}

/** Whether the run can go on: nothing has to be asked, or every answer is there, or will not come. */
export function planBroll(draft: Draft, { snapshot, candidates, services }: BrollPlanInput): boolean {
  const settings = brollSettings(snapshot.nodes)
  if (settings === null) return true
  if (settings.generate) {
    draft.warnings.push('add_broll: no model that makes pictures is part of this appliance; none are made.')
  }
  const queries = brollQueries(candidates, settings.frequency)
  return settings.methods
    .map((name) => {
      const service = services[name]
      if (service.state === 'refused') {
        draft.warnings.push(`add_broll: ${service.why}`)
        return true
      }
      if (queries.length === 0) return true
      const params: ParamsOf<Stages['search-broll']> = {
        provider: name,
        queries,
        perQuery: RESULTS,
        access: service.access,
      }
      const keyParams = { provider: name, queries, perQuery: RESULTS }
      const invocation: StageInvocation = {
        slot: searchSlot(name),
        stage: 'search-broll',
        params,
        keyParams,
        inputs: {},
      }
      const done = settled(draft, invocation)
      const failure = draft.results.get(searchSlot(name))?.failure
      if (failure)
        draft.warnings.push(`add_broll: nothing came from ${BROLL_SERVICES[name].label}. ${failure.message}`)
      return done
    })
    .every(Boolean)
}

/** What services are asked for: keywords of the clips, the first of each clip before the second of any. */
export function brollQueries(
  candidates: readonly Pick<ClipCandidate, 'keywords'>[],
  frequency: keyof typeof QUERIES_OF_CLIP,
): string[] {
  const queries = new Map<string, string>()
  for (let place = 0; place < QUERIES_OF_CLIP[frequency]; place++) {
    for (const { keywords } of candidates) {
      const query = (keywords[place] ?? '').trim().slice(0, 100)
      if (query !== '' && queries.size < MOST_QUERIES && !queries.has(query.toLowerCase()))
        queries.set(query.toLowerCase(), query)
    }
  }
  return [...queries.values()]
}

/** What services have offered to a run, in the order of its methods. */
export function foundBroll(snapshot: RunSnapshot, results: SlotResults): BrollCandidate[] {
  return (brollSettings(snapshot.nodes)?.methods ?? []).flatMap((name) => {
    const result = results.get(searchSlot(name))
    return result?.state === 'finished' ? (result.output as OutputOf<Stages['search-broll']>).candidates : []
  })
}

type FetchParams = ParamsOf<Stages['fetch-broll']>

/** The stage that fetches what a service hands out; null for an address that anybody can fetch. */
export function brollFetch(
  need: AssetNeed,
  services: ServiceStates,
  limits: Pick<FetchParams, 'maxBytes' | 'minFreeBytes' | 'totalTimeoutSeconds'>,
): Omit<StageInvocation, 'slot'> | null {
  const named = readBrollAddress(need.url)
  if (named === null) return null
  const service = services[named.provider]
  const params: FetchParams = {
    ...named,
    ...limits,
    access: service.state === 'ready' ? service.access : null,
    refusal: service.state === 'ready' ? '' : service.why,
  }
  return { stage: 'fetch-broll', params, keyParams: named, inputs: {} }
}
