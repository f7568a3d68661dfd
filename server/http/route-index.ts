/** Knows paths and their methods, so that 404, 405 and OPTIONS are answered before authentication. */

/** `routes` as Elysia lists them, `:name` for a parameter. */
export function routeIndex(routes: readonly { method: string; path: string }[]) {
  const exact = new Map<string, Set<string>>()
  const patterns = new Map<string, { test: RegExp; path: string; methods: Set<string> }>()
  for (const { method, path } of routes) {
    if (!path.includes(':')) {
      exact.set(path, (exact.get(path) ?? new Set()).add(method))
      continue
    }
    // Nothing begins with ~ but verbs of the domain API (tenant-api/paths.ts): they are no values.
    const source = path
      .split('/')
      .map((part) => (part.startsWith(':') ? '(?!~)[^/]+' : part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')))
      .join('/')
    const entry = patterns.get(path) ?? { test: new RegExp(`^${source}$`), path, methods: new Set<string>() }
    entry.methods.add(method)
    patterns.set(path, entry)
  }
  const complete = (methods: ReadonlySet<string>): readonly string[] => [
    ...methods,
    ...(methods.has('GET') && !methods.has('HEAD') ? ['HEAD'] : []),
    'OPTIONS',
  ]
  const listed = new Map([...exact].map(([path, methods]) => [path, complete(methods)]))
  // Every request is held against them: only against those that begin as it does.
  const byRoot = Map.groupBy(
    [...patterns.values()].map((one) => ({ ...one, methods: complete(one.methods) })),
    ({ path }) => rootOf(path),
  )
  const find = (path: string) =>
    byRoot.get(rootOf(path))?.find(({ test }) => test.test(path)) ??
    byRoot.get(ANY_ROOT)?.find(({ test }) => test.test(path))
  return {
    /** Methods of a known path, or null. */
    methods: (path: string): readonly string[] | null => listed.get(path) ?? find(path)?.methods ?? null,
    /** The template that a path was found by, as it was listed, or null. */
    template: (path: string): string | null => (listed.has(path) ? path : (find(path)?.path ?? null)),
  }
}

/** The first part of a path or a template, with its slash; of a template that begins with a parameter the slash alone. */
export const rootOf = (path: string): string => /^\/[^/:]*/.exec(path)?.[0] ?? path

const ANY_ROOT = '/'
