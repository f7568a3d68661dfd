/**
 * `npm run bench -- standby`: how long a standby takes to take over from an appliance that was killed, whether anything that
 * was acknowledged is lost or done twice, and what it costs to wait until each change is shipped. Real processes, a real
 * Redis, a real store of S3 on this machine.
 */
import Database from 'better-sqlite3'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { makeStandbyPair, sendTriggers, type Serving, type StandbyPair } from '../support/standby-pair.ts'
import { speedBench, type QualityReport } from './report.ts'

const TRIALS = 20
const RUNS_EACH = 2
const WRITES = 200
const AT_ONCE = 16

interface Takeovers {
  readonly trials: number
  readonly p50Ms: number
  readonly maxMs: number
  readonly acknowledged: number
  readonly lost: number
  readonly twice: number
  /** Runs that nobody was told of, and keys that two runs answered. */
  readonly strays: number
}

interface Writes {
  readonly p50Ms: number
  readonly p95Ms: number
  /** A second, by callers side by side. */
  readonly perSecond: number
}

const quantile = (sorted: readonly number[], at: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * at))] ?? NaN

export async function runStandbyBench({
  say,
  rounds = TRIALS,
}: {
  readonly say: (line: string) => void
  readonly rounds?: number
}) {
  const pair = await makeStandbyPair(true)
  try {
    const alone = await measureWrites(pair, 'alone', { CUTROOM_STANDBY: 'off' })
    say(`without a standby: ${JSON.stringify(alone)}`)
    const shipped = await measureWrites(pair, 'shipped', { CUTROOM_STORE: 's3://studio/other' })
    say(`with one: ${JSON.stringify(shipped)}`)
    const takeovers = await measureTakeovers(pair, rounds, say)
    const writes = { alone, shipped }
    return speedBench('standby', reportOf(takeovers, writes), { takeovers, writes })
  } finally {
    await pair.close()
  }
}

/** Kills the one in charge, by turns, while runs come in; in the end every run has to be there once. */
async function measureTakeovers(
  pair: StandbyPair,
  trials: number,
  say: (line: string) => void,
): Promise<Takeovers> {
  const names = ['first', 'second']
  const times: number[] = []
  const answered = new Map<string, Set<string>>()
  let serving: Serving = await pair.serve('first')
  for (let trial = 0; trial < trials; trial++) {
    const follower = await pair.follow(names[(trial + 1) % 2] ?? '')
    const from = trial * RUNS_EACH
    const sending = sendTriggers(pair, serving.url, RUNS_EACH, from)
    while (sending.acknowledged.size === 0) await pause(2)
    await pause(Math.random() * 200)
    note(answered, sending.acknowledged)
    serving.process.child.kill('SIGKILL')
    const began = performance.now()
    serving = await pair.serving(follower)
    times.push(performance.now() - began)
    sending.turnTo(serving.url)
    note(answered, await sending.done)
    // What was acknowledged before is asked for again.
    note(answered, await sendTriggers(pair, serving.url, RUNS_EACH, from).done)
    say(`takeover ${trial + 1}: ${Math.round(times.at(-1) ?? NaN)} ms`)
  }
  const ids = [...answered.values()].flatMap((found) => [...found])
  for (const id of ids) await serving.client.settled(id, 600_000)
  return countRuns(answered, pair.home(names[trials % 2] ?? ''), times)
}

function note(answered: Map<string, Set<string>>, acknowledged: ReadonlyMap<string, string>): void {
  for (const [key, id] of acknowledged) answered.set(key, (answered.get(key) ?? new Set()).add(id))
}

function countRuns(
  answered: ReadonlyMap<string, ReadonlySet<string>>,
  home: string,
  times: readonly number[],
): Takeovers {
  const db = new Database(join(home, 'cutroom.sqlite'), { readonly: true })
  try {
    const runs = new Map(db.prepare<[], [string, string]>('select id, status from runs').raw().all())
    const completions = new Map(
      db
        .prepare<[], [string, number]>(
          "select subject_id, count(*) from events where type = 'run.completed' group by subject_id",
        )
        .raw()
        .all(),
    )
    const ids = new Set([...answered.values()].flatMap((found) => [...found]))
    const sorted = [...times].sort((a, b) => a - b)
    return {
      trials: times.length,
      p50Ms: Math.round(quantile(sorted, 0.5)),
      maxMs: Math.round(sorted.at(-1) ?? NaN),
      acknowledged: answered.size,
      lost: [...ids].filter((id) => runs.get(id) !== 'Completed').length,
      twice: [...completions.values()].filter((count) => count > 1).length,
      strays:
        [...runs.keys()].filter((id) => !ids.has(id)).length +
        [...answered.values()].filter((found) => found.size > 1).length,
    }
  } finally {
    db.close()
  }
}

/** Small changes through the public API: uploads that are begun. */
async function measureWrites(
  pair: StandbyPair,
  name: string,
  environment: Readonly<Record<string, string>>,
): Promise<Writes> {
  const { tenant, process, url } = await pair.serveAlone(name, environment)
  const write = async (): Promise<number> => {
    const began = performance.now()
    const answer = await fetch(`${url}/uploads?companyId=${tenant.companyId}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.key}`, 'tus-resumable': '1.0.0', 'upload-length': '1000' },
    })
    await answer.arrayBuffer()
    if (answer.status !== 201) throw new Error(`a change was answered ${answer.status}`)
    return performance.now() - began
  }
  for (let warm = 0; warm < 20; warm++) await write()
  const times: number[] = []
  for (let at = 0; at < WRITES; at++) times.push(await write())
  const began = performance.now()
  const callers = Array.from({ length: AT_ONCE }, async () => {
    for (let at = 0; at < WRITES / AT_ONCE; at++) await write()
  })
  await Promise.all(callers)
  const perSecond = (Math.floor(WRITES / AT_ONCE) * AT_ONCE) / ((performance.now() - began) / 1000)
  process.child.kill('SIGTERM')
  await process.ended
  times.sort((a, b) => a - b)
  const rounded = (value: number): number => Math.round(value * 10) / 10
  return {
    p50Ms: rounded(quantile(times, 0.5)),
    p95Ms: rounded(quantile(times, 0.95)),
    perSecond: Math.round(perSecond),
  }
}

function reportOf(
  { trials, p50Ms, maxMs, acknowledged, lost, twice, strays }: Takeovers,
  { alone, shipped }: { readonly alone: Writes; readonly shipped: Writes },
): QualityReport {
  const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(1)
  const rowOf = (name: string, { p50Ms, p95Ms, perSecond }: Writes): string[] => [
    name,
    String(p50Ms),
    String(p95Ms),
    String(perSecond),
  ]
  return {
    title: 'A standby',
    tables: [
      {
        title: 'Takeover after kill -9',
        columns: ['trials', 'p50 s', 'longest s', 'runs acknowledged', 'lost', 'completed twice', 'strays'],
        rows: [
          [
            String(trials),
            seconds(p50Ms),
            seconds(maxMs),
            String(acknowledged),
            String(lost),
            String(twice),
            String(strays),
          ],
        ],
        notes: [
          'From the signal to the address that answers, both machines in one; the lease takes 10 s of it to run out. Runs come in before, while nobody answers, and after; each is sent until it is acknowledged, and once more. Strays: runs that nobody was told of, and keys that were answered by two runs.',
        ],
      },
      {
        title: 'What an answer waits for',
        columns: ['one small change', 'p50 ms', 'p95 ms', `changes a second, ${AT_ONCE} callers`],
        rows: [rowOf('without a standby', alone), rowOf('shipped before it is answered', shipped)],
        notes: [
          'To a store on the same machine (rclone serve s3), where each shipment is one PUT and one GET; elsewhere both take as long as the way there.',
        ],
      },
    ],
    unmeasured: ['Two machines with a network between them, and a store of AWS, MinIO or Garage.'],
  }
}
