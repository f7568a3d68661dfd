/** Starts, watches and kills the jobs part of an appliance on a home of the test's own. */
import { spawn, type ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ResolvedNode, RunSnapshot } from '../../server/contract/run.ts'
import { openDatabase, type Db } from '../../server/db/client.ts'
import {
  createRunWithOperation,
  getRun,
  listRunStages,
  type Run,
  type RunStage,
} from '../../server/db/runs.ts'
import { companies } from '../../server/db/schema.ts'
import { openHome, type Home } from '../../server/home.ts'

export interface JobsProcess {
  readonly child: ChildProcess
  readonly pid: number
  /** What it logged so far, JSON lines. */
  readonly log: () => string
  /** Kills with -9, and waits until it has ended. */
  kill(): Promise<void>
  /** SIGTERM; the exit code. */
  stop(): Promise<number | null>
}

/** Resolves when it takes work. */
export async function startJobsProcess(home: Home, minFreeBytes = 0, models?: string): Promise<JobsProcess> {
  const program = join(import.meta.dirname, 'jobs-process.ts')
  const args = [program, home.root, String(minFreeBytes), ...(models === undefined ? [] : [models])]
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()))
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  const ready = new Promise<void>((resolve) => child.stdout.once('data', () => resolve()))
  await Promise.race([
    ready,
    exited.then((code) => {
      throw new Error(`the jobs process ended with ${String(code)}: ${log}`)
    }),
  ])
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal)
    return exited
  }
  return {
    child,
    pid: child.pid ?? 0,
    log: () => log,
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
  }
}

export interface TestHome {
  readonly home: Home
  readonly db: Db
  remove(): Promise<void>
}

/** A home with one company, `c`. */
export function makeHome(root: string): TestHome {
  const home = openHome(root)
  const db = openDatabase(home.database)
  const values = { id: 'c', name: 'C', plan: 'starter' as const, features: [], createdAt: 1 }
  db.orm.insert(companies).values(values).onConflictDoNothing().run()
  const remove = async () => {
    db.close()
    await rm(root, { recursive: true, force: true })
  }
  return { home, db, remove }
}

const node = (type: string, config: Record<string, unknown> = {}): ResolvedNode => ({
  id: type,
  type,
  enabled: true,
  config,
})

/** Two short pinned clips, small pictures: quick to render. */
export const TINY_NODES: readonly ResolvedNode[] = [
  node('find_clips', {
    min_length: 5,
    max_length: 12,
    pinnedTimestamps: [
      { start: 4, end: 7.2 },
      { start: 20, end: 23.2 },
    ],
    pinnedTimestampsOnly: true,
  }),
  node('add_subtitles'),
]

export function queueRun(db: Db, path: string, nodes: readonly ResolvedNode[] = TINY_NODES, companyId = 'c') {
  const snapshot: RunSnapshot = {
    workflowId: 'w',
    workflowName: 'W',
    nodes: [...nodes],
    originalUrl: path,
    keywords: [],
    source: { kind: 'file', path, displayName: 'talk.mp4' },
    channel: 'current',
    pipelineVersion: '1.0.0',
  }
  return createRunWithOperation(db, { companyId, snapshot, now: Date.now() })
}

/** Polls until `look` returns a value, and returns it. Throws with the text of `explain` after `timeoutMs`. */
export async function until<T>(
  look: () => T | null | false | Promise<T | null | false>,
  timeoutMs: number,
  explain: () => string,
): Promise<T> {
  const end = Date.now() + timeoutMs
  for (;;) {
    const value = await look()
    if (value !== null && value !== false) return value
    if (Date.now() > end) throw new Error(`waited ${timeoutMs} ms in vain: ${explain()}`)
    await new Promise((resolve) => setTimeout(resolve, 15))
  }
}

export const slotsOf = (db: Db, runId: string): Map<string, RunStage> =>
  new Map(listRunStages(db, runId).map((stage) => [stage.slot, stage]))

export function describeRun(db: Db, runId: string, jobs?: JobsProcess): string {
  const run = getRun(db, runId)
  const stages = listRunStages(db, runId).map(
    (stage) =>
      `${stage.slot}:${stage.state}x${stage.attempts}${stage.failure === null ? '' : ` ${stage.failure.message}`}`,
  )
  return `${run?.status ?? 'no run'} ${run?.error ?? ''} [${stages.join(', ')}] ${jobs?.log().slice(-3000) ?? ''}`
}

/** Waits for Completed or Error. */
export async function settledRun(
  db: Db,
  runId: string,
  jobs?: JobsProcess,
  timeoutMs = 60_000,
): Promise<Run> {
  const look = () => {
    const run = getRun(db, runId)
    return run !== null && (run.status === 'Completed' || run.status === 'Error') ? run : null
  }
  return until(look, timeoutMs, () => describeRun(db, runId, jobs))
}

/** Process ids whose command line names `text` (a path of the test), Linux only. */
export function processesNaming(text: string, program: RegExp): number[] {
  const found: number[] = []
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const line = readFileSync(`/proc/${name}/cmdline`, 'utf8')
      if (line.includes(text) && program.test(readlinkSync(`/proc/${name}/exe`))) found.push(Number(name))
    } catch {
      continue // it ended while we looked
    }
  }
  return found
}

/** Children of a process, from any of its threads. Linux only; empty on other systems. */
export function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
      const text = readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').trim()
      return text === '' ? [] : text.split(' ').map(Number)
    })
  } catch {
    return []
  }
}

export function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

/** The engine of a jobs process, or null. */
export const engineOf = (jobs: JobsProcess): number | null =>
  childrenOf(jobs.pid).find((pid) => commandLine(pid).includes('engine')) ?? null
