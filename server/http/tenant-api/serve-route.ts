/** Serves one request of one route: identification, validation, idempotency, envelope. */
import { answerOnce, type StoredResponse } from '../../domain/operations/idempotency.ts'
import type { Services } from '../../domain/services.ts'
import { answerError } from '../error-mapper.ts'
import { identified, refusedCaller } from '../call-trace.ts'
import { contextOf } from '../request-context.ts'
import type { Answer, DomainRoute, TenantCall } from './declare.ts'
import { identifyService, identifyTenant } from './identify.ts'
import { readBody, readIdempotencyKey, readIfMatch, readQuery } from './read-call.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'

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
  const key = route.idempotent === undefined ? null : readIdempotencyKey(request.headers)
  const ifMatch = route.ifMatch === true ? readIfMatch(request.headers) : ''
  const call: TenantCall = { ...who, ifMatch, ...(await read()) }
  if (key === null) return send(wrap(route, await route.handle(services, call), requestId))
  return serveOnce(services, route, call, key)
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
