/** Scopes of keys and grants: the matrix of every route and every scope, made from the routes, with real credentials over the real server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { KEY_MAY } from '../../server/contract/people.ts'
import { SCOPES, WORK_SCOPES, type Scope } from '../../server/contract/scopes.ts'
import { apiKeys } from '../../server/db/schema.ts'
import { createClient, grantAccess } from '../../server/domain/access/clients.ts'
import { issueDelegation } from '../../server/domain/access/delegations.ts'
import { createApiKey, describeApiKeys } from '../../server/domain/people/api-keys.ts'
import { createWebhook } from '../../server/domain/webhooks/webhooks.ts'
import { abilityOf, scopesOf } from '../../server/http/abilities.ts'
import { createApp, OPEN_ROUTES } from '../../server/http/app.ts'
import { RAW_ROUTES } from '../../server/http/bridge.ts'
import { editClipRoute, routeTools } from '../../server/http/mcp/tools.ts'
import { DOMAIN_ROUTES } from '../../server/http/tenant-api/routes.ts'
import { eq } from 'drizzle-orm'
import { domainClient } from '../support/domain.ts'
import { codeOf, pathOf, withoutEffect } from '../support/routes.ts'
import { addCompany, startTestServer, type TestServer } from '../support/server.ts'

interface Route {
  readonly method: string
  readonly path: string
}

/** Routes that identify their caller by something else than a key, a grant or a session. */
const BY_OTHERS: ReadonlySet<string> = new Set([
  '/mcp',
  '/metrics',
  '/studio/sign-in',
  '/public/openapi.json',
])

let server: TestServer
let routes: Route[]
const keys = new Map<Scope, string>()
beforeAll(async () => {
  server = await startTestServer()
  for (const scope of SCOPES)
    keys.set(
      scope,
      createApiKey(server.services, { companyId: server.companyId, name: scope, scopes: [scope] }).key,
    )
  routes = [...createApp(server.services, '0').routes, ...RAW_ROUTES].filter(
    ({ path }) => !OPEN_ROUTES.has(path) && !BY_OTHERS.has(path),
  )
})
afterAll(() => server.close())

const REFUSALS: ReadonlySet<unknown> = new Set(['SCOPE_MISSING', 'ROLE_NOT_ALLOWED'])
const call = (route: Route, key: string) =>
  server.call(pathOf(route, { companyId: server.companyId }), { ...withoutEffect(route), key })
const named = ({ method, path }: Route): string => `${method} ${path}`

describe('scopes of API keys', () => {
  it('every route says which scope opens it, or that none does', () => {
    const domain = DOMAIN_ROUTES.filter(({ access }) => access === 'tenant')
    const silent = [...routes, ...domain].filter(({ method, path }) => scopesOf(method, path) === null)
    // A family of routes is named in WORK or SETTINGS of server/http/abilities.ts.
    expect(silent.map(named)).toEqual([])
    expect(scopesOf('GET', '/studio/no-such-family')).toBe(null)
    expect(scopesOf('POST', '/studio/people')).toEqual([])
  })

  it.each([
    ['GET', '/workflow-results/:triggerId', 'read'],
    ['POST', '/trigger-template', 'trigger'],
    ['DELETE', '/studio/runs/:runId', 'delete'],
    ['POST', '/update-clip', 'edit'],
    ['PATCH', '/clip-transcript', 'edit'],
    ['POST', '/render', 'render'],
    ['POST', '/workflows:run', 'trigger'],
    ['POST', '/clips/{clipId}/render-jobs', 'render'],
    ['POST', '/clips/{clipId}/exports', 'render'],
    ['POST', '/social/posts', 'edit'],
    ['POST', '/social/posts/{postId}:prepare-publish', 'publish'],
    ['POST', '/social/posts/{postId}:publish', 'publish'],
    ['POST', '/social/posts/{postId}:cancel', 'publish'],
    ['DELETE', '/social/posts/{postId}', 'delete'],
    ['POST', '/studio/shares', 'publish'],
    ['POST', '/studio/webhooks', 'admin'],
    ['POST', '/voices', 'admin'],
  ] as const)('%s %s takes "%s"', (method, path, scope) => expect(scopesOf(method, path)).toEqual([scope]))

  it('each scope opens its routes and no other: every route with a key of every scope', async () => {
    const wrong: string[] = []
    const opened = new Map<Scope, number>(SCOPES.map((scope) => [scope, 0]))
    for (const route of routes) {
      const openers = scopesOf(route.method, route.path) ?? []
      for (const scope of SCOPES) {
        if (openers.includes(scope)) opened.set(scope, (opened.get(scope) ?? 0) + 1)
        const answer = await call(route, keys.get(scope) ?? '')
        const code = answer.status === 403 ? codeOf(answer) : null
        const wanted = openers.includes(scope)
          ? null
          : openers.length === 0
            ? 'ROLE_NOT_ALLOWED'
            : 'SCOPE_MISSING'
        const met = REFUSALS.has(code) ? code : null
        if (met !== wanted || answer.status === 401 || answer.status >= 500)
          wrong.push(
            `${named(route)} with ${scope}: ${answer.status} ${String(met)}, wanted ${String(wanted)}`,
          )
      }
    }
    expect(wrong).toEqual([])
    expect([...opened].filter(([, count]) => count === 0)).toEqual([])
    expect(routes.length).toBeGreaterThan(120)
  })

  it('a refusal names the scope that is needed, and those that are there', async () => {
    const answer = await server.call('/render', { json: {}, key: keys.get('read') ?? '' })
    expect(answer.status).toBe(403)
    expect(answer.json()).toMatchObject({
      code: 'SCOPE_MISSING',
      error: expect.stringContaining('"render"') as string,
      details: { needs: ['render'], has: ['read'] },
    })
  })

  it('a key from before there were scopes opens what keys opened, and its list says so', async () => {
    const { id, key } = createApiKey(server.services, { companyId: server.companyId, name: 'old' })
    server.services.db.orm.update(apiKeys).set({ scopes: null }).where(eq(apiKeys.id, id)).run()
    const wrong: string[] = []
    for (const route of routes) {
      const ability = abilityOf(route.method, route.path)
      // A person's own: each of these routes refuses keys by itself.
      if (ability === 'self') continue
      const answer = await call(route, key)
      const refused = answer.status === 403 && REFUSALS.has(codeOf(answer))
      if (refused === KEY_MAY.has(ability)) wrong.push(named(route))
    }
    expect(wrong).toEqual([])
    const listed = describeApiKeys(server.services, server.companyId)
    expect(listed.find((one) => one.id === id)?.scopes).toBe(null)
    // One that is made without a word about scopes is for a company's work.
    const usual = createApiKey(server.services, { companyId: server.companyId, name: 'usual' })
    expect(
      describeApiKeys(server.services, server.companyId).find((one) => one.id === usual.id)?.scopes,
    ).toEqual(WORK_SCOPES)
  })

  it('a key with "admin" reaches the webhooks of its own company, and no other', async () => {
    const other = addCompany(server, 'other')
    const url = 'https://hooks.example/a'
    const theirs = createWebhook(server.services, { companyId: other.companyId, url, events: [] }).webhook.id
    const own = createWebhook(server.services, { companyId: server.companyId, url, events: [] }).webhook.id
    const key = keys.get('admin') ?? ''
    const listed = (await server.call('/studio/webhooks', { key })).json<{ webhooks: { id: string }[] }>()
    expect(listed.webhooks.map(({ id }) => id)).toEqual([own])
    const statusOf = async (id: string, path: string, request: object) =>
      (await server.call(`/studio/webhooks/${id}${path}`, { key, ...request })).status
    const pause = { method: 'PATCH', json: { state: 'paused' } }
    expect(await statusOf(theirs, '', pause)).toBe(404)
    expect(await statusOf(theirs, '/deliveries', {})).toBe(404)
    expect(await statusOf(theirs, '', { method: 'DELETE' })).toBe(404)
    expect(await statusOf(own, '', pause)).toBe(200)
    expect(await statusOf(own, '', { method: 'DELETE' })).toBe(200)
  })
})

describe('scopes of grants', () => {
  const tokens = new Map<Scope, string>()
  beforeAll(async () => {
    const own = await domainClient(server)
    for (const scope of SCOPES) {
      const clientId = `client-for-${scope}`
      createClient(server.services, { id: clientId, companyId: own.companyId })
      const expiresAt = server.services.now() + 3_600_000
      grantAccess(server.services, { clientId, companyId: own.companyId, expiresAt, scopes: [scope] })
      const who = { clientId, companyId: own.companyId, subject: 'ada', lifeSeconds: 3600 }
      tokens.set(scope, await issueDelegation(server.services, who))
    }
  })
  const tenantRoutes = DOMAIN_ROUTES.filter(({ access }) => access === 'tenant')
  const withToken = (scope: Scope) => ({ 'x-service-delegation': tokens.get(scope) ?? '' })

  it('each scope opens its routes and no other: every route with a grant of every scope', async () => {
    const wrong: string[] = []
    const opened = new Set<Scope>()
    for (const route of tenantRoutes) {
      const openers = scopesOf(route.method, route.path) ?? []
      for (const scope of SCOPES) {
        const request = withoutEffect(route)
        const answer = await server.call(pathOf(route), {
          ...request,
          key: null,
          headers: { ...request.headers, ...withToken(scope) },
        })
        const refused = answer.status === 403 && codeOf(answer) === 'SCOPE_MISSING'
        if (refused === openers.includes(scope) || answer.status === 401 || answer.status >= 500)
          wrong.push(`${named(route)} with ${scope}: ${answer.status}`)
        if (!refused) opened.add(scope)
      }
    }
    expect(wrong).toEqual([])
    expect(SCOPES.filter((scope) => !opened.has(scope))).toEqual([])
  })

  it('each tool call of an agent is held to the scope of its own route', async () => {
    const wrong: string[] = []
    const tools = routeTools([...tenantRoutes, editClipRoute])
    for (const [name, { route }] of tools)
      for (const scope of SCOPES) {
        const answer = await server.call('/mcp', {
          key: null,
          json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } },
          headers: { ...withToken(scope), accept: 'application/json, text/event-stream' },
        })
        const { result } = answer.json<{ result: { structuredContent: { error?: { code: string } } } }>()
        const refused = result.structuredContent.error?.code === 'SCOPE_MISSING'
        if (refused === (scopesOf(route.method, route.path) ?? []).includes(scope))
          wrong.push(`${name} with ${scope}: ${answer.text}`)
      }
    expect(wrong).toEqual([])
    expect(tools.size).toBeGreaterThan(25)
  })

  it('are told by GET /context, and stay as they are when a grant is renewed', async () => {
    const { companyId, services } = server
    const scopesNow = async () => {
      const answer = await server.call('/context', { key: null, headers: withToken('read') })
      return answer.json<{ data: { grant: { scopes: unknown } } }>().data.grant.scopes
    }
    expect(await scopesNow()).toEqual(['read'])
    const renewed = { clientId: 'client-for-read', companyId, expiresAt: services.now() + 7_200_000 }
    expect(grantAccess(services, renewed).scopes).toEqual(['read'])
    expect(grantAccess(services, { ...renewed, scopes: ['edit', 'read'] }).scopes).toEqual(['read', 'edit'])
    expect(await scopesNow()).toEqual(['read', 'edit'])
  })
})

describe('the end of a key', () => {
  it('comes at its moment, with a sentence of its own', async () => {
    const { services } = server
    const soon = services.now() + 3_600_000
    const { id, key } = createApiKey(services, {
      companyId: server.companyId,
      name: 'short',
      expiresAt: soon,
    })
    const path = `/workflows?companyId=${server.companyId}`
    expect((await server.call(path, { key })).status).toBe(200)
    services.db.orm
      .update(apiKeys)
      .set({ expiresAt: services.now() - 1 })
      .where(eq(apiKeys.id, id))
      .run()
    // The server remembers a key for a second.
    await expect
      .poll(async () => (await server.call(path, { key })).status, { timeout: 5000, interval: 100 })
      .toBe(401)
    const refused = (await server.call(path, { key })).json<{ code: string; error: string }>()
    expect(refused.code).toBe('INVALID_API_KEY')
    expect(refused.error).toMatch(/ended on \d{4}-\d\d-\d\d/)
  })

  it('lies in the future, and scopes are known ones', () => {
    const { services, companyId } = server
    const make = (more: object) => () => createApiKey(services, { companyId, name: 'no', ...more })
    expect(make({ expiresAt: services.now() })).toThrow(/still to come/)
    expect(make({ expiresAt: Number.NaN })).toThrow(/still to come/)
    expect(make({ scopes: ['read', 'write'] })).toThrow(/no scope "write"/)
    expect(make({ scopes: [] })).toThrow(/one or more/)
  })
})
