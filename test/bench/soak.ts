/**
 * `npm run bench -- soak [--minutes N] [--hours N]`: memory, file handles and threads of all processes of an appliance
 * while runs, renders, lists, live streams and sign-ins go on. A straight line is fitted after a warm-up; its slope says
 * whether something grows. An hour when nothing is said; the long form is `--hours 8`. Linux only: it reads /proc.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { cutroom } from '../support/appliance-process.ts'
import { descendantsOf } from '../support/appliance.ts'
import {
  openBenchAppliance,
  poll,
  renderOn,
  runOn,
  signInBy,
  type BenchAppliance,
} from './bench-appliance.ts'
import { fitLine, verdictOf, type Line, type Point } from './line.ts'
import { speedBench } from './report.ts'

/** Caches, compiled code and the allocators' space fill for more than half an hour; of a short run, half is left to measure. */
const WARM_UP_MINUTES = 45
const SAMPLES = 400
const TOGETHER = 5
const SOONEST_MS = 1000
const LISTING_CLIENTS = 5
const ASK_EVERY_MS = 500
const STREAM_MS = 20_000
const SIGN_IN_EVERY_MS = 15_000

interface Options {
  readonly minutes?: number
  readonly say?: (line: string) => void
}

interface Sample {
  readonly hours: number
  /** Of the server, its engine, and whatever else lives longer than a tool. */
  readonly megabytes: number
  readonly handles: number
  /** Of the pools: one that has had nothing to do for an hour ends, and takes its memory with it. */
  readonly threads: number
  readonly processes: number
}

export async function runSoakBench({ minutes = 60, say = () => undefined }: Options = {}) {
  const environment = await openBenchAppliance(say)
  try {
    const end = performance.now() + minutes * 60_000
    const over = (): boolean => performance.now() > end
    const { counts, done } = workOn(environment, over)
    const samples = await sampleUntil(environment, {
      over,
      everyMs: Math.max(SOONEST_MS, (minutes * 60_000) / SAMPLES),
    })
    await done
    return soakReport(minutes, samples, counts)
  } finally {
    await environment.close()
  }
}

/** All work of a soak, until it is over; `counts` is complete when this resolves. */
export function workOn(house: BenchAppliance, over: () => boolean) {
  const counts = { runs: 0, renders: 0, calls: 0, signIns: 0, streams: 0 }
  const [first, second] = house.tenants
  const done = Promise.all([
    runOn(house, first, over).then((count) => (counts.runs = count)),
    renderOn(second, second.clipIds[0] ?? '', over).then((count) => (counts.renders = count)),
    ...Array.from({ length: LISTING_CLIENTS }, async (_, number) => {
      counts.calls += (await poll(house, { number, everyMs: ASK_EVERY_MS }, over)).length
    }),
    signInOften(house, over).then((count) => (counts.signIns = count)),
    streamOn(house, over).then((count) => (counts.streams = count)),
  ])
  done.catch(() => undefined)
  return { counts, done }
}

/** What was done, as a sentence. */
export const meanwhile = (counts: Readonly<Record<string, number>>): string =>
  `Meanwhile: ${Object.entries(counts)
    .map(([name, count]) => `${count} ${name === 'signIns' ? 'sign-ins' : name}`)
    .join(', ')}.`

/** ffmpeg and its like come and go by design: what they hold is theirs, and gone with them. */
const isTool = (pid: number): boolean => /ff(mpeg|probe)/.test(readFileSync(`/proc/${pid}/cmdline`, 'latin1'))

function sample(pid: number, began: number): Sample {
  let kilobytes = 0
  let handles = 0
  let threads = 0
  let processes = 0
  for (const one of [pid, ...descendantsOf(pid)]) {
    try {
      if (isTool(one)) continue
      const status = readFileSync(`/proc/${one}/status`, 'utf8')
      const read = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0)
      kilobytes += read('VmRSS')
      threads += read('Threads')
      handles += readdirSync(`/proc/${one}/fd`).length
      processes += 1
    } catch (error) {
      // It ended while it was looked at.
      if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    }
  }
  return {
    hours: (performance.now() - began) / 3_600_000,
    megabytes: kilobytes / 1024,
    handles,
    threads,
    processes,
  }
}

async function sampleUntil(
  { appliance }: BenchAppliance,
  given: { over: () => boolean; everyMs: number },
): Promise<Sample[]> {
  const began = performance.now()
  const samples: Sample[] = []
  while (!given.over()) {
    samples.push(sample(appliance.pid, began))
    await pause(given.everyMs)
  }
  return samples
}

/** An owner's new link, signed in with and out again. */
async function signInOften({ home, appliance }: BenchAppliance, over: () => boolean): Promise<number> {
  const invite = async (more: readonly string[]): Promise<string> => {
    const words = ['people', 'invite', 'Soak', ...more, '--home', home, '--json']
    const { code, stdout, stderr } = await cutroom(words)
    if (code !== 0) throw new Error(stderr)
    const link = /sign-in\?[^"\s]+/.exec(stdout)?.[0]
    if (link === undefined) throw new Error(`no link in ${stdout}`)
    return `${appliance.url}/studio/${link}`
  }
  let link = await invite(['--role', 'viewer'])
  for (let count = 0; ;) {
    const cookie = await signInBy(link)
    const answer = await fetch(`${appliance.url}/studio/sign-out`, { method: 'POST', headers: { cookie } })
    await answer.body?.cancel()
    count += 1
    for (let waited = 0; waited < SIGN_IN_EVERY_MS; waited += 500) {
      if (over()) return count
      await pause(500)
    }
    link = await invite(['--again'])
  }
}

/** A studio that listens to events and is reopened now and then. */
async function streamOn({ appliance, cookie }: BenchAppliance, over: () => boolean): Promise<number> {
  for (let count = 0; ; count += 1) {
    if (over()) return count
    const ending = new AbortController()
    const answer = await fetch(`${appliance.url}/studio/events`, {
      headers: { cookie },
      signal: ending.signal,
    })
    if (answer.status !== 200) throw new Error(`the stream answered ${answer.status}`)
    const reading = answer.text().catch(() => '')
    for (let waited = 0; waited < STREAM_MS && !over(); waited += 500) await pause(500)
    ending.abort()
    await reading
  }
}

/**
 * The lowest of each few samples: pipes, buffers and threads that come and go stand on top of what is kept. A thread that
 * ended or began for good is a step and not a slope; were there ever more of them, their own line would say so.
 */
function lowest(samples: readonly Sample[], pick: (sample: Sample) => number): Point[] {
  return Array.from({ length: Math.floor(samples.length / TOGETHER) }, (_, at) => {
    const together = samples.slice(at * TOGETHER, (at + 1) * TOGETHER)
    const kind = Math.min(...together.map(({ threads }) => threads))
    return together
      .map((one) => ({ x: one.hours, y: pick(one), kind }))
      .reduce((least, one) => (one.y < least.y ? one : least))
  })
}

/** What the samples of a soak of `minutes` say. `counts`: what was done meanwhile, by its name. */
export function soakReport(
  minutes: number,
  samples: readonly Sample[],
  counts: Readonly<Record<string, number>>,
) {
  const warmUpMinutes = Math.min(WARM_UP_MINUTES, minutes / 2)
  const warm = samples.filter(({ hours }) => hours * 60 >= warmUpMinutes)
  const measured = [
    { name: 'memory, MB', line: fitLine(lowest(warm, ({ megabytes }) => megabytes)) },
    { name: 'file handles', line: fitLine(lowest(warm, ({ handles }) => handles)) },
    { name: 'threads', line: fitLine(lowest(warm, ({ threads }) => threads).map(({ x, y }) => ({ x, y }))) },
  ]
  const rows = measured.map(({ name, line }) => [
    name,
    line.mean.toFixed(1),
    line.slope.toFixed(2),
    line.error.toFixed(2),
    verdictOf(line),
  ])
  const columns = ['what', 'mean', 'slope an hour', 'error of the slope', 'verdict']
  const work = `${minutes} minutes, of which the first ${warmUpMinutes} are warm-up; slopes of memory and handles within each count of threads; ${warm.length} samples, of each ${TOGETHER} the lowest, of ${warm.at(-1)?.processes ?? 0} processes, ffmpeg not counted. ${meanwhile(counts)}`
  const named = ({ name, line }: { name: string; line: Line }) =>
    [name, { ...line, verdict: verdictOf(line) }] as const
  return speedBench(
    'soak',
    {
      title: 'Hours of work',
      tables: [{ title: 'Memory, file handles and threads of all processes', columns, rows, notes: [work] }],
      unmeasured: minutes < 480 ? ['the form of 8 hours: `npm run bench -- soak --hours 8 --write`'] : [],
    },
    { minutes, warmUpMinutes, counts, samples, lines: Object.fromEntries(measured.map(named)) },
  )
}
