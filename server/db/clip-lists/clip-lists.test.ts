/** Lists of clips against a plain look through all of them, over whatever is written, found in every way there is. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { CLIP_SORTS, type ClipSort } from '../../contract/tenant-api/clip.ts'
import { openDatabase, type Db } from '../client.ts'
import { rewriteList } from '../listed-clips.ts'
import { companies } from '../schema.ts'
import { foldedLetters, nameKeys, wordsOf } from './letters.ts'
import { createClipSearch } from './search.ts'
import type { ClipFilter, ClipFindings, ClipPosition, ClipSearch } from './types.ts'

interface Clip {
  readonly title: string
  readonly bio: string
  readonly duration: number
  readonly viralityScore: number
  readonly createdAt: number
  readonly updatedAt: number
  readonly people: readonly string[]
  readonly tags: readonly string[]
  readonly runId: string | null
  readonly rendered: boolean
}

const NAMES = ['Ada', 'Bö', 'Cy', 'Di']

const clip = fc.record({
  title: fc.constantFrom('One two', 'two', 'Three', 'Ünder', '東京', ''),
  bio: fc.constantFrom('', 'a_b C', 'Ｗide two'),
  duration: fc.integer({ min: 1, max: 5 }),
  viralityScore: fc.integer({ min: 0, max: 3 }),
  createdAt: fc.integer({ min: 0, max: 5 }),
  updatedAt: fc.integer({ min: 0, max: 5 }),
  people: fc.subarray(NAMES),
  tags: fc.subarray(NAMES),
  runId: fc.constantFrom('r1', 'r2', null),
  rendered: fc.boolean(),
})
const filter = fc.record(
  {
    query: fc.constantFrom('two', 'TWO one', 'thr', 'under', '京', 'b', 'wide', ''),
    status: fc.constantFrom('rendered', 'unrendered', 'published'),
    people: fc.subarray(['ada', 'CY', 'nobody']),
    personMode: fc.constantFrom('any', 'all'),
    tags: fc.subarray(['BÖ', 'Di']),
    runId: fc.constantFrom('r1', 'r3'),
    durationMin: fc.integer({ min: 0, max: 6 }),
    durationMax: fc.integer({ min: 0, max: 6 }),
    modifiedAfter: fc.integer({ min: 0, max: 6 }),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<ClipFilter>

const plain = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()

function fits(one: Clip, wanted: ClipFilter): boolean {
  const has = (names: readonly string[], name: string) =>
    names.some((other) => other.toLowerCase() === name.toLowerCase())
  const { people = [], tags = [] } = wanted
  const words = [one.title, one.bio, ...one.people].flatMap(wordsOf)
  const asked = wordsOf(wanted.query ?? '')
  return (
    asked.every((word, at) =>
      words.some((other) =>
        at === asked.length - 1 && word.length >= 3 ? other.startsWith(word) : other === word,
      ),
    ) &&
    (wanted.status === undefined || wanted.status === (one.rendered ? 'rendered' : 'unrendered')) &&
    (people.length === 0 ||
      (wanted.personMode === 'all'
        ? people.every((name) => has(one.people, name))
        : people.some((name) => has(one.people, name)))) &&
    (tags.length === 0 || tags.some((name) => has(one.tags, name))) &&
    (wanted.runId === undefined || wanted.runId === one.runId) &&
    one.duration >= (wanted.durationMin ?? -Infinity) &&
    one.duration <= (wanted.durationMax ?? Infinity) &&
    one.updatedAt >= (wanted.modifiedAfter ?? -Infinity)
  )
}

const valueOf = (one: Clip, sortBy: ClipSort): string | number =>
  ({
    created_at: one.createdAt,
    updated_at: one.updatedAt,
    duration: one.duration,
    virality_score: one.viralityScore,
    title: plain(one.title),
  })[sortBy]

const root = mkdtempSync(join(tmpdir(), 'cutroom-clip-lists-'))
let db: Db
let seq = 0
beforeEach(() => {
  db = openDatabase(join(root, `${(seq += 1)}.sqlite`))
  db.sqlite.pragma('synchronous = OFF')
  db.orm
    .insert(companies)
    .values(
      ['acme', 'rival'].map((id) => ({ id, name: id, plan: 'starter' as const, features: [], createdAt: 1 })),
    )
    .run()
  return () => db.close()
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Null: the clip goes. */
function write(id: string, made: Clip | null, companyId = 'acme'): void {
  seq += 1
  if (made === null) {
    db.sqlite.prepare('update listed_clips set gone = 1, seq = ? where clip_id = ?').run(seq, id)
    return
  }
  db.sqlite
    .prepare(
      `insert into listed_clips (clip_id, company_id, seq, workflow_id, run_id, title, bio, duration, virality_score,
         aspect_ratio, people, keywords, tags, source_id, source_input_id, rendered, edited, created_at, updated_at)
       values (@id, @companyId, @seq, 'w', @runId, @title, @bio, @duration, @viralityScore, '9:16', @people, '[]', @tags,
         'e', 'e', @rendered, 0, @createdAt, @updatedAt)
       on conflict (clip_id) do update set gone = 0, seq = excluded.seq, run_id = excluded.run_id, title = excluded.title,
         bio = excluded.bio, duration = excluded.duration, virality_score = excluded.virality_score,
         people = excluded.people, tags = excluded.tags, rendered = excluded.rendered,
         created_at = excluded.created_at, updated_at = excluded.updated_at`,
    )
    .run({
      ...made,
      id,
      companyId,
      seq,
      people: JSON.stringify(made.people),
      tags: JSON.stringify(made.tags),
      rendered: Number(made.rendered),
    })
}

const LIMITS = [
  { few: 3000, walkCost: 5, fewWithWords: 3000, firstRows: 1000, firstRowsByWord: 100 },
  { few: 0, walkCost: 0, fewWithWords: 0, firstRows: 1000, firstRowsByWord: 100 },
  { few: 0, walkCost: 0, fewWithWords: 0, firstRows: 2, firstRowsByWord: 1 },
]

const everyTable = (): unknown =>
  ['clip_lists', 'clip_keys'].map((table) => db.sqlite.prepare(`select * from ${table}`).all().length)

describe('a list of clips', () => {
  it('has, orders and counts what a look through all of them does, whatever was written before', () => {
    const steps = fc.array(
      fc.tuple(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 12 }), fc.option(clip)), { maxLength: 12 }),
        filter,
        fc.constantFrom(...CLIP_SORTS),
        fc.constantFrom('asc' as const, 'desc' as const),
        fc.constantFrom(...LIMITS),
      ),
      { minLength: 1, maxLength: 4 },
    )
    const searches = new Map(LIMITS.map((limits) => [limits, createClipSearch(db.sqlite, limits)]))
    fc.assert(
      fc.property(steps, (all) => {
        db.sqlite.exec('delete from listed_clips')
        const clips = new Map<string, Clip>()
        for (const [writes, wanted, sortBy, order, limits] of all) {
          for (const [number, made] of writes) {
            const id = `id-${String(number).padStart(2, '0')}`
            write(id, made)
            if (made === null) clips.delete(id)
            else clips.set(id, made)
          }
          const left = [...clips].filter(([, one]) => fits(one, wanted))
          const sign = order === 'asc' ? 1 : -1
          const sorted = left.toSorted(([a, one], [b, other]) => {
            const x = valueOf(one, sortBy)
            const y = valueOf(other, sortBy)
            return (x === y ? (a < b ? -1 : 1) : x < y ? -1 : 1) * sign
          })
          const found: string[] = []
          for (let after: ClipPosition | null = null; ;) {
            const page: ClipSearch['page'] = { sortBy, order, after, limit: 4 }
            const asked: ClipSearch = { companyId: 'acme', filter: wanted, count: true, facets: true, page }
            const answer: ClipFindings | undefined = searches.get(limits)?.(asked)
            found.push(...(answer?.clips ?? []).map(({ id }) => id))
            expect(answer?.total).toBe(left.length)
            for (const name of NAMES)
              expect(answer?.facets?.people.find(({ value }) => value === name)?.count ?? 0).toBe(
                left.filter(([, { people }]) => people.includes(name)).length,
              )
            after = answer?.next ?? null
            if (after === null) break
          }
          expect(found).toEqual(sorted.map(([id]) => id))
        }
      }),
      { numRuns: 30, seed: 11 },
    )
  })

  it('is the same when its indexes are filled at once, and is of one company', () => {
    const made: Clip = {
      title: 'Élan vital 東京',
      bio: '',
      duration: 1,
      viralityScore: 1,
      createdAt: 1,
      updatedAt: 1,
      people: ['Ada', ' ada', 'Bö'],
      tags: ['x'],
      runId: null,
      rendered: true,
    }
    write('a', made)
    write('b', { ...made, people: [], title: 'élan' })
    write('c', made, 'rival')
    write('d', made)
    write('d', null)
    const search = createClipSearch(db.sqlite)
    const ask = (query: ClipFilter) =>
      search({
        companyId: 'acme',
        filter: query,
        count: true,
        facets: true,
        page: { sortBy: 'title', order: 'asc', after: null, limit: 5 },
      })
    const queries: ClipFilter[] = [
      {},
      { query: 'elan' },
      { query: '京' },
      { people: ['BÖ'] },
      { episodeId: 'e' },
    ]
    const before = [queries.map(ask), everyTable()]
    expect(queries.map((query) => ask(query).total)).toEqual([2, 2, 1, 1, 2])
    expect(ask({}).facets?.people).toEqual([
      { value: 'Ada', count: 1 },
      { value: 'Bö', count: 1 },
    ])
    rewriteList(db.sqlite, () => undefined)
    expect([queries.map(ask), everyTable()]).toEqual(before)
    // What a name spelled with combining accents is called by is found as well.
    expect(ask({ people: ['Bö'.normalize('NFD')] }).total).toBe(1)
  })
})

describe('letters', () => {
  it('of words have no accents and no case; scripts without spaces are taken letter by letter', () => {
    expect(wordsOf('Éa b-C 42!')).toEqual(['ea', 'b', 'c', '42'])
    expect(wordsOf('東京 Tower')).toEqual(['東', '京', 'tower'])
    expect(wordsOf('Привет, мир')).toEqual(['привет', 'мир'])
    expect(nameKeys('  Ada Løve ')).toEqual(['ada løve'])
  })

  it('are in the table once each', () => {
    const letters = foldedLetters().map(({ letter }) => letter)
    expect(new Set(letters).size).toBe(letters.length)
    expect(foldedLetters()).toContainEqual({ letter: 'Ü', plain: 'u', word: 'u', lower: 'ü' })
  })
})

it('no search walks a table but along an index', () => {
  const asked = new Set<string>()
  const prepare = db.sqlite.prepare.bind(db.sqlite)
  const watched = Object.create(db.sqlite, {
    prepare: {
      value: (text: string) => {
        asked.add(text)
        return prepare(text)
      },
    },
    transaction: { value: (act: (input: unknown) => unknown) => act },
  }) as typeof db.sqlite
  write('a', fc.sample(clip, { numRuns: 1, seed: 1 })[0] ?? null)
  const filters: ClipFilter[] = [{}, { status: 'rendered' }, { status: 'unrendered' }, { query: 'two' }]
  for (const limits of LIMITS)
    for (const one of filters)
      for (const more of [{}, { durationMin: 1 }, { modifiedAfter: 0, modifiedBefore: 9 }])
        for (const sortBy of CLIP_SORTS)
          createClipSearch(
            watched,
            limits,
          )({
            companyId: 'acme',
            filter: { ...one, ...more },
            count: true,
            facets: true,
            page: { sortBy, order: 'asc', after: ['', ''], limit: 5 },
          })
  expect(asked.size).toBeGreaterThan(20)
  for (const text of asked) {
    const plan = prepare<unknown[], { detail: string }>(`explain query plan ${text}`)
      .all(...Array.from({ length: text.split('?').length - 1 }, () => 1))
      .map(({ detail }) => detail)
      .join('\n')
    expect(plan, text).not.toMatch(/SCAN (k|l|listed_clips|clip_keys|clip_lists|clip_terms|media)\b/)
  }
})
