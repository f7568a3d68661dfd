/** A real appliance with two companies, tiny talks to cut and clients that ask it: what `load` and `soak` go on in. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { serveFiles } from '../../server/cli/serve-files.ts'
import { runTool } from '../../workers/media/run-tool.ts'
import { clientOf, makeTenant, type Client, type Tenant } from '../support/appliance.ts'
import { cutroom, serve, type ServeProcess } from '../support/appliance-process.ts'
import { bundledTools } from '../support/stage-harness.ts'
import { makeTinyTalk } from '../support/tiny-talk.ts'

/** How long a run of a tiny talk may take on a machine that is full. */
const RUN_MS = 600_000
const CLIPS_PER_RUN = 4
/** `spacing`: seconds from the beginning of a clip to that of the next one. */
const workflowOf = ({ clipSeconds, spacing, film, clips = CLIPS_PER_RUN }: Sizes) => ({
  name: 'Tiny',
  description: '',
  edges: [
    { source: 'find', target: 'captions' },
    ...(film === undefined ? [] : [{ source: 'captions', target: 'zoom' }]),
  ],
  nodes: [
    {
      id: 'find',
      type: 'find_clips',
      config: {
        pinnedTimestamps: Array.from({ length: clips }, (_, at) => ({
          start: at * spacing,
          end: at * spacing + clipSeconds,
        })),
        pinnedTimestampsOnly: true,
      },
    },
    { id: 'captions', type: 'add_subtitles', config: {} },
    ...(film === undefined ? [] : [{ id: 'zoom', type: 'smart_zoom', config: {} }]),
  ],
})

export interface BenchTenant extends Tenant {
  readonly client: Client
  /** Of its first run. */
  readonly runId: string
  readonly clipIds: readonly string[]
}

export interface BenchAppliance {
  readonly home: string
  readonly appliance: ServeProcess
  readonly tenants: readonly [BenchTenant, BenchTenant]
  /** Session of an owner who has signed in to the studio. */
  readonly cookie: string
  /** The address of a talk that nobody has seen yet, so that nothing of it is cached; `times`: so often as long. */
  readonly newTalk: (times?: number) => Promise<string>
  readonly close: () => Promise<void>
}

/** The Set-Cookie of a sign-in link, as a client sends it back. Throws when the link does not work. */
export async function signInBy(link: string): Promise<string> {
  const answer = await fetch(link, { redirect: 'manual' })
  const cookie = answer.headers.get('set-cookie')?.split(';')[0]
  await answer.body?.cancel()
  if (cookie === undefined) throw new Error(`the sign-in link answered ${answer.status}`)
  return cookie
}

async function localTenant(home: string, workflow: string): Promise<Tenant> {
  const reported = async <T>(words: readonly string[]): Promise<T> => {
    const { code, stdout, stderr } = await cutroom([...words, '--company', 'local', '--home', home, '--json'])
    if (code !== 0) throw new Error(stderr)
    return JSON.parse(stdout) as T
  }
  const { workflowId } = await reported<{ workflowId: string }>(['workflow', 'import', workflow])
  const { key } = await reported<{ key: string }>(['key', 'create', '--name', 'bench'])
  return { companyId: 'local', workflowId, key }
}

interface Sizes {
  readonly clipSeconds: number
  readonly spacing: number
  /** Of each run; absent: four. */
  readonly clips?: number
  /** So often as long as the tiny talk, or as the film. */
  readonly times: number
  /** Filmed people instead of the tiny talk, whose faces are followed with the models of this folder, and no others. */
  readonly film?: { readonly video: string; readonly faceModels: string }
}

/** Starts it, and waits until each company has its first clips. */
export async function openBenchAppliance(
  say: (line: string) => void,
  sizes: Sizes = { clipSeconds: 3.2, spacing: 8, times: 1 },
): Promise<BenchAppliance> {
  const folder = await mkdtemp(join(tmpdir(), 'cutroom-bench-house-'))
  const home = join(folder, 'home')
  const { times: usual, film } = sizes
  const tiny = await makeTinyTalk(folder)
  const talk = film === undefined ? tiny : { ...tiny, video: film.video }
  const models = join(folder, 'models')
  await mkdir(models)
  if (film !== undefined) await symlink(film.faceModels, join(models, 'face'))
  const files = new Map<string, string>()
  const host = await serveFiles(files)
  const appliance = await serve(home, [], {
    CUTROOM_MIN_FREE_BYTES: '0',
    ...(film === undefined ? {} : { CUTROOM_MODELS: models }),
  })
  const close = async (): Promise<void> => {
    await appliance.stop()
    await host.close()
    await rm(folder, { recursive: true, force: true })
  }
  let talks = 0
  const newTalk = async (times = usual): Promise<string> => {
    const name = `talk-${(talks += 1)}`
    const video = join(folder, `${name}.mp4`)
    const words = [
      '-v',
      'error',
      '-y',
      '-stream_loop',
      String(times - 1),
      '-i',
      talk.video,
      '-c',
      'copy',
      '-metadata',
      `title=${randomUUID()}`,
    ]
    await runTool({ executable: bundledTools().ffmpeg, args: [...words, video] })
    files.set(`${name}.mp4`, video).set(`${name}.srt`, talk.captions)
    // A soak makes thousands of them.
    const old = `talk-${talks - 20}`
    const path = files.get(`${old}.mp4`)
    if (path !== undefined) await rm(path)
    for (const end of ['mp4', 'srt']) files.delete(`${old}.${end}`)
    return `${host.url}/${name}.mp4`
  }
  try {
    const workflow = join(folder, 'workflow.json')
    await writeFile(workflow, JSON.stringify(workflowOf(sizes)))
    const first = async (tenant: Tenant): Promise<BenchTenant> => {
      const client = clientOf(appliance.url, tenant)
      const runId = await client.trigger(await newTalk())
      const { status, clips, error } = await client.settled(runId, RUN_MS)
      if (status !== 'Completed') throw new Error(`the first run ended with ${error}`)
      say(`${tenant.companyId} has ${clips.length} clips`)
      return { ...tenant, client, runId, clipIds: clips.map(({ id }) => id) }
    }
    const tenants = [
      await first(await localTenant(home, workflow)),
      await first(await makeTenant(home, workflow, 'bolt')),
    ] as const
    return { home, appliance, tenants, cookie: await signInBy(appliance.studioUrl), newTalk, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Runs one after the other, each of a talk of its own, until `over`; how many were finished. */
export async function runOn(
  environment: BenchAppliance,
  tenant: BenchTenant,
  over: () => boolean,
): Promise<number> {
  for (let finished = 0; ;) {
    if (over()) return finished
    const id = await tenant.client.trigger(await environment.newTalk())
    for (let status = ''; status !== 'Completed';) {
      if (over()) return finished
      await pause(500)
      const answer = await tenant.client.results(id)
      if (answer.status === 'Error') throw new Error(`a run failed: ${answer.code}: ${answer.error}`)
      status = answer.status
    }
    finished += 1
  }
}

/** Colours of words that no eye tells apart, and the cache does: as many renders as there are colours. */
const COLOURS = 2 ** 24

/** Another clip than any that was rendered before, so that there is something to render: another cut, other words' colour. */
export async function changeClip(tenant: BenchTenant, clipId: string, count: number): Promise<void> {
  const { companyId } = tenant
  const segments = [{ startSeconds: 0, endSeconds: 1 + (count % 1000) / 500 }]
  const fontColor = `#${(COLOURS - 1 - (count % COLOURS)).toString(16).padStart(6, '0')}`
  const updates = { segments, title: `Cut ${count}`, subtitleConfig: { fontColor } }
  const body = { companyId, clipId, updates }
  const answer = await tenant.client.call('POST', '/update-clip', body)
  if (answer.status !== 200) throw new Error(`an edit answered ${JSON.stringify(answer)}`)
}

/** Edits this clip and renders it, again and again until `over`; how many were finished. */
export async function renderOn(tenant: BenchTenant, clipId: string, over: () => boolean): Promise<number> {
  const { companyId } = tenant
  let finished = 0
  for (; !over(); finished += 1) {
    await changeClip(tenant, clipId, finished)
    const answer = await tenant.client.call('POST', '/render', { companyId, clipId })
    if (answer.status !== 200) throw new Error(`a render answered ${JSON.stringify(answer)}`)
  }
  return finished
}

/** What people and scripts request repeatedly: states of runs, clips, lists, words. */
function calls({ tenants, cookie }: BenchAppliance): { path: string; headers: Record<string, string> }[] {
  const studio = { cookie }
  return [
    ...tenants.flatMap(({ companyId, key, runId, clipIds }) => {
      const headers = { authorization: `Bearer ${key}` }
      const clip = `companyId=${companyId}&clipId=${clipIds[0]}`
      return [
        `/workflow-results/${runId}`,
        `/clip?${clip}`,
        `/clip-transcript?${clip}`,
        `/workflows?companyId=${companyId}`,
        `/companies/${companyId}/posts`,
      ].map((path) => ({ path, headers }))
    }),
    { path: '/clips?limit=25', headers: studio },
    { path: '/studio/session', headers: studio },
  ]
}

/**
 * One client with one keep-alive connection that requests, waits and repeats until `over`. Returns its times in
 * milliseconds.
 */
export async function poll(
  house: BenchAppliance,
  own: { readonly number: number; readonly everyMs: number },
  over: () => boolean,
): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const all = calls(house)
  const { hostname, port } = new URL(house.appliance.url)
  const taken: number[] = []
  // Not all at once: people do not.
  await pause((own.everyMs * own.number) / 50)
  for (let turn = own.number; !over(); turn += 1) {
    const { path, headers } = all[turn % all.length] ?? { path: '/health', headers: {} }
    const began = performance.now()
    const sent = httpRequest({ hostname, port, path, headers, agent }).end()
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    answer.resume()
    await once(answer, 'end')
    taken.push(performance.now() - began)
    if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}`)
    await pause(own.everyMs)
  }
  agent.destroy()
  return taken
}
