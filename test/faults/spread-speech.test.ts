/** The speech of one long source on several worker nodes, one of which is killed: the words are those of one machine alone. */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../server/config/config.ts'
import { listRunStages } from '../../server/db/runs.ts'
import { issueServiceToken } from '../../server/domain/access/service-tokens.ts'
import { startAppliance, type Appliance } from '../../server/index.ts'
import { createLogger } from '../../server/log.ts'
import { artefactFolder } from '../../workers/artefacts.ts'
import { cutroom } from '../support/appliance-process.ts'
import { makeHalfHourTalk } from '../support/half-hour-talk.ts'
import { findRedis, makeRedis, whyNoRedis, type TestRedis } from '../support/redis.ts'
import { describeRun, queueRun, settledRun, TINY_NODES } from '../support/run-on-jobs.ts'
import { startWorkerProcess, type LogLine, type WorkerProcess } from '../support/worker-node.ts'

const SHARED = join(import.meta.dirname, '..', '..', '..', 'shared')
const program = findRedis()
const hasMedia = existsSync(SHARED)
if (program === null) console.log(whyNoRedis)
if (!hasMedia) console.log('Skipped: the development media and models are not beside the project.')

const PARTS = 4

let root: string
let video: string
let redis: TestRedis
let appliance: Appliance | null = null
let nodes: WorkerProcess[] = []

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-spread-'))
  if (program === null || !hasMedia) return
  await mkdir(join(root, 'models'))
  for (const kind of ['asr', 'vad']) await symlink(join(SHARED, 'models', kind), join(root, 'models', kind))
  video = await makeHalfHourTalk(join(root, 'talk.mp4'))
  expect((await cutroom(['--version'], { timeoutMs: 200_000 })).code).toBe(0)
  redis = await makeRedis(program)
}, 400_000)
afterEach(async () => {
  await Promise.all(nodes.map((node) => node.kill('SIGKILL')))
  nodes = []
  await appliance?.stop()
  appliance = null
})
afterAll(async () => {
  if (program !== null && hasMedia) await redis.remove()
  await rm(root, { recursive: true, force: true })
})

const MODELS = () => ({ CUTROOM_MODELS: join(root, 'models'), CUTROOM_SPEECH_MODEL: 'random-whisper' })

async function start(name: string, settings: Record<string, string>): Promise<Appliance> {
  const environment = { CUTROOM_MIN_FREE_BYTES: '0', ...MODELS(), ...settings }
  const config = loadConfig({ home: join(root, name), port: '0' }, environment)
  return (appliance = await startAppliance(
    config,
    createLogger('error', () => undefined),
  ))
}

async function addNode({ services, url }: Appliance): Promise<WorkerProcess> {
  const token = await issueServiceToken(services, { subject: 'node', lifeSeconds: 3600 })
  const folder = join(root, `node-${nodes.length}`)
  const node = startWorkerProcess(folder, { server: url, token }, MODELS())
  nodes.push(node)
  return node
}

/** Runs the talk to its end; the words as they lie on the disk, and their key. */
async function hear({ services }: Appliance): Promise<{ key: string; words: string; state: string }> {
  const { runId } = queueRun(services.db, video, TINY_NODES, 'local')
  services.jobs.wake()
  const ended = await settledRun(services.db, runId, undefined, 400_000)
  const found = listRunStages(services.db, runId).find(({ slot }) => slot === 'speech')
  if (found?.state !== 'finished') throw new Error(describeRun(services.db, runId))
  const folder = artefactFolder(services.home.artefacts, 'speech', found.key)
  return {
    key: found.key,
    words: await readFile(join(folder, 'transcript.json'), 'utf8'),
    state: ended.status,
  }
}

const isPart = (line: LogLine): boolean => line.message === 'took a task' && line.stage === 'speech-part'

describe.skipIf(program === null || !hasMedia)('the speech of a long source', () => {
  it('is shared by worker nodes, one of them killed, and joined to what one machine hears', async () => {
    const alone = await hear(await start('alone', {}))
    await appliance?.stop()

    await redis.start()
    const own = await start('shared', { CUTROOM_QUEUE: 'bullmq', CUTROOM_REDIS_URL: redis.url })
    const three = await Promise.all([addNode(own), addNode(own), addNode(own)])
    await Promise.all(three.map((node) => node.working))
    const hearing = hear(own)
    const victim = await Promise.race(
      three.map(async (node) => {
        await node.when(isPart)
        return node
      }),
    )
    await victim.kill('SIGKILL')
    const shared = await hearing
    expect([shared.state, alone.state]).toEqual(['Completed', 'Completed'])
    expect(shared.key).toBe(alone.key)
    expect(shared.words).toBe(alone.words)
    expect((JSON.parse(shared.words) as { words: unknown[] }).words.length).toBeGreaterThan(PARTS)

    const kept = await readdir(join(own.services.home.artefacts, 'speech-part'), { recursive: true })
    expect(kept.filter((name) => name.endsWith('result.json'))).toEqual([])
    const ended = (node: WorkerProcess): string[] =>
      node.lines.flatMap(({ message, stage, content = '' }) =>
        message === 'a stage was carried out' && stage === 'speech-part' ? [content] : [],
      )
    const survivors = three.filter((node) => node !== victim)
    expect(new Set(three.flatMap(ended)).size).toBe(PARTS)
    for (const node of survivors) expect(ended(node).length).toBeGreaterThan(0)
  }, 580_000)
})
