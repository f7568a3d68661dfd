/** The studio's own routes: sign-in, uploads, runs, and the page itself. */
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Value } from '@sinclair/typebox/value'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { StudioClips, StudioRuns, StudioSession, UploadStored } from '../../server/contract/studio.ts'
import { authenticateApiKey } from '../../server/domain/people/api-keys.ts'
import { firstStart } from '../../server/domain/first-start.ts'
import { issueSignInLink } from '../../server/domain/people/sign-in.ts'
import { sweepUploads } from '../../server/domain/library/uploads.ts'
import { staticFiles } from '../../server/http/studio/static-files.ts'
import {
  addClip,
  addCompany,
  addRun,
  addWorkflow,
  startTestServer,
  type TestServer,
} from '../support/server.ts'
import { omitUndefined } from '../../server/contract/omit-undefined.ts'

let server: TestServer
let workflowId: string
let clock = Date.UTC(2026, 5, 1)
beforeAll(async () => {
  server = await startTestServer({ now: () => clock, config: { maxSourceBytes: 4_000_000 } })
  workflowId = addWorkflow(server)
})
afterAll(() => server.close())

const signInPath = (): string => {
  const link = new URL(issueSignInLink(server.services, server.url))
  return link.pathname + link.search
}
async function signIn(): Promise<Record<string, string>> {
  const answer = await server.call(signInPath(), { key: null })
  const cookie = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
  return { cookie, origin: server.url }
}
const asStudio = (path: string, headers: Record<string, string>, more: object = {}) =>
  server.call(path, { ...more, headers, key: null })

describe('signing in', () => {
  it('the one-time link sets an HttpOnly, SameSite=Strict cookie and redirects to the studio; only a hash is stored', async () => {
    const answer = await server.call(signInPath(), { key: null })
    expect([answer.status, answer.headers.location]).toEqual([303, '/'])
    const cookie = answer.headers['set-cookie']?.[0] ?? ''
    expect(cookie).toMatch(/^cutroom_session_\w+=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/)
    const secret = /=([\w-]{43});/.exec(cookie)?.[1] ?? ''
    const rows = JSON.stringify(server.services.db.sqlite.prepare('select * from sessions').all())
    expect(rows).not.toContain(secret)
  })

  it('works once, and not for longer than a day', async () => {
    const path = signInPath()
    expect((await server.call(path, { method: 'HEAD', key: null })).status).toBe(405)
    expect((await server.call(path, { key: null })).status).toBe(303)
    const again = await server.call(path, { key: null })
    expect([again.status, again.headers['set-cookie']]).toEqual([401, undefined])
    expect(again.headers['content-type']).toContain('text/html')
    const late = signInPath()
    clock += 24 * 3_600_000 + 1
    expect((await server.call(late, { key: null })).status).toBe(401)
    expect((await server.call('/studio/sign-in?token=guess', { key: null })).status).toBe(401)
  })

  it('a session may call studio and public routes; without one they respond 401', async () => {
    const headers = await signIn()
    const session = await asStudio('/studio/session', headers)
    expect(Value.Check(StudioSession, session.json())).toBe(true)
    expect(session.json()).toMatchObject({ companyId: 'acme' })
    expect((await asStudio('/workflows?companyId=acme', headers)).status).toBe(200)
    for (const [method, path] of [
      ['GET', '/studio/session'],
      ['GET', '/studio/runs'],
      ['GET', '/studio/clips'],
      ['GET', '/studio/workflows'],
      ['POST', '/studio/runs'],
      ['POST', '/studio/runs/x/resume'],
      ['PUT', '/studio/uploads'],
    ] as const) {
      const answer = await server.call(path, { method, key: null, headers: { cookie: 'cutroom_session=x' } })
      expect([path, answer.status, answer.json()['code']]).toEqual([path, 401, 'UNAUTHENTICATED'])
    }
  })

  it('sign-out ends the session for good', async () => {
    const headers = await signIn()
    const out = await asStudio('/studio/sign-out', headers, { method: 'POST' })
    expect([out.status, out.headers['set-cookie']?.[0]]).toEqual([200, expect.stringContaining('Max-Age=0')])
    expect((await asStudio('/studio/session', headers)).status).toBe(401)
  })

  it('a bad key is refused despite a valid cookie', async () => {
    const { cookie = '' } = await signIn()
    const answer = await server.call('/studio/session', { key: 'ck_bad', headers: { cookie } })
    expect(answer.status).toBe(401)
  })

  it.each([{}, { origin: 'http://localhost:1' }, { 'sec-fetch-site': 'cross-site' }])(
    'a state change by cookie from a page that is not ours (%j) is refused',
    async (from) => {
      const { cookie = '' } = await signIn()
      const answer = await server.call('/studio/runs', {
        json: { workflowId, url: 'https://example.com/a.mp4' },
        headers: { cookie, ...from },
        key: null,
      })
      expect([answer.status, answer.json()['code']]).toEqual([403, 'FORBIDDEN_HOST'])
    },
  )
})

describe('uploads', () => {
  const uploads = () => readdirSync(server.services.home.uploads)
  const put = (name: string, body: string | Buffer | Iterable<Buffer>, headers = {}) =>
    server.call(`/studio/uploads?name=${encodeURIComponent(name)}`, { method: 'PUT', body, headers })

  it('a raw body is stored unchanged, under its id, and can be run', async () => {
    const answer = await put('My talk ü.mp4', Buffer.from('film'))
    const stored = answer.json<UploadStored>()
    expect(answer.status).toBe(200)
    expect(Value.Check(UploadStored, stored)).toBe(true)
    expect(stored).toMatchObject({ bytes: 4, name: 'My talk ü.mp4' })
    expect(readFileSync(join(server.services.home.uploads, stored.uploadId), 'utf8')).toBe('film')
    const started = await server.call('/studio/runs', { json: { workflowId, uploadId: stored.uploadId } })
    expect(started.status).toBe(200)
    const listed = (await server.call('/studio/runs')).json<{ runs: Record<string, unknown>[] }>()
    expect(Value.Check(StudioRuns, listed)).toBe(true)
    expect(listed.runs[0]).toMatchObject({ source: 'My talk ü.mp4', status: 'Pending', clipCount: 0 })
    expect(JSON.stringify(listed)).not.toContain(server.services.home.root)
  })

  it('a run accepts the bundled sample, and exactly one source', async () => {
    const started = await server.call('/studio/runs', { json: { workflowId, sample: true } })
    expect(started.status).toBe(200)
    const { runs } = (await server.call('/studio/runs')).json<{ runs: Record<string, unknown>[] }>()
    // Runs of the same millisecond are in no order.
    expect(runs.map(({ source }) => source)).toContain('The sample')
    for (const given of [{}, { sample: true, url: 'https://a.b/c.mp4' }]) {
      const refused = await server.call('/studio/runs', { json: { workflowId, ...given } })
      expect([refused.status, refused.json()['code']]).toEqual([400, 'INVALID_REQUEST'])
    }
  })

  it('a session cookie may upload too', async () => {
    const headers = await signIn()
    const answer = await asStudio('/studio/uploads?name=a.mp4', headers, { method: 'PUT', body: 'x' })
    expect(answer.status).toBe(200)
  })

  it('names of uploads never become paths', async () => {
    const stored = (await put('../../../etc/cron.d/evil.mp4', 'x')).json<UploadStored>()
    expect(stored.name).toBe('evil.mp4')
    expect(uploads()).toContain(stored.uploadId)
  })

  it.each([
    ['without a name', '', 'x', 'name'],
    ['of nothing', 'a.mp4', '', undefined],
  ])('%s: 400 INVALID_REQUEST, and nothing is left', async (_what, name, body, field) => {
    const before = uploads()
    const answer = await put(name, body)
    expect([answer.status, answer.json()['code']]).toEqual([400, 'INVALID_REQUEST'])
    expect((answer.json()['details'] as { field?: string } | undefined)?.field).toBe(field)
    expect(uploads()).toEqual(before)
  })

  it('over the limit, with and without a declared length: 413, and nothing is left', async () => {
    const before = uploads()
    const declared = await put('a.mp4', Buffer.alloc(4_000_001))
    expect([declared.status, declared.json()['code']]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    const chunks = Array.from({ length: 70 }, () => Buffer.alloc(64 * 1024))
    const chunked = await put('a.mp4', chunks)
    expect([chunked.status, chunked.json()['code']]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    expect(uploads()).toEqual(before)
  })

  it('leaves the reserved disk space free, even for a body in chunks without a length', async () => {
    const own = await startTestServer()
    const folder = own.services.home.uploads
    // The disk fills while the file comes in.
    Object.defineProperty(own.services.config, 'minFreeBytes', {
      get: () => (readdirSync(folder).length === 0 ? 0 : Number.MAX_SAFE_INTEGER),
    })
    const film = Array.from({ length: 20 }, () => Buffer.alloc(1024 ** 2))
    const answer = await own.call('/studio/uploads?name=a.mp4', { method: 'PUT', body: film })
    expect([answer.status, answer.json()['code']]).toEqual([507, 'DISK_FULL'])
    expect(readdirSync(folder)).toEqual([])
    await own.close()
  })

  it('without enough disk space: 507 DISK_FULL before a byte is stored', async () => {
    const full = await startTestServer({ config: { minFreeBytes: Number.MAX_SAFE_INTEGER } })
    const answer = await full.call('/studio/uploads?name=a.mp4', { method: 'PUT', body: 'x' })
    expect([answer.status, answer.json()['code']]).toEqual([507, 'DISK_FULL'])
    expect(readdirSync(full.services.home.uploads)).toEqual([])
    await full.close()
  })

  it('a client that disconnects in the middle leaves nothing behind', async () => {
    const before = uploads()
    await new Promise<void>((resolve) => {
      const sent = request({
        port: server.port,
        host: '127.0.0.1',
        method: 'PUT',
        path: '/studio/uploads?name=a.mp4',
        headers: { authorization: `Bearer ${server.key}`, 'content-length': 1_000_000 },
        agent: false,
      })
      sent.once('error', () => resolve())
      sent.write(Buffer.alloc(100_000), () => setTimeout(() => sent.destroy(new Error('gone')), 100))
    })
    await expect.poll(uploads).toEqual(before)
    expect(server.log.some((line) => line['level'] === 'error')).toBe(false)
  })

  it("another company's upload cannot be run, nor one that does not exist", async () => {
    const { uploadId } = (await put('a.mp4', 'x')).json<UploadStored>()
    const other = addCompany(server, 'uploader')
    const theirs = addWorkflow(server, other.companyId)
    const answer = await server.call('/studio/runs', {
      json: { workflowId: theirs, uploadId },
      key: other.key,
    })
    expect([answer.status, answer.json()['details']]).toEqual([400, { field: 'uploadId' }])
  })

  it('old uploads and partial files are removed at the next start; what a run still needs stays', async () => {
    const idle = (await put('idle.mp4', 'x')).json<UploadStored>().uploadId
    const used = (await put('used.mp4', 'x')).json<UploadStored>().uploadId
    await server.call('/studio/runs', { json: { workflowId, uploadId: used } })
    writeFileSync(join(server.services.home.uploads, 'broken.part'), 'x')
    clock += 25 * 3_600_000
    const young = (await put('young.mp4', 'x')).json<UploadStored>().uploadId
    await sweepUploads(server.services, { leftOver: true })
    expect(uploads()).toEqual(expect.arrayContaining([used, young]))
    expect(uploads()).not.toContain(idle)
    expect(uploads()).not.toContain('broken.part')
  })
})

describe('runs and clips', () => {
  it('a run needs either a url or an upload, and stores its overrides', async () => {
    for (const body of [{ workflowId }, { workflowId, url: 'https://example.com/a', uploadId: 'x' }]) {
      const answer = await server.call('/studio/runs', { json: body })
      expect([answer.status, answer.json()['code']]).toEqual([400, 'INVALID_REQUEST'])
    }
    const json = { workflowId, url: 'https://example.com/a', nodeConfigs: { find_clips: { min_length: 7 } } }
    const { triggerId } = (await server.call('/studio/runs', { json })).json<{ triggerId: string }>()
    const row = server.services.db.sqlite.prepare('select snapshot from runs where id = ?').get(triggerId)
    expect(JSON.stringify(row)).toContain('\\"min_length\\":7')
  })

  it('a failed run of this company can be resumed; no other can', async () => {
    const resume = (runId: string, key?: string) =>
      server.call(`/studio/runs/${runId}/resume`, { json: {}, ...omitUndefined({ key }) })
    const runId = addRun(server, { workflowId, status: 'Error', errorCode: 'DISK_FULL', error: 'full' })
    const other = addCompany(server, 'resumer')
    expect((await resume(runId, other.key)).status).toBe(404)
    expect((await resume(runId)).json()).toEqual({ triggerId: runId })
    const results = await server.call(`/workflow-results/${runId}`)
    expect(results.json()).toMatchObject({ status: 'Processing' })
    const queued = server.services.db.sqlite
      .prepare("select state from operations where kind = 'run' and subject_id = ?")
      .all(runId)
    expect(queued).toEqual([{ state: 'queued' }])
    const again = await resume(runId)
    expect([again.status, again.json()['code']]).toEqual([400, 'INVALID_REQUEST'])
  })

  it('lists clips of one run by score, or the newest', async () => {
    const runId = addRun(server, { workflowId })
    const [low, high] = [10, 90].map((viralityScore) =>
      addClip(server, { workflowId, runId, document: { viralityScore } }),
    )
    const ofRun = (await server.call(`/studio/clips?runId=${runId}`)).json<{ clips: { id: string }[] }>()
    expect(Value.Check(StudioClips, ofRun)).toBe(true)
    expect(ofRun.clips.map((clip) => clip.id)).toEqual([high, low])
    const newest = (await server.call('/studio/clips')).json<{ clips: { id: string }[] }>()
    expect(newest.clips.map((clip) => clip.id)).toEqual(expect.arrayContaining([low, high]))
  })
})

describe('first start', () => {
  it('an empty home gets company local, three workflows and one key; once', async () => {
    const fresh = await startTestServer()
    fresh.services.db.sqlite.exec('delete from api_keys; delete from companies')
    const { key } = await firstStart(fresh.services)
    expect(authenticateApiKey(fresh.services, key ?? '')).toMatchObject({ companyId: 'local' })
    const list = await fresh.call('/workflows?companyId=local', key === null ? {} : { key })
    expect(
      list
        .json<{ workflows: { name: string }[] }>()
        .workflows.map((one) => one.name)
        .sort(),
    ).toEqual(['Audiogram', 'Horizontal highlights', 'Vertical shorts'])
    expect(await firstStart(fresh.services)).toEqual({ key: null })
    await fresh.close()
  })
})

describe('the page', () => {
  it('is served at / without a key, and no other site may frame it', async () => {
    const answer = await server.call('/', { key: null })
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toContain('text/html')
    expect(answer.headers['content-security-policy']).toContain("frame-ancestors 'none'")
  })

  it('built files: hashed ones are cached for ever, the page never, and no other file can be reached', async () => {
    const root = mkdtempSync(join(tmpdir(), 'cutroom-static-'))
    const folder = join(root, 'renderer')
    mkdirSync(join(folder, 'assets'), { recursive: true })
    writeFileSync(join(folder, 'index.html'), '<!doctype html>studio')
    writeFileSync(join(folder, 'assets', 'index-abc.js'), 'go()')
    writeFileSync(join(root, 'secret.txt'), 'secret')
    const files = staticFiles(folder, {
      fonts: join(folder, 'none'),
      publicUrl: 'https://cdn.example/x',
    })
    const bare = createServer((requested, response) => {
      void files.serve(requested, response, requested.url ?? '/').then((served) => {
        if (!served) response.writeHead(404).end('no')
      })
    })
    await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve))
    const base = `http://127.0.0.1:${(bare.address() as AddressInfo).port}`
    const page = await fetch(`${base}/`)
    expect(await page.text()).toBe('<!doctype html>studio')
    expect(page.headers.get('cache-control')).toBe('no-cache')
    expect(page.headers.get('content-security-policy')).toMatch(
      /script-src 'self';.*media-src 'self' blob: https:\/\/cdn\.example;/,
    )
    const script = await fetch(`${base}/assets/index-abc.js`)
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    const again = await fetch(`${base}/`, { headers: { 'if-none-match': page.headers.get('etag') ?? '' } })
    expect(again.status).toBe(304)
    for (const path of [
      '/..%2fsecret.txt',
      '/../secret.txt',
      '/assets/../../secret.txt',
      '/assets',
      '/%2e%2e/secret.txt',
    ]) {
      const status = await new Promise<number>((resolve) => {
        request(base, { path, agent: false }, (response) => {
          response.resume()
          resolve(response.statusCode ?? 0)
        }).end()
      })
      expect([path, status]).toEqual([path, 404])
    }
    await new Promise((resolve) => bare.close(resolve).closeAllConnections())
    rmSync(root, { recursive: true })
  })
})
