/** Worker nodes with a real Redis: stages go to other processes, one of which is killed; nothing is lost, nothing twice. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../server/config/config.ts'
import { openDatabase } from '../../server/db/client.ts'
import { findOpenOperation } from '../../server/db/operations.ts'
import { listRunStages } from '../../server/db/runs.ts'
import { issueServiceToken } from '../../server/domain/access/service-tokens.ts'
import { openHome } from '../../server/home.ts'
import { startAppliance, type Appliance } from '../../server/index.ts'
import { isRemote } from '../../server/jobs/remote/protocol.ts'
import { createLogger } from '../../server/log.ts'
import { cutroom, serve } from '../support/appliance-process.ts'
import { findRedis, makeRedis, whyNoRedis, type TestRedis } from '../support/redis.ts'
import {
  describeRun,
  processesNaming,
  queueRun,
  settledRun,
  TINY_NODES,
  until,
} from '../support/run-on-jobs.ts'
import { makeTinyTalk, type TinyTalk } from '../support/tiny-talk.ts'
import { startWorkerProcess, type LogLine, type WorkerProcess } from '../support/worker-node.ts'

const program = findRedis()
if (program === null) console.log(whyNoRedis)

let root: string
let talk: TinyTalk
let redis: TestRedis
let appliance: Appliance | null = null
let reported: LogLine[] = []
let nodes: WorkerProcess[] = []

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-nodes-'))
  talk = await makeTinyTalk(root)
  // A build before the start writes its own lines among those of the log.
  expect((await cutroom(['--version'], { timeoutMs: 200_000 })).code).toBe(0)
  if (program !== null) redis = await makeRedis(program)
})
afterEach(async () => {
  await Promise.all(nodes.map((node) => node.kill('SIGKILL')))
  nodes = []
  await appliance?.stop()
  appliance = null
  await redis.stop()
})
afterAll(async () => {
  if (program !== null) await redis.remove()
  await rm(root, { recursive: true, force: true })
})

/** An appliance that delegates its stages to nodes. */
async function start(name: string): Promise<Appliance> {
  const environment = {
    CUTROOM_QUEUE: 'bullmq',
    CUTROOM_REDIS_URL: redis.url,
    CUTROOM_MIN_FREE_BYTES: '0',
  }
  reported = []
  const config = loadConfig({ home: join(root, name), port: '0' }, environment)
  const log = createLogger('debug', (line) => void reported.push(JSON.parse(line) as LogLine))
  return (appliance = await startAppliance(config, log))
}

async function addNode({ services, url }: Appliance): Promise<WorkerProcess> {
  const token = await issueServiceToken(services, { subject: 'node', lifeSeconds: 3600 })
  const node = startWorkerProcess(join(root, `node-${nodes.length}-${Date.now()}`), { server: url, token })
  nodes.push(node)
  return node
}

const run = ({ services }: Appliance, nodesOfRun = TINY_NODES): string => {
  const { runId } = queueRun(services.db, talk.video, nodesOfRun, 'local')
  services.jobs.wake()
  return runId
}

const keysOf = (lines: readonly LogLine[], message: string): string[] =>
  lines.filter((line) => line.message === message).map((line) => line.content ?? '')
const DONE = 'a stage was carried out'
/** A node had published the result and died before it could report it. */
const ALREADY = 'a result was there already'
const TOOK = 'took a task'
const PUBLISHED = 'a result of a worker node was published'

const takesRender = (line: LogLine): boolean => line.message === TOOK && /-render$/.test(line.queue ?? '')
/** Another cut than the usual one, so that nothing of it is in the cache, and a long one. */
const LONG_CUT = TINY_NODES.map((node) =>
  node.type === 'find_clips'
    ? { ...node, config: { ...node.config, max_length: 60, pinnedTimestamps: [{ start: 2, end: 38 }] } }
    : node,
)

describe.skipIf(program === null)('worker nodes', () => {
  it('complete a run, one of three killed in the middle, nothing twice', async () => {
    await redis.start()
    const own = await start('three')
    const { db } = own.services
    const three = await Promise.all([addNode(own), addNode(own), addNode(own)])
    await Promise.all(three.map((node) => node.working))
    const runId = run(own)

    const victim = await Promise.race(
      three.map(async (node) => {
        await node.when(takesRender)
        return node
      }),
    )
    await victim.kill('SIGKILL')
    const done = new Set(keysOf(victim.lines, DONE))
    const unfinished = keysOf(victim.lines, TOOK).filter((key) => !done.has(key))
    expect(unfinished.length).toBeGreaterThan(0)

    const ended = await settledRun(db, runId, undefined, 90_000)
    const errors = JSON.stringify(reported.filter(({ level }) => level === 'error'))
    const received = `${describeRun(db, runId)} ${errors}`
    expect([ended.status, ended.error], received).toEqual(['Completed', null])
    const stages = listRunStages(db, runId)
    const remote = stages.filter(({ stage }) => isRemote(stage))
    // Every one of them was made on a node, and published once.
    expect(keysOf(reported, PUBLISHED).sort()).toEqual(remote.map(({ key }) => key).sort())
    const survivors = three.filter((node) => node !== victim)
    for (const key of unfinished) {
      const ends = survivors.flatMap((node) => [...keysOf(node.lines, DONE), ...keysOf(node.lines, ALREADY)])
      expect(ends.filter((one) => one === key)).toHaveLength(1)
    }
    const made = three.flatMap((node) => node.lines.filter(({ message }) => message === DONE))
    const published = made.filter((line) => line.published === true).map((line) => line.content)
    expect(new Set(published).size).toBe(published.length)
    expect(made.length).toBe(published.length)
    // Tasks that the dead node had taken and not finished were begun again; nothing else was.
    const taken = three.flatMap((node) => keysOf(node.lines, TOOK))
    const unreported: string[] = []
    for (const { key, attempts, slot } of remote) {
      const times = taken.filter((one) => one === key).length
      const byVictim = keysOf(victim.lines, TOOK).includes(key)
      expect([slot, times <= (byVictim ? 2 : 1), attempts >= 1 && attempts <= times + 1]).toEqual([
        slot,
        true,
        true,
      ])
      if (attempts > times) unreported.push(slot)
    }
    // A node takes one task after the other: it can die between one take and its log line, but only for one task.
    expect(unreported.length, unreported.join()).toBeLessThanOrEqual(1)

    const codes = await Promise.all(survivors.map((node) => node.kill('SIGTERM')))
    expect(codes).toEqual([0, 0])
  })

  it('are waited for, with a warning, when Redis is down and when there is no node; stop what is cancelled', async () => {
    const own = await start('away')
    const { db } = own.services
    const runId = run(own)
    const warned = (text: string) =>
      until(
        () => {
          const row = db.sqlite.prepare('SELECT warnings FROM runs WHERE id = ?').get(runId)
          return (row as { warnings: string }).warnings.includes(text)
        },
        30_000,
        () => describeRun(db, runId),
      )
    await warned('the queue of the worker nodes was away')
    expect((await fetch(`${own.url}/health`)).status).toBe(200)
    await redis.start()
    await warned('no worker node was there')
    const node = await addNode(own)
    await node.working
    const ended = await settledRun(db, runId, undefined, 60_000)
    expect(ended.status, describeRun(db, runId)).toBe('Completed')
    await cancelOnNode(own, node)
  })

  it('continue while the appliance is killed, stopped and restarted: nothing is lost, nothing done twice', async () => {
    await redis.start()
    const home = openHome(join(root, 'again'))
    const settings = {
      CUTROOM_QUEUE: 'bullmq',
      CUTROOM_REDIS_URL: redis.url,
      CUTROOM_MIN_FREE_BYTES: '0',
      CUTROOM_LOG: 'debug',
    }
    const first = await serve(home.root, [], settings)
    const port = ['--port', new URL(first.url).port]
    const db = openDatabase(home.database)
    let current = first
    try {
      const token = await issueServiceToken(
        { db, home, now: Date.now },
        { subject: 'node', lifeSeconds: 3600 },
      )
      const node = startWorkerProcess(join(root, 'node-again'), { server: first.url, token })
      nodes.push(node)
      await node.working
      const { runId } = queueRun(db, talk.video, TINY_NODES, 'local')
      const logs: string[][] = [first.stderr]
      for (const [signal, fits] of [
        ['SIGKILL', (line: LogLine) => line.message === TOOK],
        ['SIGTERM', takesRender],
      ] as const) {
        await node.when(fits)
        await current.stop(signal)
        current = await serve(home.root, port, settings)
        logs.push(current.stderr)
      }
      const ended = await settledRun(db, runId, undefined, 90_000)
      expect([ended.status, ended.error], describeRun(db, runId)).toEqual(['Completed', null])
      const remote = listRunStages(db, runId).filter(({ stage }) => isRemote(stage))
      const expected = remote.map(({ key }) => key).sort()
      expect(keysOf(node.lines, TOOK).sort()).toEqual(expected)
      expect(keysOf(node.lines, DONE).sort()).toEqual(expected)
      const output = logs.flat().map((line) => JSON.parse(line) as LogLine)
      expect(keysOf(output, PUBLISHED).sort()).toEqual(expected)
    } finally {
      db.close()
      await current.stop()
    }
  })
})

/** A second run, of another part of the talk, is cancelled while the node renders it. */
async function cancelOnNode(own: Appliance, node: WorkerProcess): Promise<void> {
  const { db, jobs } = own.services
  const before = node.lines.length
  const runId = run(own, LONG_CUT)
  await node.when((line) => node.lines.indexOf(line) >= before && takesRender(line))
  jobs.cancel(findOpenOperation(db, 'run', runId)?.id ?? '')
  await node.when(({ message }) => message === 'a task was cancelled')
  const ended = await settledRun(db, runId)
  expect([ended.status, ended.errorCode]).toEqual(['Error', 'CANCELLED'])
  await until(
    () => processesNaming(join(root, 'node-'), /ffmpeg/).length === 0,
    30_000,
    () => 'a tool of the node goes on',
  )
  // An unreachable Redis does not prevent a shutdown.
  await redis.stop()
  expect(await node.kill('SIGTERM')).toBe(0)
}
