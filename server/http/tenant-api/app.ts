/** The tenant API as an Elysia application, with its own envelope and OpenAPI document. */
import { node } from '@elysiajs/node'
import { Elysia } from 'elysia'
import type { Services } from '../../domain/services.ts'
import { answerError } from '../error-mapper.ts'
import { contextOf } from '../request-context.ts'
import { domainDocument } from './openapi.ts'
import { routerPath } from './paths.ts'
import { DOMAIN_ROUTES } from './routes.ts'
import { serveRoute } from './serve-route.ts'

/** The routes of the domain API, with its description at /openapi.json. */
export function createDomainApp(services: Services) {
  // Built on first request, to keep the start fast.
  let document: string | null = null
  const description = (): string => (document ??= JSON.stringify(domainDocument(DOMAIN_ROUTES)))
  const app = new Elysia({ adapter: node(), normalize: false })
    .onError({ as: 'global' }, (ctx) => {
      const { requestId } = contextOf(ctx.request)
      const where = { path: new URL(ctx.request.url).pathname, method: ctx.request.method, requestId }
      const { status, headers, body } = answerError(ctx.error, where, services.log, 'domain')
      return Response.json(body, { status, headers })
    })
    .get(
      '/openapi.json',
      () => new Response(description(), { headers: { 'content-type': 'application/json' } }),
    )
  for (const route of DOMAIN_ROUTES) {
    // Bodies are read by our own code: Elysia would parse and refuse them before the caller is identified.
    app.route(route.method, routerPath(route.path), (ctx) => serveRoute(services, route, ctx), {
      parse: 'none',
      config: {},
    } as never)
  }
  return app
}
