/** Worker nodes that read from a real bucket themselves: bytes counted, a node killed, cut off, slow, or with a full disk. */
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../server/config/config.ts'
import { listRunClips } from '../../server/db/run-clips.ts'
import { listRunStages } from '../../server/db/runs.ts'
import { issueServiceToken } from '../../server/domain/access/service-tokens.ts'
import { bringMedia, mediaAddresses } from '../../server/domain/rendering/register-media.ts'
import { startAppliance, type Appliance } from '../../server/index.ts'
import { isRemote } from '../../server/jobs/remote/protocol.ts'
import { createLogger } from '../../server/log.ts'
import { cutroom } from '../support/appliance-process.ts'
import { findRedis, makeRedis, whyNoRedis, type TestRedis } from '../support/redis.ts'
import { describeRun, queueRun, settledRun, TINY_NODES } from '../support/run-on-jobs.ts'
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.ts'
import { hasS3, NO_S3, startS3, type S3Server } from '../support/s3.ts'
import { startTcpGate, type TcpGate } from '../support/tcp-gate.ts'
import { makeTinyTalk, type TinyTalk } from '../support/tiny-talk.ts'
import { startWorkerProcess, type LogLine, type WorkerProcess } from '../support/worker-node.ts'

const program = findRedis()
if (program === null) console.log(whyNoRedis)
if (!hasS3()) console.log(NO_S3)
const isReady = program !== null && hasS3()

/** Of a slow machine for a whole run. */
const PATIENCE_MS = 240_000

let root: string
let talk: TinyTalk
let redis: TestRedis
let s3: S3Server
/** Between everybody and the bucket; between nodes and the appliance. */
let bucketGate: TcpGate
let applianceGate: TcpGate
let appliance: Appliance | null = null
let nodes: WorkerProcess[] = []
let small: SmallDisk | null = null
let lines: LogLine[] = []

beforeAll(async () => {
  if (!isReady) return
  root = await mkdtemp(join(tmpdir(), 'cutroom-node-store-'))
  talk = await makeTinyTalk(root)
  // A build before the start writes its own lines among those of the log.
  expect((await cutroom(['--version'], { timeoutMs: 200_000 })).code).toBe(0)
  redis = await makeRedis(program)
  await redis.start()
  s3 = await startS3(join(root, 'store'), ['studio'])
  bucketGate = await startTcpGate(s3.port)
}, 300_000)
afterEach(async () => {
  await Promise.all(nodes.map((node) => node.kill('SIGKILL')))
  nodes = []
  await appliance?.stop()
  await applianceGate?.close()
  appliance = null
  bucketGate?.slow(null)
})
afterAll(async () => {
  if (!isReady) return
  small?.remove()
  await redis.remove()
  await bucketGate.close()
  await s3.stop()
  await rm(root, { recursive: true, force: true })
})

async function start(name: string): Promise<Appliance> {
  const config = loadConfig(
    { home: join(root, name), port: '0' },
    {
      CUTROOM_QUEUE: 'bullmq',
      CUTROOM_REDIS_URL: redis.url,
      CUTROOM_STORE: `s3://studio/${name}`,
      CUTROOM_S3_ENDPOINT: bucketGate.url,
      CUTROOM_S3_KEY_ID: s3.keyId,
      CUTROOM_S3_SECRET: s3.secret,
      CUTROOM_MIN_FREE_BYTES: '0',
    },
  )
  lines = []
  const log = createLogger('debug', (line) => void lines.push(JSON.parse(line) as LogLine))
  appliance = await startAppliance(config, log)
  applianceGate = await startTcpGate(Number(new URL(appliance.url).port))
  return appliance
}

async function addNode(
  { services }: Appliance,
  environment: Readonly<Record<string, string>> = {},
  words: readonly string[] = [],
  folder = root,
): Promise<WorkerProcess> {
  const token = await issueServiceToken(services, { subject: 'node', lifeSeconds: 3600 })
  const home = join(folder, `node-${nodes.length}-${Date.now()}`)
  const node = startWorkerProcess(home, { server: applianceGate.url, token }, environment, words)
  nodes.push(node)
  await node.working
  return node
}

const run = ({ services }: Appliance): string => {
  const { runId } = queueRun(services.db, talk.video, TINY_NODES, 'local')
  services.jobs.wake()
  return runId
}

async function completed({ services: { db } }: Appliance, runId: string): Promise<void> {
  const ended = await settledRun(db, runId, undefined, PATIENCE_MS)
  expect([ended.status, ended.error], describeRun(db, runId)).toEqual(['Completed', null])
}

async function bytesBelow(folder: string, counts: (name: string) => boolean): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && counts(entry.name))
  const sizes = await Promise.all(files.map(({ parentPath, name }) => stat(join(parentPath, name))))
  return sizes.reduce((sum, { size }) => sum + size, 0)
}

const DONE = 'a stage was carried out'
const keysOf = (log: readonly LogLine[], message: string): string[] =>
  log.filter((line) => line.message === message).map((line) => line.content ?? '')
const stagesOf = ({ lines: log }: WorkerProcess): string[] => [
  ...new Set(log.filter(({ message }) => message === DONE).map(({ stage = '' }) => stage)),
]
const remoteKeys = ({ services: { db } }: Appliance, runId: string): string[] =>
  listRunStages(db, runId)
    .filter(({ stage }) => isRemote(stage))
    .map(({ key }) => key)
    .sort()

describe.skipIf(!isReady)('worker nodes with a bucket', () => {
  it('complete a run, one of three killed and one cut off from the bucket', async () => {
    const own = await start('three')
    // Every address is asked for by a proxy that is not there, but for the appliance's.
    const away = {
      NODE_USE_ENV_PROXY: '1',
      HTTP_PROXY: 'http://127.0.0.1:9',
      NO_PROXY: `127.0.0.1:${applianceGate.port}`,
    }
    const cutOff = await addNode(own, away)
    const runId = run(own)
    const code = (line: LogLine) => (line as { code?: string }).code
    await cutOff.when((line) => line.level === 'error' && code(line) === 'STORE_UNAVAILABLE')
    const warnings = () =>
      String(
        (own.services.db.sqlite.prepare('SELECT warnings FROM runs').get() as { warnings: string }).warnings,
      )
    await expect.poll(warnings, { timeout: 60_000 }).toContain('no worker node could reach the store')
    // What went before was the start and the descriptions.
    const before = { bucket: bucketGate.bytes(), appliance: applianceGate.bytes() }
    const [victim] = await Promise.all([addNode(own), addNode(own)])
    await victim.when(({ message }) => message === 'took a task')
    await victim.kill('SIGKILL')
    await completed(own, runId)
    expect(keysOf(cutOff.lines, DONE)).toEqual([])
    // It says so once, and takes nothing more.
    expect(cutOff.lines.filter(({ message }) => message === 'took a task').length).toBeLessThanOrEqual(4)
    const done = nodes.flatMap((node) => keysOf(node.lines, DONE))
    expect([...new Set(done)].sort()).toEqual(remoteKeys(own, runId))
    const all = [...lines, ...nodes.flatMap((node) => node.lines)]
    expect(JSON.stringify(all)).not.toMatch(/X-Amz-Signature/)
    // What stages and viewers open stays in the bucket, and is served from there.
    const { home, db } = own.services
    const footage = (await readdir(home.artefacts, { recursive: true })).filter((name) =>
      /\.(mp4|wav)$/.test(name),
    )
    expect(footage).toEqual([])
    const [clip] = listRunClips(db, runId)
    const mediaId = clip?.renderedMedia ?? ''
    const address = mediaAddresses(own.services, own.url, [mediaId])(mediaId) ?? ''
    const shown = Buffer.from(await (await fetch(address)).arrayBuffer())
    expect(shown.subarray(4, 8).toString()).toBe('ftyp')
    const brought = await bringMedia(own.services, mediaId)
    expect((await readFile(brought?.file ?? '')).equals(shown)).toBe(true)
    // Descriptions, and what of the results the appliance reads itself: the rest goes past it.
    const here = await bytesBelow(home.artefacts, (name) => !/\.mp4$/.test(name))
    const through = applianceGate.bytes() - before.appliance + here
    const past = bucketGate.bytes() - before.bucket - here
    expect(through / (through + past), JSON.stringify({ through, past, here })).toBeLessThan(0.05)
  }, 300_000)

  it('take what suits them, from a slow bucket, with little room; a drained one ends its task', async () => {
    const own = await start('drained')
    bucketGate.slow(2_000_000)
    const little = { CUTROOM_WORKER_CACHE_BYTES: '100000' }
    const others = await addNode(own, little, ['--labels', 'cpu,gpu'])
    const renders = await addNode(own, little, ['--labels', 'render'])
    const runId = run(own)
    const ended = completed(own, runId)
    await Promise.race([renders.when(({ message }) => message === 'took a task'), ended])
    const after = renders.lines.length
    expect(await renders.kill('SIGTERM')).toBe(0)
    expect(keysOf(renders.lines.slice(after), 'took a task')).toEqual([])
    const held = keysOf(renders.lines, 'took a task')
    // Nothing was given back: each task that it had taken it has done.
    expect(keysOf(renders.lines, DONE).sort()).toEqual(held.sort())
    const last = await addNode(own, little)
    await ended
    expect(stagesOf(renders)).toEqual(['render'])
    expect(stagesOf(others)).not.toContain('render')
    const rendered = [renders, last].flatMap((node) => stagesOf(node))
    expect(rendered).toContain('render')
    expect(keysOf(others.lines, 'let go of what was not used for longest').length).toBeGreaterThan(0)
    const done = nodes.flatMap((node) => keysOf(node.lines, DONE))
    expect(done.sort()).toEqual(remoteKeys(own, runId))
  }, 300_000)

  it('leave work to others while their disk is full, and go on by themselves when there is room', async (context) => {
    const disk = join(root, 'disk')
    small = mountSmallDisk(disk, 96)
    if (small === null) return context.skip()
    const own = await start('full')
    const needs = { CUTROOM_MIN_FREE_BYTES: '40000000' }
    const full = await addNode(own, needs, [], disk)
    const filler = join(disk, 'filler')
    await small.fill(filler, 2_000_000)
    await full.when(({ message }) => message.startsWith('the disk is full'))
    const before = keysOf(full.lines, 'took a task').length
    const runId = run(own)
    await addNode(own)
    await completed(own, runId)
    expect(keysOf(full.lines, 'took a task').length).toBe(before)
    // It is alone now.
    await nodes.pop()?.kill('SIGTERM')
    const nodesOfAnother = TINY_NODES.map((node) =>
      node.type === 'find_clips'
        ? { ...node, config: { ...node.config, pinnedTimestamps: [{ start: 28, end: 31.2 }] } }
        : node,
    )
    const next = queueRun(own.services.db, talk.video, nodesOfAnother, 'local').runId
    own.services.jobs.wake()
    await rm(filler)
    await completed(own, next)
    expect(keysOf(full.lines, DONE).length).toBeGreaterThan(0)
  }, 300_000)
})
