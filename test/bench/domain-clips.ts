/** GET /clips over very many clips: what pages, counts and facets cost, filter by filter. A section of `bench -- domain`. */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { createClipIndex } from '../../server/db/clip-index/index.ts'
import type { ClipFilter } from '../../server/db/clip-index/protocol.ts'
import { clipSource } from '../../server/db/clip-index/source.ts'
import { openHome } from '../../server/home.ts'
import { fillList, START, type FilledList } from './domain-fill.ts'

export interface Timed {
  readonly name: string
  readonly limitMs: number
  /** Clips that fit, where it was asked for. */
  readonly total: number | null
  readonly p50: number
  readonly p99: number
  readonly max: number
  /** p50 over that of a request that does nothing but say who asks. */
  readonly ratio: number
}

export interface ClipsBench {
  readonly clips: number
  readonly fillSeconds: number
  /** From the first request to its answer: the index is read into memory. */
  readonly firstAnswerMs: number
  readonly serverMegabytes: number
  /** A request that does nothing but say who asks: what the machine and the way there cost. */
  readonly floor: Pick<Timed, 'p50' | 'p99' | 'max'>
  readonly timed: readonly Timed[]
  /** Requests that do nothing, while facets are counted all the time: they wait for no facets. */
  readonly beside: Pick<Timed, 'p50' | 'p99' | 'max'>
  /** Pages, while facets are counted all the time. */
  readonly pagesBeside: Pick<Timed, 'p50' | 'p99' | 'max'>
  /** Seconds of the processor to read all clips into memory. */
  readonly readingSeconds: number
  /** The same searches in the process of the bench, by the time of the processor: what else the machine does hardly counts. */
  readonly processor: readonly (Pick<Timed, 'name' | 'limitMs' | 'p50' | 'p99' | 'max'> & {
    readonly total: number
  })[]
}

const PAGE_MS = 10
const COUNT_MS = 150
const DAY = 86_400_000

type Query = Readonly<Record<string, string | number | readonly string[]>>

const iso = (time: number): string => new Date(time).toISOString()

/** Filters by name: dense, rare, several, such as fit nothing together, and such as fit at the far end of an order. */
function filters({ runId, episodeId }: FilledList, clips: number): Record<string, Query> {
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

const SORTS = ['created_at', 'updated_at', 'duration', 'title', 'virality_score'] as const

const agent = new Agent({ keepAlive: true, maxSockets: 8 })

function pathOf(query: Query): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of typeof value === 'object' ? value : [value]) params.append(name, String(one))
  return `/clips?${params.toString()}`
}

interface Got {
  readonly milliseconds: number
  readonly total: number | null
  readonly cursor: string | null
}

async function get(port: number, path: string, token: string): Promise<Got> {
  const started = performance.now()
  const headers = { 'x-service-delegation': token }
  const request = httpRequest({ host: '127.0.0.1', port, path, headers, agent }).end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  const milliseconds = performance.now() - started
  const text = Buffer.concat(chunks).toString('utf8')
  if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode} ${text.slice(0, 200)}`)
  const { meta } = JSON.parse(text) as { meta?: { total?: number; nextCursor?: string | null } }
  return { milliseconds, total: meta?.total ?? null, cursor: meta?.nextCursor ?? null }
}

function spread(milliseconds: readonly number[]) {
  const sorted = milliseconds.toSorted((a, b) => a - b)
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
  return { p50: at(0.5), p99: at(0.99), max: sorted.at(-1) ?? NaN }
}

interface Options {
  readonly clips?: number
  readonly rounds?: number
  readonly say: (line: string) => void
}

/** Fills a home, measures by HTTP, removes it. */
export async function benchClips({ clips = 1_000_000, rounds = 100, say }: Options): Promise<ClipsBench> {
  const root = await mkdtemp(join(tmpdir(), 'cutroom-bench-domain-'))
  const children: ChildProcess[] = []
  try {
    const filled = await fillList(root, clips, say)
    const child = fork(join(import.meta.dirname, 'api-process.ts'), ['ours', root])
    children.push(child)
    const [port] = (await once(child, 'message')) as [number]
    const ask = (query: Query): Promise<Got> => get(port, pathOf(query), filled.token)
    const context = (): Promise<Got> => get(port, '/context', filled.token)
    const times = async (count: number, one: () => Promise<Got>) => {
      const got: Got[] = []
      for (let index = 0; index < count; index += 1) got.push(await one())
      return { ...spread(got.map(({ milliseconds }) => milliseconds)), total: got.at(-1)?.total ?? null }
    }
    await times(50, context)
    const firstAnswerMs = (await ask({ limit: 1 })).milliseconds
    const floor = await times(200, context)
    const timed: Timed[] = []
    const time = async (name: string, limitMs: number, query: Query, count = rounds): Promise<void> => {
      await times(3, () => ask(query))
      const took = await times(count, () => ask(query))
      timed.push({ name, limitMs, ...took, ratio: took.p50 / floor.p50 })
      say(`${name}: ${took.p50.toFixed(2)} ms, p99 ${took.p99.toFixed(2)}, of ${took.total ?? '?'}`)
    }
    const byName = filters(filled, clips)
    for (const [name, query] of Object.entries(byName)) await time(`page: ${name}`, PAGE_MS, query)
    for (const sortBy of SORTS)
      for (const sortOrder of ['asc', 'desc']) {
        const order = { sortBy, sortOrder, limit: 100 }
        await time(`page of 100: ${sortBy} ${sortOrder}`, PAGE_MS, order)
        await time(`page of 100: ${sortBy} ${sortOrder}, rare`, PAGE_MS, { ...order, tags: ['t150'] })
        const cursor = await deepCursor(ask, order)
        await time(`page of 100: ${sortBy} ${sortOrder}, further on`, PAGE_MS, { ...order, cursor })
      }
    const few = Math.max(10, Math.floor(rounds / 4))
    for (const [name, query] of Object.entries(byName)) {
      await time(`count: ${name}`, COUNT_MS, { ...query, countOnly: 'true' }, few)
      await time(`facets: ${name}`, COUNT_MS, { ...query, includeFacets: 'true' }, few)
    }
    const facets = (): Promise<Got> => ask({ includeFacets: 'true', durationMin: 16 })
    const beside = await meanwhile(facets, () => times(300, context))
    const pagesBeside = await meanwhile(facets, () =>
      times(300, () => ask({ tags: ['t3'], aspectRatio: '9:16' })),
    )
    const serverMegabytes = await residentMegabytes(child.pid ?? 0)
    child.kill()
    const { processor, readingSeconds } = await processorTimes(openHome(root).database, byName, {
      rounds,
      say,
    })
    return {
      processor,
      readingSeconds,
      clips,
      fillSeconds: filled.seconds,
      firstAnswerMs,
      serverMegabytes,
      floor,
      timed,
      beside,
      pagesBeside,
    }
  } finally {
    for (const child of children) child.kill()
    agent.destroy()
    await rm(root, { recursive: true, force: true })
  }
}

const numeric = (value: Query[string] | undefined) => (value === undefined ? undefined : Number(value))

/** A filter as the index is asked. */
function filterOf({
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

/** Each search in this thread. */
async function processorTimes(
  file: string,
  byName: Readonly<Record<string, Query>>,
  { rounds, say }: { rounds: number; say: (line: string) => void },
): Promise<Pick<ClipsBench, 'processor' | 'readingSeconds'>> {
  const sqlite = new Database(file, { readonly: true })
  const index = createClipIndex(clipSource(sqlite))
  const page = { sortBy: 'duration', order: 'asc', after: null, limit: 100 } as const
  const found: ClipsBench['processor'][number][] = []
  const spentSince = (before?: NodeJS.CpuUsage): number => {
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
  try {
    const before = process.cpuUsage()
    await index.search({
      companyId: 'acme',
      filter: { query: 'w0 ' },
      page: null,
      count: true,
      facets: false,
    })
    const readingSeconds = spentSince(before) / 1000
    for (const [name, query] of Object.entries(byName))
      for (const facets of [false, true]) {
        const search = { companyId: 'acme', filter: filterOf(query), count: facets, facets }
        const took: number[] = []
        let total = 0
        for (let round = -3; round < rounds; round += 1) {
          const before = process.cpuUsage()
          total = (await index.search({ ...search, page: facets ? null : page })).total ?? 0
          if (round >= 0) took.push(spentSince(before))
        }
        const one = {
          name: `${facets ? 'facets' : 'page of 100'}: ${name}`,
          limitMs: facets ? COUNT_MS : PAGE_MS,
        }
        found.push({ ...one, ...spread(took), total })
        say(`processor, ${one.name}: ${spread(took).p50.toFixed(2)} ms`)
      }
    return { processor: found, readingSeconds }
  } finally {
    sqlite.close()
  }
}

/** Of a page well inside the list. */
async function deepCursor(ask: (query: Query) => Promise<Got>, order: Query): Promise<string> {
  let cursor = ''
  for (let page = 0; page < 20; page += 1)
    cursor = (await ask({ ...order, ...(cursor === '' ? {} : { cursor }) })).cursor ?? cursor
  return cursor
}

/** Does `act` while the work is done over and over. */
async function meanwhile<T>(work: () => Promise<unknown>, act: () => Promise<T>): Promise<T> {
  const state = { done: false }
  const working = (async () => {
    while (!state.done) await work()
  })()
  try {
    return await act()
  } finally {
    state.done = true
    await working
  }
}

/** What a process holds; 0 where nobody tells. */
async function residentMegabytes(pid: number): Promise<number> {
  const { readFile } = await import('node:fs/promises')
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Math.round(Number(/VmRSS:\s*(\d+)/.exec(status)?.[1] ?? 0) / 1024)
}
