/** Access to the domain API: permissions, tenants, and responses that match its document. */
import { Validator } from '@seriousme/openapi-schema-validator'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getSetting } from '../../server/db/settings.ts'
import { createClient, grantAccess, revokeAccess, trustIssuer } from '../../server/domain/access/clients.ts'
import { issueDelegation } from '../../server/domain/access/delegations.ts'
import { issueServiceToken, verifyServiceToken } from '../../server/domain/access/service-tokens.ts'
import { createCompany } from '../../server/domain/people/companies.ts'
import { prepareConfirmation } from '../../server/domain/operations/confirmations.ts'
import { applianceId } from '../../server/domain/people/sign-in.ts'
import { DOMAIN_ROUTES } from '../../server/http/tenant-api/routes.ts'
import { loadConfig, type Config } from '../../server/config/config.ts'
import { startBadServer } from '../support/bad-server.ts'
import { domainClient, type DomainClient, type DomainDocument } from '../support/domain.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

let time = Date.now()
let server: TestServer
let client: DomainClient
beforeAll(async () => {
  server = await startTestServer({ now: () => time })
  client = await domainClient(server)
})
afterAll(() => server.close())

const context = (token: string | null, headers = {}) => client.call('GET', '/context', { token, headers })

describe('delegations', () => {
  it('open the tenant that they carry, whatever the request names', async () => {
    createCompany(server.services, { id: 'rival', name: 'Rival' })
    const { status, data } = await client.call('GET', '/context?companyId=rival&org=rival')
    expect(status).toBe(200)
    expect(data).toMatchObject({
      apiVersion: '1.0.0',
      organization: { id: 'acme', plan: 'business', features: ['domain_api', 'mcp'] },
      principal: { id: 'ada', kind: 'delegated' },
      client: { id: 'client-of-acme' },
    })
  })

  it('are required: neither an API key nor a service token is accepted instead', async () => {
    const service = await issueServiceToken(server.services, { subject: 's', lifeSeconds: 60 })
    for (const headers of [
      {},
      { authorization: `Bearer ${server.key}` },
      { authorization: `Bearer ${service}` },
      { 'x-service-delegation': service },
      { 'x-service-delegation': server.key },
    ]) {
      const { status, error } = await context(null, headers)
      expect([status, error.code]).toEqual([401, 'UNAUTHENTICATED'])
    }
    const onPublic = await server.call('/clip?companyId=acme&clipId=x', {
      key: null,
      headers: { 'x-service-delegation': client.token },
    })
    expect([onPublic.status, onPublic.json<{ error: { code: string } }>().error.code]).toEqual([
      401,
      'INVALID_API_KEY',
    ])
  })

  it('are refused when altered, unsigned, too old, too long, for another appliance, or of an unknown issuer', async () => {
    const [head = '', body = '', signature = ''] = client.token.split('.')
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>
    const other = Buffer.from(JSON.stringify({ ...claims, org: 'rival' })).toString('base64url')
    const stranger = await generateKeyPair('EdDSA')
    const header = { alg: 'EdDSA', typ: 'delegation+jwt' }
    const sign = (changes: object, key = stranger.privateKey) =>
      new SignJWT({ ...claims, ...changes }).setProtectedHeader(header).sign(key)
    const tokens = [
      `${head}.${other}.${signature}`,
      `${head}.${body}.`,
      new UnsecuredJWT(claims).encode(),
      await sign({}),
      await sign({ iss: 'https://stranger.test' }),
      'not.a.token',
      'x'.repeat(9000),
    ]
    for (const token of tokens) expect((await context(token)).error.code).toBe('UNAUTHENTICATED')
    const short = await issueDelegation(server.services, {
      clientId: client.clientId,
      companyId: 'acme',
      subject: 'ada',
      lifeSeconds: 60,
    })
    expect((await context(short)).status).toBe(200)
    time += 95_000
    const late = await context(short)
    expect([late.status, late.error.message]).toEqual([401, expect.stringMatching(/expired/)])
    time -= 95_000
  })

  it('of a registered issuer are accepted for the companies that it is registered for', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256')
    const jwks = { keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256', kid: 'k1' }] }
    const issuer = 'https://id.studio.test'
    trustIssuer(server.services, { issuer, jwks, companies: ['acme'] })
    const seconds = Math.floor(time / 1000)
    const issue = (changes: Record<string, unknown> = {}, typ = 'delegation+jwt') =>
      new SignJWT({
        iss: issuer,
        aud: applianceId(server.services),
        sub: 'bo',
        org: 'acme',
        azp: client.clientId,
        iat: seconds,
        exp: seconds + 600,
        jti: 'j1',
        scope: 'clips posts',
        ...changes,
      })
        .setProtectedHeader({ alg: 'ES256', typ, kid: 'k1' })
        .sign(privateKey)
    const { status, data } = await context(await issue())
    expect([status, data['scopes'], data['delegation']]).toEqual([
      200,
      ['clips', 'posts'],
      expect.objectContaining({ issuer }),
    ])
    const bad = [
      { org: 'rival' },
      { aud: 'another-appliance' },
      { exp: seconds + 3601 },
      { jti: undefined },
      { azp: undefined },
      { exp: seconds - 60, iat: seconds - 120 },
      // It would be good for a day and an hour.
      { exp: seconds + 90_000, iat: seconds + 86_400 },
    ]
    for (const changes of bad)
      expect((await context(await issue(changes))).error.code).toBe('UNAUTHENTICATED')
    expect((await context(await issue({}, 'JWT'))).status).toBe(401)
    const secret = {
      keys: [await exportJWK((await generateKeyPair('ES256', { extractable: true })).privateKey)],
    }
    expect(() => trustIssuer(server.services, { issuer: 'x', jwks: secret, companies: [] })).toThrow(
      /private/,
    )
  })

  it('need the feature, the plan and an unexpired grant, each with its own refusal, in this order', async () => {
    const { services } = server
    createCompany(services, { id: 'bare', name: 'Bare' })
    createCompany(services, { id: 'small', name: 'Small', features: ['domain_api'] })
    createCompany(services, { id: 'big', name: 'Big', plan: 'enterprise', features: ['domain_api'] })
    createClient(services, { id: 'planner', companyId: 'big' })
    const code = async (companyId: string): Promise<[number, string]> => {
      const requested = { clientId: 'planner', companyId, subject: 'cy', lifeSeconds: 60 }
      const { status, error } = await context(await issueDelegation(services, requested))
      return [status, error.code]
    }
    expect(await code('bare')).toEqual([403, 'FEATURE_DISABLED'])
    expect(await code('small')).toEqual([403, 'PLAN_NOT_ELIGIBLE'])
    expect(await code('big')).toEqual([403, 'GRANT_MISSING'])
    const both = { clientId: 'planner', companyId: 'big' }
    grantAccess(services, { ...both, expiresAt: time })
    expect(await code('big')).toEqual([403, 'GRANT_EXPIRED'])
    grantAccess(services, { ...both, expiresAt: time + 60_000 })
    const token = await issueDelegation(services, { ...both, subject: 'cy', lifeSeconds: 60 })
    expect((await context(token)).status).toBe(200)
    revokeAccess(services, both)
    expect((await context(token)).error.code).toBe('GRANT_MISSING')
  })

  it('are signed with a key that the database alone does not reveal', () => {
    const stored = getSetting(server.services.db, 'signing-key') ?? ''
    expect(stored).toMatch(/^v1\./)
    expect(Buffer.from(stored.slice(3), 'base64url').toString('latin1')).not.toContain('Ed25519')
  })
})

describe('service tokens', () => {
  it('identify a service, and a delegation does not', async () => {
    const token = await issueServiceToken(server.services, { subject: 'scheduler', lifeSeconds: 60 })
    expect(await verifyServiceToken(server.services, token)).toMatchObject({ subject: 'scheduler' })
    await expect(verifyServiceToken(server.services, client.token)).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    })
    time += 95_000
    await expect(verifyServiceToken(server.services, token)).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    })
    time -= 95_000
  })
})

describe('providers of service identity', () => {
  it('are accepted by their published keys, for the configured services', async () => {
    const { privateKey, publicKey } = await generateKeyPair('RS256')
    const keys = [{ ...(await exportJWK(publicKey)), alg: 'RS256', kid: 'r1', use: 'sig' }]
    const publisher = await startBadServer({
      '/keys': (_, response) =>
        void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys })),
    })
    const issuer = 'https://accounts.example.test'
    const provider = {
      issuer,
      audience: 'cutroom',
      jwksUri: publisher.url('/keys'),
      subjects: ['queue@acme.test'],
    }
    const { config } = await loadWith({ CUTROOM_SERVICE_IDENTITY: JSON.stringify([provider]) })
    const services = { ...server.services, config }
    const seconds = Math.floor(time / 1000)
    const issue = (changes: Record<string, unknown> = {}) =>
      new SignJWT({
        iss: issuer,
        aud: 'cutroom',
        sub: '117',
        iat: seconds,
        exp: seconds + 600,
        email: 'queue@acme.test',
        email_verified: true,
        ...changes,
      })
        .setProtectedHeader({ alg: 'RS256', kid: 'r1' })
        .sign(privateKey)
    try {
      expect(await verifyServiceToken(services, await issue())).toEqual({
        issuer,
        subject: 'queue@acme.test',
      })
      const bad = [
        { email_verified: false },
        { email: 'else@acme.test' },
        { aud: 'another' },
        { iss: 'https://other.test' },
        { exp: seconds - 60 },
      ]
      for (const changes of bad)
        await expect(verifyServiceToken(services, await issue(changes))).rejects.toMatchObject({
          code: 'UNAUTHENTICATED',
        })
      expect(publisher.seen).toHaveLength(1)
    } finally {
      await publisher.close()
    }
  })

  it.each([
    'no json',
    '{}',
    '[{}]',
    '[{"issuer":"a","audience":"b","jwksUri":"http://keys.test/k","subjects":["s"]}]',
    '[{"issuer":"a","audience":"b","jwksUri":"https://keys.test/k","subjects":[]}]',
  ])('are refused at the start when they are %s', async (value) => {
    await expect(loadWith({ CUTROOM_SERVICE_IDENTITY: value })).rejects.toThrow(/CUTROOM_SERVICE_IDENTITY/)
  })
})

/** The configuration with these variables, on a home of its own. */
function loadWith(environment: Record<string, string>): Promise<{ config: Config }> {
  const { home } = server.services
  return Promise.resolve().then(() => ({ config: loadConfig({ home: home.root }, environment) }))
}

const prepare = (clientId = client.clientId) =>
  prepareConfirmation(server.services, {
    caller: { companyId: 'acme', clientId, principalId: 'ada', via: 'delegation', scopes: null },
    action: 'publish_post',
    subject: { id: 'p1', revision: 1 },
    preview: { text: 'Hello' },
  })

describe('confirmations', () => {
  const yes = { decision: 'approve', consentText: 'Yes, publish it.', source: 'mcp_written_consent' }

  it('are decided once', async () => {
    const { id } = prepare()
    const seen = await client.call('GET', `/confirmations/${id}`)
    expect(seen.data).toMatchObject({ action: 'publish_post', state: 'pending', preview: { text: 'Hello' } })
    const decided = await client.call('POST', `/confirmations/${id}:decide`, { json: yes, once: 'd1' })
    expect([decided.status, decided.data['state']]).toEqual([200, 'approved'])
    const again = await client.call('POST', `/confirmations/${id}:decide`, { json: yes, once: 'd2' })
    expect([again.status, again.error.code]).toEqual([409, 'INVALID_STATE'])
  })

  it('expire after 15 minutes', async () => {
    const { id } = prepare()
    time += 15 * 60_000
    expect((await client.call('GET', `/confirmations/${id}`)).data['state']).toBe('expired')
    const late = await client.call('POST', `/confirmations/${id}:decide`, { json: yes, once: 'd3' })
    expect([late.status, late.error.code]).toEqual([410, 'CONFIRMATION_EXPIRED'])
    time -= 15 * 60_000
  })

  it('are not found by another client', async () => {
    const { id } = prepare('somebody-else')
    expect((await client.call('GET', `/confirmations/${id}`)).error.code).toBe('NOT_FOUND')
  })

  it.each([
    [{ decision: 'maybe' }, 'decision'],
    [{}, 'decision'],
    [{ decision: 'approve', consentText: '' }, 'consentText'],
    [{ decision: 'approve', consentText: 'x'.repeat(1001) }, 'consentText'],
    [{ decision: 'approve', source: 'phone' }, 'source'],
    [{ decision: 'approve', extra: 1 }, 'extra'],
  ])('refuse the decision %j', async (json, field) => {
    const { id } = prepare()
    const { status, error } = await client.call('POST', `/confirmations/${id}:decide`, { json, once: 'd4' })
    expect([status, error.code, error.details?.['field']]).toEqual([400, 'VALIDATION_FAILED', field])
  })
})

describe('idempotency keys', () => {
  const yes = { decision: 'approve' }

  it('replay the stored response for 24 hours, byte for byte', async () => {
    const { id } = prepare()
    const path = `/confirmations/${id}:decide`
    const first = await client.call('POST', path, { json: yes, once: 'k1' })
    const second = await client.call('POST', path, { json: yes, once: 'k1' })
    expect([second.status, second.text]).toEqual([first.status, first.text])
    expect([first.headers['idempotency-replayed'], second.headers['idempotency-replayed']]).toEqual([
      undefined,
      'true',
    ])
    time += 24 * 3_600_000 + 1000
    const token = await issueDelegation(server.services, {
      clientId: client.clientId,
      companyId: 'acme',
      subject: 'ada',
      lifeSeconds: 60,
    })
    const later = await client.call('POST', path, { json: yes, once: 'k1', token })
    expect([later.status, later.headers['idempotency-replayed']]).toEqual([410, undefined])
    time -= 24 * 3_600_000 + 1000
  })

  it('are required, limited in length, and valid for one request only', async () => {
    const { id } = prepare()
    const path = `/confirmations/${id}:decide`
    expect((await client.call('POST', path, { json: yes })).error.code).toBe('IDEMPOTENCY_KEY_REQUIRED')
    expect((await client.call('POST', path, { json: yes, once: 'x'.repeat(201) })).error.code).toBe(
      'VALIDATION_FAILED',
    )
    expect((await client.call('POST', path, { json: yes, once: 'x'.repeat(200) })).status).toBe(200)
    const other = await client.call('POST', path, { json: { decision: 'decline' }, once: 'x'.repeat(200) })
    expect([other.status, other.error.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
  })

  it('are stored for refusals too, and are separate for each client', async () => {
    const missing = '/confirmations/nothing:decide'
    const first = await client.call('POST', missing, { json: yes, once: 'k2' })
    const second = await client.call('POST', missing, { json: yes, once: 'k2' })
    expect([first.status, second.status, second.headers['idempotency-replayed']]).toEqual([404, 404, 'true'])
    const other = await domainClient(server, { clientId: 'other-client' })
    const theirs = await other.call('POST', missing, { json: { decision: 'decline' }, once: 'k2' })
    expect([theirs.status, theirs.headers['idempotency-replayed']]).toEqual([404, undefined])
  })
})

describe('the description', () => {
  it('is valid OpenAPI 3.1.0, version 1.0.0, public, and has every route', async () => {
    const document = (await server.call('/openapi.json', { key: null })).json<DomainDocument>()
    expect([document.openapi, document.info.version]).toEqual(['3.1.0', '1.0.0'])
    const checked = await new Validator().validate(structuredClone(document) as never)
    expect(checked.errors ?? []).toEqual([])
    const operations = DOMAIN_ROUTES.map(({ operationId }) => operationId)
    expect(new Set(operations).size).toBe(operations.length)
    for (const { method, path } of DOMAIN_ROUTES)
      expect(Object.keys(document.paths[path] ?? {}), path).toContain(method.toLowerCase())
  })

  it('declares the refusal of a body that is too large, also for routes without a body', async () => {
    const post = `/social/posts/none:prepare-publish`
    // What the description does not name makes the client throw.
    const refused = await client.call('POST', post, { json: 'x'.repeat(1024 ** 2), once: 'large' })
    expect([refused.status, refused.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  })

  it('is for addresses that exist: no other spelling of a verb is accepted', async () => {
    const { id } = prepare()
    for (const path of [`/confirmations/${id}/~decide`, `/confirmations/${id}:forget`, '/clips:nothing']) {
      const { status, error } = await client.call('POST', path, { json: {}, once: 'v' })
      expect([status, error.code]).toEqual([404, 'NOT_FOUND'])
    }
    const wrong = await client.call('DELETE', `/confirmations/${id}`)
    expect([wrong.status, wrong.error.code, wrong.headers.allow]).toEqual([
      405,
      'METHOD_NOT_ALLOWED',
      'GET, HEAD, OPTIONS',
    ])
  })
})
