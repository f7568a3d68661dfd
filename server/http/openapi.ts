/** The OpenAPI document, from what the routes declare about themselves. */

interface RouteFacts {
  readonly method: string
  readonly path: string
  readonly hooks?: { readonly detail?: unknown }
}

interface Detail extends Record<string, unknown> {
  readonly parameters?: readonly unknown[]
}

const PUBLIC = /^\/(?!studio\/|public\/)/

function pathParameters(path: string): unknown[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

/** `GET /companies/:companyId/clips/:clipId` → `getCompaniesByCompanyIdClipsByClipId`: stable, unique. */
function operationId(method: string, path: string): string {
  const words = path.split(/[/-]/).filter((part) => part !== '')
  const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
  return (
    method +
    words.map((word) => (word.startsWith(':') ? `By${capital(word.slice(1))}` : capital(word))).join('')
  )
}

/** OpenAPI 3.1 of the public API. */
export function openApiDocument(routes: readonly RouteFacts[], version: string): unknown {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const { method, path, hooks } of routes) {
    if (!PUBLIC.test(path)) continue
    const detail = (hooks?.detail ?? {}) as Detail
    const address = path.replaceAll(/:(\w+)/g, '{$1}')
    const parameters = [...pathParameters(path), ...(detail.parameters ?? [])]
    paths[address] = {
      ...paths[address],
      [method.toLowerCase()]: {
        operationId: operationId(method.toLowerCase(), path),
        ...detail,
        ...(parameters.length === 0 ? {} : { parameters }),
        ...(path === '/health' ? { security: [] } : {}),
      },
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Cutroom public API', version },
    components: { securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } } },
    security: [{ apiKey: [] }],
    paths,
  }
}
