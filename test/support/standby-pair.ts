/** Two appliances with one store: the first serves, the second follows it. Real processes, a real store, a real Redis. */
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { clientOf, makeTenant, type Client, type Tenant } from './appliance.ts'
import { startTalking, type TalkingProcess } from './appliance-process.ts'
import { serveBytes, startBadServer, type Answer, type BadServer } from './bad-server.ts'
import { findRedis, makeRedis, type TestRedis } from './redis.ts'
import { startS3, type S3Server } from './s3.ts'
import { makeTinyTalk, putCaptionsInside } from './tiny-talk.ts'

/** Two short clips, small pictures: quick to render. */
const WORKFLOW = {
  name: 'Short',
  description: '',
  nodes: [
    {
      id: 'find',
      type: 'find_clips',
      config: {
        min_length: 5,
        max_length: 12,
        pinnedTimestamps: [
          { start: 4, end: 7.2 },
          { start: 20, end: 23.2 },
        ],
        pinnedTimestampsOnly: true,
      },
    },
    { id: 'captions', type: 'add_subtitles', config: {} },
  ],
  edges: [{ source: 'find', target: 'captions' }],
}

/** Addresses of the same talk, each of which is another source. */
const TALKS = 40

export interface Serving {
  readonly process: TalkingProcess
  readonly url: string
  readonly client: Client
}

export interface StandbyPair {
  readonly folder: string
  readonly tenant: Tenant
  readonly environment: Readonly<Record<string, string>>
  readonly s3: S3Server
  /** Null: without one. */
  readonly redis: TestRedis | null
  /** The talk with its captions inside: for an upload. */
  readonly upload: string
  /** The path of `more` that webhooks are sent to. */
  readonly hook: string
  /** Serves the same short talk at every address `/NAME.mp4`. */
  readonly talk: (name: string) => string
  readonly home: (name: string) => string
  /** The files of the bucket. */
  readonly bucket: string
  readonly serve: (name: string) => Promise<Serving>
  /** Starts to follow, without what the home needs for it. */
  readonly start: (name: string) => TalkingProcess
  /** Follows, with the key of the first; resolves once it does. */
  readonly follow: (name: string) => Promise<TalkingProcess>
  /** An appliance of its own home, company and key. */
  readonly serveAlone: (
    name: string,
    environment: Readonly<Record<string, string>>,
  ) => Promise<Serving & { readonly tenant: Tenant }>
  /** Once it took over. */
  readonly serving: (process: TalkingProcess) => Promise<Serving>
  readonly close: () => Promise<void>
}

/**
 * `withRedis`: the lease is there; otherwise a person has to say when to take over. `more`: other paths of the server that
 * the talk comes from. `settings`: of both, besides what they need.
 */
export async function makeStandbyPair(
  withRedis: boolean,
  more: Readonly<Record<string, Answer>> = {},
  settings: Readonly<Record<string, string>> = {},
): Promise<StandbyPair> {
  const folder = await mkdtemp(join(tmpdir(), 'cutroom-standby-'))
  const s3 = await startS3(join(folder, 'store'), ['studio'])
  const redis: TestRedis | null = withRedis ? await makeRedis(findRedis() ?? 'redis-server') : null
  await redis?.start()
  const made = await makeTinyTalk(folder)
  const [video, captions] = await Promise.all([readFile(made.video), readFile(made.captions)])
  const answers = {
    ...more,
    ...Object.fromEntries(
      Array.from({ length: TALKS }, (_, at) => [
        [`/talk-${at}.mp4`, serveBytes(video, { etag: `"${at}"` })] as const,
        [`/talk-${at}.srt`, serveBytes(captions, { type: 'application/x-subrip' })] as const,
      ]).flat(),
    ),
  }
  const server: BadServer = await startBadServer(answers)
  const workflow = join(folder, 'workflow.json')
  await writeFile(workflow, JSON.stringify(WORKFLOW))
  const home = (name: string): string => join(folder, name)
  const tenant = await makeTenant(home('first'), workflow)
  const environment = {
    CUTROOM_STANDBY: 'on',
    CUTROOM_STORE: 's3://studio/pair',
    CUTROOM_S3_ENDPOINT: s3.endpoint,
    CUTROOM_S3_KEY_ID: s3.keyId,
    CUTROOM_S3_SECRET: s3.secret,
    CUTROOM_MIN_FREE_BYTES: '0',
    CUTROOM_RATE_LIMITS: 'off',
    ...(redis === null ? {} : { CUTROOM_REDIS_URL: redis.url }),
    ...settings,
  }
  const upload = await putCaptionsInside(folder, made)
  const running: TalkingProcess[] = []
  const run = (words: readonly string[], more: Readonly<Record<string, string>> = {}): TalkingProcess => {
    const one = startTalking(words, { ...environment, ...more })
    running.push(one)
    return one
  }
  const serving = async (process: TalkingProcess): Promise<Serving> => {
    const { url } = await process.said<{ url: string }>('listening')
    return { process, url, client: clientOf(url, tenant) }
  }
  const follow = (name: string): TalkingProcess => run(['standby', '--port', '0', '--home', home(name)])
  return {
    folder,
    tenant,
    environment,
    s3,
    redis,
    upload,
    hook: server.url('/hook'),
    talk: (name) => server.url(`/${name}.mp4`),
    home,
    bucket: join(folder, 'store', 'studio', 'pair'),
    serving,
    serve: (name) => serving(run(['serve', '--port', '0', '--home', home(name)])),
    serveAlone: async (name, more) => {
      const own = await makeTenant(home(name), workflow)
      return { ...(await serving(run(['serve', '--port', '0', '--home', home(name)], more))), tenant: own }
    },
    start: follow,
    follow: async (name) => {
      const key = join(home('first'), 'secret.key')
      if (name !== 'first' && existsSync(key)) {
        await mkdir(home(name), { recursive: true, mode: 0o700 })
        await copyFile(key, join(home(name), 'secret.key'))
      }
      const process = follow(name)
      await process.said('following')
      return process
    },
    close: async () => {
      for (const { child } of running) if (child.exitCode === null) child.kill('SIGKILL')
      await Promise.all(running.map(({ ended }) => ended))
      await server.close()
      await redis?.remove()
      await s3.stop()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

export interface Sending {
  /** Ids of runs by their Idempotency-Key, as they were answered. */
  readonly acknowledged: ReadonlyMap<string, string>
  /** Sends to another appliance from now on. */
  readonly turnTo: (url: string) => void
  /** All of them, once each was acknowledged. */
  readonly done: Promise<ReadonlyMap<string, string>>
}

/** Triggers with an Idempotency-Key each, two at a time, each sent until it is acknowledged, as a client does. */
export function sendTriggers(
  pair: Pick<StandbyPair, 'tenant' | 'talk'>,
  url: string,
  count: number,
  first = 0,
): Sending {
  const acknowledged = new Map<string, string>()
  const { key, companyId, workflowId } = pair.tenant
  let to = url
  const send = async (at: number): Promise<void> => {
    for (;;) {
      const answer = await fetch(`${to}/trigger-template`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'idempotency-key': `key-${at}`,
        },
        body: JSON.stringify({ companyId, workflowId, url: pair.talk(`talk-${at % TALKS}`) }),
        signal: AbortSignal.timeout(5000),
      }).catch(() => null)
      if (answer?.status === 200) {
        const { triggerId } = (await answer.json()) as { triggerId: string }
        acknowledged.set(`key-${at}`, triggerId)
        return
      }
      await pause(100)
    }
  }
  const half = async (from: number): Promise<void> => {
    for (let at = first + from; at < first + count; at += 2) {
      await send(at)
      await pause(150)
    }
  }
  return {
    acknowledged,
    turnTo: (other) => {
      to = other
    },
    done: Promise.all([half(0), half(1)]).then(() => acknowledged),
  }
}
