/**
 * Serves the MCP tools at /mcp by streamable HTTP without sessions: every request carries its delegation, in
 * X-Service-Delegation or as a bearer token, and is identified again.
 */
import type { Services } from '../../domain/services.ts'
import { answerError } from '../error-mapper.ts'
import { identified, refusedCaller } from '../call-trace.ts'
import { contextOf } from '../request-context.ts'
import { authoriseMcp } from './call.ts'

function tokenOf(headers: Headers): string {
  const own = headers.get('x-service-delegation')?.trim()
  return own ?? /^Bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1] ?? ''
}

async function answer(services: Services, request: Request, version: string): Promise<Response> {
  const token = tokenOf(request.headers)
  const { trace } = contextOf(request)
  const { clientId, principalId, companyId } = await authoriseMcp(services, token).catch((error: unknown) => {
    throw refusedCaller(trace, error)
  })
  identified(trace, { kind: 'client', id: clientId, name: principalId }, companyId)
  // The SDK takes a moment to load, and most appliances never need it.
  const [{ createMcpServer }, { WebStandardStreamableHTTPServerTransport }] = await Promise.all([
    import('./server.ts'),
    import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
  ])
  // One request may carry a hundred calls: the request's own rate limit covers the first, each further call counts by
  // itself.
  let paid = true
  const take = (): void => {
    if (!paid) trace.limits.request(`client:${clientId}`)
    paid = false
  }
  const session = { token: () => Promise.resolve(token), baseUrl: contextOf(request).baseUrl, take }
  const server = createMcpServer(services, session, version)
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  try {
    await server.connect(transport)
    return await transport.handleRequest(request)
  } finally {
    await server.close()
  }
}

/** Creates the application that answers POST /mcp, in the shape that elysia-exchange.ts expects. */
export function createMcpApp(
  services: Services,
  version: string,
): { fetch(request: Request): Promise<Response> } {
  return {
    fetch: async (request) => {
      try {
        return await answer(services, request, version)
      } catch (error) {
        const where = { path: '/mcp', method: request.method, requestId: contextOf(request).requestId }
        const { status, headers, body } = answerError(error, where, services.log, 'domain')
        return Response.json(body, { status, headers })
      }
    },
  }
}
