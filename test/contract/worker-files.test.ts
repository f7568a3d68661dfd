/**
 * Files of worker nodes over HTTP: permission, ranges, resumed uploads, invalid results, and names that lead outside.
 */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issueServiceToken } from '../../server/domain/access/service-tokens.ts'
import { isPlainPath } from '../../server/domain/worker-nodes/worker-files.ts'
import { createHolds } from '../../server/jobs/remote/holds.ts'
import { artefactFolder, sourcePath } from '../../workers/artefacts.ts'
import { STAGES } from '../../workers/stages/catalog.ts'
import { domainClient, serviceClient, type DomainClient } from '../support/domain.ts'
import { fakeJobs, startTestServer, type TestAnswer, type TestServer } from '../support/server.ts'
import { omitUndefined } from '../../server/contract/omit-undefined.ts'

const sha256 = (data: Buffer | string): string => createHash('sha256').update(data).digest('hex')
const FILES = '/internal/worker/files'

/** Every task is under the lock that this names. */
const lockOf = (key: string): string => `lock of ${key}`
const holds = createHolds({ lockOf: ({ key }) => Promise.resolve(lockOf(key)), isThere: () => true })
let server: TestServer
let service: Pick<DomainClient, 'call'>
let token: string
beforeAll(async () => {
  server = await startTestServer({
    config: { queue: 'bullmq', redisUrl: 'redis://127.0.0.1:1' },
    services: {
      jobs: { ...fakeJobs(), nodes: { ...holds, reports: () => Promise.resolve([]), backlog: () => [] } },
    },
  })
  const node = { id: 'n', since: Math.floor(Date.now() / 1000) }
  token = await issueServiceToken(server.services, { subject: 'node', lifeSeconds: 3600, node })
  const client = await serviceClient(server)
  service = {
    call: (method, path, requested) =>
      client.call(method, path, { ...requested, token: requested?.token ?? token }),
  }
})
afterAll(() => server.close())

const raw = (
  method: string,
  path: string,
  request: { body?: Buffer; headers?: Record<string, string>; token?: string | null } = {},
): Promise<TestAnswer> =>
  server.call(path, {
    method,
    key: null,
    ...omitUndefined({ body: request.body }),
    headers: {
      ...(request.token === null ? {} : { authorization: `Bearer ${request.token ?? token}` }),
      ...request.headers,
    },
  })
const put = (data: Buffer, headers: Record<string, string> = {}, name = sha256(data)) =>
  raw('PUT', `${FILES}/blobs/${name}`, { body: data, headers })
const stateOf = async (data: Buffer) =>
  (await service.call('GET', `/internal/worker/blobs/${sha256(data)}`)).data

async function addSource(data: Buffer): Promise<string> {
  const digest = sha256(data)
  const path = sourcePath(server.services.home.sources, digest)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, data)
  return digest
}

const newKey = (): string => randomBytes(32).toString('hex')

/** A task of the stage `peaks` is out, and a node takes it. */
async function hold(key: string, sources: readonly string[] = [], given = token): Promise<void> {
  const inputs = { audio: { kind: 'artefact', stage: 'audio', key: INPUT_KEY } } as const
  holds.offer(
    { stage: 'peaks', version: STAGES.peaks.version, key, params: {}, inputs, models: {}, sources },
    'q',
  )
  const json = { key, lock: lockOf(key) }
  const { status } = await service.call('POST', '/internal/worker/tasks', { json, token: given })
  expect(status).toBe(200)
}
const INPUT_KEY = newKey()
const DOCUMENT_CONFIGS = '0'.repeat(64)
/** A key whose task the node has leased. */
async function heldKey(): Promise<string> {
  const key = newKey()
  await hold(key)
  return key
}

/** A result as a node has it: its files and what describes it. */
function nodeResult(key: string, more: object = {}) {
  const data = randomBytes(300)
  const files = [{ path: 'peaks.dat', bytes: data.length }]
  const stored = {
    stage: 'peaks',
    version: STAGES.peaks.version,
    key,
    output: { n: 1 },
    warnings: ['w'],
    milliseconds: 5,
    files,
    ...more,
  }
  const result = Buffer.from(JSON.stringify(stored))
  return {
    data,
    result,
    request: {
      stage: 'peaks',
      key,
      node: 'n',
      sources: [] as { sha256: string; bytes: number }[],
      files: [
        { path: 'peaks.dat', bytes: data.length, sha256: sha256(data) },
        { path: 'result.json', bytes: result.length, sha256: sha256(result) },
      ],
    },
  }
}
const publish = (json: object) => service.call('POST', '/internal/worker/results', { json })

describe('the files of nodes', () => {
  it('are for services only', async () => {
    const tenant = await domainClient(server)
    const digest = await addSource(Buffer.from('secret'))
    for (const path of [`/sources/${digest}`, `/artefacts/peaks/${newKey()}/0`, `/blobs/${digest}`])
      for (const given of [null, 'a.b.c', server.key, tenant.token]) {
        const method = path.startsWith('/blobs') ? 'PUT' : 'GET'
        const answer = await raw(method, FILES + path, {
          token: given,
          ...(method === 'PUT' ? { body: Buffer.from('secret') } : {}),
        })
        expect([answer.status, answer.json<{ error: { code: string } }>().error.code]).toEqual([
          401,
          'UNAUTHENTICATED',
        ])
      }
    const delegated = await raw('GET', `${FILES}/sources/${digest}`, {
      token: null,
      headers: { 'x-service-delegation': tenant.token },
    })
    expect(delegated.status).toBe(401)
  })

  it('are sent whole and in ranges, byte for byte', async () => {
    const data = randomBytes(100_000)
    const digest = await addSource(data)
    const path = `${FILES}/sources/${digest}`
    await hold(newKey(), [digest])
    const whole = await raw('GET', path)
    expect([whole.status, whole.headers['accept-ranges'], whole.bytes.equals(data)]).toEqual([
      200,
      'bytes',
      true,
    ])
    const rest = await raw('GET', path, { headers: { range: 'bytes=99000-' } })
    expect([rest.status, rest.headers['content-range'], rest.bytes.equals(data.subarray(99_000))]).toEqual([
      206,
      'bytes 99000-99999/100000',
      true,
    ])
    expect((await raw('GET', path, { headers: { range: 'bytes=100000-' } })).status).toBe(416)
    expect((await raw('POST', path, { body: Buffer.from('x') })).status).toBe(405)
  })

  it.each([
    '/sources/../../../etc/passwd',
    '/sources/..%2f..%2fcutroom.sqlite',
    `/sources/${'0'.repeat(64)}`,
    '/sources/ABC',
    `/artefacts/../../${'0'.repeat(64)}/0`,
    `/artefacts/peaks/${'0'.repeat(64)}/0`,
    `/artefacts/constructor/${'0'.repeat(64)}/0`,
    '/artefacts/peaks/..%2f..%2f..%2fcutroom.sqlite/0',
    '/odd/x',
    '/sources',
  ])('are not found at %s', async (path) => {
    await hold(DOCUMENT_CONFIGS)
    const answer = await raw('GET', FILES + path)
    const { code } = answer.json<{ error: { code: string } }>().error
    expect(['404 NOT_FOUND', '409 INVALID_STATE']).toContain(`${answer.status} ${code}`)
  })

  it('are only those of tasks that the node has leased', async () => {
    const { services } = server
    const [mine, theirs, loose] = await Promise.all(
      ['mine', 'theirs', 'loose'].map((one) => addSource(Buffer.from(one))),
    )
    const since = Math.floor(Date.now() / 1000)
    const [one, two] = (await Promise.all(
      ['one', 'two'].map((id) =>
        issueServiceToken(services, { subject: 'same', lifeSeconds: 60, node: { id, since } }),
      ),
    )) as [string, string]
    const keyOfOne = newKey()
    const keyOfTwo = newKey()
    await hold(keyOfOne, [mine ?? ''], one)
    await hold(keyOfTwo, [theirs ?? ''], two)
    const get = async (digest: string | undefined, by: string) =>
      (await raw('GET', `${FILES}/sources/${digest ?? ''}`, { token: by })).status
    expect([await get(mine, one), await get(theirs, two)]).toEqual([200, 200])
    // Another node's input, a file that no task has, and one that is not there: all in the same words.
    const refusals = await Promise.all(
      [theirs, loose, '0'.repeat(64)].map((digest) =>
        raw('GET', `${FILES}/sources/${digest ?? ''}`, { token: one }),
      ),
    )
    expect(refusals.map(({ status }) => status)).toEqual([409, 409, 409])
    expect(
      new Set(refusals.map((answer) => answer.json<{ error: { message: string } }>().error.message)).size,
    ).toBe(1)

    const manifest = async (stage: string, key: string) =>
      (await service.call('GET', `/internal/worker/artefacts/${stage}/${key}`, { token: one })).status
    expect([await manifest('peaks', keyOfOne), await manifest('audio', INPUT_KEY)]).toEqual([404, 404])
    expect([await manifest('peaks', keyOfTwo), await manifest('audio', keyOfOne)]).toEqual([409, 409])

    const { data, result, request } = nodeResult(keyOfTwo)
    for (const file of [data, result])
      expect((await raw('PUT', `${FILES}/blobs/${sha256(file)}`, { body: file, token: one })).status).toBe(
        200,
      )
    const published = (by: string) =>
      service.call('POST', '/internal/worker/results', { json: request, token: by })
    expect((await published(one)).status).toBe(409)
    expect((await published(two)).status).toBe(200)

    // Neither by the other's lock, nor with one that the queue does not know, nor for a task that is not out.
    for (const json of [
      { key: keyOfTwo, lock: lockOf(keyOfTwo) },
      { key: keyOfOne, lock: 'made up' },
      { key: newKey(), lock: 'x' },
    ])
      expect((await service.call('POST', '/internal/worker/tasks', { json, token: one })).status).toBe(409)
    const idle = await issueServiceToken(services, { subject: 'idle', lifeSeconds: 60 })
    const body = Buffer.from('anything')
    expect((await raw('PUT', `${FILES}/blobs/${sha256(body)}`, { body, token: idle })).status).toBe(409)
    expect((await raw('GET', `/internal/worker/blobs/${sha256(body)}`, { token: idle })).status).toBe(409)
  })
})

describe('uploading a file', () => {
  beforeAll(() => hold(newKey()))

  it('resumes where it stopped', async () => {
    const data = randomBytes(5000)
    expect(await stateOf(data)).toEqual({ have: 0, whole: false })
    const piece = (from: number, to: number) =>
      put(
        data.subarray(from, to),
        { 'content-range': `bytes ${from}-${to - 1}/${data.length}` },
        sha256(data),
      )
    expect((await piece(0, 2000)).json<{ data: object }>().data).toEqual({ have: 2000, whole: false })
    const gap = await piece(3000, 5000)
    expect([gap.status, gap.json<{ error: { details: object } }>().error.details]).toEqual([
      409,
      { have: 2000 },
    ])
    expect((await piece(2000, 5000)).json<{ data: object }>().data).toEqual({ have: 5000, whole: true })
    // Again does no harm.
    expect((await piece(0, 2000)).status).toBe(200)
    expect(await stateOf(data)).toEqual({ have: 5000, whole: true })
  })

  it('is accepted only when its digest and length match its name', async () => {
    const data = randomBytes(100)
    const other = randomBytes(100)
    const wrong = await put(data, {}, sha256(other))
    expect([wrong.status, wrong.json<{ error: { code: string } }>().error.code]).toEqual([
      400,
      'VALIDATION_FAILED',
    ])
    expect(await stateOf(other)).toEqual({ have: 0, whole: false })
    const long = await put(data, { 'content-range': `bytes 0-49/50` }, sha256(data.subarray(0, 50)))
    expect(long.status).toBe(400)
    expect((await put(data, {}, 'name')).status).toBe(400)
    expect((await put(Buffer.alloc(0))).json<{ data: object }>().data).toEqual({ have: 0, whole: true })
  })
})

describe('publishing a result', () => {
  it('stores it once where the appliance and all nodes find it', async () => {
    const key = await heldKey()
    const saved = randomBytes(50)
    const { data, result, request } = nodeResult(key, { output: { cover: sha256(saved) } })
    const early = await publish(request)
    expect([early.status, early.error.code]).toEqual([400, 'VALIDATION_FAILED'])
    expect((await service.call('GET', `/internal/worker/artefacts/peaks/${key}`)).status).toBe(404)
    for (const file of [data, result, saved]) expect((await put(file)).status).toBe(200)
    const sources = [{ sha256: sha256(saved), bytes: saved.length }]
    const unnamed = [{ sha256: sha256(data), bytes: data.length }]
    expect((await publish({ ...request, sources: unnamed })).error.details).toMatchObject({
      field: 'sources',
    })
    expect((await publish({ ...request, sources })).data).toEqual({ published: true })
    expect((await publish({ ...request, sources })).data).toEqual({ published: false })
    expect(await readFile(sourcePath(server.services.home.sources, sha256(saved)))).toEqual(saved)
    const folder = artefactFolder(server.services.home.artefacts, 'peaks', key)
    expect((await readdir(folder)).sort()).toEqual(['peaks.dat', 'result.json'])
    expect(await readdir(server.services.home.temporary)).not.toContain(`blob-${sha256(data)}`)

    const manifest = await service.call<{ files: { path: string; sha256: string }[] }>(
      'GET',
      `/internal/worker/artefacts/peaks/${key}`,
    )
    const place = manifest.data.files.findIndex(({ path }) => path === 'peaks.dat')
    expect(manifest.data.files[place]?.sha256).toBe(sha256(data))
    const file = await raw('GET', `${FILES}/artefacts/peaks/${key}/${place}`)
    expect(file.bytes.equals(data)).toBe(true)
    expect((await raw('GET', `${FILES}/artefacts/peaks/${key}/99`)).status).toBe(404)
  })

  it('reports the current files after a result was removed and computed again', async () => {
    const key = await heldKey()
    const folder = artefactFolder(server.services.home.artefacts, 'peaks', key)
    const requests = () =>
      service.call<{ files: { path: string; sha256: string }[] }>(
        'GET',
        `/internal/worker/artefacts/peaks/${key}`,
      )
    for (const milliseconds of [5, 6, 7]) {
      const { data, result, request } = nodeResult(key, { milliseconds })
      for (const file of [data, result]) await put(file)
      expect((await publish(request)).data).toEqual({ published: true })
      // The second answer comes from what the first one left.
      for (let again = 0; again < 2; again += 1)
        for (const { path, sha256: reported } of (await requests()).data.files)
          expect([path, reported]).toEqual([path, sha256(await readFile(join(folder, path)))])
      await rm(folder, { recursive: true })
    }
    expect((await requests()).status).toBe(404)
  })

  it.each([
    ['../escape', 'a name that leads up'],
    ['/etc/cutroom', 'an absolute name'],
    ['a/../../b', 'a name that leads up in the middle'],
    ['C:evil', 'a drive'],
    ['a\\b', 'a backslash'],
    ['.hidden', 'a hidden file'],
    ['con./x', 'a part that ends with a dot'],
  ])('refuses %j: %s', async (path) => {
    const key = await heldKey()
    const { data, result, request } = nodeResult(key, { files: [{ path, bytes: 300 }] })
    for (const file of [data, result]) await put(file)
    const files = request.files.map((file) => (file.path === 'peaks.dat' ? { ...file, path } : file))
    const { status, error } = await publish({ ...request, files })
    expect([status, error.code, error.details?.['field']]).toEqual([400, 'VALIDATION_FAILED', 'files'])
    expect(existsSync(artefactFolder(server.services.home.artefacts, 'peaks', key))).toBe(false)
  })

  it.each<[string, object]>([
    ['another stage', { stage: 'probe' }],
    ['another version', { version: 99 }],
    ['another key', { key: '0'.repeat(64) }],
    ['other files', { files: [] }],
    ['other sizes', { files: [{ path: 'peaks.dat', bytes: 1 }] }],
    ['no form', { warnings: 'none' }],
  ])('refuses a result.json of %s', async (_name, more) => {
    const key = await heldKey()
    const { data, result, request } = nodeResult(key, more)
    for (const file of [data, result]) await put(file)
    const { status, error } = await publish(request)
    expect([status, error.code]).toEqual([400, 'VALIDATION_FAILED'])
    expect(existsSync(artefactFolder(server.services.home.artefacts, 'peaks', key))).toBe(false)
    const left = await readdir(server.services.home.temporary)
    expect(left.filter((name) => name.startsWith('attempt-'))).toEqual([])
  })

  it('accepts plain names only', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (path) => {
        if (!isPlainPath(path)) return
        const inside = join('/home/attempt', ...path.split('/'))
        expect(inside.startsWith('/home/attempt/')).toBe(true)
        expect(path).not.toMatch(/\.\.(\/|$)|[\\:\0]/)
      }),
      { numRuns: 2000 },
    )
    expect(['clip.mp4', 'a/b-1.json', 'frames/0001.png'].every(isPlainPath)).toBe(true)
  })
})

describe('the configuration of a node', () => {
  it('has the queue’s address and requirements, and a token for another hour', async () => {
    const { data } = await service.call('GET', '/internal/worker')
    expect(data).toMatchObject({ redisUrl: 'redis://127.0.0.1:1', stages: { probe: STAGES.probe.version } })
    const first = await issueServiceToken(server.services, { subject: 'new', lifeSeconds: 60 })
    const renewed = await service.call<{ token: string }>('POST', '/internal/worker/token', { token: first })
    const { token: own } = renewed.data
    expect((await service.call('GET', '/internal/worker', { token: own })).status).toBe(200)
    // The first one opens all of /internal; the node's own one what nodes need.
    const reconcile = (by: string) => service.call('POST', '/internal/operations:reconcile', { token: by })
    expect([(await reconcile(first)).status, (await reconcile(own)).status]).toEqual([200, 401])
  })

  it('is valid for at most thirty days after joining', async () => {
    const now = Math.floor(Date.now() / 1000)
    const renew = async (days: number) => {
      const node = { id: 'old', since: now - days * 86_400 }
      const old = await issueServiceToken(server.services, { subject: 'node', lifeSeconds: 60, node })
      return service.call<{ token: string }>('POST', '/internal/worker/token', { token: old })
    }
    const last = await renew(29)
    expect(last.status).toBe(200)
    expect(decodeJwt(last.data.token)).toMatchObject({ node_id: 'old', node_since: now - 29 * 86_400 })
    expect((await renew(30)).status).toBe(401)
  })
})
