/** The token that a worker node joins with opens nothing else: every route with it, however it is sent. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { issueServiceToken, verifyServiceToken } from '../../server/domain/access/service-tokens.ts'
import { createApp, OPEN_ROUTES } from '../../server/http/app.ts'
import { RAW_ROUTES } from '../../server/http/bridge.ts'
import { DOMAIN_ROUTES } from '../../server/http/tenant-api/routes.ts'
import { pathOf, withoutEffect } from '../support/routes.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

let server: TestServer
let token: string
beforeAll(async () => {
  server = await startTestServer()
  token = await issueServiceToken(server.services, { subject: 'render-1', lifeSeconds: 3600, joins: true })
})
afterAll(() => server.close())

/** They identify nobody, or by something else. */
const UNASKED: ReadonlySet<string> = new Set(['/public/openapi.json', '/studio/sign-in', '/metrics'])
const FILES = ['sources/x', 'artefacts/ingest/x/0', 'blobs/x'].map((path) => `/internal/worker/files/${path}`)
const bearer = () => ({ authorization: `Bearer ${token}` })

it('the two calls of joining, and no other route', async () => {
  const routes = [
    ...[...createApp(server.services, '0').routes, ...RAW_ROUTES].filter(
      ({ path }) => !OPEN_ROUTES.has(path) && !UNASKED.has(path),
    ),
    ...DOMAIN_ROUTES,
    ...FILES.map((path) => ({ method: path.includes('blobs') ? 'PUT' : 'GET', path })),
  ]
  const opened: string[] = []
  for (const route of routes)
    for (const headers of [bearer(), { 'x-service-delegation': token }]) {
      const request = withoutEffect(route)
      const answer = await server.call(pathOf(route), {
        ...request,
        key: null,
        headers: { ...request.headers, ...headers },
      })
      if (answer.status !== 401) opened.push(`${route.method} ${route.path} ${answer.status}`)
    }
  // This appliance takes no worker nodes, which only somebody who was let in is told.
  expect(opened).toEqual(['GET /internal/worker 409', 'POST /internal/worker/token 200'])
  expect(routes.length).toBeGreaterThan(180)
})

it('gives way to the node’s own, which joins nobody else', async () => {
  const answer = await server.call('/internal/worker/token', { method: 'POST', key: null, headers: bearer() })
  const own = answer.json<{ data: { token: string } }>().data.token
  const identity = await verifyServiceToken(server.services, own)
  expect(identity).toMatchObject({ subject: 'render-1', node: { id: expect.any(String) as string } })
  expect(identity.joins).toBeUndefined()
})
