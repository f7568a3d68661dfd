/** tus-js-client, as anybody installs it, against the real appliance: interrupted, killed, gone on with, and made into clips. */
import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Upload, type UploadOptions } from 'tus-js-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { clientOf, reopenAppliance, startAppliance, type RunningAppliance } from '../support/appliance.ts'
import { serve } from '../support/appliance-process.ts'
import { makeTinyTalk, putCaptionsInside } from '../support/tiny-talk.ts'

const WORKFLOW = {
  name: 'Pieces',
  description: '',
  nodes: [{ id: 'find', type: 'find_clips', config: {} }],
  edges: [],
}
const PIECE = 64 * 1024

let folder = ''
let video: Buffer
let appliance: RunningAppliance
const home = (): string => join(folder, 'home')
const inUploads = (name: string): string => join(home(), 'uploads', name)
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cutroom-tus-'))
  video = await readFile(await putCaptionsInside(folder, await makeTinyTalk(folder)))
  const workflow = join(folder, 'workflow.json')
  await writeFile(workflow, JSON.stringify(WORKFLOW))
  appliance = await startAppliance(home(), workflow)
}, 120_000)
afterAll(async () => {
  await appliance.process.stop('SIGKILL')
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

const authorization = (): { Authorization: string } => ({ Authorization: `Bearer ${appliance.tenant.key}` })

/** Sends the video until it is there, or until `stopAt` bytes are; answers the path of the upload. */
function upload(given: Partial<UploadOptions>, stopAt = Infinity): Promise<string> {
  return new Promise((resolve, reject) => {
    const pathNow = (): string => new URL(sending.url ?? '').pathname
    const sending = new Upload(video, {
      endpoint: `${appliance.process.url}/uploads`,
      headers: authorization(),
      metadata: { filename: 'talk.mp4', filetype: 'video/mp4' },
      chunkSize: PIECE,
      retryDelays: null,
      onChunkComplete: (_size, accepted) => {
        if (accepted >= stopAt) void sending.abort().then(() => resolve(pathNow()))
      },
      onSuccess: () => resolve(pathNow()),
      onError: reject,
      ...given,
    })
    sending.start()
  })
}

const here = (path: string): string => appliance.process.url + path
const idOf = (path: string): string => path.split('/').at(-1) ?? ''

/** Sends the rest of the video from here, and lets the appliance be killed when half of that has arrived. */
async function killWhileSending(path: string, from: number): Promise<void> {
  const request = httpRequest(here(path), {
    method: 'PATCH',
    headers: {
      ...authorization(),
      'tus-resumable': '1.0.0',
      'content-type': 'application/offset+octet-stream',
      'upload-offset': from,
      'content-length': video.length - from,
    },
  })
  const broken = once(request, 'error')
  const middle = from + Math.floor((video.length - from) / 2)
  request.write(video.subarray(from, middle))
  await expect.poll(() => statSync(inUploads(`${idOf(path)}.part`)).size).toBe(middle)
  await appliance.process.stop('SIGKILL')
  await broken
}

it('an upload outlives its client, a kill -9, and becomes the source of a run that completes', async () => {
  expect(video.length).toBeGreaterThan(6 * PIECE)
  const path = await upload({}, 2 * PIECE)
  expect(existsSync(inUploads(idOf(path)))).toBe(false)
  const early = await appliance.client.call('POST', '/trigger-template', {
    companyId: 'acme',
    workflowId: appliance.tenant.workflowId,
    url: path,
  })
  expect(early).toMatchObject({ status: 409, body: { code: 'UPLOAD_INCOMPLETE' } })

  await killWhileSending(path, 2 * PIECE)
  const { tenant } = appliance
  appliance = await reopenAppliance(home(), tenant)
  const state = await appliance.client.call<{ offset: number }>('GET', path)
  // All that arrived before the kill is there.
  expect(state.body.offset).toBe(2 * PIECE + Math.floor((video.length - 2 * PIECE) / 2))

  // Another client, which knows no more than the address; without pieces, as it sends by default.
  const accepted: number[] = []
  const onProgress = (bytes: number): void => void accepted.push(bytes)
  await upload({ uploadUrl: here(path), chunkSize: Infinity, onProgress })
  expect(Math.min(...accepted)).toBeGreaterThanOrEqual(state.body.offset)
  expect(readFileSync(inUploads(idOf(path))).equals(video)).toBe(true)

  const triggerId = await appliance.client.trigger(path, {
    pinnedTimestamps: [{ start: 4, end: 10 }],
    pinnedTimestampsOnly: true,
  })
  const run = await appliance.client.settled(triggerId, 180_000)
  expect(run).toMatchObject({ status: 'Completed' })
  expect(run.clips).toHaveLength(1)
  const rendered = await fetch(run.clips[0]?.renderedUrl ?? '')
  expect([rendered.status, rendered.headers.get('content-type')]).toEqual([200, 'video/mp4'])
}, 300_000)

it('the client sends again by itself what the appliance was not there for', async () => {
  const { tenant } = appliance
  const port = new URL(appliance.process.url).port
  const restarts: Promise<void>[] = []
  const restart = async (): Promise<void> => {
    await appliance.process.stop('SIGKILL')
    const process = await serve(home(), ['--port', port])
    appliance = { process, tenant, client: clientOf(process.url, tenant) }
  }
  const path = await upload({
    retryDelays: [500, 1000, 2000, 4000, 8000, 8000],
    onChunkComplete: (_size, accepted) => {
      if (accepted >= 3 * PIECE && restarts.length === 0) restarts.push(restart())
    },
  })
  await Promise.all(restarts)
  expect(restarts).toHaveLength(1)
  expect(readFileSync(inUploads(idOf(path))).equals(video)).toBe(true)
}, 120_000)

it('the client removes what it gives up', async () => {
  const path = await upload({}, PIECE)
  await Upload.terminate(here(path), { headers: authorization() })
  expect((await appliance.client.call('GET', path)).status).toBe(404)
  expect(existsSync(inUploads(`${idOf(path)}.part`))).toBe(false)
})
