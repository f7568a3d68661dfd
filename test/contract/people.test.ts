/** People, roles, the audit log and limits: held against every route that is registered, so that a new one is held too. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AuditPage } from '../../server/contract/audit.ts'
import { ABILITIES, ROLE_MAY, type Ability } from '../../server/contract/people.ts'
import { flushAudit, readAudit } from '../../server/domain/people/audit.ts'
import { invitePerson } from '../../server/domain/people/people.ts'
import { issueSignInLink } from '../../server/domain/people/sign-in.ts'
import { abilityOf, isRecorded } from '../../server/http/abilities.ts'
import { createApp } from '../../server/http/app.ts'
import { RAW_ROUTES } from '../../server/http/bridge.ts'
import { declaredPath, routerPath } from '../../server/http/tenant-api/paths.ts'
import { DOMAIN_ROUTES } from '../../server/http/tenant-api/routes.ts'
import { routeIndex } from '../../server/http/route-index.ts'
import { signInAs, type SignedIn } from '../support/people.ts'
import { addCompany, startTestServer, type TestServer } from '../support/server.ts'

interface Route {
  readonly method: string
  /** As it is declared. */
  readonly path: string
  readonly family: 'public' | 'domain'
}

let server: TestServer
let owner: SignedIn
let editor: SignedIn
let viewer: SignedIn
let routes: Route[]
beforeAll(async () => {
  server = await startTestServer()
  owner = signInAs(server, 'owner')
  editor = signInAs(server, 'editor')
  viewer = signInAs(server, 'viewer')
  const app = createApp(server.services, '0')
  routes = [
    ...[...app.routes, ...RAW_ROUTES].map(({ method, path }) => ({
      method,
      path,
      family: 'public' as const,
    })),
    ...DOMAIN_ROUTES.map(({ method, path }) => ({ method, path, family: 'domain' as const })),
  ]
})
afterAll(() => server.close())

/** An address of the route with values that nothing has. */
const addressOf = ({ path, family }: Route): string =>
  path.replaceAll(family === 'domain' ? /\{\w+\}/g : /:\w+/g, 'no-such-thing')
/** Of machines, by their own identity: no session gets there, whatever its role. */
const forPeople = ({ path }: Route): boolean => !path.startsWith('/internal/') && path !== '/mcp'
const changes = ({ method, path }: Route): boolean =>
  method !== 'GET' && !['read', 'self'].includes(abilityOf(method, path))
const requested = ({ method }: Route) => ({
  ...(method === 'GET' ? { method } : { method, json: {} }),
  headers: { 'idempotency-key': `k-${Math.random()}` },
})
const codeOf = (answer: { text: string }): unknown => {
  const { code, error } = JSON.parse(answer.text) as { code?: string; error?: { code?: string } }
  return code ?? error?.code
}

describe('roles', () => {
  it('every ability has a route, and each route matches one template', () => {
    const used = new Set<Ability>(routes.map(({ method, path }) => abilityOf(method, path)))
    expect(ABILITIES.filter((one) => !used.has(one))).toEqual([])
    for (const family of ['public', 'domain'] as const) {
      const own = routes.filter((route) => route.family === family)
      const inside = own.map(({ method, path }) => ({
        method,
        path: family === 'domain' ? routerPath(path) : path,
      }))
      const index = routeIndex(inside)
      // If two templates matched one address, the wrong one could determine the permission.
      for (const { path } of inside) {
        const address = path.replaceAll(/:\w+/g, 'x')
        expect(index.template(address)?.replaceAll(/:\w+/g, 'x')).toBe(address)
      }
      if (family === 'domain') for (const { path } of own) expect(declaredPath(routerPath(path))).toBe(path)
    }
  })

  it('a viewer changes nothing: every changing route refuses, and each refusal is audited', async () => {
    const closed = routes.filter((route) => changes(route) && forPeople(route))
    expect(closed.length).toBeGreaterThan(45)
    const wrong: string[] = []
    for (const route of closed) {
      const answer = await viewer.call(addressOf(route), requested(route))
      if (answer.status !== 403 || codeOf(answer) !== 'ROLE_NOT_ALLOWED')
        wrong.push(`${route.method} ${route.path}: ${answer.status} ${answer.text}`)
    }
    expect(wrong).toEqual([])
    const rows = readAudit(server.services, { limit: 500 }).rows.filter(({ actor }) => actor.id === viewer.id)
    const seen = rows.map(({ method, route }) => `${method} ${route}`)
    expect(
      closed.map(({ method, path }) => `${method} ${path}`).filter((one) => !seen.includes(one)),
    ).toEqual([])
    expect(rows.every(({ status, actor }) => status === 403 && actor.name === 'Some viewer')).toBe(true)
  })

  it('an editor is refused routes for owners, reading included, and may use the routes for editors', async () => {
    const refused: string[] = []
    const wanted: string[] = []
    for (const route of routes.filter(forPeople)) {
      const ability = abilityOf(route.method, route.path)
      if (ROLE_MAY.editor.has(ability) && !changes(route)) continue
      const answer = await editor.call(addressOf(route), requested(route))
      if (codeOf(answer) === 'ROLE_NOT_ALLOWED') refused.push(`${route.method} ${route.path}`)
      if (!ROLE_MAY.editor.has(ability)) wanted.push(`${route.method} ${route.path}`)
    }
    expect(refused).toEqual(wanted)
    expect(wanted).toContain('POST /confirmations/{confirmationId}:decide')
    expect(wanted).toContain('GET /studio/audit')
  })

  it('an API key opens none of the routes for owners', async () => {
    for (const path of [
      '/studio/people',
      '/studio/audit',
      '/studio/keys',
      '/studio/backups',
      '/studio/storage',
    ])
      expect(codeOf(await server.call(path))).toBe('ROLE_NOT_ALLOWED')
    expect((await server.call('/studio/keys', { json: { name: 'more' } })).status).toBe(403)
    expect(codeOf(await server.call('/studio/webhooks'))).toBe('SCOPE_MISSING')
    expect((await server.call('/studio/models')).status).toBe(200)
  })

  it.each(['..\\', '%2e%2e\\', '..\\..\\studio\\'])(
    'an address that URL parsing rewrites (%s) does not circumvent roles',
    async (up) => {
      const around = async (who: SignedIn, path: string, request?: Parameters<SignedIn['call']>[1]) =>
        expect([path, (await who.call(path, request)).status]).toEqual([path, 404])
      await around(viewer, `/studio/clips/${up}audit`)
      await around(viewer, `/studio/runs/../audit`)
      await around(editor, `/studio/library/items/${up}..\\people\\${editor.id}`, {
        method: 'PATCH',
        json: { role: 'owner' },
      })
      await around(editor, `/clips/..\\confirmations\\x:decide`, { json: { decision: 'approve' } })
      await around(viewer, `/studio/people#`)
      expect((await server.call(`/studio/clips/${up}people`)).status).toBe(404)
      const people = (await owner.call('/studio/people')).json<{ people: { id: string; role: string }[] }>()
      expect(people.people.find(({ id }) => id === editor.id)?.role).toBe('editor')
    },
  )

  it('a person of one company sees that company only, by every family of routes', async () => {
    const other = addCompany(server, 'other')
    const bound = signInAs(server, 'editor', other.companyId)
    const session = (await bound.call('/studio/session')).json<{ companyId: string; companies: unknown[] }>()
    expect([session.companyId, session.companies.length]).toEqual(['other', 1])
    expect((await bound.call(`/studio/runs?companyId=${server.companyId}`)).status).toBe(401)
    expect((await bound.call(`/workflows?companyId=${server.companyId}`)).status).toBe(401)
    expect((await bound.call('/workflows?companyId=other')).status).toBe(200)
    const context = (await bound.call('/context')).json<{
      data: { organization: { id: string }; principal: object }
    }>()
    expect(context.data.organization.id).toBe('other')
    expect(context.data.principal).toEqual({ id: bound.id, kind: 'session' })
  })

  it('a window shows the company that it names, and no other in place of one that the person may not open', async () => {
    const third = addCompany(server, 'third')
    const organization = async (who: SignedIn, company: string) => {
      const answer = await who.call('/context', { headers: { 'x-cutroom-company': company } })
      const { status } = await who.call('/studio/runs', { headers: { 'x-cutroom-company': company } })
      return [status, answer.json<{ data?: { organization: { id: string } } }>().data?.organization.id]
    }
    expect(await organization(owner, third.companyId)).toEqual([200, 'third'])
    expect(await organization(owner, 'nobody')).toEqual([404, undefined])
    const bound = signInAs(server, 'editor', 'third')
    expect(await organization(bound, 'third')).toEqual([200, 'third'])
    expect(await organization(bound, server.companyId)).toEqual([404, undefined])
    const listed = await owner.call('/studio/keys', { headers: { 'x-cutroom-company': 'third' } })
    const ownersOf = (answer: { json: <T>() => T }) =>
      new Set(answer.json<{ keys: { companyId: string }[] }>().keys.map(({ companyId }) => companyId))
    expect([...ownersOf(listed)]).toEqual(['third'])
    expect(ownersOf(await owner.call('/studio/keys')).has(server.companyId)).toBe(true)
  })
})

describe('people', () => {
  interface Invited {
    person: { id: string; role: string }
    link: string
  }
  const invite = async (name: string, role: string) =>
    (await owner.call('/studio/people', { json: { name, role } })).json<Invited>()

  it('are invited by a link that works once, are changed, signed out and removed', async () => {
    const { person, link } = await invite('Ada', 'viewer')
    const { pathname, search } = new URL(link)
    const cookie = (await server.call(pathname + search, { key: null })).headers['set-cookie']?.[0] ?? ''
    expect(cookie).toContain('HttpOnly; SameSite=Strict')
    expect((await server.call(pathname + search, { key: null })).status).toBe(401)
    const ada = (path: string, method = 'GET') =>
      server.call(path, {
        key: null,
        method,
        headers: { cookie: cookie.split(';')[0] ?? '', 'sec-fetch-site': 'same-origin' },
      })
    expect((await ada('/studio/session')).json<{ person: unknown }>().person).toEqual({
      id: person.id,
      name: 'Ada',
      role: 'viewer',
    })
    expect((await ada('/studio/people')).status).toBe(403)
    await owner.call(`/studio/people/${person.id}`, { method: 'PATCH', json: { role: 'owner' } })
    // From the next request on, in the session that she has.
    const listed = (await ada('/studio/people')).json<{ people: { name: string; sessions: number }[] }>()
      .people
    expect(listed.find(({ name }) => name === 'Ada')).toMatchObject({
      sessions: 1,
      lastSeenAt: expect.any(String) as string,
    })
    expect((await owner.call(`/studio/people/${person.id}/sessions`, { method: 'DELETE' })).json()).toEqual({
      ended: 1,
    })
    expect((await ada('/studio/session')).status).toBe(401)
    const again = (await owner.call(`/studio/people/${person.id}/link`, { method: 'POST' })).json<Invited>()
    expect(again.link).not.toBe(link)
    expect((await owner.call(`/studio/people/${person.id}`, { method: 'DELETE' })).status).toBe(200)
    const late = new URL(again.link)
    expect((await server.call(late.pathname + late.search, { key: null })).status).toBe(401)
  })

  it('always include one owner', async () => {
    const own = await startTestServer()
    try {
      const first = signInAs(own, 'owner')
      const demote = { method: 'PATCH', json: { role: 'editor' } }
      const refusals = [
        await first.call(`/studio/people/${first.id}`, demote),
        await first.call(`/studio/people/${first.id}`, { method: 'DELETE' }),
      ]
      expect(refusals.map(codeOf)).toEqual(['INVALID_STATE', 'INVALID_STATE'])
      const second = signInAs(own, 'owner')
      expect((await second.call(`/studio/people/${first.id}`, demote)).status).toBe(200)
      expect((await second.call(`/studio/people/${second.id}`, { method: 'DELETE' })).status).toBe(409)
      const scoped = { method: 'PATCH', json: { role: 'owner', scope: 'acme' } }
      expect(codeOf(await second.call(`/studio/people/${first.id}`, scoped))).toBe('INVALID_REQUEST')
    } finally {
      await own.close()
    }
  })

  it('keep sessions of versions without people, as the first owner', async () => {
    const own = await startTestServer()
    try {
      const { sqlite } = own.services.db
      const insert = 'insert into sessions (hash, kind, created_at, expires_at) values (?, ?, 1, 1e14)'
      sqlite.prepare(insert).run('old', 'session')
      issueSignInLink(own.services, own.url)
      const row = sqlite.prepare("select person_id as id from sessions where hash = 'old'").get() as {
        id: string
      }
      const people = sqlite.prepare('select id, role from people').all()
      expect(people).toEqual([{ id: row.id, role: 'owner' }])
    } finally {
      await own.close()
    }
  })
})

describe('the audit log', () => {
  const rowsOf = (method: string, route: string) =>
    readAudit(server.services, { limit: 500 }).rows.filter(
      (row) => row.method === method && row.route === route,
    )

  it('has a row for each call of a changing route, by an owner too', async () => {
    const recorded = routes.filter(({ method, path }) => isRecorded(method, path))
    const unrecorded = routes.filter(({ method, path }) => method !== 'GET' && !isRecorded(method, path))
    // Reads that send a body, and what carries calls that leave rows of their own.
    expect(unrecorded.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /studio/clips/:clipId/compose',
      'POST /studio/clips/:clipId/thumbnail',
      'POST /studio/workflow-preview',
      'POST /mcp',
    ])
    for (const route of recorded) {
      // Not what begins work on this machine, nor the end of the caller's own session.
      if (/backups$|hardware|sign-out/.test(route.path)) continue
      await owner.call(addressOf(route), requested(route))
    }
    await owner.call('/internal/worker/files/blobs/abc', { method: 'PUT', body: 'x' })
    const seen = new Set(
      readAudit(server.services, { limit: 500 }).rows.map((row) => `${row.method} ${row.route}`),
    )
    const missing = recorded.map(({ method, path }) => `${method} ${path}`).filter((one) => !seen.has(one))
    expect(missing).toEqual(['POST /studio/sign-out'])
    expect(seen).toContain('PUT /internal/worker/files/blobs/{sha256}')
  })

  it('records person, company, subject and outcome, and holds no secret and no address', async () => {
    const requestId = 'audit-request-1'
    await server.call('/update-clip', {
      headers: { 'x-request-id': requestId },
      json: {
        companyId: server.companyId,
        clipId: 'clip-9',
        updates: { title: 'Never to be read in a log' },
      },
    })
    expect(rowsOf('POST', '/update-clip').find((row) => row.requestId === requestId)).toMatchObject({
      companyId: 'acme',
      resourceId: 'clip-9',
      status: 404,
      actor: { kind: 'key', name: null },
    })
    await owner.call('/studio/runs/run-7/resume', { method: 'POST' })
    expect(rowsOf('POST', '/studio/runs/:runId/resume')[0]).toMatchObject({
      companyId: 'acme',
      resourceId: 'run-7',
      status: 404,
      actor: { kind: 'person', id: owner.id, name: 'Some owner' },
    })
    const token = 'a-token-that-is-wrong'
    await server.call(`/studio/sign-in?token=${token}`, { key: null })
    await server.call('/render', { key: 'ck_wrong', json: { clipId: 'x' } })
    expect(rowsOf('GET', '/studio/sign-in')[0]).toMatchObject({ status: 401, actor: { kind: 'nobody' } })
    expect(rowsOf('POST', '/render')[0]).toMatchObject({
      status: 401,
      companyId: null,
      actor: { kind: 'nobody' },
    })
    const { link } = invitePerson(server.services, { name: 'Bo', role: 'viewer', baseUrl: server.url })
    await server.call(new URL(link).pathname + new URL(link).search, { key: null })
    expect(rowsOf('GET', '/studio/sign-in')[0]).toMatchObject({
      status: 303,
      actor: { kind: 'person', name: 'Bo' },
    })
    readAudit(server.services, {})
    const stored = JSON.stringify(server.services.db.sqlite.prepare('select * from audit_log').all())
    for (const secret of [
      token,
      server.key,
      owner.secret,
      'Never to be read',
      'ck_wrong',
      new URL(link).search,
    ])
      expect(stored).not.toContain(secret)
  })

  it('is read page by page by owners, filtered by start time and outcome', async () => {
    const first = (await owner.call('/studio/audit?limit=5')).json<AuditPage>()
    expect([first.rows.length, first.keptDays]).toEqual([5, 365])
    const second = (await owner.call(`/studio/audit?limit=5&before=${first.next ?? 0}`)).json<AuditPage>()
    expect(second.rows[0]?.id).toBeLessThan(first.rows[4]?.id ?? 0)
    const done = (await owner.call('/studio/audit?outcome=done&limit=500')).json<AuditPage>()
    expect(done.rows.every(({ status }) => status < 400)).toBe(true)
    expect((await owner.call('/studio/audit?since=2100-01-01')).json<AuditPage>().rows).toEqual([])
    expect((await owner.call('/studio/audit?since=yesterday')).status).toBe(400)
  })

  it('buffers rows that cannot be stored, and stores them once', async () => {
    const { sqlite } = server.services.db
    sqlite.exec('alter table audit_log rename to audit_away')
    await server.call('/render', { headers: { 'x-request-id': 'kept-for-later' }, json: {} })
    flushAudit(server.services)
    sqlite.exec('alter table audit_away rename to audit_log')
    const saved = () => rowsOf('POST', '/render').filter(({ requestId }) => requestId === 'kept-for-later')
    expect([saved().length, saved().length]).toEqual([1, 1])
    expect(server.log.some(({ message, msg }) => /could not be stored/.test(String(message ?? msg)))).toBe(
      true,
    )
  })

  it('is stored for the configured time, and complete when the database is closed', async () => {
    let now = Date.UTC(2026, 0, 1)
    const own = await startTestServer({ now: () => now, config: { auditDays: 30 } })
    try {
      await own.call('/render', { key: null, json: {} })
      expect(readAudit(own.services, {}).rows).toHaveLength(1)
      now += 31 * 86_400_000
      await own.call('/update-clip', { key: null, json: {} })
      expect(readAudit(own.services, {}).rows.map(({ route }) => route)).toEqual(['/update-clip'])
      await own.call('/trigger-template', { key: null, json: {} })
      const counted = own.services.db.sqlite.prepare('select count(*) from audit_log').pluck()
      let atEnd: unknown = null
      own.services.db.beforeClose(() => (atEnd = counted.get()))
      own.services.db.close()
      expect(atEnd).toBe(2)
    } finally {
      await own.close()
    }
  })
})

describe('limits', () => {
  it('answer 429 with Retry-After, by key and by address, and leave no rows', async () => {
    const rateLimits = { ...server.services.config.rateLimits, mode: 'on' as const, perSecond: 1, burst: 5 }
    const own = await startTestServer({
      config: { rateLimits: { ...rateLimits, failuresPerMinute: 3, signInsPerMinute: 2 } },
    })
    try {
      const other = addCompany(own, 'other')
      const requests: string[] = []
      for (let at = 0; at < 8; at++) {
        const answer = await own.call('/update-clip', { json: {} })
        requests.push(`${answer.status}`)
        if (answer.status !== 429) continue
        expect(codeOf(answer)).toBe('RATE_LIMITED')
        expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1)
      }
      // A slow machine may have earned one more on the way.
      expect(requests.slice(0, 5)).toEqual(['400', '400', '400', '400', '400'])
      expect(requests).toContain('429')
      expect((await own.call('/workflows?companyId=other', { key: other.key })).status).toBe(200)
      const rows = readAudit(own.services, {}).rows
      expect(rows).toHaveLength(requests.filter((status) => status === '400').length)

      const guesses = []
      for (let at = 0; at < 6; at++) guesses.push((await own.call('/posts', { key: 'ck_no' })).status)
      expect([guesses.slice(0, 3), guesses.includes(429)]).toEqual([[401, 401, 401], true])
      const links = []
      for (let at = 0; at < 5; at++)
        links.push((await own.call('/studio/sign-in?token=no', { key: null })).status)
      expect([links.slice(0, 2), links.includes(429)]).toEqual([[401, 401], true])
      // The right password is accepted all the same: guesses by others lock nobody out.
      const { pathname, search } = new URL(issueSignInLink(own.services, own.url))
      expect((await own.call(pathname + search, { key: null })).status).toBe(303)
    } finally {
      await own.close()
    }
  })
})
