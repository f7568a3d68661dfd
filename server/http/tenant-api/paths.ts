/** Inner addresses of the tenant API: `{id}:decide` is `{id}/~decide` there, for Elysia's router. */
import type { IncomingHttpHeaders } from 'node:http'
import { rootOf, routeIndex } from '../route-index.ts'
import type { Family } from '../error-mapper.ts'

/** `/confirmations/{confirmationId}:decide` → `/confirmations/:confirmationId/~decide` */
export const routerPath = (path: string): string =>
  path.replace(/:([a-z-]+)$/, '/~$1').replaceAll(/\{(\w+)\}/g, ':$1')

/** `/confirmations/:confirmationId/~decide` → `/confirmations/{confirmationId}:decide` */
export const declaredPath = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}').replace('/~', ':')

/** Translates an outer address to the inner one; null when it contains `/~`. */
function insidePath(path: string): string | null {
  if (path.includes('/~')) return null
  return path.replace(/([^/]):([a-z-]+)$/, '$1/~$2')
}

export interface MatchedRoute {
  readonly family: Family
  readonly inside: { path: string; template: string; methods: readonly string[] } | null
}

type Routes = readonly { readonly method: string; readonly path: string }[]

/** Decides by both lists of routes, which are known when the appliance starts. */
export function createDomainGate(domainRoutes: Routes, publicRoutes: Routes) {
  const index = routeIndex(domainRoutes)
  const publicIndex = routeIndex(publicRoutes)
  const publicRoots = new Set(publicRoutes.map(({ path }) => rootOf(path)))
  const ownRoots = new Set(
    domainRoutes.map(({ path }) => rootOf(path)).filter((root) => !publicRoots.has(root)),
  )
  return {
    /**
     * Maps an address to the tenant API's inner path, its template as the router lists it, and its methods; null when it
     * belongs to another API. `family` chooses the error envelope. Where both APIs have an address (/workflows), the
     * presence of a delegation decides.
     */
    matchRoute: (path: string, headers: IncomingHttpHeaders): MatchedRoute => {
      const delegated = headers['x-service-delegation'] !== undefined
      const inside = insidePath(path)
      const methods = inside === null ? null : index.methods(inside)
      if (inside !== null && methods !== null && (delegated || publicIndex.methods(path) === null))
        return {
          family: 'domain',
          inside: { path: inside, template: index.template(inside) ?? inside, methods },
        }
      return { family: delegated || ownRoots.has(rootOf(path)) ? 'domain' : 'public', inside: null }
    },
  }
}
