/** GET /openapi.json: OpenAPI 3.1.0 of the domain API, from the routes' own declarations. */
import { DOMAIN_API_VERSION } from '../../contract/tenant-api/envelope.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import {
  CONTENT,
  describeRefusals,
  LICENSE,
  pathParameters,
  protocolRefusals,
  queryParameters,
  SCOPES_IN_WORDS,
  securedBy,
} from '../answers.ts'
import {
  ETAG,
  HEADERS,
  REPLAYED,
  REQUIRED_IDEMPOTENCY_KEY,
  REQUIRED_IF_MATCH,
  withRequestId,
} from '../openapi-headers.ts'
import { addLinks, DOMAIN_LINKS } from '../openapi-links.ts'
import { withNamedSchemas } from '../openapi-schemas.ts'
import { describedBody, type DomainRoute } from './declare.ts'
import { DOMAIN_EXAMPLES } from './examples.ts'
import { DOMAIN_NAMES } from './names.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'

const RETRY_AFTER = { description: 'Seconds after which to try again', schema: { type: 'string' } }

/** Every code with which a route may refuse. */
function refusalsOf(route: DomainRoute): ErrorCode[] {
  const codes: ErrorCode[] = [
    'UNAUTHENTICATED',
    'FORBIDDEN_HOST',
    'RATE_LIMITED',
    'INTERNAL',
    // Also of what is no request at all: two Host headers, half a percent sign.
    'VALIDATION_FAILED',
    // A body that is too large is refused whether the route has a use for one or not.
    'PAYLOAD_TOO_LARGE',
    ...(route.errors ?? []),
  ]
  // Every id in an address may be that of nothing.
  if (/\{\w+Id\}/.test(route.path)) codes.push('NOT_FOUND')
  if (route.access === 'tenant')
    codes.push('FEATURE_DISABLED', 'PLAN_NOT_ELIGIBLE', 'GRANT_MISSING', 'GRANT_EXPIRED', 'SCOPE_MISSING')
  if (route.method !== 'GET') codes.push('UNSUPPORTED_ENCODING', 'DISK_FULL')
  // Answered to studio sessions whose role does not allow the route.
  if (route.method !== 'GET' && route.access === 'tenant') codes.push('ROLE_NOT_ALLOWED')
  if (route.ifMatch === true) codes.push('PRECONDITION_REQUIRED', 'PRECONDITION_FAILED')
  if (route.idempotent !== undefined)
    codes.push('IDEMPOTENCY_KEY_REQUIRED', 'IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_IN_PROGRESS')
  return [...new Set(codes)]
}

/** The body of a refusal with one of these codes. */
function refusalBody(route: DomainRoute, codes: readonly ErrorCode[]): object {
  const own = {
    allOf: [
      { $ref: '#/components/schemas/Error' },
      {
        type: 'object',
        properties: {
          error: { type: 'object', properties: { code: { type: 'string', enum: codes } } },
        },
      },
    ],
  }
  const ofPublicApi = route.sharedAddress === true && codes.includes('UNAUTHENTICATED')
  return ofPublicApi ? { anyOf: [own, { $ref: '#/components/schemas/ProtocolError' }] } : own
}

const refusals = (route: DomainRoute): Record<string, unknown> =>
  describeRefusals(refusalsOf(route), (codes) => refusalBody(route, codes), {
    429: { 'Retry-After': RETRY_AFTER },
  })

const PROTOCOL = protocolRefusals('ProtocolError')

function operation(route: DomainRoute): Record<string, unknown> {
  const { operationId, summary, description, answer, success, status = 200, also = {} } = route
  const parameters = [
    ...pathParameters(route.path, /\{(\w+)\}/g),
    ...queryParameters(route.query),
    ...(route.ifMatch === true ? [REQUIRED_IF_MATCH] : []),
    ...(route.idempotent === undefined ? [] : [REQUIRED_IDEMPOTENCY_KEY]),
  ]
  const headers = {
    ...(route.etag === true || route.ifMatch === true ? ETAG : {}),
    ...(route.idempotent === undefined ? {} : REPLAYED),
  }
  const content = { [CONTENT]: { schema: answer } }
  const successes = Object.fromEntries(
    [[status, success] as const, ...Object.entries(also)].map(([code, text]) => [
      code,
      { description: text, headers, content },
    ]),
  )
  const requestBody = {
    required: route.bodyOptional !== true,
    content: { [CONTENT]: { schema: describedBody(route) } },
  }
  return {
    operationId,
    summary,
    ...omitUndefined({ description }),
    tags: [tagOf(route.path)],
    security:
      route.access === 'tenant'
        ? securedBy('serviceDelegation', route.method, route.path)
        : [{ providerServiceIdentity: [] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined ? {} : { requestBody }),
    responses: withRequestId({ ...successes, ...refusals(route), ...PROTOCOL }),
  }
}

const tagOf = (path: string): string => /^\/([a-z]+)/.exec(path)?.[1] ?? 'other'

/** The groups of operations: the first words of addresses. */
const TAGS: Readonly<Record<string, string>> = {
  openapi: 'This description',
  context: 'Who calls, for whom, and what may be done',
  clips: 'Find, read, edit and render clips, and correct their words',
  workflows: 'Saved workflows, and running them once a person has agreed',
  runs: 'How a run goes',
  operations: 'How durable work goes',
  confirmations: 'What waits for a person to agree',
  social: 'Connected accounts, posts and their calendar',
  analytics: 'Counters of posts',
  search: 'One search over everything',
  voices: 'Voices that have a name',
  internal: 'Callbacks of the platform, and worker nodes',
}

const SELF = {
  get: {
    operationId: 'getOpenApi',
    summary: 'This description',
    security: [],
    tags: ['openapi'],
    responses: withRequestId({
      200: { description: 'OpenAPI 3.1.0', content: { [CONTENT]: { schema: { type: 'object' } } } },
      ...describeRefusals(['FORBIDDEN_HOST', 'PAYLOAD_TOO_LARGE'], () => ({
        $ref: '#/components/schemas/Error',
      })),
      ...PROTOCOL,
    }),
  },
}

const DESCRIPTION =
  'The tenant-scoped API that trusted services call: clips, transcripts, posts with their two-step confirmation, analytics, search, operations, and the callbacks of workers. The tenant comes from the delegation, never from the request. Lists answer data and meta, single resources data; every answer carries requestId.'

export function domainDocument(routes: readonly DomainRoute[]): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = { '/openapi.json': SELF }
  for (const route of routes)
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) }
  addLinks(paths, DOMAIN_LINKS)
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Cutroom domain API',
      version: DOMAIN_API_VERSION,
      description: DESCRIPTION,
      license: LICENSE,
    },
    servers: [{ url: '/' }],
    tags: [...new Set(Object.keys(paths).map(tagOf))].map((name) => ({
      name,
      description: TAGS[name] ?? name,
    })),
    paths,
    components: {
      securitySchemes: {
        serviceDelegation: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Service-Delegation',
          description: `A signed token (JWS, typ delegation+jwt) that carries the tenant, the client and the principal. Each operation names the scope that the grant to the client has to have, where the grant has scopes.\n\n${SCOPES_IN_WORDS}`,
        },
        providerServiceIdentity: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'An ID token that an identity provider has issued for a service',
        },
      },
      headers: HEADERS,
    },
  }
  return withNamedSchemas(document, DOMAIN_NAMES, DOMAIN_EXAMPLES)
}
