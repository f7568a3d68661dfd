/**
 * Uploads that were never used are removed while the appliance runs, and nothing that is still in use. The test sets
 * the clock.
 */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { startStudioRun } from '../../server/domain/runs/start-run.ts'
import {
  listOldUploads,
  listUnusedUploads,
  storeUpload,
  sweepUploads,
  uploadSource,
  usingUpload,
} from '../../server/domain/library/uploads.ts'
import {
  blobState,
  holdingBlobs,
  receiveBlob,
  sweepBlobs,
} from '../../server/domain/worker-nodes/worker-blobs.ts'
import { startLeftoversLoop, type Repeated } from '../../server/jobs/maintenance.ts'
import { MAX_HOLD_MS } from '../../server/jobs/remote/protocol.ts'
import { addRun, addWorkflow, startTestServer, type TestServer } from '../support/server.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
let now = Date.now()
let server: TestServer
let workflowId: string
let loop: Repeated | null = null
beforeAll(async () => {
  server = await startTestServer({ now: () => now })
  workflowId = addWorkflow(server)
})
afterAll(() => server.close())
beforeEach(() => (now = Date.now()))
afterEach(async () => {
  await loop?.stop()
  loop = null
  const { uploads, temporary } = server.services.home
  for (const folder of [uploads, temporary])
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true })
  server.services.db.sqlite.exec('delete from uploads')
})

const inUploads = (name: string): string => join(server.services.home.uploads, name)
const stored = async (): Promise<string> => {
  const { companyId } = server
  const stream = Readable.from([Buffer.alloc(50)])
  return (await storeUpload(server.services, { companyId, name: 'a.mp4', stream, bytes: 50 })).uploadId
}
const isKnown = (id: string): boolean =>
  server.services.db.sqlite.prepare('select 1 from uploads where id = ?').get(id) !== undefined
const isThere = (id: string): boolean[] => [existsSync(inUploads(id)), isKnown(id)]

it('are removed every hour, however long the appliance runs', async () => {
  const first = await stored()
  loop = startLeftoversLoop(server.services, { lookMs: 10 })
  await writeFile(inUploads('of-an-earlier-process.part'), 'x')
  await expect.poll(() => existsSync(inUploads('of-an-earlier-process.part'))).toBe(false)
  expect(isThere(first)).toEqual([true, true])
  // Not once alone.
  for (let turn = 0, id = first; turn < 3; turn += 1, id = await stored()) {
    now += DAY + HOUR
    await expect.poll(() => isThere(id)).toEqual([false, false])
  }
  // Partial files are of this process by now.
  now = Date.now()
  await writeFile(inUploads('comes-in.part'), 'x')
  now += 3 * HOUR
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(existsSync(inUploads('comes-in.part'))).toBe(true)
})

it('never include an upload in progress, however slow, nor one that is being read', async () => {
  const stream = new PassThrough()
  const { companyId } = server
  const coming = storeUpload(server.services, { companyId, name: 'slow.mp4', stream, bytes: null })
  stream.write('half')
  await expect.poll(() => readdirSync(server.services.home.uploads)).toHaveLength(1)
  now += 3 * DAY
  expect(await sweepUploads(server.services, { leftOver: true })).toBe(0)
  stream.end('whole')
  const { uploadId } = await coming
  now += 3 * DAY
  await usingUpload(uploadId, async () => {
    expect(await sweepUploads(server.services)).toBe(0)
    expect(await listUnusedUploads(server.services)).toEqual([])
  })
  expect(isThere(uploadId)).toEqual([true, true])
  expect(await sweepUploads(server.services)).toBe(1)
})

it('are checked again before they are removed: a run may have begun with one since', async () => {
  const { services, companyId } = server
  const begun = await stored()
  const resumed = await stored()
  const idle = await stored()
  const source = uploadSource(services, { companyId, uploadId: resumed })
  const snapshot = { nodes: [], source, originalUrl: 'a', keywords: [] }
  addRun(server, { workflowId, status: 'Completed', finishedAt: now, snapshot })
  now += 2 * DAY
  const unused = await listUnusedUploads(services)
  const old = await listOldUploads(services, now)
  expect([unused.length, old.length]).toEqual([3, 3])
  startStudioRun(services, { companyId, workflowId, uploadId: begun })
  services.db.sqlite.prepare("update runs set status = 'Processing' where status = 'Completed'").run()
  const gone = []
  for (const { id, remove } of unused) if (await remove()) gone.push(id)
  expect(gone).toEqual([idle])
  // What has expired is not removed while there is work.
  for (const { remove } of old) expect(await remove()).toBe(false)
  expect([begun, resumed, idle].map((id) => isThere(id)[0])).toEqual([true, true, false])
})

it('include rows of missing files, which count as stored', async () => {
  const id = await stored()
  rmSync(inUploads(id))
  expect(await sweepUploads(server.services)).toBe(0)
  now += 2 * DAY
  expect(await sweepUploads(server.services)).toBe(1)
  expect(isKnown(id)).toBe(false)
})

const sha256 = (data: Buffer): string => createHash('sha256').update(data).digest('hex')
const bring = (data: Buffer, total = data.length, name = sha256(data)) =>
  receiveBlob(server.services, { sha256: name, start: 0, total, stream: Readable.from([data]) })
const sweep = () => sweepBlobs(server.services, { untouchedMs: MAX_HOLD_MS })
const brought = (): string[] => readdirSync(server.services.home.temporary).sort()

it('include files of nodes that were not used for as long as a lease lasts', async () => {
  const whole = randomBytes(40)
  const half = randomBytes(40)
  await bring(whole)
  await bring(half.subarray(0, 9), 40, sha256(half))
  await writeFile(join(server.services.home.temporary, 'attempt-1'), 'x')
  const all = ['attempt-1', `blob-${sha256(whole)}`, `blob-${sha256(half)}.part`].sort()
  now += MAX_HOLD_MS - HOUR
  expect(await sweep()).toBe(0)
  expect(brought()).toEqual(all)
  loop = startLeftoversLoop(server.services, { lookMs: 10 })
  now += 2 * HOUR
  await expect.poll(brought).toEqual(['attempt-1'])
})

it('never include files that are uploaded, published from, or were just requested', async () => {
  const coming = randomBytes(40)
  const used = randomBytes(40)
  const stream = new PassThrough()
  const piece = { sha256: sha256(coming), start: 0, total: 40, stream }
  const receiving = receiveBlob(server.services, piece)
  stream.write(coming.subarray(0, 9))
  await bring(used)
  await expect.poll(brought).toHaveLength(2)
  now += 2 * MAX_HOLD_MS
  await holdingBlobs([sha256(used)], async () => {
    expect(await sweep()).toBe(0)
  })
  stream.end(coming.subarray(9))
  expect(await receiving).toEqual({ have: 40, whole: true })
  // A node that is told that all files are here relies on it.
  now = Date.now()
  const path = join(server.services.home.temporary, `blob-${sha256(used)}`)
  const long = new Date(now - 2 * MAX_HOLD_MS)
  await utimes(path, long, long)
  expect(await blobState(server.services, sha256(used))).toEqual({ have: 40, whole: true })
  now += MAX_HOLD_MS - HOUR
  expect(await sweep()).toBe(0)
  now += 2 * HOUR
  expect(await sweep()).toBe(2)
  expect(brought()).toEqual([])
})
