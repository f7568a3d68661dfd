/** For tests that walk every route: addresses and requests that change nothing, and the code of an answer. */

interface Route {
  readonly method: string
  /** As it is declared: `/clips/:clipId` or `/clips/{clipId}:cut`. */
  readonly path: string
}

/** An address of the route with these values, and for the other parameters with one that nothing has. */
export const pathOf = (
  { path }: Pick<Route, 'path'>,
  values: Readonly<Record<string, string>> = {},
): string =>
  path.replaceAll(
    /\{(\w+)\}|(?<=\/):(\w+)/g,
    (_all, braced?: string, named?: string) => values[braced ?? named ?? ''] ?? 'no-such-thing',
  )

/** A request that is refused for its body, where it is not refused before. */
export const withoutEffect = ({ method, path }: Route) => ({
  method,
  headers: { 'idempotency-key': `k-${Math.random()}` },
  ...(method === 'GET' || method === 'DELETE' || path === '/studio/uploads' ? {} : { json: {} }),
})

/** The code of a refusal, in the envelope of either API; undefined where there is none. */
export function codeOf({ text }: { readonly text: string }): unknown {
  const { code, error } = (text.startsWith('{') ? JSON.parse(text) : {}) as {
    code?: string
    error?: { code?: string }
  }
  return code ?? error?.code
}
