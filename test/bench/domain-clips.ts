/** GET /clips over very many clips: what pages, counts and facets cost, filter by filter. A section of `bench -- domain`. */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { createClipSearch } from '../../server/db/clip-lists/search.ts'
import { openHome } from '../../server/home.ts'
import { serve, type ServeProcess } from '../support/appliance-process.ts'
import { fillList } from './domain-fill.ts'
import { filterOf, filters, pathOf, SORTS, type Query } from './domain-queries.ts'

export interface Timed {
  readonly name: string
  readonly limitMs: number
  /** Number of clips that match, where the total was requested. */
  readonly total: number | null
  /** Time of the first request. A total and facets are cached from then on, until a clip changes. */
  readonly first: number
  readonly p50: number
  readonly p99: number
  readonly max: number
  /** p50 over that of a request that only authenticates. */
  readonly ratio: number
}

export type Spread = Pick<Timed, 'p50' | 'p99' | 'max'>

export interface ClipsBench {
  readonly clips: number
  readonly fillSeconds: number
  /** Of that to fill the indexes, as the first start after an upgrade does. */
  readonly indexSeconds: number
  /** The first list after a start, from its request to its answer. */
  readonly firstAnswerMs: number
  /** Resident memory of the server after all requests. */
  readonly serverMegabytes: number
  /** A request that only authenticates: the cost of the machine and of the connection. */
  readonly floor: Spread
  readonly timed: readonly Timed[]
  /** Requests that do nothing, while facets are counted all the time: they wait for no facets. */
  readonly beside: Spread
  /** Pages, while facets are counted all the time. */
  readonly pagesBeside: Spread
  /** CLIENTS at once: each sends a request every EVERY_MS, or (at once) as soon as it has the previous response. */
  readonly together: Readonly<
    Record<'floor' | 'pages' | 'words' | 'floorAtOnce' | 'pagesAtOnce' | 'wordsAtOnce', Spread>
  >
  /** The same searches in the process of the bench, by the time of the processor, nothing of them cached. */
  readonly processor: readonly (Pick<Timed, 'name' | 'limitMs' | 'p50' | 'p99' | 'max'> & {
    readonly total: number
  })[]
}

export const CLIENTS = 10
export const EVERY_MS = 100
const PAGE_MS = 10
const COUNT_MS = 150
const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })

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

function spread(milliseconds: readonly number[]): Spread {
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
  const appliances: ServeProcess[] = []
  try {
    const filled = await fillList(root, clips, say)
    const appliance = await serve(root)
    appliances.push(appliance)
    const port = Number(new URL(appliance.url).port)
    const ask = (query: Query): Promise<Got> => get(port, pathOf(query), filled.token)
    const context = (): Promise<Got> => get(port, '/context', filled.token)
    const times = async (count: number, one: () => Promise<Got>) => {
      const got: Got[] = []
      for (let index = 0; index < count; index += 1) got.push(await one())
      return { ...spread(got.map(({ milliseconds }) => milliseconds)), total: got.at(-1)?.total ?? null }
    }
    await times(50, context)
    const firstAnswerMs = (await ask({})).milliseconds
    say(`first list: ${firstAnswerMs.toFixed(0)} ms`)
    const floor = await times(200, context)
    const timed: Timed[] = []
    const asked: Query[] = []
    const time = async (name: string, limitMs: number, query: Query, count = rounds): Promise<void> => {
      const first = (await ask(query)).milliseconds
      await times(2, () => ask(query))
      const took = await times(count, () => ask(query))
      if (limitMs === PAGE_MS) asked.push(query)
      timed.push({ name, limitMs, first, ...took, ratio: took.p50 / floor.p50 })
      say(
        `${name}: first ${first.toFixed(2)} ms, then ${took.p50.toFixed(2)}, p99 ${took.p99.toFixed(2)}, of ${took.total ?? '?'}`,
      )
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
    const together = await measureTogether({ context, ask, queries: asked, rounds })
    for (const [name, { p50, p99 }] of Object.entries(together))
      say(`${CLIENTS} clients, ${name}: ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)}`)
    const serverMegabytes = await residentMegabytes(appliance.pid)
    await appliance.stop()
    const processor = processorTimes(openHome(root).database, byName, { rounds, say })
    return {
      processor,
      together,
      clips,
      fillSeconds: filled.seconds,
      indexSeconds: filled.indexSeconds,
      firstAnswerMs,
      serverMegabytes,
      floor,
      timed,
      beside,
      pagesBeside,
    }
  } finally {
    for (const { child } of appliances) child.kill()
    agent.destroy()
    await rm(root, { recursive: true, force: true })
  }
}

/** The pages that were measured one by one, requested by several clients at once: searches by words, and the others. */
async function measureTogether({
  context,
  ask,
  queries,
  rounds,
}: {
  readonly context: () => Promise<Got>
  readonly ask: (query: Query) => Promise<Got>
  readonly queries: readonly Query[]
  readonly rounds: number
}): Promise<ClipsBench['together']> {
  const pages = inTurn(
    ask,
    queries.filter(({ query }) => query === undefined),
  )
  const words = inTurn(
    ask,
    queries.filter(({ query }) => query !== undefined),
  )
  return {
    floor: await askTogether(rounds, EVERY_MS, context),
    pages: await askTogether(rounds, EVERY_MS, pages),
    words: await askTogether(rounds, EVERY_MS, words),
    floorAtOnce: await askTogether(rounds, 0, context),
    pagesAtOnce: await askTogether(rounds, 0, pages),
    wordsAtOnce: await askTogether(rounds, 0, words),
  }
}

/** Requests all of them in turn; each client begins with a different one. */
function inTurn(ask: (query: Query) => Promise<Got>, queries: readonly Query[]) {
  return (client: number, round: number): Promise<Got> =>
    ask(queries[(Math.floor((client * queries.length) / CLIENTS) + round) % queries.length] ?? {})
}

/** `everyMs` 0: as soon as it has the one before. Time runs from when a request was due, though its client were late. */
async function askTogether(
  rounds: number,
  everyMs: number,
  ask: (client: number, round: number) => Promise<Got>,
): Promise<Spread> {
  const took: number[] = []
  const began = performance.now()
  const client = async (number: number): Promise<void> => {
    for (let round = 0; round < rounds; round += 1) {
      const due = began + (round + number / CLIENTS) * everyMs
      const early = due - performance.now()
      if (early > 0) await new Promise((resolve) => setTimeout(resolve, early))
      const from = everyMs === 0 ? performance.now() : due
      await ask(number, round)
      took.push(performance.now() - from)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)))
  return spread(took)
}

/** Each search in this thread. */
function processorTimes(
  file: string,
  byName: Readonly<Record<string, Query>>,
  { rounds, say }: { rounds: number; say: (line: string) => void },
): ClipsBench['processor'] {
  const sqlite = new Database(file, { readonly: true })
  const page = { sortBy: 'duration', order: 'asc', after: null, limit: 100 } as const
  const found: ClipsBench['processor'][number][] = []
  const spentSince = (before?: NodeJS.CpuUsage): number => {
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
  try {
    for (const [name, query] of Object.entries(byName))
      for (const facets of [false, true]) {
        const search = { companyId: 'acme', filter: filterOf(query), count: facets, facets }
        const took: number[] = []
        let total = 0
        const count = facets ? Math.max(3, Math.floor(rounds / 20)) : rounds
        for (let round = -1; round < count; round += 1) {
          // A new one each time: it has nothing cached.
          const find = createClipSearch(sqlite)
          const before = process.cpuUsage()
          total = find({ ...search, page: facets ? null : page }).total ?? 0
          if (round >= 0) took.push(spentSince(before))
        }
        const one = {
          name: `${facets ? 'facets' : 'page of 100'}: ${name}`,
          limitMs: facets ? COUNT_MS : PAGE_MS,
        }
        found.push({ ...one, ...spread(took), total })
        say(`processor, ${one.name}: ${spread(took).p50.toFixed(2)} ms`)
      }
    return found
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

/** Resident memory of a process; 0 where the system does not report it. */
async function residentMegabytes(pid: number): Promise<number> {
  const { readFile } = await import('node:fs/promises')
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Math.round(Number(/VmRSS:\s*(\d+)/.exec(status)?.[1] ?? 0) / 1024)
}
