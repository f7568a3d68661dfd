/**
 * Inner addresses of the tenant API. Elysia's router cannot tell `{id}:decide` apart, so inside, the verb is a segment
 * of its own: `/~decide`. No outer address contains `/~`.
 */

/** `/confirmations/{confirmationId}:decide` → `/confirmations/:confirmationId/~decide` */
export function routerPath(path: string): string {
  return path.replace(/:([a-z-]+)$/, '/~$1').replaceAll(/\{(\w+)\}/g, ':$1')
}

/** `/confirmations/:confirmationId/~decide` → `/confirmations/{confirmationId}:decide` */
export function declaredPath(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}').replace('/~', ':')
}

/** Translates an outer address to the inner one; null when it contains `/~`. */
export function insidePath(path: string): string | null {
  if (path.includes('/~')) return null
  return path.replace(/([^/]):([a-z-]+)$/, '$1/~$2')
}
