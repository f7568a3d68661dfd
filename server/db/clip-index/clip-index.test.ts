/** The index against a plain look through all clips, over whatever is written; what its statements cost. */
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CLIP_SORTS, type ClipSort } from '../../contract/tenant-api/clip.ts'
import { countBits, hasBit } from './bits.ts'
import { createClipIndex } from './index.ts'
import { addRow, addTo, newPostings } from './postings.ts'
import type { ClipFilter, ListedClip } from './protocol.ts'
import type { ChangedClip, ClipSource } from './source.ts'
import { clipSource } from './source.ts'
import type { ClipEntry } from './table.ts'
import { keyOf, sortTextOf, wordsOf } from './words.ts'

const NAMES = ['Ada', 'Bo', 'Cy', 'Di']
const TITLES = ['One two', 'two', 'Three', 'Ünder', '']

/** A list of clips in memory that is written to as the triggers write. */
function fakeList() {
  const rows = new Map<number, ChangedClip>()
  let seq = 0
  const write = (key: number, entry: ClipEntry | null): void => {
    seq += 1
    rows.set(key, { key, seq, entry })
  }
  const source: ClipSource = {
    newestSeq: () => seq,
    changesAfter: (_company, after, limit) =>
      [...rows.values()]
        .filter((row) => row.seq > after)
        .toSorted((a, b) => a.seq - b.seq)
        .slice(0, limit),
    listed: (keys) =>
      new Map(keys.map((key) => [key, { id: rows.get(key)?.entry?.id ?? '' } as unknown as ListedClip])),
    atOnce: (read) => read(),
  }
  const clips = (): ClipEntry[] => [...rows.values()].flatMap(({ entry }) => entry ?? [])
  return { source, write, clips }
}

const entry = fc.record({
  title: fc.constantFrom(...TITLES),
  duration: fc.integer({ min: 1, max: 5 }),
  viralityScore: fc.integer({ min: 0, max: 3 }),
  createdAt: fc.integer({ min: 0, max: 5 }),
  updatedAt: fc.integer({ min: 0, max: 5 }),
  people: fc.subarray(NAMES),
  tags: fc.subarray(NAMES),
  runId: fc.constantFrom('r1', 'r2', null),
})
const write = fc.tuple(fc.integer({ min: 1, max: 12 }), fc.option(entry))
const filter = fc.record(
  {
    query: fc.constantFrom('two', 'TWO one', 'thr', 'under', ''),
    people: fc.subarray(['ada', 'CY', 'nobody']),
    personMode: fc.constantFrom('any', 'all'),
    tags: fc.subarray(['bo', 'Di']),
    runId: fc.constantFrom('r1', 'r3'),
    durationMin: fc.integer({ min: 0, max: 6 }),
    durationMax: fc.integer({ min: 0, max: 6 }),
    modifiedAfter: fc.integer({ min: 0, max: 6 }),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<ClipFilter>

function fits(clip: ClipEntry, wanted: ClipFilter): boolean {
  const has = (names: readonly string[], one: string) => names.some((name) => keyOf(name) === keyOf(one))
  const { people = [], tags = [] } = wanted
  const words = [clip.title, clip.bio, ...clip.people, ...clip.keywords].flatMap(wordsOf)
  const asked = wordsOf(wanted.query ?? '')
  return (
    asked.every((word, at) =>
      words.some((one) =>
        at === asked.length - 1 && word.length >= 3 ? one.startsWith(word) : one === word,
      ),
    ) &&
    (people.length === 0 ||
      (wanted.personMode === 'all'
        ? people.every((one) => has(clip.people, one))
        : people.some((one) => has(clip.people, one)))) &&
    (tags.length === 0 || tags.some((one) => has(clip.tags, one))) &&
    (wanted.runId === undefined || wanted.runId === clip.runId) &&
    clip.duration >= (wanted.durationMin ?? -Infinity) &&
    clip.duration <= (wanted.durationMax ?? Infinity) &&
    clip.updatedAt >= (wanted.modifiedAfter ?? -Infinity)
  )
}

const valueOf = (clip: ClipEntry, sortBy: ClipSort): string | number =>
  ({
    created_at: clip.createdAt,
    updated_at: clip.updatedAt,
    duration: clip.duration,
    virality_score: clip.viralityScore,
    title: sortTextOf(clip.title),
  })[sortBy]

describe('the index of clips', () => {
  it('finds, orders and counts what a look through all of them does, whatever was written before', async () => {
    const runs = fc.record({
      steps: fc.array(fc.tuple(fc.array(write, { maxLength: 12 }), filter), { minLength: 1, maxLength: 5 }),
      sortBy: fc.constantFrom(...CLIP_SORTS),
      order: fc.constantFrom('asc' as const, 'desc' as const),
      few: fc.constantFrom(0, 3, 1000),
      counted: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(runs, async ({ steps, sortBy, order, few, counted }) => {
        const { source, write: put, clips } = fakeList()
        const index = createClipIndex(source, { few })
        for (const [writes, wanted] of steps) {
          for (const [key, made] of writes)
            put(
              key,
              made && {
                ...made,
                key,
                id: `id-${String(key).padStart(2, '0')}`,
                workflowId: 'w',
                episodes: ['e', 'e'],
                bio: '',
                aspectRatio: '9:16',
                keywords: [],
                statuses: ['rendered'],
              },
            )
          const left = clips().filter((clip) => fits(clip, wanted))
          const sorted = left.toSorted((a, b) => {
            const x = valueOf(a, sortBy)
            const y = valueOf(b, sortBy)
            return (x === y ? (a.id < b.id ? -1 : 1) : x < y ? -1 : 1) * (order === 'asc' ? 1 : -1)
          })
          const page = { sortBy, order, after: null, limit: 4 }
          const asked = { companyId: 'c', filter: wanted, count: counted, facets: counted }
          const found: string[] = []
          for (let after: (typeof page)['after'] = null; ;) {
            const answer = await index.search({ ...asked, page: { ...page, after } })
            found.push(...answer.clips.map(({ id }) => id))
            expect(answer.total).toBe(counted ? left.length : null)
            for (const { value, count } of answer.facets?.people ?? [])
              expect(count).toBe(left.filter(({ people }) => people.includes(value)).length)
            if (answer.next === null) break
            after = answer.next as never
          }
          expect(found).toEqual(sorted.map(({ id }) => id))
        }
      }),
      { numRuns: 200, seed: 11 },
    )
  })

  it('forgets rows of before when most of them are', async () => {
    const { source, write: put } = fakeList()
    let fillings = 0
    const changesAfter: ClipSource['changesAfter'] = (company, after, limit) => {
      if (after === 0) fillings += 1
      return source.changesAfter(company, after, limit)
    }
    const index = createClipIndex({ ...source, changesAfter }, { manyDead: 20 })
    const clip: ClipEntry = {
      key: 1,
      id: 'a',
      workflowId: 'w',
      runId: null,
      episodes: [],
      title: 't',
      bio: '',
      duration: 1,
      viralityScore: 1,
      aspectRatio: '',
      people: [],
      keywords: [],
      tags: [],
      statuses: [],
      createdAt: 1,
      updatedAt: 1,
    }
    const ask = () =>
      index.search({
        companyId: 'c',
        filter: {},
        count: true,
        facets: false,
        page: { sortBy: 'title', order: 'asc', after: null, limit: 5 },
      })
    let total: number | null = 0
    for (let round = 0; round < 50; round += 1) {
      put(1, { ...clip, title: `t${round}` })
      total = (await ask()).total
    }
    expect([total, fillings]).toEqual([1, 3])
  })
})

it('a reading that failed is begun again by the next search', async () => {
  const { source, write: put } = fakeList()
  put(1, null)
  let fails = 1
  const changesAfter: ClipSource['changesAfter'] = (...asked) => {
    if (fails-- > 0) throw new Error('the disk is gone')
    return source.changesAfter(...asked)
  }
  const index = createClipIndex({ ...source, changesAfter })
  const ask = () =>
    index
      .search({ companyId: 'c', filter: {}, count: true, facets: false, page: null })
      .then(({ total }) => total)
  const [first, second] = await Promise.allSettled([ask(), ask()])
  expect([first.status, second.status]).toEqual(['rejected', 'rejected'])
  expect(await ask()).toBe(0)
})

describe('postings', () => {
  it('are the same rows as a list and as bits', () => {
    const postings = newPostings('x')
    const rows = Array.from({ length: 20_000 }, (_, index) => index * 2)
    for (const row of rows) addRow(postings, row, row + 1)
    expect([postings.list, postings.count]).toEqual([null, 20_000])
    const all = new Uint32Array(2000)
    addTo(all, postings)
    expect([countBits(all), hasBit(all, 39_998), hasBit(all, 1)]).toEqual([20_000, true, false])
  })
})

describe('words', () => {
  it('have no accents and no case; scripts without spaces are taken letter by letter', () => {
    expect(wordsOf('Éa b-C 42!')).toEqual(['ea', 'b', 'c', '42'])
    expect(wordsOf('東京 Tower')).toEqual(['東', '京', 'tower'])
    expect(wordsOf('Привет, мир')).toEqual(['привет', 'мир'])
    expect(keyOf('  Ada Løve ')).toBe('ada løve')
    expect(sortTextOf(' Ünder')).toBe('under')
  })
})

describe('what the index asks of the database', () => {
  it('is walked along an index, not through all clips', () => {
    const sqlite = new Database(':memory:')
    sqlite.exec(`create table media (id text primary key, name text);
      create table listed_clips (row integer primary key, clip_id text, company_id text, seq integer, gone integer,
        thumbnail_media text);
      create index listed_clips_by_change on listed_clips (company_id, seq)`)
    const asked: string[] = []
    const prepare = sqlite.prepare.bind(sqlite)
    sqlite.prepare = (text: string) => {
      asked.push(text)
      return prepare(text)
    }
    clipSource(sqlite)
    const plans = asked.map((text) =>
      prepare<unknown[], { detail: string }>(`explain query plan ${text}`)
        .all(...Array.from({ length: text.split('?').length - 1 }, () => 1))
        .map(({ detail }) => detail),
    )
    expect(plans.length).toBe(3)
    for (const plan of plans) {
      expect(plan.join('\n')).not.toMatch(/SCAN (listed_clips|media)|TEMP B-TREE/)
      expect(plan.join('\n')).toMatch(/listed_clips/)
    }
    sqlite.close()
  })
})
