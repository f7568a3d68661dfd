/**
 * The API document's own walkthrough, as a new client would do it. This client only knows an address, a key, a company
 * and the address of its video; everything else it learns over HTTP.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveFiles, type FileServer } from '../../server/cli/serve-files.ts'
import { loadConfig } from '../../server/config/config.ts'
import { startAppliance, type Appliance } from '../../server/index.ts'
import { createLogger } from '../../server/log.ts'
import { ask, grey } from '../support/make-media.ts'
import { makeTinyTalk } from '../support/tiny-talk.ts'

let folder: string
let appliance: Appliance
let host: FileServer
let client: Client
let videoUrl: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cutroom-walk-'))
  const talk = await makeTinyTalk(folder)
  host = await serveFiles(
    new Map([
      ['talk.mp4', talk.video],
      ['talk.srt', talk.captions],
    ]),
  )
  videoUrl = `${host.url}/talk.mp4`
  const settings = { CUTROOM_MIN_FREE_BYTES: '0' }
  const config = loadConfig({ home: join(folder, 'home'), port: '0' }, settings)
  appliance = await startAppliance(config, createLogger('error'))
  client = createClient(appliance.url, appliance.firstKey ?? '')
})
afterAll(async () => {
  await appliance.stop()
  await host.close()
  await rm(folder, { recursive: true, force: true })
})

type Json = Record<string, unknown>

interface Client {
  send(method: string, path: string, body?: Json, headers?: Record<string, string>): Promise<Reply>
  get<T>(path: string): Promise<T>
  /** The answer to a body, which must be 200. */
  put<T>(method: 'POST' | 'PATCH', path: string, body: Json): Promise<T>
}
interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly body: Json
}

function createClient(baseUrl: string, key: string): Client {
  const send = async (method: string, path: string, body?: Json, headers: Record<string, string> = {}) => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, headers: response.headers, body: (await response.json()) as Json }
  }
  const good = async <T>(reply: Promise<Reply>): Promise<T> => {
    const { status, body } = await reply
    expect([status, body['error']]).toEqual([200, undefined])
    return body as T
  }
  return {
    send,
    get: (path) => good(send('GET', path)),
    put: (method, path, body) => good(send(method, path, body)),
  }
}

interface Clip {
  readonly id: string
  readonly duration: number
  readonly startTimestamp: number
  readonly endTimestamp: number
  readonly renderedUrl?: string
  readonly rawUrl?: string
  readonly transcriptUrl?: string
}
interface Word {
  readonly index: number
  readonly word: string
  readonly start: number
  readonly end: number
  readonly visible: boolean
}

const companyId = 'local'
let clipId = ''

/** Downloads a film, without a key, and returns its path and duration. */
async function download(url: string | undefined, name: string): Promise<{ path: string; seconds: number }> {
  const response = await fetch(url ?? '')
  expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
  const path = join(folder, name)
  await writeFile(path, Buffer.from(await response.arrayBuffer()))
  const seconds = Number(/duration=([\d.]+)/.exec(await ask(path, 'format=duration'))?.[1])
  return { path, seconds }
}

const render = () =>
  client.put<{ status: string; renderUrl?: string }>('POST', '/render', { companyId, clipId })
const readClip = async () =>
  (await client.get<{ clip: Clip }>(`/clip?companyId=${companyId}&clipId=${clipId}`)).clip

test('1 to 2: trigger a saved workflow on a video, poll until it is Completed', async () => {
  const { workflows } = await client.get<{ workflows: { id: string; name: string }[] }>(
    `/workflows?companyId=${companyId}`,
  )
  const workflowId = workflows.find((one) => one.name === 'Horizontal highlights')?.id ?? ''
  const { workflow } = await client.get<{ workflow: { nodes: { type: string }[] } }>(
    `/companies/${companyId}/workflows/${workflowId}`,
  )
  expect(workflow.nodes.map((node) => node.type)).toContain('add_subtitles')
  const pinnedTimestamps = [
    { start: 4, end: 7.2 },
    { start: 20, end: 23.2 },
  ]
  const body = {
    companyId,
    workflowId,
    url: videoUrl,
    pinnedTimestamps,
    pinnedTimestampsOnly: true,
    subtitles: true,
  }
  const triggered = await client.send('POST', '/trigger-template', body, {
    'Service-Workflow-Channel': 'stable',
  })
  expect([triggered.status, triggered.headers.get('service-workflow-channel')]).toEqual([200, 'stable'])
  expect(triggered.body).toMatchObject({ status: 'pending', triggerId: expect.any(String) as string })
  const { triggerId } = triggered.body
  let results: { status: string; clips: Clip[]; error?: string }
  do {
    await pause(150)
    results = await client.get(`/workflow-results/${String(triggerId)}`)
    if (results.status !== 'Completed') expect(results.clips).toEqual([])
  } while (!['Completed', 'Error'].includes(results.status))
  expect([results.status, results.error, results.clips.length]).toEqual(['Completed', undefined, 2])
  clipId = results.clips.find((clip) => clip.startTimestamp < 10)?.id ?? ''
})

test('3: read a clip; its media is fetched by a plain GET', async () => {
  const clip = await readClip()
  expect(clip).toMatchObject({ id: clipId, startTimestamp: 4, endTimestamp: 7.2, duration: 3.2 })
  expect((await download(clip.renderedUrl, 'first.mp4')).seconds).toBeCloseTo(3.2, 0)
  expect((await download(clip.rawUrl, 'raw.mp4')).seconds).toBeGreaterThan(12)
  expect((await fetch(clip.transcriptUrl ?? '')).status).toBe(200)
  const again = await render()
  expect(again).toEqual({ status: 'finished', renderUrl: clip.renderedUrl })
})

test('3: correct words of its transcript, and see them in the next render', async () => {
  const { words } = await client.get<{ words: Word[] }>(`/companies/${companyId}/clips/${clipId}/transcript`)
  const [shown = words[0]] = words.filter((one) => one.visible)
  const answer = await client.put<Json & { words: Word[] }>('PATCH', '/clip-transcript', {
    companyId,
    clipId,
    operations: [
      { from: 'because nobody', to: 'WWWWWWWWWWWWWW' },
      { index: shown?.index, to: 'MMMMMMMMMMMMMMM' },
      { start: 0, end: 1, to: 'hidden' },
    ],
  })
  expect(answer).toMatchObject({ status: 'success', applied: 3, replaced: 3, appliedToHiddenWords: 1 })
  expect(answer.words.length).toBe(words.length)
  expect(await readClip()).not.toHaveProperty('renderedUrl')
  const before = await grey(join(folder, 'first.mp4'), [], 0.3)
  const film = await download((await render()).renderUrl, 'corrected.mp4')
  expect(film.seconds).toBeCloseTo(3.2, 0)
  const after = await grey(film.path, [], 0.3)
  const changed = after.filter((value, index) => Math.abs(value - (before[index] ?? 0)) > 60).length
  expect(changed).toBeGreaterThan(100)
})

test('3: save edits: a trim, then a cut beyond the first one, and render each', async () => {
  const segments = [
    { startSeconds: 0, endSeconds: 1 },
    { start: 2, end: 3 },
  ]
  const trimmed = await client.put<Json>('POST', '/update-clip', { companyId, clipId, updates: { segments } })
  expect(trimmed).toMatchObject({ status: 'success', updates: { duration: 2 } })
  expect((await download((await render()).renderUrl, 'trimmed.mp4')).seconds).toBeCloseTo(2, 0)
  const fields = { segments: [], startTimestamp: 25, endTimestamp: 30.4, title: 'Further on' }
  const moved = await client.put<Json>('POST', '/update-clip', { companyId, clipId, ...fields })
  expect(moved['updatedFields']).toEqual(['title', 'segments', 'duration', 'startTimestamp', 'endTimestamp'])
  const { words } = await client.get<{ words: Word[] }>(
    `/clip-transcript?companyId=${companyId}&clipId=${clipId}`,
  )
  expect(
    words
      .filter((one) => one.visible)
      .map((one) => one.word)
      .join(' '),
  ).toContain('disaster')
  expect((await download((await render()).renderUrl, 'moved.mp4')).seconds).toBeCloseTo(5.4, 0)
  const clip = await readClip()
  expect(clip).toMatchObject({ title: 'Further on', startTimestamp: 25, duration: 5.4 })
  // The raw clip covers the new cut as well, padding and all.
  expect((await download(clip.rawUrl, 'raw-again.mp4')).seconds).toBeGreaterThan(38)
})

test('5 and 7: posts can be listed, and what is wrong is refused by name', async () => {
  expect(await client.get(`/companies/${companyId}/posts`)).toEqual({ posts: [], cursor: null })
  const refused: [string, string, Json | undefined, number, string][] = [
    ['GET', `/clip?companyId=${companyId}&clipId=none`, undefined, 404, 'CLIP_NOT_FOUND'],
    ['GET', '/clip?companyId=other&clipId=none', undefined, 401, 'INVALID_API_KEY'],
    ['POST', '/update-clip', { companyId, clipId, score: 1 }, 400, 'UNSUPPORTED_CLIP_FIELDS'],
    [
      'POST',
      '/update-clip',
      { companyId, clipId, segments: [{ start: 0, end: 99 }] },
      400,
      'INVALID_CLIP_UPDATE',
    ],
    ['PATCH', '/clip-transcript', { companyId, clipId, operations: [] }, 400, 'INVALID_OPERATIONS'],
    ['GET', `/post-analytics?companyId=${companyId}&postId=none`, undefined, 404, 'POST_NOT_FOUND'],
  ]
  for (const [method, path, body, status, code] of refused) {
    const reply = await client.send(method, path, body)
    expect([path, reply.status, reply.body['code'], reply.body['status']]).toEqual([
      path,
      status,
      code,
      'error',
    ])
  }
})
