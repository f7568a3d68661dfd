/** Scopes as callers write them, and the refusal of who lacks one. */
import { AppError, invalidRequest } from '../../contract/errors.ts'
import { allowsOneOf, SCOPES, type Scope, type Scopes } from '../../contract/scopes.ts'

/** The scopes in their usual order, each once. INVALID_REQUEST for one that is not known, and for none. */
export function readScopes(given: readonly string[]): Scope[] {
  const unknown = given.find((one) => !SCOPES.some((scope) => scope === one))
  if (unknown !== undefined)
    throw invalidRequest('scopes', `There is no scope "${unknown}"; there are ${SCOPES.join(', ')}.`)
  const scopes = SCOPES.filter((scope) => given.includes(scope))
  if (scopes.length === 0)
    throw invalidRequest('scopes', `Say what it may be used for: one or more of ${SCOPES.join(', ')}.`)
  return scopes
}

/** Throws SCOPE_MISSING, which names what is needed, unless one of `anyOf` is allowed. `who`: "This API key". */
export function requireScope(scopes: Scopes, anyOf: readonly Scope[], who: string): void {
  if (allowsOneOf(scopes, anyOf)) return
  const named = anyOf.map((scope) => `"${scope}"`).join(' or ')
  throw new AppError('SCOPE_MISSING', {
    message:
      anyOf.length === 0
        ? 'No scope opens this.'
        : `${who} does not have the scope ${named}. Use one that does, or have it added.`,
    details: { needs: anyOf, has: scopes },
  })
}
