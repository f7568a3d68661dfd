/** Pages of a search in an index where every word is a common one: all matches, each once, titles of the newest first. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase, type Db } from '../../server/db/client.ts'
import { createCompany } from '../../server/domain/people/companies.ts'
import { search, type SearchLimits } from '../../server/domain/search/search.ts'
import { omitUndefined } from '../../server/contract/omit-undefined.ts'

const WORDS = ['amber', 'birch', 'cedar', 'dahlia', 'elm']
const ENTRIES = 60

let root: string
let db: Db
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-windows-'))
  db = openDatabase(join(root, 'cutroom.sqlite'))
  createCompany({ db, now: Date.now }, { id: 'acme', name: 'Acme' })
  const insert = db.sqlite.prepare(
    `insert into search_entries (company_id, kind, subject_id, title, tags, body, at) values ('acme', 'clip', ?, ?, '', ?, 1)`,
  )
  // Every way to have words in titles and in texts, some more often than others.
  for (let index = 0; index < ENTRIES; index += 1) {
    const having = (bits: number) => WORDS.filter((_word, at) => ((bits >> at) & 1) === 1).join(' ')
    insert.run(String(index), having((index * 7) % 32), having((index * 13 + 5) % 32))
  }
})
afterAll(async () => {
  db.close()
  await rm(root, { recursive: true, force: true })
})

const entries = (): { id: string; seq: number; title: string[]; all: string[] }[] =>
  db.sqlite
    .prepare<[], { id: string; seq: number; title: string; body: string }>(
      `select subject_id as id, seq, title, body from search_entries where kind = 'clip'`,
    )
    .all()
    .map(({ id, seq, title, body }) => ({
      id,
      seq,
      title: title.split(' '),
      all: `${title} ${body}`.split(' '),
    }))

function readPages(query: string, limit: number, limits: SearchLimits): string[] {
  const found: string[] = []
  for (let cursor: string | undefined; ;) {
    const requested = { query, types: ['clip' as const], limit, ...omitUndefined({ cursor }) }
    const page = search({ db, now: Date.now }, { companyId: 'acme' }, requested, limits)
    expect(page.results.length).toBeLessThanOrEqual(limit)
    found.push(...page.results.map(({ id }) => id))
    if (page.nextCursor === null) return found
    expect(page.results.length).toBe(limit)
    cursor = page.nextCursor
  }
}

it('finds every match once, whatever the windows, and titles first where titles are searched', () => {
  const known = entries()
  const newest = Math.max(...known.map(({ seq }) => seq))
  fc.assert(
    fc.property(
      fc.subarray(WORDS, { minLength: 1 }),
      fc.integer({ min: 1, max: 9 }),
      fc.record({
        window: fc.integer({ min: 1, max: 20 }),
        counted: fc.constantFrom(1, 1_000_000),
        named: fc.integer({ min: 1, max: ENTRIES + 5 }),
      }),
      (words, limit, limits) => {
        const found = readPages(`${words.join(' ')} `, limit, limits)
        const matches = known.filter(({ all }) => words.every((word) => all.includes(word)))
        expect([...found].sort()).toEqual(matches.map(({ id }) => id).sort())
        // Counted to one, every word is a common one; counted to a million, none is.
        const floor = limits.counted === 1 ? newest - limits.named + 1 : 1
        const first = matches.filter(
          ({ seq, title }) => seq >= floor && words.every((word) => title.includes(word)),
        )
        expect(found.slice(0, first.length).sort()).toEqual(first.map(({ id }) => id).sort())
      },
    ),
    { numRuns: 150 },
  )
})

it('weighs a phrase by its rarest word, and finds it word for word', () => {
  const found = readPages('"amber birch" ', 7, { window: 5, counted: 1, named: 10 })
  const expected = entries().filter(({ all }) => / ?amber birch/.test(all.join(' ')))
  expect([...found].sort()).toEqual(expected.map(({ id }) => id).sort())
})
