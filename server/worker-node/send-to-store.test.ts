import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { LeasedTaskCalls } from './appliance.ts'
import { createNodeBucket } from './bucket.ts'
import { sendToStore } from './send-to-store.ts'

const PART = 1000
const signal = new AbortController().signal
const result = { stage: 'render', key: 'a'.repeat(64) }

let root: string
let store: Server
let address: string
/** Parts by their addresses. */
let parts: Map<string, Buffer>
/** What the store does with what it is sent. */
let keep: (body: Buffer) => Buffer | null
let asked: string[]

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-send-'))
  parts = new Map()
  asked = []
  keep = (body) => body
  store = createServer((request, response) => {
    void (async () => {
      const path = request.url ?? ''
      asked.push(`${request.method} ${path}`)
      if (request.method === 'GET') {
        const found = [...parts].filter(([name]) => name.startsWith(path)).map(([, body]) => body)
        return void response.end(Buffer.concat(found))
      }
      const body = Buffer.concat((await request.toArray()) as Buffer[])
      const kept = keep(body)
      if (kept === null) return void response.writeHead(403).end()
      parts.set(path, kept)
      response.setHeader('etag', `"${parts.size}"`).end()
    })()
  })
  await new Promise<void>((resolve) => store.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(store.address() as AddressInfo).port}`
})
afterEach(async () => {
  store.closeAllConnections()
  store.close()
  await rm(root, { recursive: true, force: true })
})

/** An appliance that signs as many addresses as a file has parts; `ended`: what it was told of. */
function fakeAppliance() {
  const ended: unknown[] = []
  let times = 0
  const calls: Pick<LeasedTaskCalls, 'beginUploads' | 'endUploads'> = {
    beginUploads: ({ files }) => {
      times += 1
      return Promise.resolve({
        files: files.map(({ path, bytes, uploadId = `of ${path}` }) => ({
          path,
          uploadId,
          partBytes: PART,
          addresses: Array.from(
            { length: Math.max(1, Math.ceil(bytes / PART)) },
            (_one, index) => `${address}/${path}/${index}?time=${times}`,
          ),
        })),
      })
    },
    endUploads: ({ files }) => {
      ended.push(...files)
      return Promise.resolve({ files: files.map(({ path }) => ({ path, address: `${address}/${path}` })) })
    },
  }
  return { calls: calls as LeasedTaskCalls, ended }
}

async function fileOf(path: string, bytes: number) {
  const content = randomBytes(bytes)
  const file = join(root, path)
  await writeFile(file, content)
  return { path, file, bytes, sha256: createHash('sha256').update(content).digest('hex') }
}

const send = async (calls: LeasedTaskCalls, patienceMs = 2000): Promise<void> =>
  sendToStore(
    { appliance: calls, bucket: createNodeBucket({ network: 'on', patienceMs }) },
    result,
    [await fileOf('clip.mp4', 2500), await fileOf('empty', 0)],
    signal,
  )

it('sends files in parts, and reads them back', async () => {
  const { calls, ended } = fakeAppliance()
  await send(calls)
  expect(ended).toEqual([
    { path: 'clip.mp4', bytes: 2500, uploadId: 'of clip.mp4', etags: ['"1"', '"2"', '"3"'] },
    { path: 'empty', bytes: 0, uploadId: 'of empty', etags: ['"4"'] },
  ])
  expect(asked.filter((one) => one.startsWith('GET'))).toEqual(['GET /clip.mp4', 'GET /empty'])
})

it('goes on with new addresses where the ones before have ended', async () => {
  const { calls, ended } = fakeAppliance()
  let refused = 0
  keep = (body) => (body.length === 500 && refused++ === 0 ? null : body)
  await send(calls)
  expect(asked).toContain('PUT /clip.mp4/2?time=2')
  expect(ended).toMatchObject([{ uploadId: 'of clip.mp4' }, {}])
})

it('takes nothing for sent that the store has otherwise', async () => {
  const { calls } = fakeAppliance()
  keep = (body) => Buffer.from(body.map((byte, at) => (at === 7 ? byte ^ 1 : byte)))
  await expect(send(calls)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
})

it('says so where the store cannot be used from here', async () => {
  const { calls } = fakeAppliance()
  keep = () => null
  await expect(send(calls, 0)).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    message: expect.stringContaining('CUTROOM_S3_ENDPOINT') as string,
  })
})
