/** A run as a trace at a collector: one for the run, its stages below it, and below those what worker nodes did. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { loadConfig } from '../../server/config/config.ts'
import { listRunStages } from '../../server/db/runs.ts'
import { issueServiceToken } from '../../server/domain/access/service-tokens.ts'
import { startAppliance, type Appliance } from '../../server/index.ts'
import { isRemote } from '../../server/jobs/remote/protocol.ts'
import { createLogger } from '../../server/log.ts'
import { traceIdOf } from '../../server/traces/spans.ts'
import { cutroom } from '../support/appliance-process.ts'
import { startOtlpReceiver, type OtlpReceiver, type ReceivedSpan } from '../support/otlp-receiver.ts'
import { findRedis, makeRedis, whyNoRedis, type TestRedis } from '../support/redis.ts'
import { describeRun, queueRun, settledRun, until } from '../support/run-on-jobs.ts'
import { makeTinyTalk, type TinyTalk } from '../support/tiny-talk.ts'
import { startWorkerProcess, type WorkerProcess } from '../support/worker-node.ts'

const program = findRedis()
if (program === null) console.log(whyNoRedis)

let root: string
let talk: TinyTalk
let redis: TestRedis | null = null
let collector: OtlpReceiver
let appliance: Appliance | null = null
let node: WorkerProcess | null = null

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-traces-'))
  talk = await makeTinyTalk(root)
  if (program !== null) redis = await makeRedis(program)
})
beforeEach(async () => {
  collector = await startOtlpReceiver()
})
afterEach(async () => {
  await node?.kill('SIGKILL')
  await appliance?.stop()
  node = appliance = null
  await collector.close()
})
afterAll(async () => {
  await redis?.remove()
  await rm(root, { recursive: true, force: true })
})

async function start(name: string, settings: Readonly<Record<string, string>>): Promise<Appliance> {
  const config = loadConfig(
    { home: join(root, name), port: '0' },
    { CUTROOM_MIN_FREE_BYTES: '0', ...settings },
  )
  return (appliance = await startAppliance(
    config,
    createLogger('debug', () => undefined),
  ))
}

async function finish({ services }: Appliance, path = talk.video): Promise<string> {
  const { runId } = queueRun(services.db, path, undefined, 'local')
  services.jobs.wake()
  await settledRun(services.db, runId, undefined, 180_000)
  return runId
}

/** All spans, once the one that ends last is here. */
async function received(): Promise<ReceivedSpan[]> {
  const whole = (): ReceivedSpan[] | null =>
    collector.spans.some(({ parentId }) => parentId === null) ? collector.spans : null
  const explain = (): string => JSON.stringify([collector.refused, collector.bodies.length])
  const spans = await until(whole, 20_000, explain)
  expect(collector.refused).toEqual([])
  return spans
}

const STORING_MS = 500

const within = (span: ReceivedSpan, above: ReceivedSpan | undefined): boolean =>
  above !== undefined && span.start >= above.start && span.end <= above.end && span.start <= span.end

describe('traces', () => {
  it('show each stage of a run below the run, once the collector answers', async () => {
    const own = await start('alone', { CUTROOM_OTLP_ENDPOINT: collector.endpoint })
    collector.answer(503)
    const runId = await finish(own)
    await until(
      () => collector.bodies.length > 0,
      20_000,
      () => 'nothing was sent',
    )
    expect(collector.spans).toEqual([])
    collector.answer(200)
    const spans = await received()
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([traceIdOf(runId)]))
    const roots = spans.filter(({ parentId }) => parentId === null)
    expect(roots).toHaveLength(1)
    const [run] = roots
    expect(run).toMatchObject({ service: 'cutroom', name: 'run', failure: null, events: ['started'] })
    const stages = spans.filter((span) => span !== run)
    expect(stages.every((span) => span.parentId === run?.spanId && within(span, run))).toBe(true)
    const told = stages.map(({ name, attributes }) => [attributes['cutroom.slot'], name])
    const rows = listRunStages(own.services.db, runId)
    expect(rows.length, describeRun(own.services.db, runId)).toBeGreaterThan(5)
    expect(told.sort()).toEqual(rows.map(({ slot, stage }) => [slot, stage]).sort())
    expect(new Set(stages.map(({ spanId }) => spanId)).size).toBe(stages.length)
    // Times are those of the stages, not of the sending: a row is stored a moment after its span has ended.
    for (const { slot, startedAt, finishedAt } of rows) {
      const span = stages.find(({ attributes }) => attributes['cutroom.slot'] === slot)
      expect(span?.start).toBeLessThanOrEqual(startedAt)
      expect(span?.end).toBeGreaterThanOrEqual((finishedAt ?? Infinity) - STORING_MS)
    }
  }, 240_000)

  it('tell why a run failed by its code, and nothing of what it was about', async () => {
    const own = await start('failing', { CUTROOM_OTLP_ENDPOINT: collector.endpoint })
    const path = join(root, 'the-secret-interview.mp4')
    await writeFile(path, 'no video')
    const runId = await finish(own, path)
    const spans = await received()
    const failed = spans.filter(({ failure }) => failure !== null)
    const row = listRunStages(own.services.db, runId).find(({ state }) => state === 'failed')
    const code = row?.failure?.code
    expect(code).toEqual(expect.any(String))
    expect(failed.map(({ name, failure }) => [name, failure]).sort()).toEqual(
      [
        ['run', code],
        [row?.stage, code],
      ].sort(),
    )
    const sent = collector.bodies.join()
    for (const word of ['secret-interview', root, 'talk', row?.failure?.message ?? 'none'])
      expect(sent).not.toContain(word)
  }, 100_000)

  it.skipIf(program === null)(
    'go on, on worker nodes, below the stage that went there',
    async () => {
      // A build before the start writes its own lines among those of the log.
      expect((await cutroom(['--version'], { timeoutMs: 200_000 })).code).toBe(0)
      await redis?.start()
      const settings = { CUTROOM_OTLP_ENDPOINT: collector.endpoint }
      const own = await start('nodes', {
        ...settings,
        CUTROOM_QUEUE: 'bullmq',
        CUTROOM_REDIS_URL: redis?.url ?? '',
      })
      const token = await issueServiceToken(own.services, { subject: 'node', lifeSeconds: 3600 })
      node = startWorkerProcess(join(root, 'node'), { server: own.url, token }, settings)
      await node.working
      const runId = await finish(own)
      await received()
      // What is left is sent as it stops.
      expect(await node.kill('SIGTERM')).toBe(0)
      const { spans } = collector
      expect(collector.refused).toEqual([])
      expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([traceIdOf(runId)]))
      const ofNode = spans.filter(({ service }) => service === 'cutroom-worker')
      const rows = listRunStages(own.services.db, runId).filter(({ stage }) => isRemote(stage))
      expect(rows.length, describeRun(own.services.db, runId)).toBeGreaterThan(2)
      const byId = new Map(spans.map((span) => [span.spanId, span]))
      const tasks = ofNode.filter(({ kind }) => kind === 5)
      const above = tasks.map(({ parentId }) => byId.get(parentId ?? ''))
      expect(above.map((stage) => stage?.attributes['cutroom.slot']).sort()).toEqual(
        rows.map(({ slot }) => slot).sort(),
      )
      tasks.forEach((task, index) => expect(within(task, above[index]), task.name).toBe(true))
      for (const task of tasks) {
        const steps = ofNode.filter(({ parentId }) => parentId === task.spanId)
        expect(steps.map(({ name }) => name)).toEqual(['fetch inputs', 'work', 'bring result'])
        expect(steps.every((step) => within(step, task))).toBe(true)
      }
      expect(new Set(ofNode.map(({ instance }) => instance)).size).toBe(1)
      expect(collector.bodies.join()).not.toContain(root)
    },
    300_000,
  )
})
