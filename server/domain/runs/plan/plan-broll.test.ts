import { describe, expect, it } from 'vitest'
import {
  candidate,
  environment,
  failed,
  found,
  heard,
  node,
  plan,
  resultsOf,
  snapshotOf,
  words,
  type PlanRows,
} from '../../../../test/support/plan-case.ts'
import { brollQueries, foundBroll } from './plan-broll.ts'
import type { ServiceState } from './broll-providers.ts'

const access = { address: 'https://api.example', keys: { key: 'secret' } } as unknown as Extract<
  ServiceState,
  { state: 'ready' }
>['access']
const READY: ServiceState = { state: 'ready', access }
const services = { google_images: READY, youtube: READY, getty: READY }
const keywords = (...lists: string[][]) => lists.map((list) => ({ keywords: list }))

/** The plan of a run whose clips are found, with a node for b-roll. */
function planWith(
  config: Record<string, unknown>,
  change: PlanRows = {},
  state = services as typeof environment.services,
) {
  const candidates = [{ ...candidate, keywords: ['harbour', 'ship'] }]
  return plan({
    snapshot: snapshotOf([node('find_clips', { min_length: 10, max_length: 30 }), node('add_broll', config)]),
    rows: { ...heard, captions: words, 'find-clips': { ...found, candidates }, ...change },
    environment: { ...environment, services: state },
  })
}

describe('what is searched for', () => {
  it('is the first keyword of each clip before the second of any, each once', () => {
    const clips = keywords(['sea', 'Ship', 'sail', 'rope'], ['SEA', 'port'], [' crane ', ''])
    expect(brollQueries(clips, 'low')).toEqual(['sea', 'crane', 'Ship', 'port'])
    expect(brollQueries(clips, 'medium')).toEqual(['sea', 'crane', 'Ship', 'port', 'sail'])
    expect(brollQueries(clips, 'high')).toEqual(['sea', 'crane', 'Ship', 'port', 'sail', 'rope'])
  })

  it('is two, three or five keywords of a clip', () => {
    const clip = keywords(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
    const counts = (['low', 'medium', 'high'] as const).map((often) => brollQueries(clip, often).length)
    expect(counts).toEqual([2, 3, 5])
  })

  it('is twelve keywords of a run at most, of a hundred characters each', () => {
    const many = keywords(...Array.from({ length: 20 }, (_, index) => [`word ${index}`]))
    expect(brollQueries(many, 'low')).toEqual(Array.from({ length: 12 }, (_, index) => `word ${index}`))
    expect(brollQueries(keywords(['x'.repeat(150)]), 'low')).toEqual(['x'.repeat(100)])
    expect(brollQueries([], 'high')).toEqual([])
  })
})

describe('the search for b-roll', () => {
  const slots = (config: Record<string, unknown>, change?: PlanRows) =>
    planWith(config, change).ready.map(({ slot }) => slot)
  const both = { allowed_methods: ['getty', 'youtube'] }

  it('is one stage for each service that the node names', () => {
    expect(slots(both)).toEqual(['broll:getty', 'broll:youtube'])
    expect(slots({ allowed_methods: [] })).toEqual([])
    expect(planWith({ ...both, enabled: true }).makeClips).toBe(false)
    expect(planWith(both).ready[0]).toEqual({
      slot: 'broll:getty',
      stage: 'search-broll',
      params: { provider: 'getty', queries: ['harbour', 'ship'], perQuery: 5, access },
      // Keys may change; what was found stays what it is.
      keyParams: { provider: 'getty', queries: ['harbour', 'ship'], perQuery: 5 },
      inputs: {},
    })
  })

  it('is waited for; then the clips are made, whatever was found', () => {
    const one = { 'broll:getty': { candidates: [] } }
    expect(planWith(both, one)).toMatchObject({ makeClips: false, ready: [{ slot: 'broll:youtube' }] })
    const all = { ...one, 'broll:youtube': failed('SOURCE_UNREACHABLE', 'It is down.') }
    const { makeClips, warnings, failure } = planWith(both, all)
    expect({ makeClips, warnings, failure }).toEqual({
      makeClips: true,
      warnings: ['add_broll: nothing came from YouTube. It is down.'],
      failure: undefined,
    })
  })

  it('does not go where the appliance may not, and says why', () => {
    const state = { ...services, getty: { state: 'refused', why: 'Getty needs a key.' } as const }
    const { ready, warnings } = planWith(both, {}, state)
    expect(ready.map(({ slot }) => slot)).toEqual(['broll:youtube'])
    expect(warnings).toEqual(['add_broll: Getty needs a key.'])
  })

  it('does not take place without a keyword', () => {
    const silent = { 'find-clips': { ...found, candidates: [{ ...candidate, keywords: [''] }] } }
    expect(planWith(both, silent)).toMatchObject({ makeClips: true, ready: [] })
  })

  it('says that no picture is made', () => {
    const said = 'add_broll: no model that makes pictures is part of this appliance; none are made.'
    expect(planWith({ enable_ai_broll: true }).warnings).toEqual([said])
    expect(planWith({}).warnings).toEqual([])
  })
})

describe('what the services offered', () => {
  const offered = (name: string) => ({ id: name })
  const rows = {
    'broll:youtube': { candidates: [offered('y')] },
    'broll:getty': { candidates: [offered('g1'), offered('g2')] },
  }
  const of = (methods: string[], from: PlanRows) =>
    foundBroll(snapshotOf([node('add_broll', { allowed_methods: methods })]), resultsOf(from))

  it('comes in the order of the node, without what failed or was not searched', () => {
    expect(of(['getty', 'youtube'], rows)).toEqual(['g1', 'g2', 'y'].map(offered))
    expect(of(['youtube'], rows)).toEqual([offered('y')])
    expect(of(['getty', 'youtube'], { ...rows, 'broll:getty': failed('STAGE_FAILED') })).toEqual([
      offered('y'),
    ])
    expect(of(['google_images'], rows)).toEqual([])
    expect(foundBroll(snapshotOf([]), resultsOf(rows))).toEqual([])
  })
})
