/**
 * Nothing of another tenant is visible: every route with an id is requested with ids of another tenant. A new kind of
 * id is one more line in `idsOf`.
 */
import { Type, type TObject, type TSchema } from '@sinclair/typebox'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { insertNamedVoice } from '../../server/db/named-voices.ts'
import { insertOperation } from '../../server/db/operations.ts'
import { insertPost } from '../../server/db/posts.ts'
import { prepareConfirmation } from '../../server/domain/operations/confirmations.ts'
import { purposeOf } from '../../server/domain/voices/recognise.ts'
import { DOMAIN_ROUTES } from '../../server/http/tenant-api/routes.ts'
import { newId } from '../../server/ids.ts'
import { sealSecret } from '../../server/secrets.ts'
import { domainClient, type DomainClient } from '../support/domain.ts'
import {
  addClip,
  addCompany,
  addRun,
  addWorkflow,
  startTestServer,
  type TestServer,
} from '../support/server.ts'

let server: TestServer
let owner: DomainClient
let stranger: DomainClient
beforeAll(async () => {
  server = await startTestServer()
  owner = await domainClient(server)
  addCompany(server, 'rival')
  stranger = await domainClient(server, { companyId: 'rival' })
})
afterAll(() => server.close())

/** By the name of the parameter: something that the owner has, and a stranger must not see. */
function idsOf(): Record<string, string> {
  const { services, companyId } = server
  const workflowId = addWorkflow(server)
  const runId = addRun(server, { workflowId })
  const words = [{ word: 'Hello', start: 0, end: 1 }]
  const postId = newId()
  const caller = {
    companyId,
    clientId: owner.clientId,
    principalId: 'ada',
    via: 'delegation' as const,
    scopes: null,
  }
  const times = { publishedAt: 1, createdAt: 1, updatedAt: 1 }
  insertPost(services.db, {
    id: postId,
    companyId,
    platform: 'tiktok',
    text: 'x',
    status: 'success',
    ...times,
  })
  const voiceId = newId()
  const voice = { name: 'Ada', seconds: 9, embedding: [1] }
  const sealedVoice = sealSecret(services.home, purposeOf(voiceId), JSON.stringify(voice))
  const named = { id: voiceId, companyId, model: 'm', sealedVoice, createdAt: 1, updatedAt: 1 }
  insertNamedVoice(services.db, named)
  const subject = { id: postId, revision: 1 }
  return {
    workflowId,
    runId,
    postId,
    voiceId,
    clipId: addClip(server, { workflowId, runId, words }),
    operationId: insertOperation(services.db, { companyId, kind: 'run', subjectId: runId, now: 1 }),
    confirmationId: prepareConfirmation(services, { caller, action: 'publish_post', subject, preview: {} })
      .id,
  }
}

/** Routes where the smallest valid body is refused for its content, with any id. */
const BODIES: Readonly<Record<string, unknown>> = {
  updateClipTranscript: { operations: [{ index: 0, to: 'x' }] },
}

/** The least that a schema takes; ids in it are those of the owner. */
function least(schema: TSchema, ids: Readonly<Record<string, string>>, name = ''): unknown {
  if (ids[name] !== undefined) return ids[name]
  const choices = schema['anyOf'] as TSchema[] | undefined
  if (choices?.[0] !== undefined) return least(choices[0], ids)
  if (schema['const'] !== undefined) return schema['const']
  switch (schema['type']) {
    case 'object': {
      const { properties = {}, required = [], minProperties = 0 } = schema as Partial<TObject>
      const names = Object.keys(properties).filter(
        (name, at) => required.includes(name) || at < minProperties,
      )
      return Object.fromEntries(
        names.map((name) => [name, least(properties[name] ?? Type.Null(), ids, name)]),
      )
    }
    case 'array':
      return Array.from({ length: (schema['minItems'] as number | undefined) ?? 0 }, () =>
        least(schema['items'] as TSchema, ids),
      )
    case 'string':
      return 'x'.repeat((schema['minLength'] as number | undefined) ?? 1)
    case 'number':
    case 'integer':
      return (schema['minimum'] as number | undefined) ?? 1
    case 'boolean':
      return true
    default:
      return null
  }
}

const WITH_IDS = DOMAIN_ROUTES.filter(({ path, access }) => access === 'tenant' && path.includes('{'))

it.each(WITH_IDS.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s: not found for another tenant',
  async (_name, route) => {
    const ids = idsOf()
    const pathWith = (idFor: (name: string) => string): string =>
      route.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => idFor(name))
    const idOf = (name: string): string => {
      const id = ids[name]
      if (id === undefined) throw new Error(`idsOf makes no ${name}: add one`)
      return id
    }
    const ask = (client: DomainClient, path: string) =>
      client.call(route.method, path, {
        ...(route.body === undefined ? {} : { json: BODIES[route.operationId] ?? least(route.body, ids) }),
        ...(route.idempotent === undefined ? {} : { once: newId() }),
        ...(route.ifMatch === true ? { match: '"none"' } : {}),
      })
    const theirs = await ask(stranger, pathWith(idOf))
    expect([theirs.status, theirs.error.code]).toEqual([404, 'NOT_FOUND'])
    // The same response as for an id that does not exist.
    const nobodys = newId()
    const nothing = await ask(
      stranger,
      pathWith(() => nobodys),
    )
    const plain = (text: string): string =>
      Object.values(ids)
        .reduce((rest, id) => rest.replaceAll(id, '<id>'), text.replaceAll(nobodys, '<id>'))
        .replace(/"requestId":"[^"]+"/, '')
    expect(plain(theirs.text)).toBe(plain(nothing.text))
    // It must be visible to its own tenant, or this would prove nothing.
    const own = await ask(owner, pathWith(idOf))
    expect(own.status, own.text).not.toBe(404)
  },
)

it('every route with an id is tested, and lists show nothing either', async () => {
  expect(WITH_IDS.length).toBeGreaterThanOrEqual(8)
  const ids = idsOf()
  const lists = DOMAIN_ROUTES.filter(
    ({ path, access, method, query }) =>
      access === 'tenant' && method === 'GET' && !path.includes('{') && !(query?.required?.length ?? 0),
  )
  for (const { path } of lists) {
    const { status, text } = await stranger.call('GET', path)
    expect(status, `${path} ${text}`).toBe(200)
    for (const id of [...Object.values(ids), 'acme', 'ada'])
      // As a whole word: a request's own id is hexadecimal, and has these letters now and then.
      if (path !== '/context' || id !== 'ada') expect(text, path).not.toMatch(new RegExp(`\\b${id}\\b`))
  }
})
