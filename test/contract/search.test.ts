/** GET /search: what is found, in which order, with which rights, and that no input breaks it. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SearchResult } from '../../server/contract/tenant-api/search.ts'
import { removeClip, saveClipEdit, saveClipWords } from '../../server/db/edit-clips.ts'
import { findMatches, scopeMatch } from '../../server/db/search.ts'
import { clips, posts, runs, workflows } from '../../server/db/schema.ts'
import { createCompany } from '../../server/domain/people/companies.ts'
import { search } from '../../server/domain/search/search.ts'
import { newId } from '../../server/ids.ts'
import { domainClient, type DomainClient } from '../support/domain.ts'
import { addClip, addRun, addWorkflow, startTestServer, type TestServer } from '../support/server.ts'
import { sampleDocument } from '../support/sample-document.ts'

let server: TestServer
let client: DomainClient
let rival: DomainClient
let workflowId = ''
beforeAll(async () => {
  server = await startTestServer()
  workflowId = addWorkflow(server)
  client = await domainClient(server)
  createCompany(server.services, { id: 'rival', name: 'Rival' })
  rival = await domainClient(server, { companyId: 'rival' })
})
afterAll(() => server.close())

const ask = (query: string, more: Record<string, string | string[]> = {}, who = client) => {
  const search = new URLSearchParams({ query })
  for (const [name, values] of Object.entries(more))
    for (const value of [values].flat()) search.append(name, value)
  return who.call<SearchResult[]>('GET', `/search?${search.toString()}`)
}
const ids = async (query: string, more = {}, who = client): Promise<string[]> =>
  (await ask(query, more, who)).data.map(({ id }) => id)

const words = (text: string) =>
  text.split(' ').map((word, index) => ({ word, start: 10 + index * 0.1, end: 10.05 + index * 0.1 }))
const clip = (
  title: string,
  reported: string,
  more: Partial<ReturnType<typeof sampleDocument>> = {},
): string =>
  addClip(server, {
    workflowId,
    document: { title, bio: '', keywords: [], people: [], startTimestamp: 10, endTimestamp: 40, ...more },
    words: words(reported),
  })

describe('search', () => {
  it('finds each kind of thing by its words', async () => {
    const clipId = clip('A quiet zebra', 'nothing of note', {
      people: ['Ottoline Quimby'],
      keywords: ['stripes'],
    })
    const output = clip('Another', 'the ZÈBRA walked, slowly')
    const runId = addRun(server, { workflowId })
    const snapshot = {
      ...server.services.db.orm.select().from(runs).get()!.snapshot,
      originalUrl: 'https://example.com/zebra-talk.mp4',
    }
    server.services.db.orm.update(runs).set({ snapshot }).where(eq(runs.id, runId)).run()
    server.services.db.orm
      .update(workflows)
      .set({ description: 'Zebra shorts' })
      .where(eq(workflows.id, workflowId))
      .run()
    const postId = newId()
    const now = server.services.now()
    server.services.db.orm
      .insert(posts)
      .values({
        id: postId,
        companyId: 'acme',
        platform: 'youtube',
        text: 'Look, a zebra!',
        status: 'draft',
        createdAt: now,
        updatedAt: now,
      })
      .run()

    const { data } = await ask('zebra')
    expect(new Set(data.map(({ type, id }) => `${type} ${id}`))).toEqual(
      new Set([
        `clip ${clipId}`,
        `clip ${output}`,
        `run ${runId}`,
        `workflow ${workflowId}`,
        `social_post ${postId}`,
      ]),
    )
    const spoken = data.find(({ id }) => id === output)
    expect(spoken?.snippet).toContainEqual({ text: 'ZÈBRA', match: true })
    expect(data.find(({ id }) => id === clipId)?.titleParts).toEqual([
      { text: 'A quiet ', match: false },
      { text: 'zebra', match: true },
    ])
    expect(data.find(({ id }) => id === postId)?.title).toBe('Look, a zebra!')
    expect(await ids('ottoline stripes')).toEqual([clipId])
    expect(await ids('zebra', { types: ['clip'] })).toEqual([clipId, output])
    expect(new Set(await ids('zebra', { types: ['run', 'social_post'] }))).toEqual(new Set([runId, postId]))
    const guide = await ask('delegation', { types: 'doc', limit: '5' })
    expect(guide.data[0]?.id).toMatch(/^(README\.md|docs\/[a-z-]+\.md)#./)
    expect(guide.data.every(({ type }) => type === 'doc')).toBe(true)
  })

  it('puts titles first, then more frequent matches, then newer ones', async () => {
    const once = clip('Plain one', 'grommet and other words that are here to be said aloud')
    const often = clip('Plain two', 'grommet grommet grommet and other words that are here')
    const same = clip('Plain one', 'grommet and other words that are here to be said aloud')
    const named = clip('The grommet', 'other words')
    expect(await ids('grommet')).toEqual([named, often, same, once])
  })

  it('sees a change in its own transaction, and nothing that is hidden or deleted', async () => {
    const { db } = server.services
    const id = clip('Changing', 'aardvark')
    expect(await ids('aardvark')).toEqual([id])
    db.orm.transaction(() => {
      saveClipWords(db, id, words('wombat'), 1)
      expect(
        findMatches(db, 'words', {
          match: `${scopeMatch('acme', null)} AND "wombat"`,
          companyId: 'acme',
          from: 1,
          to: 1e9,
          limit: 5,
        }),
      ).toHaveLength(1)
    })
    expect([await ids('aardvark'), await ids('wombat')]).toEqual([[], [id]])
    const document = sampleDocument({ title: 'Numbat', startTimestamp: 10, endTimestamp: 40 })
    saveClipEdit(db, { companyId: 'acme', clipId: id, document, clearRender: false, now: 2 })
    expect(await ids('numbat wombat')).toEqual([id])
    db.orm.update(clips).set({ published: false }).where(eq(clips.id, id)).run()
    expect(await ids('numbat')).toEqual([])
    db.orm.update(clips).set({ published: true }).where(eq(clips.id, id)).run()
    expect(await ids('numbat')).toEqual([id])
    removeClip(db, { companyId: 'acme', clipId: id })
    expect(await ids('numbat')).toEqual([])
  })

  it('leaves out words that are cut or deleted', async () => {
    const received = [
      { word: 'inside', start: 10, end: 11 },
      { word: 'platypus', start: 11, end: 12, isDeleted: true },
      { word: 'echidna', start: 50, end: 51 },
    ]
    addClip(server, { workflowId, document: { startTimestamp: 10, endTimestamp: 40 }, words: received })
    expect([await ids('platypus'), await ids('echidna')]).toEqual([[], []])
  })

  it('finds Chinese and Japanese words inside text without spaces', async () => {
    const id = clip('東京都タワーの夜景', 'これ は テスト です iPhone 発売')
    for (const query of [
      '東京',
      '京都',
      '都',
      'タワー',
      '夜景',
      '景',
      '東京都タワーの夜景',
      'これはテスト',
      'iphone発売',
      '東京 夜景',
    ])
      expect([query, await ids(query)]).toEqual([query, [id]])
    for (const query of ['京東', '東都', '夜東']) expect([query, await ids(query)]).toEqual([query, []])
    const { data } = await ask('東京都')
    expect(data[0]?.titleParts[0]).toEqual({ text: '東京都', match: true })
  })

  it('accepts any typed text', async () => {
    const odd = [
      '"',
      '""',
      '"""',
      "'",
      '*',
      '**',
      '^',
      'a*b',
      'NEAR(',
      'NEAR(a,b)',
      'AND',
      'OR OR',
      'NOT',
      'a AND',
      '-a',
      '+a',
      '(((',
      ')',
      'title:x',
      '{title}:x',
      'scope:c61636d65',
      'call',
      '\\',
      '\u0000',
      'a\u0000b',
      '\u0000"\u0000',
      '😀',
      '👨‍👩‍👧',
      '\ud800',
      'é',
      'e\u0301',
      'ﷺ',
      'हिन्दी',
      'ไทย',
      '한국어',
      '\u202e',
      '%',
      '_',
      ';drop table clips;--',
      '?',
      '~',
      '😀'.repeat(250),
      '"a'.repeat(250),
      'x'.repeat(500),
      'a '.repeat(249),
      Array.from({ length: 120 }, (_, index) => `w${index}`)
        .join(' ')
        .slice(0, 500),
      '東'.repeat(500),
      '!'.repeat(500),
    ]
    for (const query of odd) {
      const { status } = await ask(query)
      expect([query, status]).toEqual([query, 200])
    }
    for (const path of [
      '/search',
      '/search?query=',
      `/search?query=${'x'.repeat(501)}`,
      '/search?query=a&types=video',
      '/search?query=a&limit=0',
      '/search?query=a&query=b',
      '/search?query=a&limit=101',
    ])
      expect([path, (await client.call('GET', path)).error.code]).toEqual([path, 'VALIDATION_FAILED'])
  })

  it('accepts any mixture of punctuation and words', () => {
    const pieces = [
      '"',
      "'",
      '*',
      '^',
      '(',
      ')',
      '{',
      '}',
      ':',
      '-',
      '+',
      ' ',
      ' ',
      'AND',
      'OR',
      'NOT',
      'NEAR',
      'title',
      'a',
      'zeb',
      'é',
      '\u0301',
      '東',
      '京',
      'ー',
      '😀',
      '\ud83d',
      '\u0000',
      '\n',
      'ﬁ',
      'हि',
      '1',
    ]
    let state = 12345
    const random = (below: number): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
      return Math.floor((state / 0x7fffffff) * below * 0.999999)
    }
    for (let round = 0; round < 400; round += 1) {
      const query = Array.from({ length: 1 + random(12) }, () => pieces[random(pieces.length)] ?? '').join('')
      const { results } = search(server.services, { companyId: 'acme' }, { query, limit: 3 })
      for (const { title, titleParts } of results)
        expect([query, titleParts.map(({ text }) => text).join('')]).toEqual([query, title])
    }
  })

  it('shows nothing of another company, whatever is typed, and the guide to all companies', async () => {
    const id = clip('Secret okapi', `c${Buffer.from('rival').toString('hex')} call`)
    expect(await ids('okapi')).toEqual([id])
    expect(await ids('okapi', {}, rival)).toEqual([])
    expect(await ids(`c${Buffer.from('rival').toString('hex')}`, {}, rival)).toEqual([])
    const scope = `c${Buffer.from('acme').toString('hex')}`
    for (const query of [
      scope,
      `${scope} okapi`,
      `"${scope}" OR okapi`,
      'okapi OR call',
      'okapi"} OR {scope} : call',
    ])
      expect((await ids(query, {}, rival)).includes(id)).toBe(false)
    expect(await ids('delegation', { types: 'doc' }, rival)).toEqual(
      await ids('delegation', { types: 'doc' }),
    )
  })
})

describe('pages', () => {
  const readPages = async (query: string, limit: number, between: () => void = () => undefined) => {
    const found: string[] = []
    let cursor: string | null = null
    do {
      const page = await ask(query, {
        limit: String(limit),
        types: 'clip',
        ...(cursor === null ? {} : { cursor }),
      })
      expect(page.data.length).toBeGreaterThan(0)
      found.push(...page.data.map(({ id }) => id))
      cursor = page.meta.nextCursor
      between()
    } while (cursor !== null)
    return found
  }

  it('hold all matches, once, in one order, also across windows and while items are added', async () => {
    const { db } = server.services
    const made: string[] = []
    db.orm.transaction(() => {
      for (let index = 0; index < 700; index += 1) {
        const title = index % 3 === 0 ? `Yak ${index}` : `Clip ${index}`
        made.push(addClip(server, { workflowId, document: { title, bio: 'yak '.repeat(1 + (index % 5)) } }))
      }
    })
    const whole = await readPages('yak', 100)
    expect(whole).toHaveLength(700)
    expect(new Set(whole)).toEqual(new Set(made))
    expect(await readPages('yak', 37)).toEqual(whole)
    let added = 0
    const grown = await readPages(
      'yak',
      99,
      () => void (added++ < 3 && addClip(server, { workflowId, document: { title: 'Yak yak', bio: 'yak' } })),
    )
    expect(grown).toEqual(whole)
    const titled = (await ask('yak', { limit: '100', types: 'clip' })).data
    expect(titled.every(({ title }) => title.startsWith('Yak'))).toBe(true)
  })

  it('refuse a cursor of another query', async () => {
    const { meta } = await ask('yak', { limit: '5' })
    const cursor = meta.nextCursor ?? ''
    expect(cursor).not.toBe('')
    for (const [query, more, who] of [
      ['yaks', {}, client],
      ['yak', { types: 'clip' }, client],
      ['yak', {}, rival],
    ] as const)
      expect((await ask(query, { ...more, cursor, limit: '5' }, who)).error.code).toBe('INVALID_CURSOR')
    expect((await ask('yak', { cursor: 'abc' })).error.code).toBe('INVALID_CURSOR')
  })
})
