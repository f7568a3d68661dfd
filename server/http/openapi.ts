/** The OpenAPI document, from what the routes declare about themselves. */
import type { TSchema } from '@sinclair/typebox'
import { PublicError } from '../contract/public-clip.ts'
import { NODE_TYPES, NODES } from '../nodes/index.ts'
import { HEADERS, pathParameters, SCOPES_IN_WORDS, securedBy, withRequestId } from './answers.ts'

interface RouteFacts {
  readonly method: string
  readonly path: string
  readonly hooks?: { readonly detail?: unknown }
}

interface Parameter {
  readonly name: string
  readonly in: string
}

interface Detail extends Record<string, unknown> {
  readonly parameters?: readonly Parameter[]
  readonly responses?: object
}

const PUBLIC = /^\/(?!studio\/|shared\/|public\/)/

/** `GET /companies/:companyId/clips/:clipId` → `getCompaniesByCompanyIdClipsByClipId`: stable, unique. */
function operationId(method: string, path: string): string {
  const words = path.split(/[/-]/).filter((part) => part !== '')
  const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
  return (
    method +
    words.map((word) => (word.startsWith(':') ? `By${capital(word.slice(1))}` : capital(word))).join('')
  )
}

function operation(method: string, path: string, detail: Detail): Record<string, unknown> {
  const inPath = pathParameters(path, /:(\w+)/g)
  const named = new Set(inPath.map(({ name }) => name))
  const parameters = [...inPath, ...(detail.parameters ?? []).filter(({ name }) => !named.has(name))]
  return {
    operationId: operationId(method, path),
    security: securedBy('apiKey', method.toUpperCase(), path),
    ...detail,
    ...(parameters.length === 0 ? {} : { parameters }),
    responses: withRequestId(detail.responses ?? {}),
  }
}

/** Where the config of a node type is described: `NodeConfigs` names all of them. */
function nodeSchemas(): Record<string, unknown> {
  const configs = NODE_TYPES.map((type) => [type, NODES[type]] as const)
  const reference = (type: string) => ({ $ref: `#/components/schemas/NodeConfig.${type}` })
  const listed = configs.map(([type]) => ({
    type: 'object',
    required: ['nodeType', 'config'],
    properties: { nodeType: { const: type }, config: reference(type) },
  }))
  const other = {
    type: 'object',
    required: ['nodeType', 'config'],
    properties: { nodeType: { type: 'string', not: { enum: NODE_TYPES } }, config: { type: 'object' } },
  }
  return {
    ...Object.fromEntries(
      configs.map(([type, node]): [string, TSchema] => [
        `NodeConfig.${type}`,
        { ...node.config, title: node.label },
      ]),
    ),
    NodeConfigs: {
      description:
        'Overrides by node type, as a map or as a list. A type that the workflow lacks is skipped; one that is there is held against its schema.',
      anyOf: [
        {
          type: 'object',
          properties: Object.fromEntries(configs.map(([type]) => [type, reference(type)])),
        },
        { type: 'array', items: { oneOf: [...listed, other] } },
      ],
    },
  }
}

const DESCRIPTION = `Turns long videos into finished short clips: start a saved workflow on a video, poll the run, read and edit its clips, render them. Every route but the open ones takes "Authorization: Bearer <API key>"; a key belongs to one company. Media addresses in answers are opaque, need no key and do not expire. A body holds at most 1 MiB; fields that are null count as not sent.`

/** OpenAPI 3.1 of the public API. */
export function openApiDocument(routes: readonly RouteFacts[], version: string): unknown {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const { method, path, hooks } of routes) {
    if (!PUBLIC.test(path)) continue
    const verb = method.toLowerCase()
    const address = path.replaceAll(/:(\w+)/g, '{$1}')
    paths[address] = { ...paths[address], [verb]: operation(verb, path, (hooks?.detail ?? {}) as Detail) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Cutroom public API', version, description: DESCRIPTION },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: `An API key. Each operation names the scope that it takes; 403 SCOPE_MISSING where the key lacks it.\n\n${SCOPES_IN_WORDS}`,
        },
      },
      headers: HEADERS,
      schemas: { PublicError, ...nodeSchemas() },
    },
  }
}
