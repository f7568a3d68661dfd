/**
 * `npm run bench -- load`: 50 clients poll and list during 4 runs and 4 renders, compared with the same clients on the
 * same idle appliance; then the order of renders when two companies have renders waiting.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase, type Db } from '../../server/db/client.ts'
import { openHome } from '../../server/home.ts'
import {
  changeClip,
  openBenchAppliance,
  poll,
  renderOn,
  runOn,
  type BenchAppliance,
} from './bench-appliance.ts'
import { speedBench } from './report.ts'

const CLIENTS = 50
const WORKS = 4
const LIMIT_MS = 50
const ASK_EVERY_MS = 500
const WATCH_MS = 20

interface Options {
  /** Of each of the two measurements. */
  readonly seconds?: number
  readonly say?: (line: string) => void
}

interface Times {
  readonly count: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

function timesOf(taken: readonly number[]): Times {
  const sorted = taken.toSorted((a, b) => a - b)
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), max: sorted.at(-1) ?? NaN }
}

/** About two minutes and a half at the usual length. */
export async function runLoadBench({ seconds = 30, say = () => undefined }: Options = {}) {
  const house = await openBenchAppliance(say)
  try {
    const floor = await ask(house, seconds)
    say(`idle: p99 ${floor.p99.toFixed(1)} ms of ${floor.count} calls`)
    let over = false
    const ended = (): boolean => over
    const runs = Array.from({ length: WORKS }, (_, at) =>
      runOn(house, house.tenants[at % 2 === 0 ? 0 : 1], ended),
    )
    const renders = Array.from({ length: WORKS }, (_, at) => {
      const tenant = house.tenants[at % 2 === 0 ? 0 : 1]
      return renderOn(tenant, tenant.clipIds[at >> 1] ?? '', ended)
    })
    const work = Promise.all([Promise.all(runs), Promise.all(renders)])
    // Failures during the requests are reported below instead of as unhandled rejections.
    work.catch(() => undefined)
    await pause(2000)
    const loaded = await ask(house, seconds)
    over = true
    say(`at work: p99 ${loaded.p99.toFixed(1)} ms of ${loaded.count} calls`)
    const sum = (counts: readonly number[]): number => counts.reduce((all, one) => all + one, 0)
    const [doneRuns, doneRenders] = (await work).map(sum)
    await quiet(house)
    const turns = await fairTurns(house)
    return report({ seconds, floor, loaded, runs: doneRuns ?? 0, renders: doneRenders ?? 0, turns })
  } finally {
    await house.close()
  }
}

async function ask(house: BenchAppliance, seconds: number): Promise<Times> {
  const end = performance.now() + seconds * 1000
  const over = (): boolean => performance.now() > end
  const all = Array.from({ length: CLIENTS }, (_, number) =>
    poll(house, { number, everyMs: ASK_EVERY_MS }, over),
  )
  return timesOf((await Promise.all(all)).flat())
}

const withDatabase = async <T>(home: string, use: (db: Db) => Promise<T>): Promise<T> => {
  const db = openDatabase(openHome(home).database)
  try {
    return await use(db)
  } finally {
    db.close()
  }
}

const OPEN = "select count(*) as count from operations where state in ('queued', 'running')"

/** Until nothing is queued or running. */
const quiet = ({ home }: BenchAppliance): Promise<void> =>
  withDatabase(home, async ({ sqlite }) => {
    while ((sqlite.prepare<[], { count: number }>(OPEN).get()?.count ?? 0) > 0) await pause(200)
  })

/**
 * The first company queues all its renders, then the second one: the company of each render in the order in which they
 * began. Read from the queue every few milliseconds; renders that began between two reads are in the order of their
 * rows.
 */
function fairTurns({ home, tenants }: BenchAppliance): Promise<string[]> {
  return withDatabase(home, async ({ sqlite }) => {
    const began = Date.now()
    const started = sqlite.prepare<[number], { id: string; company_id: string }>(
      "select id, company_id from operations where kind = 'render' and created_at >= ? and state <> 'queued' order by updated_at, rowid",
    )
    for (const [place, tenant] of tenants.entries()) {
      for (const [at, clipId] of tenant.clipIds.entries())
        await changeClip(tenant, clipId, 400 + place * 100 + at)
    }
    const rows = sqlite.prepare<[number], { count: number }>(
      "select count(*) as count from operations where kind = 'render' and created_at >= ?",
    )
    const asked: Promise<unknown>[] = []
    for (const { client, clipIds, companyId } of tenants) {
      asked.push(...clipIds.map((clipId) => client.call('POST', '/render', { companyId, clipId })))
      // The second one comes when all of the first one's are in the queue.
      while ((rows.get(began)?.count ?? 0) < asked.length) await pause(1)
    }
    const order = new Map<string, string>()
    const all = asked.length
    let done = false
    const finished = Promise.all(asked).finally(() => (done = true))
    finished.catch(() => undefined)
    for (let last = false; order.size < all && !last;) {
      last = done
      for (const { id, company_id } of started.all(began)) if (!order.has(id)) order.set(id, company_id)
      await pause(WATCH_MS)
    }
    await finished
    return [...order.values()]
  })
}

/** The longest row of renders of one company while the other one had some waiting. */
export function longestRow(turns: readonly string[]): number {
  const left = new Map<string, number>()
  for (const company of turns) left.set(company, (left.get(company) ?? 0) + 1)
  let longest = 0
  let row = 0
  let before = ''
  for (const company of turns) {
    const others = [...left].some(([name, count]) => name !== company && count > 0)
    row = company === before ? row + 1 : 1
    if (others) longest = Math.max(longest, row)
    before = company
    left.set(company, (left.get(company) ?? 1) - 1)
  }
  return longest
}

interface Measured {
  readonly seconds: number
  readonly floor: Times
  readonly loaded: Times
  readonly runs: number
  readonly renders: number
  readonly turns: readonly string[]
}

function report({ seconds, floor, loaded, runs, renders, turns }: Measured) {
  const kept = loaded.p99 < LIMIT_MS
  const ratio = loaded.p99 / floor.p99
  const row = (name: string, { count, p50, p99, max }: Times): string[] => [
    name,
    String(count),
    ...[p50, p99, max].map((one) => one.toFixed(1)),
  ]
  const rows = [row('nothing to do', floor), row(`${WORKS} runs and ${WORKS} renders at once`, loaded)]
  const columns = ['the appliance has', 'calls', 'median ms', 'p99 ms', 'longest ms']
  const said = `p99 ${loaded.p99.toFixed(1)} ms, limit ${LIMIT_MS} ms: ${kept ? 'kept' : 'NOT kept'}; ${ratio.toFixed(1)} times the floor.`
  const work = `${CLIENTS} clients, ${seconds} s each; ${runs} runs and ${renders} renders were finished meanwhile.`
  const longest = longestRow(turns)
  const fair = `Renders of two companies, the first having queued all of its own first, began in this order: ${turns.join(', ')}. At most ${longest} in a row of one company while the other one waited.`
  return speedBench(
    'load',
    {
      title: 'Many who look on while it works',
      tables: [{ title: `${CLIENTS} clients poll and list`, columns, rows, notes: [said, work, fair] }],
      unmeasured: [],
    },
    {
      clients: CLIENTS,
      seconds,
      floor,
      loaded,
      runs,
      renders,
      turns,
      longestRow: longest,
      ratios: { p99OverFloor: ratio },
      limits: { p99Ms: LIMIT_MS },
    },
  )
}
