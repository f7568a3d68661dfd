/** Uploads by the tus protocol: what it says, word by word, over the real server; test/e2e/uploads.test.ts has its real client. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { getRun } from '../../server/db/runs.ts'
import { runs } from '../../server/db/schema.ts'
import { sweepUploads } from '../../server/domain/library/uploads.ts'
import { createApiKey } from '../../server/domain/people/api-keys.ts'
import { planCleanUp } from '../../server/domain/settings/storage.ts'
import {
  addCompany,
  addWorkflow,
  startTestServer,
  type TestRequest,
  type TestServer,
} from '../support/server.ts'

const DAY = 86_400_000
const PAGE = 'https://app.example'
const FILE = Buffer.from('0123456789abcdefghij')
let now = Date.now()
let server: TestServer
let other: { companyId: string; key: string }
let workflowId: string
beforeAll(async () => {
  server = await startTestServer({ now: () => now, config: { corsOrigins: [PAGE] } })
  other = addCompany(server, 'other')
  workflowId = addWorkflow(server)
})
afterAll(() => server.close())
beforeEach(() => (now = Date.now()))
afterEach(async () => {
  server.services.db.sqlite.exec('delete from operations; delete from runs')
  now += 3 * DAY
  await sweepUploads(server.services, { leftOver: true })
})

const tus = { 'tus-resumable': '1.0.0' }
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const inUploads = (name: string): string => join(server.services.home.uploads, name)

const create = (headers: Readonly<Record<string, string>> = {}, more: TestRequest = {}) =>
  server.call('/uploads', {
    ...more,
    method: 'POST',
    headers: { ...tus, 'upload-length': String(FILE.length), ...headers },
  })
/** The path and the id of a new upload of FILE. */
async function created(
  headers: Readonly<Record<string, string>> = {},
): Promise<{ path: string; id: string }> {
  const answer = await create(headers)
  expect(answer.status).toBe(201)
  const path = new URL(answer.headers.location ?? '').pathname
  return { path, id: path.split('/').at(-1) ?? '' }
}
const send = (path: string, offset: number, body: Buffer, more: TestRequest = {}) =>
  server.call(path, {
    method: 'PATCH',
    ...more,
    body,
    headers: {
      ...tus,
      'content-type': 'application/offset+octet-stream',
      'upload-offset': String(offset),
      ...more.headers,
    },
  })
const head = (path: string, more: TestRequest = {}) =>
  server.call(path, { method: 'HEAD', headers: tus, ...more })
const trigger = (url: string, key?: string, companyId = 'acme') =>
  server.call('/trigger-template', {
    json: { companyId, workflowId, url },
    ...(key === undefined ? {} : { key }),
  })

describe('creating', () => {
  it('answers an address, and when it ends; HEAD says the same and what it was created with', async () => {
    const metadata = `filename ${base64('../../talk\n.mp4')},filetype ${base64('video/mp4')},empty`
    const answer = await create({ 'upload-metadata': metadata })
    expect(answer.status).toBe(201)
    expect(answer.headers).toMatchObject({ 'tus-resumable': '1.0.0', 'upload-offset': '0' })
    const { id } = answer.json<{ id: string }>()
    expect(answer.headers.location).toBe(`${server.url}/uploads/${id}`)
    expect(answer.json()).toMatchObject({
      url: `${server.url}/uploads/${id}`,
      // A title, and never a path.
      title: 'talk.mp4',
      bytes: 20,
      offset: 0,
      complete: false,
    })
    const { headers, status, text } = await head(`/uploads/${id}`)
    expect([status, text]).toEqual([200, ''])
    expect(headers).toMatchObject({
      'upload-offset': '0',
      'upload-length': '20',
      'upload-metadata': metadata,
      'cache-control': 'no-store',
    })
    const expires = Date.parse(headers['upload-expires'] as string)
    expect(Math.abs(expires - now - DAY)).toBeLessThan(2000)
    expect(readdirSync(server.services.home.uploads)).toEqual([])
  })

  it.each([
    ['no length', { 'upload-length': '' }, 400, 'INVALID_REQUEST'],
    ['a length that is none', { 'upload-length': '-1' }, 400, 'INVALID_REQUEST'],
    ['nothing', { 'upload-length': '0' }, 400, 'INVALID_REQUEST'],
    ['a length for later', { 'upload-defer-length': '1' }, 400, 'INVALID_REQUEST'],
    ['a length that cannot be stored', { 'upload-length': '999999999999999' }, 413, 'PAYLOAD_TOO_LARGE'],
    ['metadata that is none', { 'upload-metadata': 'filename ä' }, 400, 'INVALID_REQUEST'],
    ['one key twice', { 'upload-metadata': 'a YQ==,a YQ==' }, 400, 'INVALID_REQUEST'],
    ['another version', { 'tus-resumable': '0.2.2' }, 412, 'TUS_VERSION_UNSUPPORTED'],
    ['no version', { 'tus-resumable': '' }, 412, 'TUS_VERSION_UNSUPPORTED'],
  ])('is refused with %s', async (_what, headers, status, code) => {
    const answer = await create(headers)
    expect([answer.status, answer.json()['code']]).toEqual([status, code])
    expect(answer.headers['tus-resumable']).toBe('1.0.0')
    if (status === 412) expect(answer.headers['tus-version']).toBe('1.0.0')
  })

  it('is refused where the file does not fit on the disk, or the company may not keep it', async () => {
    const full = await startTestServer({ config: { minFreeBytes: 1e18 } })
    const quota = await startTestServer({
      config: { storage: { ...server.services.config.storage, companyQuotaBytes: 30 } },
    })
    const ask = (on: TestServer) =>
      on.call('/uploads', { method: 'POST', headers: { ...tus, 'upload-length': '20' } })
    expect([(await ask(full)).status, (await ask(full)).json()['code']]).toEqual([507, 'DISK_FULL'])
    expect((await ask(quota)).status).toBe(201)
    // The first one counts from the beginning, though none of its bytes is there.
    expect((await ask(quota)).json()['code']).toBe('QUOTA_EXCEEDED')
    await Promise.all([full.close(), quota.close()])
  })

  it('happens once for each Idempotency-Key', async () => {
    const first = await create({ 'idempotency-key': 'one' })
    const again = await create({ 'idempotency-key': 'one' })
    expect([again.status, again.headers.location]).toEqual([201, first.headers.location])
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect((await create({ 'idempotency-key': 'one', 'upload-length': '21' })).status).toBe(409)
  })
})

describe('pieces', () => {
  it('are added where the upload ends, and make the file', async () => {
    const { path, id } = await created()
    const first = await send(path, 0, FILE.subarray(0, 7))
    expect([first.status, first.text]).toEqual([204, ''])
    expect(first.headers).toMatchObject({ 'upload-offset': '7', 'tus-resumable': '1.0.0' })
    expect(first.headers['upload-expires']).toMatch(/GMT$/)
    const late = await send(path, 3, FILE.subarray(3))
    expect([late.status, late.json()]).toMatchObject([
      409,
      { code: 'UPLOAD_OFFSET_CONFLICT', details: { offset: 7 } },
    ])
    expect((await send(path, 9, FILE.subarray(9))).status).toBe(409)
    expect((await server.call(path)).json()).toMatchObject({ offset: 7, complete: false })
    expect((await send(path, 7, FILE.subarray(7))).headers['upload-offset']).toBe('20')
    expect(readFileSync(inUploads(id))).toEqual(FILE)
    expect(existsSync(inUploads(`${id}.part`))).toBe(false)
    expect((await server.call(path)).json()).toMatchObject({ offset: 20, complete: true })
    // Nothing more to send: that is no mistake.
    expect((await send(path, 20, Buffer.alloc(0))).status).toBe(204)
  })

  it('are refused where they are no pieces, or longer than what is missing', async () => {
    const { path, id } = await created()
    const wrong = await send(path, 0, FILE, { headers: { 'content-type': 'video/mp4' } })
    expect([wrong.status, wrong.json()['code']]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
    expect((await send(path, 0, FILE, { headers: { 'upload-offset': 'x' } })).status).toBe(400)
    expect((await send(path, 0, FILE, { headers: { 'tus-resumable': '2.0.0' } })).status).toBe(412)
    const long = await send(path, 0, Buffer.concat([FILE, FILE]))
    expect([long.status, long.json()['code']]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    // In chunks no length is declared.
    const chunks = await server.call(path, {
      method: 'PATCH',
      body: [FILE, FILE],
      headers: { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' },
    })
    expect(chunks.status).toBe(413)
    const { headers } = await head(path)
    expect(Number(headers['upload-offset'])).toBeLessThanOrEqual(20)
    expect(readdirSync(server.services.home.uploads).every((name) => name.startsWith(id))).toBe(true)
  })

  it('stay where the connection breaks off, and another one goes on', async () => {
    const { path, id } = await created()
    const socket = connect(server.port, '127.0.0.1')
    const lines = [
      `PATCH ${path} HTTP/1.1`,
      'Host: 127.0.0.1',
      `Authorization: Bearer ${server.key}`,
      'Tus-Resumable: 1.0.0',
      'Content-Type: application/offset+octet-stream',
      'Upload-Offset: 0',
      'Content-Length: 20',
    ]
    socket.write(`${lines.join('\r\n')}\r\n\r\n01234`)
    await expect
      .poll(() => existsSync(inUploads(`${id}.part`)) && readFileSync(inUploads(`${id}.part`), 'utf8'))
      .toBe('01234')
    // The appliance cannot know yet that nobody is there any more: whoever asks ends it.
    const ended = new Promise((resolve) => socket.once('close', resolve))
    expect((await head(path)).headers['upload-offset']).toBe('5')
    await ended
    expect((await send(path, 5, FILE.subarray(5))).status).toBe(204)
    expect(readFileSync(inUploads(id))).toEqual(FILE)
  })

  it('with a checksum count only where it is theirs', async () => {
    const { path, id } = await created()
    const sum = (algorithm: string, bytes: Buffer) =>
      `${algorithm} ${createHash(algorithm).update(bytes).digest('base64')}`
    const start = FILE.subarray(0, 9)
    const bad = await send(path, 0, start, { headers: { 'upload-checksum': sum('sha1', FILE) } })
    expect([bad.status, bad.json()['code']]).toEqual([460, 'UPLOAD_CHECKSUM_MISMATCH'])
    expect((await head(path)).headers['upload-offset']).toBe('0')
    const good = await send(path, 0, start, { headers: { 'upload-checksum': sum('sha1', start) } })
    expect([good.status, good.headers['upload-offset']]).toEqual([204, '9'])
    const rest = FILE.subarray(9)
    const unknown = await send(path, 9, rest, { headers: { 'upload-checksum': 'crc32 AAAA' } })
    expect(unknown.status).toBe(400)
    await send(path, 9, rest, { headers: { 'upload-checksum': sum('sha256', rest) } })
    expect(readFileSync(inUploads(id))).toEqual(FILE)
  })

  it('and removing come as POST too, from behind a proxy that lets nothing else pass', async () => {
    const { path } = await created()
    const piece = await send(path, 0, FILE.subarray(0, 4), {
      method: 'POST',
      headers: { 'x-http-method-override': 'PATCH' },
    })
    expect([piece.status, piece.headers['upload-offset']]).toEqual([204, '4'])
    const removed = await server.call(path, {
      method: 'POST',
      headers: { ...tus, 'x-http-method-override': 'DELETE' },
    })
    expect(removed.status).toBe(204)
    expect((await head(path)).status).toBe(404)
  })
})

describe('who may', () => {
  it('another company finds nothing', async () => {
    const { path, id } = await created()
    const { key } = other
    expect((await head(path, { key })).status).toBe(404)
    expect((await send(path, 0, FILE, { key })).json()['code']).toBe('UPLOAD_NOT_FOUND')
    expect((await server.call(path, { method: 'DELETE', headers: tus, key })).status).toBe(404)
    expect((await trigger(path, key, 'other')).json()['code']).toBe('UPLOAD_NOT_FOUND')
    expect((await server.call('/uploads?companyId=other', { method: 'POST', headers: tus })).status).toBe(401)
    expect((await head(path, { key: null })).status).toBe(401)
    expect((await head(path)).headers['upload-offset']).toBe('0')
    expect(existsSync(inUploads(`${id}.part`))).toBe(false)
  })

  it('a key for runs alone does all of it, and one for reading looks', async () => {
    const keyOf = (scope: 'trigger' | 'read' | 'edit') =>
      createApiKey(server.services, { companyId: 'acme', name: scope, scopes: [scope] }).key
    const all = keyOf('trigger')
    const read = keyOf('read')
    const edit = keyOf('edit')
    expect((await create({}, { key: read })).json()['code']).toBe('SCOPE_MISSING')
    const path = new URL((await create({}, { key: all })).headers.location ?? '').pathname
    expect((await send(path, 0, FILE, { key: edit })).json()['code']).toBe('SCOPE_MISSING')
    expect((await send(path, 0, FILE, { key: all })).status).toBe(204)
    expect((await head(path, { key: read })).status).toBe(200)
    expect((await head(path, { key: edit })).status).toBe(403)
    expect((await server.call(path, { method: 'DELETE', headers: tus, key: all })).status).toBe(204)
  })

  it('a page that is let in may read what its client needs', async () => {
    const preflight = await server.call('/uploads/some', {
      method: 'OPTIONS',
      key: null,
      headers: { origin: PAGE, 'access-control-request-method': 'PATCH' },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers['access-control-allow-methods']).toContain('PATCH')
    for (const name of [
      'Tus-Resumable',
      'Upload-Length',
      'Upload-Metadata',
      'Upload-Offset',
      'Authorization',
    ])
      expect(preflight.headers['access-control-allow-headers']).toContain(name)
    const made = await create({ origin: PAGE })
    expect(made.headers['access-control-allow-origin']).toBe(PAGE)
    for (const name of ['Location', 'Upload-Offset', 'Upload-Length', 'Upload-Expires', 'Tus-Resumable'])
      expect(made.headers['access-control-expose-headers']).toContain(name)
    const strange = await create({ origin: 'https://evil.example' })
    expect(strange.status).toBe(403)
  })

  it('anybody may ask what is spoken', async () => {
    for (const path of ['/uploads', '/uploads/some']) {
      const { status, headers } = await server.call(path, { method: 'OPTIONS', key: null })
      expect(status).toBe(204)
      expect(headers).toMatchObject({
        'tus-resumable': '1.0.0',
        'tus-version': '1.0.0',
        'tus-extension': 'creation,expiration,termination,checksum',
        'tus-checksum-algorithm': 'sha1,sha256',
        'tus-max-size': String(server.services.config.maxSourceBytes),
      })
    }
  })
})

describe('a run', () => {
  it('of an upload is started by its address, whole or from its path on', async () => {
    const { path, id } = await created({ 'upload-metadata': `filename ${base64('talk.mp4')}` })
    const early = await trigger(path)
    expect([early.status, early.json()]).toMatchObject([
      409,
      { code: 'UPLOAD_INCOMPLETE', details: { offset: 0, bytes: 20 } },
    ])
    await send(path, 0, FILE)
    for (const url of [path, `${server.url}${path}`]) {
      const { triggerId } = (await trigger(url)).json<{ triggerId: string }>()
      expect(getRun(server.services.db, triggerId)?.snapshot).toMatchObject({
        source: { kind: 'file', path: inUploads(id), displayName: 'talk.mp4' },
        originalUrl: url,
      })
    }
    // Somebody else's server with such a path is fetched as any address is.
    const far = (await trigger(`https://elsewhere.example${path}`)).json<{ triggerId: string }>()
    expect(getRun(server.services.db, far.triggerId)?.snapshot.source.kind).toBe('url')
    expect((await trigger('/uploads/none')).json()['code']).toBe('UPLOAD_NOT_FOUND')
    expect((await trigger('/uploads/../keys')).json()['code']).toBe('INVALID_URL')
    // The runs need it.
    const kept = await server.call(path, { method: 'DELETE', headers: tus })
    expect([kept.status, kept.json()['code']]).toEqual([409, 'INVALID_STATE'])
  })

  it('of one that is over, or was used and removed, is refused', async () => {
    const { path, id } = await created()
    const half = await created()
    await send(half.path, 0, FILE.subarray(0, 5))
    await send(path, 0, FILE)
    const { triggerId } = (await trigger(path)).json<{ triggerId: string }>()
    now += DAY
    const late = await trigger(path)
    expect([late.status, late.json()['code']]).toEqual([410, 'UPLOAD_EXPIRED'])
    expect((await send(half.path, 5, FILE.subarray(5))).status).toBe(410)
    expect((await head(half.path)).status).toBe(410)
    const { items } = await planCleanUp(server.services)
    expect(items.find(({ kind }) => kind === 'uploads')).toMatchObject({ files: 1, bytes: 5 })
    expect(await sweepUploads(server.services)).toBe(1)
    expect(existsSync(inUploads(id))).toBe(true)
    server.services.db.orm.update(runs).set({ status: 'Completed' }).run()
    expect(await sweepUploads(server.services)).toBe(1)
    expect(getRun(server.services.db, triggerId)).not.toBe(null)
    expect(readdirSync(server.services.home.uploads)).toEqual([])
    const gone = await trigger(path)
    expect([gone.status, gone.json()['code']]).toEqual([404, 'UPLOAD_NOT_FOUND'])
  })

  it('an upload that is continued does not end, and a restart does not take it', async () => {
    const { path } = await created()
    now += DAY / 2
    await send(path, 0, FILE.subarray(0, 5))
    now += DAY * 0.75
    // As at a start: partial files of an earlier process.
    expect(await sweepUploads(server.services, { leftOver: true })).toBe(0)
    expect((await send(path, 5, FILE.subarray(5))).status).toBe(204)
  })
})
