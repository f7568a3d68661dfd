/**
 * `npm run bench -- nodes`: what 1, 2 and 4 worker nodes get done of stages that wait for a slow bucket rather than compute, and how
 * many of the bytes go through the appliance. With a real Redis and a real store.
 */
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { loadConfig } from '../../server/config/config.ts'
import { issueServiceToken } from '../../server/domain/access/service-tokens.ts'
import { sourceInput } from '../../server/domain/runs/plan/plan-draft.ts'
import { startAppliance, type Appliance } from '../../server/index.ts'
import { createLogger } from '../../server/log.ts'
import { sourcePath } from '../../workers/artefacts.ts'
import { findRedis, makeRedis, whyNoRedis } from '../support/redis.ts'
import { hasS3, NO_S3, startS3 } from '../support/s3.ts'
import { startTcpGate, type TcpGate } from '../support/tcp-gate.ts'
import { makeTinyTalk } from '../support/tiny-talk.ts'
import { startWorkerProcess, type WorkerProcess } from '../support/worker-node.ts'
import { speedBench } from './report.ts'

const TITLE = 'Worker nodes with a bucket'
const WORKERS = [1, 2, 4] as const
/** Of each node: it has two places. */
const TASKS = 6
/** Of a source, after the film. */
const OWN_BYTES = 100_000
/** That the bucket takes for a source, on each connection. */
const SOURCE_SECONDS = 10
const LEAST_SCALING = 0.9
const MOST_SHARE = 0.05

interface Place {
  readonly root: string
  readonly appliance: Appliance
  readonly bucketGate: TcpGate
  readonly applianceGate: TcpGate
  /** A small film; each source is that, and something of its own after it. */
  readonly film: Buffer
}

/** A film that no node has seen, in the store. */
async function addSource({ appliance: { services }, film }: Place): Promise<string> {
  const free = Buffer.alloc(8)
  const more = randomBytes(OWN_BYTES)
  free.writeUInt32BE(more.length + free.length)
  free.write('free', 4)
  const bytes = Buffer.concat([film, free, more])
  const digest = createHash('sha256').update(bytes).digest('hex')
  const path = sourcePath(services.home.sources, digest)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, bytes)
  await services.store?.keepSource(digest)
  return digest
}

async function probe({ appliance: { services } }: Place, digest: string): Promise<void> {
  const invocation = {
    slot: 'probe',
    stage: 'probe' as const,
    params: {},
    inputs: { source: sourceInput(digest) },
  }
  const made = await services.jobs.runInBackground?.({
    invocation,
    companyId: 'local',
    signal: new AbortController().signal,
    onProgress: () => undefined,
  })
  if (made?.kind !== 'made') throw new Error(`a stage was not done: ${JSON.stringify(made)}`)
}

async function addNode({ root, appliance, applianceGate }: Place, index: number): Promise<WorkerProcess> {
  const token = await issueServiceToken(appliance.services, { subject: `node-${index}`, lifeSeconds: 3600 })
  const home = join(root, `node-${index}`)
  const node = startWorkerProcess(home, { server: applianceGate.url, token }, { CUTROOM_LOG: 'info' })
  await node.working
  return node
}

interface Round {
  readonly workers: number
  readonly tasks: number
  readonly seconds: number
  readonly throughAppliance: number
  readonly pastIt: number
}

async function measureRound(place: Place, workers: number): Promise<Round> {
  const { bucketGate, applianceGate } = place
  const tasks = TASKS * workers
  // What starts a node's engine is not measured.
  const warm = await many(place, 2 * workers)
  const sources = await many(place, tasks)
  await Promise.all(warm.map((digest) => probe(place, digest)))
  const before = { bucket: bucketGate.bytes(), appliance: applianceGate.bytes() }
  bucketGate.slow((place.film.length + OWN_BYTES) / SOURCE_SECONDS)
  const begun = performance.now()
  await Promise.all(sources.map((digest) => probe(place, digest)))
  const seconds = (performance.now() - begun) / 1000
  bucketGate.slow(null)
  return {
    workers,
    tasks,
    seconds,
    throughAppliance: applianceGate.bytes() - before.appliance,
    pastIt: bucketGate.bytes() - before.bucket,
  }
}

async function many(place: Place, count: number): Promise<string[]> {
  const made: string[] = []
  for (let at = 0; at < count; at++) made.push(await addSource(place))
  return made
}

export async function runNodesBench({ say = () => undefined }: { say?: (line: string) => void } = {}) {
  const program = findRedis()
  if (program === null || !hasS3())
    return speedBench(
      'nodes',
      { title: TITLE, tables: [], unmeasured: [program === null ? whyNoRedis : NO_S3] },
      {},
    )
  const root = await mkdtemp(join(tmpdir(), 'cutroom-bench-nodes-'))
  const nodes: WorkerProcess[] = []
  const undo: (() => Promise<unknown>)[] = [() => rm(root, { recursive: true, force: true })]
  try {
    const redis = await makeRedis(program)
    undo.push(() => redis.remove())
    await redis.start()
    const s3 = await startS3(join(root, 'store'), ['studio'])
    undo.push(() => s3.stop())
    const bucketGate = await startTcpGate(s3.port)
    undo.push(() => bucketGate.close())
    const config = loadConfig(
      { home: join(root, 'home'), port: '0' },
      {
        CUTROOM_QUEUE: 'bullmq',
        CUTROOM_REDIS_URL: redis.url,
        CUTROOM_STORE: 's3://studio/bench',
        CUTROOM_S3_ENDPOINT: bucketGate.url,
        CUTROOM_S3_KEY_ID: s3.keyId,
        CUTROOM_S3_SECRET: s3.secret,
        CUTROOM_MIN_FREE_BYTES: '0',
      },
    )
    const appliance = await startAppliance(
      config,
      createLogger('error', () => undefined),
    )
    undo.push(() => appliance.stop())
    const applianceGate = await startTcpGate(Number(new URL(appliance.url).port))
    undo.push(() => applianceGate.close())
    const film = await readFile((await makeTinyTalk(root)).video)
    const place: Place = { root, appliance, bucketGate, applianceGate, film }
    undo.push(() => Promise.all(nodes.map((node) => node.kill('SIGTERM'))))
    const rounds: Round[] = []
    for (const workers of WORKERS) {
      while (nodes.length < workers) nodes.push(await addNode(place, nodes.length))
      const round = await measureRound(place, workers)
      say(`${workers} nodes: ${round.tasks} stages in ${round.seconds.toFixed(1)} s`)
      rounds.push(round)
    }
    return report(rounds, film.length + OWN_BYTES)
  } finally {
    for (const step of undo.reverse()) await step()
  }
}

function report(rounds: readonly Round[], sourceBytes: number) {
  const rate = ({ tasks, seconds }: Round): number => tasks / seconds
  const share = ({ throughAppliance, pastIt }: Round): number =>
    throughAppliance / (throughAppliance + pastIt)
  const [one] = rounds
  const scaling = (round: Round): number =>
    rate(round) / (round.workers * (one === undefined ? NaN : rate(one)))
  const table = {
    title: 'Stages that wait for a slow bucket',
    columns: [
      'nodes',
      'stages',
      'seconds',
      'stages a minute',
      'of so many times one node',
      'through the appliance',
    ],
    rows: rounds.map((round) => [
      String(round.workers),
      String(round.tasks),
      round.seconds.toFixed(1),
      (60 * rate(round)).toFixed(1),
      scaling(round).toFixed(2),
      `${(100 * share(round)).toFixed(2)} %`,
    ]),
    notes: [
      `Each stage probes a film of ${(sourceBytes / 1e6).toFixed(1)} MB that no node has, from a bucket that takes ${SOURCE_SECONDS} s for it on a connection; a node has two places. Nodes, appliance, Redis and store are on one machine. At least ${LEAST_SCALING} of the nodes' number, at most ${100 * MOST_SHARE} % of the bytes between nodes and the rest through the appliance.`,
      'Stages that are bound by the processor were not measured: the nodes share the cores of one machine.',
    ],
  }
  const unmet = rounds.filter((round) => scaling(round) < LEAST_SCALING || share(round) > MOST_SHARE)
  return speedBench(
    'nodes',
    { title: TITLE, tables: [table], unmeasured: [] },
    {
      rounds: rounds.map((round) => ({ ...round, scaling: scaling(round), share: share(round) })),
      limits: { scaling: LEAST_SCALING, share: MOST_SHARE },
      isMet: unmet.length === 0,
    },
  )
}
