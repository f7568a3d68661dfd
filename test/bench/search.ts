/**
 * `npm run bench -- search`: search by meaning. Whether a prompt in other words finds the story that is meant in written
 * talks, and what an answer costs over 100 hours of transcripts, through HTTP, the model and the database as they ship.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { SearchResult } from '../../server/contract/tenant-api/search.ts'
import { indexWaiting } from '../../server/domain/search/index-passages.ts'
import { domainClient } from '../support/domain.ts'
import { addCompany, addWorkflow, startTestServer, type TestServer } from '../support/server.ts'
import { addSpokenRun, withEngine } from '../support/spoken-runs.ts'
import { modelFolders } from './media.ts'
import { quantile } from './measure/spread.ts'
import { speedBench, type FigureTable, type QualityReport } from './report.ts'
import { fillHours, type Filled } from './search-fill.ts'
import { readTalk, type PlantedStory, type WrittenTalk } from './talks/read-talk.ts'

const FOLDER = join(import.meta.dirname, 'talks')
const HALVES = ['tuned', 'held'] as const
type Half = (typeof HALVES)[number]
const HOURS = 100
const LIMIT_MS = 300
const FIRST = 3

interface TalksOfHalf {
  readonly half: Half
  readonly talks: readonly { readonly runId: string; readonly talk: WrittenTalk }[]
  readonly token: string
}

export async function runSearchBench({ say = () => undefined }: { say?: (line: string) => void } = {}) {
  const folders = modelFolders()
  const server = await startTestServer({ config: { modelFolders: folders } })
  const engine = withEngine(server)
  try {
    const workflowId = addWorkflow(server)
    const halves: TalksOfHalf[] = []
    for (const half of HALVES) halves.push(await addTalks(server, workflowId, half))
    say('indexing the written talks')
    const begun = performance.now()
    await indexWaiting(server.services, new AbortController().signal)
    const hours = halves
      .flatMap(({ talks }) => talks)
      .reduce((sum, { talk }) => sum + (talk.words.at(-1)?.end ?? 0) / 3600, 0)
    const indexing = (performance.now() - begun) / 1000 / hours
    const quality: FigureTable[] = []
    say('prompts in other words')
    quality.push(await promptTable(server, halves), await nothingTable(server, halves))
    say(`${HOURS} hours`)
    const filled = fillHours(server, workflowId, HOURS, FOLDER)
    const speed = await measureSpeed(server, halves, say)
    const report = reportOf({ quality, speed, filled, indexing, server })
    return speedBench('search', report, { speed, filled, indexing })
  } finally {
    await engine.stop()
    await server.close()
  }
}

async function addTalks(server: TestServer, workflowId: string, half: Half): Promise<TalksOfHalf> {
  const { companyId } = addCompany(server, half)
  const { token } = await domainClient(server, { companyId })
  const talks: TalksOfHalf['talks'][number][] = []
  for (const file of readdirSync(join(FOLDER, half)).sort()) {
    const talk = readTalk(readFileSync(join(FOLDER, half, file), 'utf8'))
    const runId = await addSpokenRun(server, { workflowId, companyId, words: talk.words })
    talks.push({ runId, talk })
  }
  return { half, talks, token }
}

async function ask(
  server: TestServer,
  token: string,
  query: string,
): Promise<{ results: SearchResult[]; milliseconds: number; state: string }> {
  const path = `/search?${new URLSearchParams({ query, limit: '25' }).toString()}`
  const begun = performance.now()
  const answer = await server.call(path, { key: null, headers: { 'x-service-delegation': token } })
  const milliseconds = performance.now() - begun
  if (answer.status !== 200) throw new Error(answer.text)
  const { data, meta } = answer.json<{ data: SearchResult[]; meta: { meaning: { state: string } } }>()
  return { results: data, milliseconds, state: meta.meaning.state }
}

/** The passages of an answer, best first, as the studio shows them. */
const shownPassages = (results: readonly SearchResult[]) =>
  results.flatMap(({ passages }) => passages).sort((a, b) => b.score - a.score)

const isAbout = (passage: SearchResult['passages'][number], runId: string, story: PlantedStory): boolean => {
  const shared = Math.min(passage.end, story.end) - Math.max(passage.start, story.start)
  return passage.runId === runId && shared >= 0.5 * (passage.end - passage.start)
}

/** `by`: the passages that count. The number of prompts whose story is among the first ones, all and English ones. */
async function promptTable(server: TestServer, halves: readonly TalksOfHalf[]): Promise<FigureTable> {
  const rows: string[][] = []
  for (const { half, talks, token } of halves) {
    const counts = { words: 0, meaning: 0, joined: 0, english: 0, of: 0, ofEnglish: 0 }
    for (const { runId, talk } of talks)
      for (const story of talk.stories) {
        const { results } = await ask(server, token, story.prompts[0] ?? '')
        const shown = shownPassages(results)
        const by = (kind: 'words' | 'meaning') => shown.filter(({ foundBy }) => foundBy.includes(kind))
        const right = (passages: typeof shown): number =>
          Number(passages.slice(0, FIRST).some((passage) => isAbout(passage, runId, story)))
        const isEnglish = talk.language.startsWith('en')
        counts.of += 1
        counts.ofEnglish += Number(isEnglish)
        counts.words += right(by('words'))
        counts.meaning += right(by('meaning'))
        counts.joined += right(shown)
        if (isEnglish) counts.english += right(shown)
      }
    const { of } = counts
    rows.push([
      half === 'held' ? 'held out' : half,
      `${counts.words} of ${of}`,
      `${counts.meaning} of ${of}`,
      `${counts.joined} of ${of}`,
      `${counts.english} of ${counts.ofEnglish}`,
    ])
  }
  return {
    title: 'A prompt in other words than the story’s',
    columns: ['half', 'by words', 'by meaning', 'joined', 'joined, English talks'],
    rows,
    notes: [
      'Whether the story that was meant is among the first three passages of all six talks of a half (three in English, 3 hours); the passage must lie in the story by half at least. Prompts share few words with their stories, and words must all be there, so words alone find next to nothing. The length of a passage was chosen on the tuned half. The model at hand (minilm-english) was trained on English.',
    ],
  }
}

async function nothingTable(server: TestServer, halves: readonly TalksOfHalf[]): Promise<FigureTable> {
  const rows: string[][] = []
  for (const { half, talks, token } of halves) {
    const counts: number[] = []
    for (const { talk } of talks)
      for (const prompt of talk.nothing)
        counts.push(shownPassages((await ask(server, token, prompt)).results).length)
    const none = counts.filter((count) => count === 0).length
    const mean = counts.reduce((sum, count) => sum + count, 0) / Math.max(1, counts.length)
    rows.push([half === 'held' ? 'held out' : half, `${none} of ${counts.length}`, mean.toFixed(1)])
  }
  return {
    title: 'A prompt that fits nothing in its talk',
    columns: ['half', 'answered with nothing', 'passages shown on average'],
    rows,
    notes: ['It may still fit something in one of the five other talks.'],
  }
}

interface Speed {
  readonly name: string
  readonly p50: number
  readonly p95: number
  readonly worst: number
  /** Milliseconds that the server's event loop stood still, at most. */
  readonly stood: number
}

async function measureSpeed(
  server: TestServer,
  halves: readonly TalksOfHalf[],
  say: (line: string) => void,
): Promise<{ readonly cold: number; readonly rows: readonly Speed[] }> {
  const { token } = await domainClient(server)
  const [tuned] = halves
  const stories = tuned?.talks.flatMap(({ talk }) => talk.stories) ?? []
  const spoken = tuned?.talks.flatMap(({ talk }) => talk.words.map(({ word }) => word)) ?? []
  const cases: Record<string, (round: number) => string> = {
    'a prompt in other words': (round) => stories[round % stories.length]?.prompts[0] ?? '',
    'one word': (round) => `${spoken[(round * 1237) % spoken.length] ?? ''} `,
    'two words in a row': (round) => spoken.slice(round * 397, round * 397 + 2).join(' '),
    'the most common word': () => 'the ',
  }
  const rows: Speed[] = []
  const { readQuery } = server.jobs
  for (const meaning of [false, true]) {
    Object.assign(server.jobs, { readQuery: meaning ? readQuery : undefined })
    await ask(server, token, 'once before')
    for (const [name, query] of Object.entries(cases)) {
      const loop = monitorEventLoopDelay({ resolution: 1 })
      loop.enable()
      const times: number[] = []
      for (let round = 0; round < 48; round += 1)
        times.push((await ask(server, token, query(round))).milliseconds)
      loop.disable()
      const row = {
        name: `${name}, ${meaning ? 'joined' : 'words alone'}`,
        p50: quantile(times, 0.5),
        p95: quantile(times, 0.95),
        worst: Math.max(...times),
        stood: loop.max / 1e6,
      }
      rows.push(row)
      say(`${row.name}: ${row.p50.toFixed(0)} / ${row.p95.toFixed(0)} ms`)
    }
  }
  return { cold: await measureCold(server, token), rows }
}

/** The first search of an appliance: the engine is started and the model loaded. */
async function measureCold(server: TestServer, token: string): Promise<number> {
  const fresh = withEngine(server)
  try {
    return (await ask(server, token, 'the first search after a start')).milliseconds
  } finally {
    await fresh.stop()
  }
}

function reportOf(measured: {
  quality: readonly FigureTable[]
  speed: Awaited<ReturnType<typeof measureSpeed>>
  filled: Filled
  indexing: number
  server: TestServer
}): QualityReport {
  const { quality, speed, filled, indexing } = measured
  const ms = (value: number): string => value.toFixed(0)
  const { database } = measured.server.services.home
  const size = existsSync(database) ? statSync(database).size / 1e6 : NaN
  return {
    title: `Search over ${HOURS} hours of transcripts`,
    tables: [
      {
        title: 'GET /search',
        columns: [
          'what',
          'p50 ms',
          'p95 ms',
          'worst ms',
          `p95 within ${LIMIT_MS} ms`,
          'event loop stood, ms',
        ],
        rows: speed.rows.map(({ name, p50, p95, worst, stood }) => [
          name,
          ms(p50),
          ms(p95),
          ms(worst),
          p95 <= LIMIT_MS ? 'yes' : 'NO',
          ms(stood),
        ]),
        notes: [
          `Through HTTP, one after the other, 48 rounds each. The first search, which starts the process and loads the model: ${ms(speed.cold)} ms; without the model of meaning no process is started. ${filled.passages} passages of ${HOURS} runs and ${filled.clips} clips. The texts are the written talks, put together anew for each run; their vectors are those of the talks with some noise.`,
        ],
      },
      {
        title: 'The index',
        columns: ['what', 'measured'],
        rows: [
          ['indexing an hour of transcript, in the pool, s', indexing.toFixed(1)],
          ['vectors of 100 hours, MB', (filled.vectorBytes / 1e6).toFixed(1)],
          ['texts and words of 100 hours, MB', ((filled.bytes - filled.vectorBytes) / 1e6).toFixed(1)],
          ['the whole database, MB', size.toFixed(0)],
        ],
      },
      ...quality,
    ],
    unmeasured: modelFolders().length > 0 ? [] : ['meaning: no model is installed'],
  }
}
