/**
 * A client of the domain API: it has a delegation, and holds every answer against the description that the server itself
 * gives at /openapi.json.
 */
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ValidateFunction } from 'ajv'
import { createClient, grantAccess } from '../../server/domain/access/clients.ts'
import { issueDelegation } from '../../server/domain/access/delegations.ts'
import { issueServiceToken } from '../../server/domain/access/service-tokens.ts'
import { companies } from '../../server/db/schema.ts'
import { eq } from 'drizzle-orm'
import type { TestAnswer, TestServer } from './server.ts'
import { omitUndefined } from '../../server/contract/omit-undefined.ts'

interface DocumentedOperation {
  readonly responses: Record<string, { content?: Record<string, { schema: object }> }>
}
export interface DomainDocument {
  readonly openapi: string
  readonly info: { readonly version: string }
  readonly paths: Record<string, Record<string, DocumentedOperation>>
  readonly components: Record<string, Record<string, unknown>>
}

export interface DomainRequest {
  readonly json?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as Idempotency-Key. */
  readonly once?: string
  /** Sent as If-Match. */
  readonly match?: string | undefined
  /** Instead of the client's own delegation; null: none. */
  readonly token?: string | null
}

export interface DomainAnswer<T> extends TestAnswer {
  readonly data: T
  readonly meta: { nextCursor: string | null; total?: number; facets?: Record<string, unknown> }
  /** Of a refusal. */
  readonly error: { code: string; message: string; details?: Record<string, unknown> }
  readonly etag: string
}

export interface DomainClient {
  readonly companyId: string
  readonly clientId: string
  readonly token: string
  /** Sends and checks: throws when the answer is not as described. `path` is a real one: `/clips/abc`. */
  call<T = Record<string, unknown>>(
    method: string,
    path: string,
    request?: DomainRequest,
  ): Promise<DomainAnswer<T>>
}

/** What a company needs for the domain API. */
function enableDomainApi(server: TestServer, companyId: string): void {
  server.services.db.orm
    .update(companies)
    .set({ plan: 'business', features: ['domain_api', 'mcp'] })
    .where(eq(companies.id, companyId))
    .run()
}

/** A client with a grant of the company, and a delegation for an hour. */
export async function domainClient(
  server: TestServer,
  options: { companyId?: string; clientId?: string; subject?: string } = {},
): Promise<DomainClient> {
  const { companyId = server.companyId, subject = 'ada' } = options
  const clientId = options.clientId ?? `client-of-${companyId}`
  const { services } = server
  enableDomainApi(server, companyId)
  createClient(services, { id: clientId, companyId })
  grantAccess(services, { clientId, companyId, expiresAt: services.now() + 30 * 86_400_000 })
  const token = await issueDelegation(services, { clientId, companyId, subject, lifeSeconds: 3600 })
  const check = await checker(server)
  return {
    companyId,
    clientId,
    token,
    call: (method, path, request = {}) =>
      callDomain(server, check, method, path, {
        ...request,
        headers: {
          ...(request.token === null ? {} : { 'x-service-delegation': request.token ?? token }),
          ...request.headers,
        },
      }),
  }
}

/** A service of the platform that calls /internal. */
export async function serviceClient(server: TestServer): Promise<Pick<DomainClient, 'call'>> {
  const token = await issueServiceToken(server.services, { subject: 'scheduler', lifeSeconds: 3600 })
  const check = await checker(server)
  return {
    call: (method, path, request = {}) =>
      callDomain(server, check, method, path, {
        ...request,
        headers: {
          ...(request.token === null ? {} : { authorization: `Bearer ${request.token ?? token}` }),
          ...request.headers,
        },
      }),
  }
}

type Check = (method: string, path: string, answer: TestAnswer) => void

async function callDomain<T>(
  server: TestServer,
  check: Check,
  method: string,
  path: string,
  request: DomainRequest,
): Promise<DomainAnswer<T>> {
  const answer = await server.call(path, {
    method,
    key: null,
    ...omitUndefined({ json: request.json }),
    headers: {
      ...omitUndefined({ 'idempotency-key': request.once, 'if-match': request.match }),
      ...request.headers,
    },
  })
  check(method, path, answer)
  const body = answer.json<Pick<DomainAnswer<T>, 'data' | 'meta' | 'error'>>()
  return { ...answer, ...body, etag: answer.headers.etag ?? '' }
}

const checkers = new WeakMap<TestServer, Promise<Check>>()

function checker(server: TestServer): Promise<Check> {
  const known = checkers.get(server) ?? makeChecker(server)
  checkers.set(server, known)
  return known
}

async function makeChecker(server: TestServer): Promise<Check> {
  const document = (await server.call('/openapi.json', { key: null })).json<DomainDocument>()
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false })
  ajv.addSchema({ $id: 'doc', components: document.components })
  const compiled = new Map<string, ValidateFunction>()
  const patterns = Object.keys(document.paths).map((path) => ({
    path,
    test: new RegExp(`^${path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^/:]+')}$`),
  }))
  return (method, path, answer) => {
    const plain = path.split('?')[0] ?? path
    const found = patterns.find(({ test }) => test.test(plain))
    if (found === undefined) return
    const where = `${method} ${found.path} ${answer.status}`
    const operation = document.paths[found.path]?.[method.toLowerCase()]
    if (operation === undefined) return
    const schema = operation.responses[answer.status]?.content?.['application/json']?.schema
    if (schema === undefined) throw new Error(`the description has no answer ${where}: ${answer.text}`)
    const validate =
      compiled.get(where) ??
      ajv.compile(
        JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"doc#/components')) as object,
      )
    compiled.set(where, validate)
    if (!validate(answer.json()))
      throw new Error(`${where} is not as described: ${ajv.errorsText(validate.errors)}\n${answer.text}`)
  }
}
