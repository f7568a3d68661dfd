/**
 * Addresses of the domain API as the router sees them. It cannot tell `{id}:decide` apart, so inside a verb is a segment
 * of its own: `/~decide`. Outside nothing with `/~` exists.
 */

/** `/confirmations/{confirmationId}:decide` → `/confirmations/:confirmationId/~decide` */
export function routerPath(path: string): string {
  return path.replace(/:([a-z-]+)$/, '/~$1').replaceAll(/\{(\w+)\}/g, ':$1')
}

/** `/confirmations/:confirmationId/~decide` → `/confirmations/{confirmationId}:decide` */
export function declaredPath(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}').replace('/~', ':')
}

/** What a request asks for, inside; null for an address that nobody has. */
export function insidePath(path: string): string | null {
  if (path.includes('/~')) return null
  return path.replace(/([^/]):([a-z-]+)$/, '$1/~$2')
}
