/** What clients, proxies and their libraries do with HTTP besides what the documents show; on a real socket. */
import { connect } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { omitUndefined } from '../../server/contract/omit-undefined.ts'
import { SCOPES } from '../../server/contract/scopes.ts'
import { createApiKey } from '../../server/domain/people/api-keys.ts'
import { createApp, OPEN_ROUTES } from '../../server/http/app.ts'
import { DOMAIN_ROUTES } from '../../server/http/tenant-api/routes.ts'
import { newId } from '../../server/ids.ts'
import { domainClient, type DomainClient } from '../support/domain.ts'
import {
  addClip,
  addRun,
  addWorkflow,
  startTestServer,
  type TestRequest,
  type TestServer,
} from '../support/server.ts'
import { pathOf } from '../support/routes.ts'
import { signInAs, type SignedIn } from '../support/people.ts'

let server: TestServer
let client: DomainClient
let editor: SignedIn
let workflowId: string
beforeAll(async () => {
  server = await startTestServer()
  client = await domainClient(server)
  editor = signInAs(server, 'editor')
  workflowId = addWorkflow(server)
})
afterAll(() => server.close())

interface Described {
  readonly paths: Record<string, Record<string, { readonly responses: Record<string, unknown> }>>
}

/** Both documents, as they are served. */
async function documents(): Promise<Described[]> {
  const answers = await Promise.all(
    ['/public/openapi.json', '/openapi.json'].map((path) => server.call(path)),
  )
  return answers.map((answer) => answer.json<Described>())
}

/** What is sent on a connection and then left; all that comes back, and how long the connection was open. */
async function hold(sent: string): Promise<{ received: string; seconds: number }> {
  const began = performance.now()
  const socket = connect(server.port, '127.0.0.1', () => socket.write(sent))
  let received = ''
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()))
  await new Promise((resolve) => socket.once('close', resolve).on('error', () => undefined))
  return { received, seconds: (performance.now() - began) / 1000 }
}

describe('before it is known what was called', () => {
  it('headers that do not come to their end are given up within 20 s, with an answer', async () => {
    const { received, seconds } = await hold('GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n')
    expect(received).toMatch(/^HTTP\/1\.1 408 /)
    expect(seconds).toBeLessThan(20)
  }, 60_000)

  it('headers that are too large are 431, which every operation of both documents lists', async () => {
    const { received } = await hold(
      `GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Big: ${'b'.repeat(20_000)}\r\n\r\n`,
    )
    expect(received).toMatch(/^HTTP\/1\.1 431 /)
    for (const { paths } of await documents())
      for (const [path, methods] of Object.entries(paths))
        for (const [method, { responses }] of Object.entries(methods))
          expect([method, path, Object.hasOwn(responses, '431')]).toEqual([method, path, true])
  })
})

describe('what is too large', () => {
  const query = `?companyId=acme&cursor=${'c'.repeat(20_000)}`
  const body = Buffer.alloc(1024 ** 2 + 1, 'b')

  it('is 431 in the address and 413 as a body, with any method and in both APIs', async () => {
    for (const path of ['/posts', '/clips']) {
      const long = await server.call(path + query)
      const large = await server.call(path, { method: 'GET', body })
      expect([path, long.status, large.status]).toEqual([path, 431, 413])
    }
  })

  it('413 and 431 are listed by every operation of both documents', async () => {
    for (const { paths } of await documents())
      for (const [path, methods] of Object.entries(paths))
        for (const [method, { responses }] of Object.entries(methods))
          expect([method, path, Object.keys(responses)]).toEqual([
            method,
            path,
            expect.arrayContaining(['413', '431']),
          ])
  })
})

describe('GET /workflows, which both APIs have', () => {
  it('without credentials is the documented refusal of the public API', async () => {
    for (const path of ['/workflows', `/workflows?companyId=${server.companyId}`]) {
      const answer = await server.call(path, { key: null })
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Bearer'])
      expect(answer.json()).toEqual({
        error: 'The API key is missing or not valid for this company.',
        status: 'error',
        code: 'INVALID_API_KEY',
        requestId: answer.headers['x-request-id'],
      })
    }
  })

  it('with a key is the documented list', async () => {
    const answer = await server.call(`/workflows?companyId=${server.companyId}`)
    expect(answer.json()).toEqual({
      workflows: [
        { id: workflowId, name: expect.any(String) as string, description: expect.any(String) as string },
      ],
    })
  })
})

describe('compressed bodies', () => {
  const body = JSON.stringify({ companyId: 'acme', clipId: 'none' })

  it.each([
    ['gzip', gzipSync(body)],
    ['deflate', deflateSync(body)],
    ['br', brotliCompressSync(body)],
    ['GZIP', gzipSync(body)],
  ])('%s is refused with 415, and what is accepted', async (coding, bytes) => {
    const answer = await server.call('/render', { body: bytes, headers: { 'content-encoding': coding } })
    expect([answer.status, answer.headers['accept-encoding']]).toEqual([415, 'identity'])
    expect(answer.json()).toMatchObject({
      status: 'error',
      code: 'UNSUPPORTED_ENCODING',
      details: { header: 'Content-Encoding' },
    })
  })

  it('is the same in the tenant API and for an upload, of which nothing is stored', async () => {
    const headers = { 'content-encoding': 'gzip' }
    const domain = await client.call('POST', '/workflows:run', {
      json: { workflowId },
      once: 'packed',
      headers,
    })
    expect([domain.status, domain.error.code]).toEqual([415, 'UNSUPPORTED_ENCODING'])
    const upload = await editor.call('/studio/uploads?name=a.mp4', {
      method: 'PUT',
      body: gzipSync('a video'),
      headers,
    })
    expect([upload.status, upload.json()['code']]).toEqual([415, 'UNSUPPORTED_ENCODING'])
  })

  it('identity is no compression', async () => {
    const answer = await server.call('/render', { body, headers: { 'content-encoding': 'identity' } })
    expect(answer.json()['code']).toBe('CLIP_NOT_FOUND')
  })

  it('415 is listed where a body is taken', async () => {
    for (const { paths } of await documents())
      for (const [path, methods] of Object.entries(paths))
        for (const [method, operation] of Object.entries(methods))
          if (Object.hasOwn(operation, 'requestBody'))
            expect([method, path, Object.hasOwn(operation.responses, '415')]).toEqual([method, path, true])
  })
})

describe('a Content-Type of what is no such body', () => {
  it.each([
    ['multipart/form-data', undefined],
    ['multipart/form-data', 'no parts'],
    ['application/json', ''],
  ])(
    '%s with the body %j is an error of the server at no route',
    async (type, body) => {
      const { services, companyId } = server
      const { key } = createApiKey(services, { companyId, name: 'all', scopes: SCOPES })
      const owner = signInAs(server, 'owner')
      // What ends sessions would end the one that the others need.
      const own = createApp(services, '0').routes.filter(
        ({ path }) => !OPEN_ROUTES.has(path) && !/sessions$|sign-out/.test(path),
      )
      const failed: unknown[] = []
      const judge = async (method: string, path: string, more: TestRequest): Promise<void> => {
        const caller = path.startsWith('/studio/') ? owner : server
        const query = path.includes(':companyId') ? '' : `?companyId=${companyId}&clipId=none`
        const headers = { 'content-type': type, 'idempotency-key': newId(), ...more.headers }
        const request = { method, ...more, ...omitUndefined({ body }), headers }
        const { status } = await caller.call(pathOf({ path }, { companyId }) + query, request)
        if (status >= 500) failed.push([method, path, status])
      }
      for (const { method, path } of own) await judge(method, path, { key })
      const delegated = { key: null, headers: { 'x-service-delegation': client.token } }
      for (const { method, path } of DOMAIN_ROUTES) await judge(method, path, delegated)
      expect(failed).toEqual([])
    },
    60_000,
  )

  it('nothing but a body that is read is refused for it', async () => {
    const runId = addRun(server, { workflowId })
    const headers = { 'content-type': 'multipart/form-data' }
    for (const at of [
      (id: string) => `/clip?companyId=acme&clipId=${id}`,
      (id: string) => `/companies/acme/clips/${id}`,
    ]) {
      const path = at(addClip(server, { workflowId, runId }))
      const deleted = await server.call(path, { method: 'DELETE', headers })
      expect([path, deleted.status]).toEqual([path, 200])
    }
    const render = await server.call('/render', { body: 'no parts', headers })
    expect([render.status, render.json()['code']]).toEqual([400, 'INVALID_REQUEST'])
  })
})

describe('lists in a query', () => {
  it('are understood with brackets, as without them', async () => {
    const runId = addRun(server, { workflowId })
    const wanted = addClip(server, { workflowId, runId, document: { keywords: ['a'] } })
    addClip(server, { workflowId, runId, document: { keywords: ['c'] } })
    for (const query of ['keywords=a&keywords=b', 'keywords[]=a&keywords[]=b', 'keywords%5B%5D=a']) {
      const { status, data } = await client.call<{ id: string }[]>('GET', `/clips?${query}`)
      expect([query, status, data.map(({ id }) => id)]).toEqual([query, 200, [wanted]])
    }
  })

  it.each([
    ['/clips?limit[]=5', 'limit'],
    ['/clips?keywords[0]=a', 'keywords'],
    ['/clips?keywords[a][b]=c', 'keywords'],
  ])('%s is refused: it would be left out in silence', async (path, field) => {
    const { status, error } = await client.call('GET', path)
    expect([status, error.code, error.details?.['field']]).toEqual([400, 'VALIDATION_FAILED', field])
  })

  it('a single parameter of the public API with brackets is refused by its name', async () => {
    const answer = await server.call(`/posts?companyId=${server.companyId}&platform[]=tiktok`)
    expect([answer.status, answer.json()['details']]).toEqual([400, { field: 'platform' }])
  })
})

describe('POST /workflows:run', () => {
  it.each([
    ['file:///etc/passwd', {}],
    ['nowhere', { confirmationId: 'no-such' }],
    ['concat:a|b', { workflowId: 'no-such' }],
  ])('judges the address %s before confirmation and workflow', async (url, more) => {
    const json = { workflowId, input: { url }, ...more }
    for (const path of ['/workflows:run', '/workflows:prepare-run']) {
      const { status, error } = await client.call('POST', path, { json, once: `${path} ${url}` })
      const field = path.endsWith('prepare-run') && 'confirmationId' in more ? 'confirmationId' : 'url'
      expect([path, status, error.details?.['field']]).toEqual([path, 400, field])
    }
  })
})
