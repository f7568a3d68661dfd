/** Rules that hold on every route: addresses, methods, hosts, limits, ids, headers, envelopes. */
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addWorkflow, startTestServer, type TestServer } from '../support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ config: { allowedHosts: ['studio.lan'] } })
})
afterAll(() => server.close())

const MEGABYTE = 1024 ** 2

describe('addresses and methods', () => {
  it.each([
    '/nowhere',
    '/clip/extra',
    '/companies',
    '/%zz',
    '//clip',
    '/trigger-template/x',
    '/..%2f..%2fetc/passwd',
  ])('unknown route %s: 404 NOT_FOUND in the public envelope', async (path) => {
    const answer = await server.call(path)
    expect(answer.status).toBe(404)
    expect(answer.json()).toEqual({
      error: 'There is nothing at this address.',
      status: 'error',
      code: 'NOT_FOUND',
      requestId: answer.headers['x-request-id'],
    })
  })

  it.each([
    ['GET', '/trigger-template', 'POST, OPTIONS'],
    ['PUT', '/clip', 'GET, DELETE, HEAD, OPTIONS'],
    ['PUT', '/companies/acme/clips/1', 'GET, DELETE, HEAD, OPTIONS'],
    ['POST', '/media/abc/clip.mp4', 'GET, HEAD, OPTIONS'],
    ['POST', '/studio/uploads', 'PUT, OPTIONS'],
  ])('known path, wrong method: %s %s is 405 with Allow: %s', async (method, path, allow) => {
    const answer = await server.call(path, { method, key: null })
    expect(answer.status).toBe(405)
    expect(answer.headers.allow).toBe(allow)
    expect(answer.json()).toMatchObject({ code: 'METHOD_NOT_ALLOWED' })
  })

  it('OPTIONS on a known path lists its methods, and grants nothing to other sites', async () => {
    const answer = await server.call('/render', { method: 'OPTIONS', key: null })
    expect([answer.status, answer.headers.allow]).toEqual([204, 'POST, OPTIONS'])
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  })

  it('HEAD responds like GET, without the body', async () => {
    const path = `/workflows?companyId=${server.companyId}`
    const head = await server.call(path, { method: 'HEAD' })
    const get = await server.call(path)
    expect([head.status, head.bytes.length]).toEqual([200, 0])
    expect(head.headers['content-length']).toBe(get.headers['content-length'])
  })

  it('GET /health needs no key and reports ok and the version', async () => {
    const answer = await server.call('/health', { key: null })
    expect(answer.status).toBe(200)
    expect(answer.json()).toEqual({
      status: 'ok',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/) as string,
    })
  })

  it('bytes that are not HTTP get a 400 and a closed connection', async () => {
    const text = await new Promise<string>((resolve, reject) => {
      const socket = connect(server.port, '127.0.0.1', () => socket.write('hello there\r\n\r\n'))
      let seen = ''
      socket.on('data', (chunk) => (seen += chunk.toString()))
      socket.once('close', () => resolve(seen)).once('error', reject)
    })
    expect(text).toMatch(/^HTTP\/1\.1 400 .*Connection: close.*"INVALID_REQUEST"/s)
  })
})

describe('hosts and origins', () => {
  it.each(['evil.example', 'evil.example:80', '10.0.0.9', 'localhost.evil.example', 'a b', '[::2]'])(
    'Host %s is refused: a foreign name that resolves to this machine',
    async (host) => {
      const answer = await server.call('/health', { headers: { host } })
      expect([answer.status, answer.json()['code']]).toEqual([403, 'FORBIDDEN_HOST'])
    },
  )

  it.each([
    'localhost:4810',
    'LOCALHOST',
    '127.0.0.1',
    '127.0.0.9:1',
    '[::1]:4810',
    'studio.lan',
    'studio.lan:80',
  ])('Host %s is accepted', async (host) => {
    expect((await server.call('/health', { headers: { host } })).status).toBe(200)
  })

  it.each(['https://evil.example', 'null'])('a page of origin %s is refused', async (origin) => {
    const answer = await server.call('/health', { headers: { origin } })
    expect([answer.status, answer.json()['code']]).toEqual([403, 'FORBIDDEN_HOST'])
  })

  it('a short Host reaches routes like any other host', async () => {
    const answer = await server.call(`/workflows?companyId=${server.companyId}`, {
      headers: { host: '[::1]' },
    })
    expect(answer.status).toBe(200)
  })
})

describe('request ids and headers', () => {
  it('every response carries X-Request-Id; a valid incoming one is used', async () => {
    const stored = await server.call('/nowhere', { headers: { 'x-request-id': 'job-42:a.b_c~1' } })
    expect(stored.headers['x-request-id']).toBe('job-42:a.b_c~1')
    expect(stored.json()['requestId']).toBe('job-42:a.b_c~1')
    const made = await server.call('/health')
    expect(made.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })

  it.each(['x'.repeat(129), 'two words', 'semi;colon', '"quoted"'])(
    'X-Request-Id %s is replaced',
    async (given) => {
      const answer = await server.call('/health', { headers: { 'x-request-id': given } })
      expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    },
  )

  it('responses carry nosniff, no framing, no referrer, no caching', async () => {
    for (const path of ['/health', '/nowhere', `/workflows?companyId=${server.companyId}`]) {
      expect((await server.call(path)).headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      })
    }
  })
})

describe('bodies', () => {
  it.each([
    ['', 'The request has no body; send a JSON object.'],
    ['{"companyId":', 'The body is not JSON.'],
    ['[1]', 'The body should be a JSON object.'],
    ['null', 'The body should be a JSON object.'],
    ['"text"', 'The body should be a JSON object.'],
  ])('body %j: 400 INVALID_REQUEST', async (body, error) => {
    const answer = await server.call('/render', { method: 'POST', body })
    expect(answer.status).toBe(400)
    expect(answer.json()).toMatchObject({ code: 'INVALID_REQUEST', error, details: { field: 'body' } })
  })

  it('a body that is nested too deeply: 400 INVALID_REQUEST', async () => {
    const body = `{"a":${'['.repeat(6000)}${']'.repeat(6000)}}`
    const answer = await server.call('/render', { method: 'POST', body })
    expect([answer.status, answer.json()['error']]).toEqual([
      400,
      'The body is nested in more than 64 levels.',
    ])
  })

  it('a JSON body is read whatever its Content-Type is', async () => {
    const body = JSON.stringify({ companyId: server.companyId, clipId: 'none' })
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=utf-8',
    ]) {
      const answer = await server.call('/render', { body, headers: { 'content-type': type } })
      expect([type, answer.json()['code']]).toEqual([type, 'CLIP_NOT_FOUND'])
    }
    const answer = await server.call('/render', { body })
    expect(answer.json()['code']).toBe('CLIP_NOT_FOUND')
  })

  it('body over 1 MiB by Content-Length: 413 PAYLOAD_TOO_LARGE, connection closed', async () => {
    const answer = await server.call('/render', { body: Buffer.alloc(MEGABYTE + 1, 0x20) })
    expect([answer.status, answer.headers.connection]).toEqual([413, 'close'])
    expect(answer.json()).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', status: 'error' })
  })

  it('body over 1 MiB in chunks, without a length: 413 PAYLOAD_TOO_LARGE', async () => {
    const chunks = Array.from({ length: 24 }, () => Buffer.alloc(64 * 1024, 0x20))
    const answer = await server.call('/render', { body: chunks })
    expect([answer.status, answer.headers.connection]).toEqual([413, 'close'])
    expect(answer.json()).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
  })

  it('a body of exactly 1 MiB is read', async () => {
    const start = `{"companyId":"${server.companyId}","clipId":"x","pad":"`
    const body = `${start}${'p'.repeat(MEGABYTE - start.length - 2)}"}`
    expect(Buffer.byteLength(body)).toBe(MEGABYTE)
    const answer = await server.call('/render', { body })
    expect(answer.json()['code']).toBe('CLIP_NOT_FOUND')
  })
})

describe('an unexpected error', () => {
  it('is 500 INTERNAL without internal details, and is logged with its request id', async () => {
    const broken = await startTestServer()
    const workflowId = addWorkflow(broken)
    broken.services.db.sqlite.exec('drop table operations')
    const answer = await broken.call('/trigger-template', {
      json: { companyId: broken.companyId, workflowId, url: 'https://example.com/a.mp4' },
      headers: { 'x-request-id': 'find-me' },
    })
    expect(answer.status).toBe(500)
    expect(answer.json()).toEqual({
      error: 'Something went wrong here. Quote the request id when you report it.',
      status: 'error',
      code: 'INTERNAL',
      requestId: 'find-me',
    })
    const logged = broken.log.find((line) => line['requestId'] === 'find-me')
    expect(logged).toMatchObject({ level: 'error', code: 'INTERNAL', path: '/trigger-template' })
    expect(JSON.stringify(logged)).toContain('no such table: operations')
    expect(JSON.stringify(logged)).not.toContain(broken.key)
    await broken.close()
  })
})

describe('the OpenAPI document', () => {
  it('lists every public route with its path parameters, and needs no key', async () => {
    const answer = await server.call('/public/openapi.json', { key: null })
    const document = answer.json<{ openapi: string; paths: Record<string, Record<string, unknown>> }>()
    expect(document.openapi).toBe('3.1.0')
    expect(Object.keys(document.paths).sort()).toEqual([
      '/clip',
      '/clip-transcript',
      '/companies/{companyId}/clips/{clipId}',
      '/companies/{companyId}/clips/{clipId}/transcript',
      '/companies/{companyId}/posts',
      '/companies/{companyId}/posts/{postId}/analytics',
      '/companies/{companyId}/webhooks',
      '/companies/{companyId}/webhooks/{webhookId}',
      '/companies/{companyId}/workflow-results',
      '/companies/{companyId}/workflows',
      '/companies/{companyId}/workflows/{workflowId}',
      '/health',
      '/post-analytics',
      '/posts',
      '/ready',
      '/render',
      '/trigger-template',
      '/update-clip',
      '/uploads',
      '/uploads/{uploadId}',
      '/webhooks',
      '/webhooks/{webhookId}',
      '/workflow',
      '/workflow-results',
      '/workflow-results/{triggerId}',
      '/workflow-results/{triggerId}/cancel',
      '/workflows',
    ])
    expect(document.paths['/trigger-template']?.['post']).toMatchObject({
      requestBody: {
        content: { 'application/json': { schema: { $ref: '#/components/schemas/TriggerRequest' } } },
      },
    })
  })
})
