/**
 * `npm run bench -- nodes`: what 1, 2 and 4 worker nodes get done of stages that wait for a slow bucket rather than compute, and of
 * stages that compute, each node with a share of the processor of its own; and how many of the bytes go through the appliance. With
 * a real Redis and a real store.
 */
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { loadConfig } from '../../server/config/config.ts'
import { issueServiceToken } from '../../server/domain/access/service-tokens.ts'
import { sourceInput, type StageInvocation } from '../../server/domain/runs/plan/plan-draft.ts'
import { startAppliance, type Appliance } from '../../server/index.ts'
import { createLogger } from '../../server/log.ts'
import { sourcePath } from '../../workers/artefacts.ts'
import { runTool } from '../../workers/media/run-tool.ts'
import { makeCpuShare, whyNoCpuShares, type CpuShare } from '../support/cpu-share.ts'
import { findRedis, makeRedis, whyNoRedis } from '../support/redis.ts'
import { hasS3, NO_S3, startS3 } from '../support/s3.ts'
import { bundledTools } from '../support/stage-harness.ts'
import { startTcpGate, type TcpGate } from '../support/tcp-gate.ts'
import { makeTinyTalk } from '../support/tiny-talk.ts'
import { startWorkerProcess, type WorkerProcess } from '../support/worker-node.ts'
import { speedBench, type FigureTable } from './report.ts'

const TITLE = 'Worker nodes with a bucket'
const WORKERS = [1, 2, 4] as const
/** Of each node: it has two places. */
const TASKS = 6
/** Of the film that each node that computes looks over. */
const LONG_SECONDS = 45
/** Cores of a node that computes: at most one, and so many that the appliance, Redis and the store have three tenths of the machine. */
const SHARE = Math.min(1, (0.7 * availableParallelism()) / Math.max(...WORKERS))
const LONG_SIZE = { width: 1280, height: 720 }
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
  /** A longer film, for stages that compute. */
  readonly long: Buffer
}

/** What a round is made of. */
interface Kind {
  readonly title: string
  readonly content: (place: Place) => Buffer
  readonly stage: Pick<StageInvocation, 'slot' | 'stage' | 'params'>
  /** Whether the bucket is slow, and every node may use the whole machine; otherwise it has its share of it. */
  readonly waits: boolean
}

const WAITING: Kind = {
  title: 'Stages that wait for a slow bucket',
  content: ({ film }) => film,
  stage: { slot: 'probe', stage: 'probe', params: {} },
  waits: true,
}

const COMPUTING: Kind = {
  title: `Stages that compute, on nodes of ${SHARE} cores each`,
  content: ({ long }) => long,
  stage: {
    slot: 'look-over',
    stage: 'look-over',
    params: { streamIndex: 0, durationSeconds: LONG_SECONDS, ...LONG_SIZE },
  },
  waits: false,
}

/** A source that no node has seen, in the store. */
async function addSource({ appliance: { services } }: Place, film: Buffer): Promise<string> {
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

async function carryOut(
  { appliance: { services } }: Place,
  stage: Kind['stage'],
  digest: string,
): Promise<void> {
  const invocation = { ...stage, inputs: { source: sourceInput(digest) } }
  const made = await services.jobs.runInBackground?.({
    invocation,
    companyId: 'local',
    signal: new AbortController().signal,
    onProgress: () => undefined,
  })
  if (made?.kind !== 'made') throw new Error(`a stage was not done: ${JSON.stringify(made)}`)
}

interface Node {
  readonly worker: WorkerProcess
  /** Null: it may use the whole machine. */
  readonly share: CpuShare | null
}

async function addNode(
  { root, appliance, applianceGate }: Place,
  name: string,
  share: CpuShare | null,
): Promise<Node> {
  const token = await issueServiceToken(appliance.services, { subject: name, lifeSeconds: 3600 })
  const home = join(root, name)
  const worker = startWorkerProcess(home, { server: applianceGate.url, token }, { CUTROOM_LOG: 'info' })
  await share?.add(worker.child.pid ?? 0)
  await worker.working
  return { worker, share }
}

interface Round {
  readonly workers: number
  readonly tasks: number
  readonly seconds: number
  readonly throughAppliance: number
  readonly pastIt: number
}

async function measureRound(place: Place, kind: Kind, workers: number): Promise<Round> {
  const { bucketGate, applianceGate } = place
  const tasks = TASKS * workers
  const content = kind.content(place)
  // What a node's engine costs at its start, and a stage at its first time, is not measured.
  const warm = await addSources(place, content, 2 * workers)
  const sources = await addSources(place, content, tasks)
  await Promise.all(warm.map((digest) => carryOut(place, kind.stage, digest)))
  const before = { bucket: bucketGate.bytes(), appliance: applianceGate.bytes() }
  if (kind.waits) bucketGate.slow((content.length + OWN_BYTES) / SOURCE_SECONDS)
  const begun = performance.now()
  await Promise.all(sources.map((digest) => carryOut(place, kind.stage, digest)))
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

async function addSources(place: Place, content: Buffer, count: number): Promise<string[]> {
  const made: string[] = []
  for (let at = 0; at < count; at++) made.push(await addSource(place, content))
  return made
}

/** Rounds of one kind, each with more nodes than the one before it; none of them is left. */
async function measureKind(place: Place, kind: Kind, say: (line: string) => void): Promise<Round[]> {
  const nodes: Node[] = []
  try {
    const rounds: Round[] = []
    for (const workers of WORKERS) {
      while (nodes.length < workers) {
        const name = `${kind.stage.stage}-node-${nodes.length}`
        const share = kind.waits ? null : await makeCpuShare(`cutroom-${process.pid}-${name}`, SHARE)
        nodes.push(await addNode(place, name, share))
      }
      const round = await measureRound(place, kind, workers)
      say(`${workers} nodes: ${round.tasks} times ${kind.stage.stage} in ${round.seconds.toFixed(1)} s`)
      rounds.push(round)
    }
    return rounds
  } finally {
    await Promise.all(nodes.map(({ worker }) => worker.kill('SIGTERM')))
    for (const { share } of nodes) await share?.remove()
  }
}

/** Small as a file and long to decode; what is made of it is small too. */
async function makeLongFilm(folder: string): Promise<Buffer> {
  const path = join(folder, 'long.mp4')
  const { width, height } = LONG_SIZE
  const picture = `testsrc2=s=${width}x${height}:r=30:d=${LONG_SECONDS}`
  const encoder = ['-c:v', 'libx264', '-preset', 'medium', '-crf', '30', '-pix_fmt', 'yuv420p']
  const args = [['-v', 'error', '-y', '-f', 'lavfi', '-i', picture], encoder, [path]].flat()
  await runTool({ executable: bundledTools().ffmpeg, args })
  return readFile(path)
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
    const place: Place = { root, appliance, bucketGate, applianceGate, film, long: await makeLongFilm(root) }
    const waited = await measureKind(place, WAITING, say)
    const why = await whyNoCpuShares()
    const computed = why === null ? await measureKind(place, COMPUTING, say) : []
    return report({ waited, computed, unmeasured: why === null ? [] : [why] }, film.length + OWN_BYTES)
  } finally {
    for (const step of undo.reverse()) await step()
  }
}

const rate = ({ tasks, seconds }: Round): number => tasks / seconds
const share = ({ throughAppliance, pastIt }: Round): number => throughAppliance / (throughAppliance + pastIt)

/** The rate of a round over that of so many first ones. */
function scaling(round: Round, [one]: readonly Round[]): number {
  return rate(round) / (round.workers * (one === undefined ? NaN : rate(one)))
}

const tableOf = ({ title }: Kind, rounds: readonly Round[], note: string): FigureTable => ({
  title,
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
    scaling(round, rounds).toFixed(2),
    `${(100 * share(round)).toFixed(2)} %`,
  ]),
  notes: [note],
})

interface Taken {
  readonly waited: readonly Round[]
  /** None where no shares can be given. */
  readonly computed: readonly Round[]
  readonly unmeasured: readonly string[]
}

function report({ waited, computed, unmeasured }: Taken, sourceBytes: number) {
  const tables = [
    tableOf(
      WAITING,
      waited,
      `Each stage probes a film of ${(sourceBytes / 1e6).toFixed(1)} MB that no node has, from a bucket that takes ${SOURCE_SECONDS} s for it on a connection; a node has two places. Nodes, appliance, Redis and store are on one machine. At least ${LEAST_SCALING} of the nodes' number, at most ${100 * MOST_SHARE} % of the bytes between nodes and the rest through the appliance.`,
    ),
    ...(computed.length === 0
      ? []
      : [
          tableOf(
            COMPUTING,
            computed,
            `Each stage looks over ${LONG_SECONDS} s of 720p that no node has. Each node and its tools have the time of ${SHARE} cores, by a control group; the appliance, Redis and the store have what is left of the ${availableParallelism()}. One round each: a tenth more or less is the machine's own. Limits as above.`,
          ),
        ]),
  ]
  const judge = (rounds: readonly Round[]) =>
    rounds.map((round) => ({ ...round, scaling: scaling(round, rounds), share: share(round) }))
  const rounds = judge(waited)
  const computedRounds = judge(computed)
  const isMet = [...rounds, ...computedRounds].every(
    (round) => round.scaling >= LEAST_SCALING && round.share <= MOST_SHARE,
  )
  return speedBench(
    'nodes',
    { title: TITLE, tables, unmeasured },
    { rounds, computed: computedRounds, limits: { scaling: LEAST_SCALING, share: MOST_SHARE }, isMet },
  )
}
