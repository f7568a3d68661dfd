/** PURE: the search for b-roll at stock services, before the clips are made. */
import type { ClipCandidate } from '../../../contract/clip-candidate.ts'
import type { BrollCandidate } from '../../../contract/clip-broll.ts'
import type { RunSnapshot } from '../../../contract/run.ts'
import { brollSettings } from '../../../nodes/index.ts'
import type { Stages } from '../../../../workers/stages/catalog.ts'
import type { OutputOf, ParamsOf } from '../../../../workers/stages/declare.ts'
import { BROLL_SERVICES, type ServiceName } from './broll-providers.ts'
import type { PlanContext } from './plan-input.ts'
import { planOptionalStage, type SlotResults, type StageInvocation } from './plan-draft.ts'

/** The services count requests against the user's own quota, so one run sends at most this many. */
const MAX_QUERIES = 12
/** Keywords of one clip that are searched for, by how often b-roll is shown. */
const QUERIES_PER_CLIP = { low: 2, medium: 3, high: 5 } as const
const RESULTS_PER_QUERY = 5

const searchSlot = (name: ServiceName): string => `broll:${name}`

/** Whether the run can continue: no service has to be searched, or every search has ended. */
export function planBroll(context: PlanContext, candidates: readonly ClipCandidate[]): boolean {
  const broll = brollSettings(context.snapshot.nodes)
  if (broll === null) return true
  if (broll.generate)
    context.warnings.push('add_broll: no model that makes pictures is part of this appliance; none are made.')
  const queries = brollQueries(candidates, broll.frequency)
  return broll.methods.map((name) => planServiceSearch(context, name, queries)).every(Boolean)
}

/** Whether the search at one service has ended, or cannot take place. */
function planServiceSearch(context: PlanContext, name: ServiceName, queries: string[]): boolean {
  const service = context.environment.services[name]
  if (service.state === 'refused') {
    context.warnings.push(`add_broll: ${service.why}`)
    return true
  }
  if (queries.length === 0) return true
  const keyParams = { provider: name, queries, perQuery: RESULTS_PER_QUERY }
  const params: ParamsOf<Stages['search-broll']> = { ...keyParams, access: service.access }
  const invocation: StageInvocation = {
    slot: searchSlot(name),
    stage: 'search-broll',
    params,
    keyParams,
    inputs: {},
  }
  const ended = planOptionalStage(context, invocation)
  const failure = context.results.get(searchSlot(name))?.failure
  if (failure)
    context.warnings.push(`add_broll: nothing came from ${BROLL_SERVICES[name].label}. ${failure.message}`)
  return ended
}

/** What is searched for: keywords of the clips, the first of each clip before the second of any. */
export function brollQueries(
  candidates: readonly Pick<ClipCandidate, 'keywords'>[],
  frequency: keyof typeof QUERIES_PER_CLIP,
): string[] {
  const queries = new Map<string, string>()
  for (let rank = 0; rank < QUERIES_PER_CLIP[frequency]; rank++) {
    for (const candidate of candidates) {
      const query = (candidate.keywords[rank] ?? '').trim().slice(0, 100)
      if (query !== '' && queries.size < MAX_QUERIES && !queries.has(query.toLowerCase()))
        queries.set(query.toLowerCase(), query)
    }
  }
  return [...queries.values()]
}

/** What the services offered, in the order of the node's methods. */
export function foundBroll(snapshot: RunSnapshot, results: SlotResults): BrollCandidate[] {
  return (brollSettings(snapshot.nodes)?.methods ?? []).flatMap((name) => {
    const result = results.get(searchSlot(name))
    return result?.state === 'finished' ? (result.output as OutputOf<Stages['search-broll']>).candidates : []
  })
}
