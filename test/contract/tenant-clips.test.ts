/** GET /clips: every filter, facets, counts, every order, pages to the end. */
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ClipDocument } from '../../server/contract/clip.ts'
import { CLIP_SORTS, type ClipSummary } from '../../server/contract/tenant-api/clip.ts'
import { saveClipEdit } from '../../server/db/edit-clips.ts'
import { clips, operations, posts, workflows } from '../../server/db/schema.ts'
import { deleteClip } from '../../server/domain/clips/update-clip.ts'
import { newId } from '../../server/ids.ts'
import { domainClient, type DomainClient } from '../support/domain.ts'
import { sampleDocument } from '../support/sample-document.ts'
import {
  addClip,
  addCompany,
  addMedia,
  addRun,
  addWorkflow,
  startTestServer,
  type TestServer,
} from '../support/server.ts'

let server: TestServer
let client: DomainClient
let other: DomainClient
let workflowIds: string[]
let runIds: string[]
const made: { id: string; document: ClipDocument; createdAt: number; updatedAt: number; runId: string }[] = []
const DAY = 86_400_000
const START = Date.UTC(2026, 0, 1)

const TITLES = [
  'Why we switched',
  'Überraschung im Café',
  'a quiet start',
  'Zebra',
  'why NOT',
  '東京タワー',
  'Zebra',
]
const PEOPLE = [['Ada'], ['Ada', 'Bo'], [], ['bo'], ['Cy', 'Ada', 'Bo']]
const TAGS = [['Launch'], [], ['launch', 'Teaser'], ['Vlog']]
const KEYWORDS = [['switch', 'cost'], ['tower'], [], ['Switch']]

beforeAll(async () => {
  server = await startTestServer()
  client = await domainClient(server)
  addCompany(server, 'rival')
  other = await domainClient(server, { companyId: 'rival' })
  workflowIds = [addWorkflow(server), addWorkflow(server)]
  runIds = [0, 1, 2].map((index) => addRun(server, { workflowId: workflowIds[index % 2] ?? '' }))
  for (let index = 0; index < 60; index += 1) {
    const run = index % 3
    const document = sampleDocument({
      title: TITLES[index % TITLES.length] ?? '',
      bio: index % 10 === 0 ? 'About the budget, briefly.' : 'A short answer.',
      people: PEOPLE[index % PEOPLE.length] ?? [],
      tags: TAGS[index % TAGS.length] ?? [],
      keywords: KEYWORDS[index % KEYWORDS.length] ?? [],
      duration: 10 + (index % 12) * 2.5,
      viralityScore: (index * 37) % 20,
      aspectRatio: index % 6 === 0 ? '16:9' : '9:16',
      sourceInputId: `input-${run}`,
      ...(index % 15 === 0 ? { chunk: { index: 0, offsetSeconds: 0, episodeId: 'live_abc' } } : {}),
    })
    const createdAt = START + Math.floor(index / 4) * DAY
    const updatedAt = START + ((index * 7) % 60) * DAY
    const runId = runIds[run] ?? ''
    const workflowId = workflowIds[run % 2] ?? ''
    const id = addClip(server, {
      workflowId,
      runId,
      document,
      row: { createdAt, updatedAt, revision: index % 8 === 0 ? 2 : 1, renderedMedia: index % 2 ? 'm' : null },
    })
    made.push({ id, document, createdAt, updatedAt, runId })
  }
  addClip(server, { workflowId: workflowIds[0] ?? '', row: { published: false } })
  addClip(server, {
    workflowId: workflowIds[0] ?? '',
    row: { companyId: 'rival' },
    document: { title: 'Theirs' },
  })
})
afterAll(() => server.close())

type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

function pathOf(query: Query): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? (value as string[]) : value === undefined ? [] : [value])
      params.append(name, String(one))
  return `/clips?${params.toString()}`
}

const ask = async (query: Query = {}) => {
  const answer = await client.call<ClipSummary[]>('GET', pathOf(query))
  expect(answer.status, answer.text).toBe(200)
  return answer
}

const idsFor = async (query: Query) =>
  (await ask({ limit: 100, ...query })).data.map(({ id }) => id).toSorted()

const expected = (fits: (clip: (typeof made)[number], index: number) => boolean) =>
  made
    .filter(fits)
    .map(({ id }) => id)
    .toSorted()

const has = (names: readonly string[], ...wanted: string[]) =>
  wanted.some((one) => names.some((name) => name.toLowerCase() === one.toLowerCase()))

describe('a clip in a list', () => {
  it('is returned as a summary, with an address of its thumbnail', async () => {
    const thumbnail = await addMedia(server, 'still.jpg', 'x', 'image/jpeg')
    const id = addClip(server, {
      workflowId: workflowIds[0] ?? '',
      runId: runIds[0] ?? '',
      document: { title: 'Only one', tags: ['One'], media: { thumbnail: thumbnail.id } },
      row: { createdAt: START, updatedAt: START + 5 },
    })
    const { data, meta } = await ask({ query: 'only one' })
    expect(data).toEqual([
      {
        id,
        title: 'Only one',
        status: 'unrendered',
        statuses: ['unrendered'],
        duration: 30,
        viralityScore: 70,
        aspectRatio: '9:16',
        tags: ['One'],
        people: ['Ada'],
        keywords: ['switch'],
        workflowId: workflowIds[0],
        workflowRunId: runIds[0],
        episodeId: 'a'.repeat(64),
        thumbnailUrl: `http://127.0.0.1:${server.port}${thumbnail.path}`,
        createdAt: '2026-01-01T00:00:00.000Z',
        updatedAt: '2026-01-01T00:00:00.005Z',
      },
    ])
    expect(meta).toEqual({ nextCursor: null })
    deleteClip(server.services, { companyId: 'acme', clipId: id })
  })

  it('follows creation, change and deletion at once, and only for its company', async () => {
    const workflowId = workflowIds[0] ?? ''
    const id = addClip(server, { workflowId, document: { title: 'Fresh' } })
    const titles = async (query: string) => (await ask({ query })).data.map(({ title }) => title)
    expect(await titles('fresh')).toEqual(['Fresh'])
    const document = sampleDocument({ title: 'Renamed', keywords: ['new'] })
    saveClipEdit(server.services.db, {
      companyId: 'acme',
      clipId: id,
      document,
      clearRender: false,
      now: START,
    })
    expect([await titles('fresh'), await titles('renamed'), await idsFor({ keywords: ['NEW'] })]).toEqual([
      [],
      ['Renamed'],
      [id],
    ])
    deleteClip(server.services, { companyId: 'acme', clipId: id })
    expect(await titles('renamed')).toEqual([])
    const theirs = await other.call<ClipSummary[]>('GET', '/clips?includeFacets=true')
    expect(theirs.data.map(({ title }) => title)).toEqual(['Theirs'])
    expect(theirs.meta.total).toBe(1)
    for (const filter of [{ workflowId }, { workflowRunId: runIds[0] }, { episodeId: 'live_abc' }])
      expect((await other.call('GET', pathOf({ ...filter, countOnly: true }))).meta.total).toBe(
        'workflowId' in filter ? 1 : 0,
      )
  })
})

describe('filters', () => {
  it('each return what matches them', async () => {
    const cases: [Query, (clip: (typeof made)[number], index: number) => boolean][] = [
      [{}, () => true],
      [{ aspectRatio: '16:9' }, (_, index) => index % 6 === 0],
      [{ tags: ['launch'] }, ({ document }) => has(document.tags ?? [], 'launch')],
      [{ tags: ['TEASER', 'vlog'] }, ({ document }) => has(document.tags ?? [], 'teaser', 'vlog')],
      [{ people: ['ada', 'cy'] }, ({ document }) => has(document.people, 'ada', 'cy')],
      [
        { people: ['ada', 'BO'], personMode: 'all' },
        ({ document }) => has(document.people, 'ada') && has(document.people, 'bo'),
      ],
      [{ people: ['nobody'] }, () => false],
      [{ keywords: ['tower', 'cost'] }, ({ document }) => has(document.keywords, 'tower', 'cost')],
      [{ workflowId: workflowIds[1] }, ({ runId }) => runId === runIds[1]],
      [{ workflowRunId: runIds[2] }, ({ runId }) => runId === runIds[2]],
      [{ episodeId: 'live_abc' }, ({ document }) => document.chunk !== undefined],
      [{ episodeId: 'input-1' }, ({ document }) => document.sourceInputId === 'input-1'],
      [{ episodeId: 'a'.repeat(64) }, ({ document }) => document.chunk === undefined],
      [{ episodeId: 'a'.repeat(63) }, () => false],
      [{ durationMin: 20 }, ({ document }) => document.duration >= 20],
      [
        { durationMin: 12.5, durationMax: 15 },
        ({ document: { duration } }) => duration >= 12.5 && duration <= 15,
      ],
      [{ durationMin: 15, durationMax: 12 }, () => false],
      [{ modifiedAfter: '2026-01-11T00:00:00Z' }, ({ updatedAt }) => updatedAt >= START + 10 * DAY],
      [
        { modifiedAfter: '2026-01-11T01:00:00+01:00', modifiedBefore: '2026-01-15T00:00:00.000Z' },
        ({ updatedAt }) => updatedAt >= START + 10 * DAY && updatedAt <= START + 14 * DAY,
      ],
      [{ status: 'edited' }, (_, index) => index % 8 === 0],
      [{ status: 'rendered' }, (_, index) => index % 2 === 1],
      [{ statuses: ['rendered', 'edited'] }, (_, index) => index % 2 === 1 || index % 8 === 0],
      [{ statuses: ['published'] }, () => false],
      // The document only requires strings for both: an unknown state matches no clip.
      [{ status: 'Completed' }, () => false],
      [{ statuses: Array.from({ length: 20 }, (_, index) => `state ${index}`) }, () => false],
      [{ query: 'WHY' }, ({ document }) => /why/i.test(document.title)],
      [{ query: 'not why' }, ({ document }) => document.title === 'why NOT'],
      [{ query: 'uberraschung cafe' }, ({ document }) => document.title.startsWith('Über')],
      [{ query: 'swi' }, ({ document }) => /switch/i.test([document.title, ...document.keywords].join(' '))],
      [{ query: 'swi ' }, () => false],
      [{ query: 'sw' }, () => false],
      [{ query: 'budget' }, (_, index) => index % 10 === 0],
      [{ query: '東京' }, ({ document }) => document.title.startsWith('東京')],
      [{ query: '"); drop table clips; --' }, () => false],
      [{ query: '  ' }, () => true],
      [{ query: '?!*' }, () => true],
      [
        { query: 'zebra', tags: ['launch'], aspectRatio: '9:16', durationMin: 11, status: 'rendered' },
        ({ document }, index) =>
          document.title === 'Zebra' &&
          index % 2 === 1 &&
          has(document.tags ?? [], 'launch') &&
          index % 6 !== 0 &&
          document.duration >= 11,
      ],
    ]
    for (const [query, fits] of cases) {
      expect(await idsFor(query), JSON.stringify(query)).toEqual(expected(fits))
      const { data, meta } = await ask({ ...query, countOnly: true })
      expect([data, meta], JSON.stringify(query)).toEqual([
        [],
        { nextCursor: null, total: expected(fits).length },
      ])
    }
  })

  it('by status follow renders and posts', async () => {
    const { orm } = server.services.db
    const first = made[2]?.id ?? ''
    const second = made[3]?.id ?? ''
    const times = { createdAt: 1, updatedAt: 1 }
    const queued = { kind: 'render', state: 'queued' } as const
    const common = { companyId: 'acme', ...queued, availableAt: 0, ...times }
    orm
      .insert(operations)
      .values({ id: 'op-1', subjectId: first, ...common })
      .run()
    const platform = 'tiktok' as const
    const post = { companyId: 'acme', clipId: second, platform, text: '', ...times }
    orm
      .insert(posts)
      .values({ id: 'post-1', status: 'scheduled', ...post })
      .run()
    const of = async (id: string) => (await ask({ limit: 100 })).data.find((clip) => clip.id === id)?.statuses
    expect(await idsFor({ status: 'rendering' })).toEqual([first])
    expect(await of(second)).toEqual(['rendered', 'scheduled'])
    orm.update(operations).set({ state: 'failed' }).where(eq(operations.id, 'op-1')).run()
    orm.update(posts).set({ status: 'success', publishedAt: 1 }).where(eq(posts.id, 'post-1')).run()
    expect(await idsFor({ statuses: ['rendering', 'scheduled'] })).toEqual([])
    expect(await idsFor({ statuses: ['render_failed', 'published'] })).toEqual([first, second].toSorted())
    expect(await of(first)).toEqual(['render_failed'])
    orm.delete(posts).where(eq(posts.id, 'post-1')).run()
    orm.update(operations).set({ state: 'succeeded' }).where(eq(operations.id, 'op-1')).run()
    expect([await of(first), await of(second)]).toEqual([['unrendered'], ['rendered']])
  })

  it('are refused when invalid', async () => {
    const bad: Query[] = [
      { query: 'x'.repeat(501) },
      { tags: Array.from({ length: 21 }, (_, index) => `t${index}`) },
      { people: Array.from({ length: 31 }, (_, index) => `p${index}`) },
      { statuses: Array.from({ length: 21 }, () => 'x') },
      { personMode: 'some' },
      { workflowId: 'x'.repeat(201) },
      { durationMin: -1 },
      { durationMax: 'long' },
      { modifiedAfter: 'yesterday' },
      { modifiedBefore: '2026-02-30T00:00:00Z' },
      { includeFacets: 'yes' },
      { sortBy: 'name' },
      { sortOrder: 'up' },
      { limit: 0 },
      { limit: 101 },
    ]
    for (const query of bad) {
      const { status, error } = await client.call('GET', pathOf(query))
      expect(
        [status, error.code, String(error.details?.['field']).split('.')[0]],
        JSON.stringify(query),
      ).toEqual([400, 'VALIDATION_FAILED', Object.keys(query)[0]])
    }
  })
})

describe('facets', () => {
  it('count values of the clips that match the filters, most frequent first', async () => {
    const { data, meta } = await ask({ includeFacets: true, limit: 5, keywords: ['switch'] })
    expect(data).toHaveLength(5)
    const left = made.filter(({ document }) => has(document.keywords, 'switch'))
    expect(meta.total).toBe(left.length)
    const count = (of: (clip: (typeof made)[number]) => readonly string[]) => {
      const counts = new Map<string, number>()
      for (const clip of left)
        for (const key of new Set(of(clip).map((name) => name.toLowerCase())))
          counts.set(key, (counts.get(key) ?? 0) + 1)
      return counts
    }
    for (const name of ['tags', 'people', 'keywords'] as const) {
      const facet = (meta.facets?.[name] ?? []) as { value: string; count: number }[]
      expect(new Map(facet.map(({ value, count: times }) => [value.toLowerCase(), times]))).toEqual(
        count(({ document }) => document[name] ?? []),
      )
      expect(facet.map((one) => one.count)).toEqual(facet.map((one) => one.count).toSorted((a, b) => b - a))
    }
    expect(meta.facets?.['statuses']).toContainEqual({
      value: 'rendered',
      count: made.filter(({ document }, index) => has(document.keywords, 'switch') && index % 2 === 1).length,
    })
  })

  it('show 30 people and 20 tags at most, also with a count alone', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `Person ${String(index).padStart(2, '0')}`)
    const ids = names.map((name, index) =>
      addClip(server, {
        workflowId: workflowIds[0] ?? '',
        document: { people: names.slice(0, index + 1), tags: names.slice(0, 25), title: `crowd ${name}` },
      }),
    )
    const { data, meta } = await ask({ query: 'crowd', includeFacets: true, countOnly: true })
    expect([data, meta.total]).toEqual([[], 40])
    const facets = meta.facets as Record<string, { value: string; count: number }[]>
    expect(facets['people']).toEqual(names.slice(0, 30).map((value, index) => ({ value, count: 40 - index })))
    expect(facets['tags']?.map(({ value }) => value)).toEqual(names.slice(0, 20))
    for (const clipId of ids) deleteClip(server.services, { companyId: 'acme', clipId })
  })
})

describe('pages', () => {
  const KEYS = {
    created_at: ({ createdAt }) => Date.parse(createdAt),
    updated_at: ({ updatedAt }) => Date.parse(updatedAt),
    duration: ({ duration }) => duration,
    virality_score: ({ viralityScore }) => viralityScore,
    title: ({ title }) => title.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase(),
  } satisfies Record<string, (clip: ClipSummary) => string | number>

  it('hold the whole list, each clip once, for every order, filter and size', async () => {
    const query = fc.record({
      sortBy: fc.constantFrom(...CLIP_SORTS),
      sortOrder: fc.constantFrom('asc', 'desc'),
      limit: fc.integer({ min: 1, max: 25 }),
      filter: fc.constantFrom<Query>(
        {},
        { tags: ['launch', 'vlog'] },
        { query: 'zebra' },
        { people: ['nobody'] },
      ),
    })
    await fc.assert(
      fc.asyncProperty(query, async ({ filter, ...order }) => {
        const seen: ClipSummary[] = []
        for (let cursor: string | undefined; ;) {
          const { data, meta } = await ask({ ...filter, ...order, cursor })
          expect(data.length).toBeLessThanOrEqual(order.limit)
          seen.push(...data)
          if (meta.nextCursor === null) break
          cursor = meta.nextCursor
        }
        expect(seen.map(({ id }) => id).toSorted()).toEqual(await idsFor(filter))
        const key = KEYS[order.sortBy]
        const sign = order.sortOrder === 'asc' ? 1 : -1
        for (const [at, clip] of seen.entries()) {
          const before = seen[at - 1]
          if (before === undefined) continue
          const [a, b] = [
            [key(before), before.id],
            [key(clip), clip.id],
          ] as const
          const order = a[0] === b[0] ? (a[1] < b[1] ? -1 : 1) : a[0] < b[0] ? -1 : 1
          expect(order * sign).toBe(-1)
        }
      }),
      { numRuns: 25, seed: 6 },
    )
  })

  it('continue where they ended although their last clip was deleted and another is new', async () => {
    const first = await ask({ sortBy: 'title', sortOrder: 'asc', limit: 10 })
    const last = first.data.at(-1)?.id ?? ''
    const row = server.services.db.orm.select().from(clips).where(eq(clips.id, last)).get()
    deleteClip(server.services, { companyId: 'acme', clipId: last })
    const added = addClip(server, { workflowId: workflowIds[0] ?? '', document: { title: 'zzz' } })
    const seen = first.data.map(({ id }) => id)
    for (let cursor = first.meta.nextCursor; cursor !== null;) {
      const page = await ask({ sortBy: 'title', sortOrder: 'asc', limit: 10, cursor })
      seen.push(...page.data.map(({ id }) => id))
      cursor = page.meta.nextCursor
    }
    expect(seen.toSorted()).toEqual([...made.map(({ id }) => id), added].toSorted())
    deleteClip(server.services, { companyId: 'acme', clipId: added })
    if (row !== undefined) server.services.db.orm.insert(clips).values(row).run()
  })

  it('of one query refuse the cursor of another query or tenant', async () => {
    const { meta } = await ask({ limit: 5, tags: ['launch'] })
    const cursor = meta.nextCursor ?? ''
    const made = (values: unknown[]) => Buffer.from(JSON.stringify(values)).toString('base64url')
    for (const query of [
      { cursor },
      { cursor, tags: ['vlog'] },
      { cursor, tags: ['launch'], sortOrder: 'asc' },
      { cursor, tags: ['launch'], sortBy: 'title' },
      { cursor: 'nonsense', tags: ['launch'] },
      { cursor: made(['x', 1, 'y']), tags: ['launch'] },
    ]) {
      const { status, error } = await client.call('GET', pathOf(query))
      expect([status, error.code]).toEqual([400, 'INVALID_CURSOR'])
    }
    const theirs = await other.call('GET', pathOf({ cursor, tags: ['launch'] }))
    expect(theirs.error.code).toBe('INVALID_CURSOR')
    // The size of a page may change on the way.
    expect((await ask({ cursor, limit: 3, tags: ['launch'] })).data).toHaveLength(3)
  })
})

it('are empty for a company without clips', async () => {
  addCompany(server, 'empty')
  const { data, meta } = await (await domainClient(server, { companyId: 'empty' })).call('GET', '/clips')
  expect([data, meta]).toEqual([[], { nextCursor: null }])
  expect(server.services.db.orm.select().from(workflows).all().length).toBeGreaterThan(1)
  expect(newId()).toHaveLength(22)
})
