/** The search index: updated by triggers, consistent, and filled for rows that are older than it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { applicationRoot } from '../../server/config/config.ts'
import { removeClip } from '../../server/db/edit-clips.ts'
import { sectionsOf } from '../../server/domain/search/guide.ts'
import { addClip, addRun, addWorkflow, startTestServer, type TestServer } from '../support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  const workflowId = addWorkflow(server)
  addRun(server, { workflowId })
  addClip(server, { workflowId, row: { published: false } })
  const [, gone = ''] = Array.from({ length: 5 }, () => addClip(server, { workflowId }))
  removeClip(server.services.db, { companyId: server.companyId, clipId: gone })
})
afterAll(() => server.close())

describe('the index', () => {
  it('has every trigger that updates it: a migration that rebuilds a table drops those of the table', () => {
    const rows = server.services.db.sqlite
      .prepare(`select name from sqlite_master where type = 'trigger' and name like 'search_%' order by name`)
      .all() as { name: string }[]
    const names = ['clips', 'posts', 'runs', 'workflows'].flatMap((table) =>
      ['added', 'changed', 'removed'].map((what) => `search_${table}_${what}`),
    )
    const more = [
      'search_clips_hidden',
      'search_clip_words_added',
      'search_clip_words_changed',
      'search_entries_added',
      'search_entries_changed',
      'search_entries_removed',
    ]
    expect(rows.map(({ name }) => name)).toEqual([...names, ...more].sort())
  })

  it('is consistent, and holds one row for each item', () => {
    const { sqlite } = server.services.db
    for (const index of ['search_index', 'search_names'])
      sqlite.prepare(`insert into ${index}(${index}) values ('integrity-check')`).run()
    const counts = sqlite
      .prepare(
        `select (select count(*) from search_entries where kind = 'clip') as entries, (select count(*) from clips where published) as clips, (select count(*) from search_index) as indexed, (select count(*) from search_names) as named, (select count(*) from search_entries) as all_entries`,
      )
      .get() as Record<string, number>
    expect([counts['entries'], counts['clips']]).toEqual([4, 4])
    expect([counts['indexed'], counts['named']]).toEqual([counts['all_entries'], counts['all_entries']])
  })

  it('is filled by the migration for older rows', () => {
    const folder = join(applicationRoot(), 'server', 'db', 'migrations')
    const files = readdirSync(folder)
      .filter((name) => name.endsWith('.sql'))
      .sort()
    const own = files.findIndex((name) => name.endsWith('_search.sql'))
    const db = new Database(':memory:')
    const apply = (names: string[]): void => {
      for (const name of names)
        for (const statement of readFileSync(join(folder, name), 'utf8').split('--> statement-breakpoint'))
          db.exec(statement)
    }
    apply(files.slice(0, own))
    db.exec(`insert into companies (id, name, plan, features, created_at) values ('acme', 'Acme', 'starter', '[]', 0);
      insert into workflows (id, company_id, name, description, graph, created_at, updated_at)
        values ('w', 'acme', 'Old workflow', '', '{"nodes":[],"edges":[]}', 0, 0);
      insert into clips (id, company_id, workflow_id, ordinal, source_digest, published, title, duration, virality_score, document, created_at, updated_at)
        select value, 'acme', 'w', 0, '', value <> 'hidden', value, 1, 1, '{"startTimestamp":0,"endTimestamp":9,"people":["Old Ann"]}', 0, 0
        from json_each('["shown", "hidden"]');
      insert into clip_transcripts (clip_id, origin, language, words, updated_at)
        values ('shown', '', '', '[{"word":"spoken","start":1,"end":2}]', 0);`)
    apply(files.slice(own))
    const found = (match: string) =>
      db
        .prepare(
          'select e.subject_id as id from search_index f join search_entries e on e.seq = f.rowid where search_index match ?',
        )
        .all(match)
        .map((row) => (row as { id: string }).id)
    expect(found('old').sort()).toEqual(['shown', 'w'])
    expect(found('spoken')).toEqual(['shown'])
    expect(found('hidden')).toEqual([])
    db.close()
  })
})

it('has a section of the guide for each heading', () => {
  const text =
    '# The guide\nIntro with [a link](http://x).\n```sh\n# not a heading\n```\n## Two `words`\n| a | b |\n|---|---|\n| c | d |\n## Two words\nAgain.'
  expect(sectionsOf('docs/x.md', text).map(({ id, title, tags }) => [id, title, tags])).toEqual([
    ['docs/x.md#the-guide', 'The guide', 'docs/x.md'],
    ['docs/x.md#two-words', 'Two words', 'The guide'],
    ['docs/x.md#two-words-1', 'Two words', 'The guide'],
  ])
  expect(sectionsOf('docs/x.md', text)[0]?.body).toContain('Intro with a link.')
})
