/** What the bench of clip lists requests: each filter by name and each order, as a request and as a search. */
import type { ClipFilter } from '../../server/db/clip-lists/types.ts'
import { START, type FilledList } from './domain-fill.ts'

const DAY = 86_400_000

export type Query = Readonly<Record<string, string | number | readonly string[]>>

const iso = (time: number): string => new Date(time).toISOString()

/** Filters by name: dense, rare, several, such as fit nothing together, and such as fit at the far end of an order. */
export function filters({ runId, episodeId }: FilledList, clips: number): Record<string, Query> {
  const late = START + (clips - 500) * 60_000
  const many = (kind: string, from: number, count: number): string[] =>
    Array.from({ length: count }, (_, index) => `${kind}${from + index}`)
  return {
    'no filter': {},
    'a frequent word': { query: 'w0 ' },
    'three frequent words': { query: 'w0 w1 w2 ' },
    'a rare word': { query: 'w29000 ' },
    'a frequent and a rare word': { query: 'w1 w25000 ' },
    'the beginning of many words': { query: 'w10' },
    status: { status: 'published' },
    'a rare status': { statuses: ['render_failed'] },
    'four statuses': { statuses: ['rendered', 'edited', 'published', 'drafted'] },
    'aspect ratio': { aspectRatio: '16:9' },
    'a frequent tag': { tags: ['t0'] },
    'twenty tags': { tags: many('t', 0, 20) },
    'thirty people, any': { people: many('p', 0, 30) },
    'two people, both': { people: ['p1', 'p2'], personMode: 'all' },
    'thirty rare keywords': { keywords: many('k', 19_000, 30) },
    'a run': { workflowRunId: runId },
    'an episode': { episodeId },
    durations: { durationMin: 20, durationMax: 90 },
    'a second of durations': { durationMin: 59, durationMax: 60 },
    'modified within a month': { modifiedAfter: iso(START), modifiedBefore: iso(START + 30 * DAY) },
    'modified last': { modifiedAfter: iso(late) },
    'everything at once': {
      query: 'w0 w3 ',
      status: 'rendered',
      tags: many('t', 0, 20),
      people: many('p', 0, 30),
      keywords: many('k', 0, 30),
      aspectRatio: '9:16',
      durationMin: 20,
      durationMax: 170,
      modifiedAfter: iso(START + DAY),
      modifiedBefore: iso(START + 100_000 * DAY),
    },
    'what never comes together': { status: 'render_failed', aspectRatio: '1:1', durationMin: 16 },
    'dense, and nothing fits': { tags: ['t0'], people: ['p0'], query: 'w0 w1 w2 w3 w4 w5 w6 w7 w8 w9 ' },
  }
}

export const SORTS = ['created_at', 'updated_at', 'duration', 'title', 'virality_score'] as const

export function pathOf(query: Query): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of typeof value === 'object' ? value : [value]) params.append(name, String(one))
  return `/clips?${params.toString()}`
}

const numeric = (value: Query[string] | undefined) => (value === undefined ? undefined : Number(value))

/** A filter as the database is searched by it. */
export function filterOf({
  workflowRunId,
  modifiedAfter,
  modifiedBefore,
  durationMin,
  durationMax,
  ...rest
}: Query) {
  const given = {
    ...rest,
    runId: workflowRunId,
    durationMin: numeric(durationMin),
    durationMax: numeric(durationMax),
    modifiedAfter: modifiedAfter === undefined ? undefined : Date.parse(String(modifiedAfter)),
    modifiedBefore: modifiedBefore === undefined ? undefined : Date.parse(String(modifiedBefore)),
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as ClipFilter
}
