/** GET /search by what is meant: passages of transcripts by a real (tiny) model, joined with words, within one company. */
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SearchMeta, SearchResult } from '../../server/contract/tenant-api/search.ts'
import { companies, passageIndexes, passages, runs } from '../../server/db/schema.ts'
import {
  describeIndex,
  forgetGoneTranscripts,
  indexWaiting,
  resumeIndex,
} from '../../server/domain/search/index-passages.ts'
import { cancelTask, listTasks } from '../../server/domain/settings/tasks.ts'
import { artefactFolder } from '../../workers/artefacts.ts'
import { domainClient, type DomainClient } from '../support/domain.ts'
import { addClip, addCompany, addWorkflow, startTestServer, type TestServer } from '../support/server.ts'
import { addSpokenRun, spokenWords, withEngine } from '../support/spoken-runs.ts'
import { makeTinyEmbedder } from '../support/tiny-embedder.ts'

const SKY = ['astronomy', 'comets', 'planetarium', 'orbit']
const FOOD = ['cheese', 'rind', 'cellar', 'curd']
const BENCH = 'The garden has a bench near the old wall, and nobody sits there before noon.'
const bench = Array.from({ length: 12 }, () => BENCH)
/** As long as a passage: what is said once in half a minute is not what it is about. */
const often = (sentence: string): string[] => Array.from({ length: 16 }, () => sentence)
const TALK = [...bench, ...often('The comets crossed a wide orbit.'), ...bench]

let root: string
let server: TestServer
let client: DomainClient
let rival: DomainClient
let engine: ReturnType<typeof withEngine>
let workflowId = ''
let modelFolders: string[] = []
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-search-meaning-'))
  modelFolders = [await makeTinyEmbedder(join(root, 'models'), [SKY, FOOD])]
  server = await startTestServer({ config: { modelFolders } })
  addCompany(server, 'rival')
  client = await domainClient(server)
  rival = await domainClient(server, { companyId: 'rival' })
  workflowId = addWorkflow(server)
  engine = withEngine(server)
})
afterAll(async () => {
  await engine.stop()
  await server.close()
  await rm(root, { recursive: true, force: true })
})

const index = (signal = new AbortController().signal) => indexWaiting(server.services, signal)

async function ask(query: string, more: Record<string, string> = {}, who = client) {
  const search = new URLSearchParams({ query, ...more })
  const { data, meta } = await who.call<SearchResult[]>('GET', `/search?${search.toString()}`)
  return { data, meta: meta as unknown as SearchMeta }
}

describe('search by meaning', () => {
  it('finds a passage in other words, says why, where and in which clip', async () => {
    const runId = await addSpokenRun(server, { workflowId, words: spokenWords(TALK) })
    const clipId = addClip(server, {
      workflowId,
      runId,
      document: { title: 'A talk', startTimestamp: 50, endTimestamp: 100 },
    })
    const before = await ask('planetarium')
    expect(before.data).toEqual([])
    expect(before.meta.meaning).toEqual({ state: 'used', model: 'tiny-test', runs: 1, indexed: 0 })
    expect(before.meta.warnings).toEqual([
      'Search is not complete: 0 of 1 transcripts (0 %) are indexed so far; the rest follows in the background.',
    ])
    await index()
    const { data, meta } = await ask('planetarium')
    expect(meta).toEqual({
      nextCursor: null,
      warnings: [],
      meaning: { state: 'used', model: 'tiny-test', runs: 1, indexed: 1 },
    })
    const [found] = data
    expect(found).toMatchObject({ type: 'clip', id: clipId, title: 'A talk', foundBy: ['meaning'] })
    const [passage] = found?.passages ?? []
    expect(passage).toMatchObject({ runId, clipId, chunkIndex: null, foundBy: ['meaning'] })
    const text = passage?.text.map((part) => part.text).join('') ?? ''
    expect(text).toContain('The comets crossed a wide orbit.')
    // Where the words are: three of them in a second.
    const at = spokenWords(TALK).filter(({ word }) => word === 'comets')
    expect(passage?.start).toBeLessThan(at.at(-1)?.start ?? 0)
    expect(passage?.end).toBeGreaterThan(at[0]?.start ?? 0)
  })

  it('joins words with meaning: what both find comes first, and its words are marked', async () => {
    await addSpokenRun(server, { workflowId, words: spokenWords(often('A rind is cut in the cellar.')) })
    const runId = await addSpokenRun(server, {
      workflowId,
      words: spokenWords(often('Our curd is young.')),
    })
    await index()
    const { data } = await ask('curd', { types: 'run' })
    expect(data[0]).toMatchObject({ type: 'run', id: runId, foundBy: ['words', 'meaning'] })
    const marked = data[0]?.passages[0]?.text.filter(({ match }) => match).map(({ text }) => text)
    expect(new Set(marked)).toEqual(new Set(['curd']))
    expect(data.map(({ foundBy }) => foundBy)).toContainEqual(['meaning'])
  })

  it('gives each result once, however small the pages', async () => {
    const whole = (await ask('curd rind')).data.map(({ id }) => id)
    const paged: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Awaited<ReturnType<typeof ask>> = await ask('curd rind', {
        limit: '1',
        ...(cursor === '' ? {} : { cursor }),
      })
      paged.push(...page.data.map(({ id }) => id))
      cursor = page.meta.nextCursor
    }
    expect(paged).toEqual(whole)
    expect(new Set(paged).size).toBe(paged.length)
  })

  it('shows nothing of another company, by words or by meaning', async () => {
    const own = (await ask('planetarium')).data
    expect(own.length).toBeGreaterThan(0)
    for (const query of ['planetarium', 'comets', 'curd', 'bench']) {
      const { data, meta } = await ask(query, { types: 'run' }, rival)
      expect([query, data]).toEqual([query, []])
      expect(meta.meaning).toMatchObject({ runs: 0, indexed: 0 })
    }
    const theirs = await addSpokenRun(server, {
      workflowId,
      companyId: 'rival',
      words: spokenWords(often('Our planetarium is new.')),
    })
    await index()
    expect((await ask('comets', {}, rival)).data.map(({ id }) => id)).toEqual([theirs])
    const mine = (await ask('planetarium')).data
    expect(JSON.stringify(mine)).not.toContain(theirs)
    expect(mine.map(({ id }) => id)).toEqual(own.map(({ id }) => id))
  })

  it('finds the same passage of a source that ran twice once', async () => {
    const words = spokenWords(often('This astronomy was repeated.'))
    for (const key of ['a'.repeat(64), 'b'.repeat(64)])
      await addSpokenRun(server, { workflowId, words, key, sourceDigest: 'd'.repeat(64) })
    await index()
    const { data } = await ask('"astronomy was repeated"')
    expect(data.filter(({ foundBy }) => foundBy.includes('words'))).toHaveLength(1)
  })

  it('searches by words alone where no model is installed, and says so', async () => {
    const plain = await startTestServer({ config: { modelFolders: [join(root, 'nothing')] } })
    const own = withEngine(plain)
    try {
      const id = addWorkflow(plain)
      const runId = await addSpokenRun(plain, { workflowId: id, words: spokenWords(TALK) })
      const someone = await domainClient(plain)
      await indexWaiting(plain.services, new AbortController().signal)
      const { data, meta } = await ask('comets orbit', {}, someone)
      expect(data).toMatchObject([{ type: 'run', id: runId, foundBy: ['words'] }])
      expect(meta.meaning).toEqual({ state: 'no-model', model: null, runs: 1, indexed: 1 })
      expect(meta.warnings).toEqual([expect.stringMatching(/words alone.*models install/)])
      expect((await ask('planetarium', {}, someone)).data).toEqual([])
    } finally {
      await own.stop()
      await plain.close()
    }
  })
})

const WEIGHTS = join(import.meta.dirname, '..', '..', '..', 'shared', 'models')
const hasWeights = existsSync(join(WEIGHTS, 'embedding', 'minilm-english'))
if (!hasWeights) process.stderr.write('the test with minilm-english is skipped: ../shared/models has none\n')

describe.skipIf(!hasWeights)('with a real model', () => {
  it('finds what is said in other words, and nothing for what is said nowhere', async () => {
    const real = await startTestServer({ config: { modelFolders: [WEIGHTS] } })
    const own = withEngine(real)
    try {
      const id = addWorkflow(real)
      const talk = [
        ...often('We repaint the wooden fence behind the garden shed in spring.'),
        ...often('The bank turned us down twice, so my sister lent me the money for the bakery.'),
        ...often('Our dog barks at the postman and hides under the table.'),
      ]
      const runId = await addSpokenRun(real, { workflowId: id, words: spokenWords(talk) })
      const someone = await domainClient(real)
      await indexWaiting(real.services, new AbortController().signal)
      const { data, meta } = await ask('how a family member financed a small business', {}, someone)
      expect(meta.meaning).toMatchObject({ state: 'used', model: 'minilm-english' })
      expect(data[0]).toMatchObject({ id: runId, foundBy: ['meaning'] })
      expect(JSON.stringify(data[0]?.passages[0]?.text)).toContain('my sister lent me')
      expect((await ask('quantum chromodynamics of heavy nuclei', {}, someone)).data).toEqual([])
    } finally {
      await own.stop()
      await real.close()
    }
  }, 60_000)
})

describe('the index', () => {
  it('goes on where it was ended, and indexes nothing twice', async () => {
    const added = [1, 2, 3]
    for (const _ of added) await addSpokenRun(server, { workflowId, words: spokenWords(TALK) })
    const stopping = new AbortController()
    const { runInBackground } = server.jobs
    let begun = 0
    // The appliance stops in the middle of the second run.
    Object.assign(server.jobs, {
      runInBackground: (work: Parameters<NonNullable<typeof runInBackground>>[0]) => {
        begun += 1
        if (begun === 2) stopping.abort()
        return runInBackground?.(work)
      },
    })
    const indexed = async () => (await describeIndex(server.services)).indexed
    const before = await indexed()
    await index(stopping.signal)
    expect(await indexed()).toBe(before + 1)
    begun = 2
    await index()
    expect(await indexed()).toBe(before + 3)
    expect(begun).toBe(4)
    Object.assign(server.jobs, { runInBackground })
  })

  it('stays as it is once somebody has cancelled it, until it is resumed', async () => {
    await addSpokenRun(server, { workflowId, words: spokenWords(TALK) })
    const { runInBackground } = server.jobs
    Object.assign(server.jobs, {
      runInBackground: (work: Parameters<NonNullable<typeof runInBackground>>[0]) => {
        const task = listTasks(server.services).find(({ state }) => state === 'running')
        cancelTask(server.services, task?.id ?? '')
        return runInBackground?.(work)
      },
    })
    await index()
    Object.assign(server.jobs, { runInBackground })
    const state = await describeIndex(server.services)
    expect(state.paused).toBe(true)
    await index()
    expect((await describeIndex(server.services)).indexed).toBe(state.indexed)
    resumeIndex(server.services)
    await index()
    expect(await describeIndex(server.services)).toMatchObject({ paused: false, indexed: state.runs })
  })

  it('tries again what may pass, and keeps no failure of it', async () => {
    await addSpokenRun(server, { workflowId, words: spokenWords([...TALK, 'Another end.']) })
    const { runInBackground } = server.jobs
    const failure = { code: 'DISK_FULL' as const, message: 'The disk is full.' }
    Object.assign(server.jobs, { runInBackground: () => Promise.resolve({ kind: 'failed', failure }) })
    await index()
    Object.assign(server.jobs, { runInBackground })
    const { indexed, runs: all, problems } = await describeIndex(server.services)
    expect([indexed, problems]).toEqual([all - 1, 0])
    expect(listTasks(server.services)[0]).toMatchObject({ state: 'failed', error: 'The disk is full.' })
    // Not at once: the disk is as full as it was.
    await index()
    expect((await describeIndex(server.services)).indexed).toBe(indexed)
    resumeIndex(server.services)
    await index()
    expect((await describeIndex(server.services)).indexed).toBe(all)
  })

  it('is made anew for another model', async () => {
    const others = await makeTinyEmbedder(join(root, 'others'), [[...SKY, 'bench']], 'tiny-other')
    const services = { ...server.services, config: { ...server.services.config, modelFolders: [others] } }
    const { runs: all } = await describeIndex(services)
    expect(await describeIndex(services)).toMatchObject({ model: 'tiny-other', indexed: 0 })
    // The stages of this test use the first model's folder; what counts is that every run is read again.
    await indexWaiting(services, new AbortController().signal)
    expect(await describeIndex(services)).toMatchObject({ indexed: all })
    await index()
    expect(await describeIndex(server.services)).toMatchObject({ model: 'tiny-test', indexed: all })
  })

  it('goes with its transcript, with its run and with its company', async () => {
    const { db, home } = server.services
    const key = 'c'.repeat(64)
    const gone = await addSpokenRun(server, { workflowId, key, words: spokenWords(TALK) })
    const removed = await addSpokenRun(server, { workflowId, words: spokenWords(TALK) })
    await index()
    const of = (runId: string) => db.orm.select().from(passages).where(eq(passages.runId, runId)).all()
    expect([of(gone).length > 0, of(removed).length > 0]).toEqual([true, true])
    await rm(artefactFolder(home.artefacts, 'speech', key), { recursive: true })
    expect(await forgetGoneTranscripts(server.services, new AbortController().signal)).toBe(1)
    await index()
    expect(of(gone)).toEqual([])
    db.orm.delete(runs).where(eq(runs.id, removed)).run()
    expect(of(removed)).toEqual([])
    const row = db.orm.select().from(passageIndexes).where(eq(passageIndexes.companyId, 'rival')).get()
    expect(row?.vectors?.length).toBeGreaterThan(0)
    db.sqlite.pragma('foreign_keys = OFF')
    db.orm.delete(runs).where(eq(runs.companyId, 'rival')).run()
    db.sqlite.pragma('foreign_keys = ON')
    db.orm.delete(passageIndexes).where(eq(passageIndexes.companyId, 'rival')).run()
    expect(db.orm.select().from(companies).where(eq(companies.id, 'rival')).all()).toHaveLength(1)
    const words = db.sqlite
      .prepare<[], { indexed: number; stored: number }>(
        'select (select count(*) from passage_words) as indexed, (select count(*) from passages) as stored',
      )
      .get()
    expect(words?.indexed).toBe(words?.stored)
  })
})
