/** The OpenAPI document, from what the routes declare about themselves. */
import type { TSchema } from '@sinclair/typebox'
import { NODE_TYPES, NODES } from '../nodes/index.ts'
import { LICENSE, pathParameters, protocolRefusals, SCOPES_IN_WORDS, securedBy } from './answers.ts'
import { HEADERS, withRequestId } from './openapi-headers.ts'
import { addLinks, PUBLIC_LINKS } from './openapi-links.ts'
import { withNamedSchemas } from './openapi-schemas.ts'
import { EVENT_DATA_SCHEMAS, webhooksDescribed } from './openapi-webhooks.ts'
import { PUBLIC_EXAMPLES } from './public/examples.ts'
import { PUBLIC_NAMES } from './public/names.ts'

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

/** Groups of operations, by the last word of the address that says what they are about. */
const TAGS = [
  {
    name: 'Runs',
    description: 'Start a run of a workflow on a video, and follow it',
    about: /trigger|results/,
  },
  { name: 'Uploads', description: 'Send a video in pieces, and go on where it broke off', about: /upload/ },
  { name: 'Posts', description: 'Posts made of clips, with their counters', about: /post/ },
  {
    name: 'Clips',
    description: 'Read, edit and render clips, and correct their words',
    about: /clip|render/,
  },
  { name: 'Workflows', description: 'Saved workflows', about: /workflow/ },
  { name: 'Webhooks', description: 'What webhooks are sent', about: /webhook/ },
  { name: 'Appliance', description: 'Whether the appliance answers, and can work', about: /./ },
] as const

const tagOf = (path: string): string =>
  TAGS.find(({ about }) => about.test(path))?.name ?? TAGS.at(-1)?.name ?? ''

function operation(method: string, path: string, detail: Detail): Record<string, unknown> {
  const inPath = pathParameters(path, /:(\w+)/g)
  const named = new Set(inPath.map(({ name }) => name))
  const parameters = [...inPath, ...(detail.parameters ?? []).filter(({ name }) => !named.has(name))]
  return {
    operationId: operationId(method, path),
    tags: [tagOf(path)],
    security: securedBy('apiKey', method.toUpperCase(), path),
    ...detail,
    ...(parameters.length === 0 ? {} : { parameters }),
    responses: withRequestId({ ...detail.responses, ...protocolRefusals('Error') }),
  }
}

/** Where the config of a node type is described: `NodeConfigs` names all of them. */
function nodeSchemas(): Record<string, unknown> {
  const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })
  const configs = NODE_TYPES.map((type) => [type, `NodeConfig.${type}`] as const)
  const overrides = NODE_TYPES.map((type) => [type, `NodeOverride.${type}`] as const)
  return {
    ...Object.fromEntries(
      configs.map(([type, name]): [string, TSchema] => [
        name,
        // No title: some generators make the name of the class of it.
        { ...NODES[type].config, description: `Settings of the node “${NODES[type].label}”` },
      ]),
    ),
    ...Object.fromEntries(
      overrides.map(([type, name]) => [
        name,
        {
          type: 'object',
          required: ['nodeType'],
          properties: { nodeType: { type: 'string', const: type }, config: reference(`NodeConfig.${type}`) },
        },
      ]),
    ),
    'NodeOverride.other': {
      type: 'object',
      description: 'Of a type that this appliance does not know, such as one of a later version: skipped',
      required: ['nodeType'],
      properties: {
        nodeType: { type: 'string', minLength: 1, not: { type: 'string', enum: [...NODE_TYPES] } },
        config: {},
      },
    },
    NodeConfigs: {
      description:
        'Overrides by node type, as a map or as a list. A type that the workflow lacks is skipped; one that is there is held against its schema.',
      anyOf: [
        {
          type: 'object',
          properties: Object.fromEntries(configs.map(([type, name]) => [type, reference(name)])),
        },
        {
          type: 'array',
          items: {
            anyOf: [
              {
                oneOf: overrides.map(([, name]) => reference(name)),
                discriminator: {
                  propertyName: 'nodeType',
                  mapping: Object.fromEntries(
                    overrides.map(([type, name]) => [type, `#/components/schemas/${name}`]),
                  ),
                },
              },
              reference('NodeOverride.other'),
            ],
          },
        },
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
  addLinks(paths, PUBLIC_LINKS)
  const document = {
    openapi: '3.1.0',
    info: { title: 'Cutroom public API', version, description: DESCRIPTION, license: LICENSE },
    servers: [{ url: '/' }],
    tags: TAGS.map(({ name, description }) => ({ name, description })),
    security: [{ apiKey: [] }],
    paths,
    webhooks: webhooksDescribed(),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: `An API key. Each operation names the scope that it takes; 403 SCOPE_MISSING where the key lacks it.\n\n${SCOPES_IN_WORDS}`,
        },
      },
      headers: HEADERS,
      schemas: { ...nodeSchemas(), ...EVENT_DATA_SCHEMAS },
    },
  }
  return withNamedSchemas(document, PUBLIC_NAMES, PUBLIC_EXAMPLES)
}
