/**
 * Security headers of every response: each route of each family, refused and accepted, and addresses that are no route.
 */
import { connect } from 'node:net'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { issueSignInLink } from '../../server/domain/people/sign-in.ts'
import { createApp } from '../../server/http/app.ts'
import { createDomainApp } from '../../server/http/tenant-api/app.ts'
import { COMMON_HEADERS } from '../../server/http/security-headers.ts'
import { addMedia, startTestServer, type TestAnswer, type TestServer } from '../support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

/** Expected in every response, with the exceptions in `except`. */
function check({ headers, status }: TestAnswer, what: string, except: Readonly<Record<string, RegExp>> = {}) {
  for (const [name, value] of COMMON_HEADERS) {
    const own = except[name]
    if (own === undefined) expect(headers[name], `${name} of ${what}: ${status}`).toBe(value)
    else expect(headers[name] ?? '', `${name} of ${what}: ${status}`).toMatch(own)
  }
  expect(headers['x-request-id'], what).toBeDefined()
  expect(headers['x-powered-by'] ?? headers['server'], what).toBeUndefined()
}

interface Route {
  readonly method: string
  readonly path: string
}

const fill = (path: string): string => path.replaceAll(/:[\w-]+/g, 'x').replaceAll('*', 'x')

test('every route of the public, the studio and the domain API', async () => {
  const routes: Route[] = [
    ...(createApp(server.services, '0.0.0').routes as Route[]),
    ...(createDomainApp(server.services).routes as Route[]),
  ]
  expect(routes.length).toBeGreaterThan(80)
  for (const { method, path } of routes) {
    const body = method === 'GET' || method === 'DELETE' ? {} : { json: {} }
    for (const key of [server.key, null]) {
      const answer = await server.call(fill(path), { method, key, ...body })
      // Only what a browser may cache has another value than no-store.
      check(answer, `${method} ${path}`, { 'cache-control': /^(?:no-store|no-cache|private.*)$/ })
    }
  }
})

test('routes outside the router: sign-in, events, uploads, agents, worker nodes, and unknown addresses', async () => {
  const link = new URL(issueSignInLink(server.services, server.url))
  const signedIn = await server.call(`${link.pathname}${link.search}`, { key: null })
  expect(signedIn.status).toBe(303)
  check(signedIn, 'sign-in')
  for (const [method, path] of [
    ['GET', '/studio/sign-in?token=wrong'],
    ['POST', '/studio/sign-out'],
    ['GET', '/studio/events'],
    ['PUT', '/studio/uploads?name=a.mp4'],
    ['POST', '/mcp'],
    ['GET', '/internal/worker/files/x'],
    ['GET', '/nowhere'],
    ['GET', '/%E0%A4%A'],
    ['PATCH', '/health'],
    ['OPTIONS', '/trigger-template'],
    ['TRACE', '/health'],
  ] as const)
    check(await server.call(path, { method, key: null }), `${method} ${path}`, {
      // The page about a used link has its own style.
      ...(path.startsWith('/studio/sign-in') ? { 'content-security-policy': /^default-src 'none'/ } : {}),
    })
  check(await server.call('/health', { headers: { host: 'evil.example' } }), 'another host')
  check(await server.call('/health', { headers: { origin: 'https://evil.example' } }), 'another origin')
  check(await server.call('/trigger-template', { body: 'x'.repeat(2_000_000) }), 'a body beyond measure')
})

test('the studio: same-origin scripts and connections only', async () => {
  const policy =
    /^default-src 'none'; script-src 'self';.*frame-ancestors 'none'|^default-src 'none'; style-src/
  const fonts = readdirSync(join(server.services.config.resources, 'fonts'))
  const font = fonts.find((name) => name.endsWith('.ttf'))
  for (const path of ['/', ...(font === undefined ? [] : [`/fonts/${font}`])])
    check(await server.call(path, { key: null }), path, {
      'content-security-policy': policy,
      'cache-control': /no-cache|no-store/,
    })
})

test('media: usable by any page, without running scripts', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  const media = await addMedia(server, 'picture.svg', svg, 'image/svg+xml')
  const open = {
    'x-frame-options': /^$/,
    'cross-origin-resource-policy': /^cross-origin$/,
    'cache-control': /max-age=60/,
    'content-security-policy': /^default-src 'none';(?!.*script-src).*; sandbox$/,
  }
  check(await server.call(media.path, { key: null }), 'media', open)
  check(await server.call(media.path, { method: 'HEAD', key: null }), 'its head', open)
  check(await server.call('/media/none/a.mp4', { key: null }), 'no media', {
    'cross-origin-resource-policy': /origin$/,
  })
})

test.each([
  ['what is not HTTP', 'nonsense', 400],
  ['no Host', 'GET /health HTTP/1.1\r\nConnection: close', 403],
  ['two Hosts', 'GET /health HTTP/1.1\r\nHost: localhost\r\nhost: evil.example\r\nConnection: close', 400],
  ['an expectation', 'GET /health HTTP/1.1\r\nHost: localhost\r\nExpect: x\r\nConnection: close', 200],
])('%s', async (_, head, status) => {
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1', () => socket.write(`${head}\r\n\r\n`))
    let text = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    socket.once('end', () => resolve(text)).once('error', reject)
  })
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status}`))
  for (const [name, value] of COMMON_HEADERS) expect(answer).toContain(`${name}: ${value}\r\n`)
  expect(answer).toMatch(/^x-request-id: [\w-]+\r$/im)
})
