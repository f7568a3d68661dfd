/** Serves one request of one route: identification, validation, idempotency, envelope. */
import { answerOnce, type StoredResponse } from '../../domain/operations/idempotency.ts'
import type { Services } from '../../domain/services.ts'
import { MAX_KEY_LENGTH } from '../openapi-headers.ts'
import { answerError } from '../error-mapper.ts'
import { identified, refusedCaller } from '../call-trace.ts'
import { contextOf } from '../request-context.ts'
import type { Answer, DomainRoute, TenantCall } from './declare.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { AppError, invalidField } from '../../contract/errors.ts'
import { authoriseDelegation, authoriseSession, type Caller } from '../../domain/access/authorise.ts'
import { verifyDelegation, type Delegation } from '../../domain/access/delegations.ts'
import { requireScope } from '../../domain/access/scopes.ts'
import { verifyServiceToken, type ServiceIdentity } from '../../domain/access/service-tokens.ts'
import { scopesOf } from '../abilities.ts'
import { shownCompany, type Principal } from '../authenticate.ts'
import type { TObject, TSchema } from '@sinclair/typebox'
import { checkValue, convertText, parameterName, parseObject } from '../json-body.ts'

interface RouteCall {
  readonly request: Request
  readonly params: Readonly<Record<string, string>>
}

const JSON_TYPE = 'application/json; charset=utf-8'

function wrap(route: DomainRoute, answer: Answer, requestId: string): StoredResponse {
  const { data, meta, etag, status = route.status ?? 200, passing = false } = answer
  const body = JSON.stringify({ data, ...omitUndefined({ meta }), requestId })
  return { status, headers: omitUndefined({ etag }), body, ...(passing ? { passing } : {}) }
}

function send(
  { status, headers, body }: StoredResponse,
  extra: Readonly<Record<string, string>> = {},
): Response {
  return new Response(body, { status, headers: { 'content-type': JSON_TYPE, ...headers, ...extra } })
}

/** Throws what is refused before the work begins; the app's error hook answers that. */
export async function serveRoute(
  services: Services,
  route: DomainRoute,
  routeCall: RouteCall,
): Promise<Response> {
  const { request, params } = routeCall
  const { requestId, baseUrl, principal, trace } = contextOf(request)
  const refuse = (error: unknown): never => {
    throw refusedCaller(trace, error)
  }
  const read = async () => ({
    params,
    query: readQuery(request, route.query),
    body: await readBody(request, route),
    baseUrl,
    requestId,
  })
  if (route.access === 'service') {
    const service = await identifyService(services, request.headers, route.path).catch(refuse)
    identified(trace, { kind: 'service', id: service.subject, name: null }, null)
    const call = { service, ifMatch: '', ...(await read()) }
    return send(wrap(route, await route.handle(services, call), requestId))
  }
  const who = await identifyTenant(services, request.headers, principal).catch(refuse)
  if (who.delegation === null) trace.companyId = who.caller.companyId
  else
    identified(
      trace,
      { kind: 'client', id: who.caller.clientId, name: who.caller.principalId },
      who.caller.companyId,
    )
  requireRouteScope(who.caller, route)
  const key = route.idempotent === undefined ? null : readIdempotencyKey(request.headers)
  const ifMatch = route.ifMatch === true ? readIfMatch(request.headers) : ''
  const call: TenantCall = { ...who, ifMatch, ...(await read()) }
  if (key === null) return send(wrap(route, await route.handle(services, call), requestId))
  return serveOnce(services, route, call, key)
}

/** Throws SCOPE_MISSING unless the caller's grant is for this route. */
export function requireRouteScope({ scopes }: Caller, { method, path }: DomainRoute): void {
  requireScope(scopes, scopesOf(method, path) ?? [], 'The grant to this client')
}

async function serveOnce(
  services: Services,
  route: DomainRoute & { readonly access: 'tenant' },
  call: TenantCall,
  key: string,
): Promise<Response> {
  const { caller, params, query, body, ifMatch, requestId } = call
  const name = `${route.method} ${route.path}`
  const { answer, replayed } = await answerOnce(
    services,
    {
      companyId: caller.companyId,
      clientId: caller.clientId,
      route: name,
      key,
      content: { params, query, body, ifMatch },
    },
    {
      run:
        route.idempotent === 'atomic'
          ? { atomic: () => wrap(route, route.handle(services, call) as Answer, requestId) }
          : { slow: async () => wrap(route, await route.handle(services, call), requestId) },
      refused: (error) => {
        const where = { path: route.path, method: route.method, requestId }
        const { status, headers, body: refusal } = answerError(error, where, services.log, 'domain')
        return { status, headers, body: JSON.stringify(refusal) }
      },
    },
  )
  return send(answer, replayed ? { 'idempotency-replayed': 'true' } : {})
}

/** The caller, and its delegation where there is one; `session`: of the session cookie. */
async function identifyTenant(
  services: Services,
  headers: Headers,
  session: Principal | null,
): Promise<{ caller: Caller; delegation: Delegation | null }> {
  const token = headers.get('x-service-delegation')
  if (token === null && session?.kind === 'session')
    return { caller: authoriseSession(services, session.person, shownCompany(session)), delegation: null }
  const delegation = await verifyDelegation(services, token?.trim() ?? '')
  return { caller: authoriseDelegation(services, delegation), delegation }
}

const NODE_PATHS = /^\/internal\/worker(\/|$)/
/** What a node calls before it has a token of its own. */
const JOIN_PATHS: ReadonlySet<string> = new Set(['/internal/worker', '/internal/worker/token'])

/** A node's own token is of no use at any `path` but those of nodes; the one that it joins with, at those where it joins. */
export async function identifyService(
  services: Services,
  headers: Headers,
  path: string,
): Promise<ServiceIdentity> {
  const given = /^Bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1]
  if (given === undefined) {
    const message = 'Send a service ID token: "Authorization: Bearer <token>".'
    throw new AppError('UNAUTHENTICATED', { message, details: { header: 'Authorization' } })
  }
  const service = await verifyServiceToken(services, given)
  if (service.node !== undefined && !NODE_PATHS.test(path))
    throw new AppError('UNAUTHENTICATED', {
      message: 'This token is a worker node’s, and opens /internal/worker only.',
      details: { header: 'Authorization' },
    })
  if (service.joins === true && !JOIN_PATHS.has(path))
    throw new AppError('UNAUTHENTICATED', {
      message: 'This token is for a worker node to join with, and opens nothing else.',
      details: { header: 'Authorization' },
    })
  return service
}

type Json = Record<string, unknown>

/** `?tags=a&tags=b` (or `tags[]=a`) for a list, one value for everything else. Parameters that the route does not have are not looked at. */
function readQuery(request: Request, schema: TObject | undefined): Json {
  if (schema === undefined) return {}
  const given = new URLSearchParams()
  for (const [name, text] of new URL(request.url).searchParams)
    given.append(parameterName(name, schema), text)
  const values: Json = {}
  for (const [name, property] of Object.entries(schema.properties)) {
    const texts = given.getAll(name)
    if (texts.length === 0) continue
    if (property['type'] === 'array') {
      values[name] = texts.map((text) => convertText(property['items'] as TSchema, text))
      continue
    }
    if (texts.length > 1) throw invalidField(name, `"${name}" is given more than once.`)
    values[name] = convertText(property, texts[0] ?? '')
  }
  checkValue(schema, values)
  return values
}

/** The JSON body; an empty one where the route may go without. What it is refused for is VALIDATION_FAILED here (error-mapper.ts). */
async function readBody(request: Request, route: DomainRoute): Promise<unknown> {
  if (route.body === undefined) return {}
  const text = await request.text()
  if (text.trim() === '' && route.bodyOptional === true) return {}
  const value = parseObject(text)
  checkValue(route.body, value)
  return value
}

/** The Idempotency-Key, or IDEMPOTENCY_KEY_REQUIRED; VALIDATION_FAILED for one that cannot be. */
function readIdempotencyKey(headers: Headers): string {
  const key = headers.get('idempotency-key')?.trim() ?? ''
  if (key === '') throw new AppError('IDEMPOTENCY_KEY_REQUIRED')
  if (key.length > MAX_KEY_LENGTH)
    throw invalidField('Idempotency-Key', `Idempotency-Key has more than ${MAX_KEY_LENGTH} characters.`)
  return key
}

/** The one quoted revision of If-Match, or PRECONDITION_REQUIRED; VALIDATION_FAILED for `*`, lists and weak tags. */
function readIfMatch(headers: Headers): string {
  const given = headers.get('if-match')?.trim() ?? ''
  if (given === '') throw new AppError('PRECONDITION_REQUIRED')
  if (!/^"[\x21\x23-\x7e]+"$/.test(given))
    throw invalidField(
      'If-Match',
      'If-Match should be the one quoted ETag of the version that you have read.',
    )
  return given
}
