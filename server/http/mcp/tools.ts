/**
 * The domain API's routes as tools for agents: name, description and input come from the declarations; a call becomes the
 * request that any client would send, so that identification, revisions, idempotency and refusals are the same.
 */
import { type TObject, Type } from '@sinclair/typebox'
import { invalidField } from '../../contract/errors.ts'
import { describedBody, type DomainRoute, tenantRoute } from '../tenant-api/declare.ts'
import { isTooDeep, MAX_LEVELS } from '../json-body.ts'
import { single } from '../../contract/tenant-api/envelope.ts'
import { runClipCommands } from '../../domain/clips/editor.ts'
import { EDIT_COMMANDS, type CommandCall } from '../../nodes/commands/index.ts'

type Json = Record<string, unknown>

export interface RouteTool {
  /** As MCP lists it. */
  readonly tool: ReturnType<typeof toolOf>
  readonly route: DomainRoute
}

/** Routes that are no tools: rendering while the caller waits is for programs; agents queue it and look again. */
const NO_TOOLS: ReadonlySet<string> = new Set(['renderClip'])

/** What agents must know beyond the route's own description. */
const GUIDANCE: Readonly<Record<string, string>> = {
  decideConfirmation:
    'Only a person decides. Show them the preview of the confirmation, ask whether it should be done, and pass what they wrote, word for word, as consentText. Never call this without their written answer to this very question, and never write it for them.',
  preparePublish:
    'Nothing is published by this. It answers a confirmation: show its preview to the person, record their answer with decide_confirmation, then call publish_social_post with the confirmationId.',
  prepareCancel:
    'Nothing is cancelled by this. Show the preview to the person, record their answer with decide_confirmation, then call cancel_social_post with the confirmationId.',
  prepareWorkflowRun:
    'Nothing is run by this. Show the preview to the person, record their answer with decide_confirmation, then call run_workflow with the same request and the confirmationId.',
  publishSocialPost: 'Needs a confirmation that a person has approved.',
  cancelSocialPost: 'Needs a confirmation that a person has approved.',
  runWorkflow: 'Needs a confirmation that a person has approved.',
  queueClipRender: 'Answers an operation; look with get_operation until it has succeeded or failed.',
  exportClip: 'Answers an operation; look with get_operation until it has succeeded or failed.',
  search:
    'The place to begin: finds ids by words, and passages of transcripts by words and by meaning, with their times. Results of type doc are sections of the appliance’s own guide.',
}

/** `getClipTranscript` → `get_clip_transcript` */
export const toolName = (operationId: string): string =>
  operationId.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const pathNames = ({ path }: DomainRoute): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')

/** Body fields that the tool sets itself, by operation; agents are not asked for them. */
const FIXED: Readonly<Record<string, Json>> = { decideConfirmation: { source: 'mcp_written_consent' } }
/** Members of bodies that are optional to programs and not to agents. */
const NEEDED: Readonly<Record<string, readonly string[]>> = { decideConfirmation: ['consentText'] }

const KEY_INPUT = 'idempotencyKey'
const REVISION_INPUT = 'etag'

const membersOf = (schema: TObject | undefined): Json => ({ ...(schema?.properties as Json | undefined) })

function inputOf(route: DomainRoute) {
  const { query, operationId } = route
  const body = describedBody(route)
  const fixed = FIXED[operationId] ?? {}
  const bodyMembers = Object.fromEntries(Object.entries(membersOf(body)).filter(([name]) => !(name in fixed)))
  const parts: Json[] = [
    Object.fromEntries(pathNames(route).map((name) => [name, { type: 'string', minLength: 1 }])),
    membersOf(query),
    bodyMembers,
    route.ifMatch === true
      ? {
          [REVISION_INPUT]: {
            type: 'string',
            description: 'The etag that came with the version that you have read',
          },
        }
      : {},
    route.idempotent === undefined
      ? {}
      : {
          [KEY_INPUT]: {
            type: 'string',
            minLength: 1,
            maxLength: 200,
            description:
              'Give the same one when you send the same call again after a failure; left out: a new one',
          },
        },
  ]
  const names = parts.flatMap((part) => Object.keys(part))
  if (new Set(names).size !== names.length) throw new Error(`${operationId} has two inputs of one name`)
  return {
    type: 'object' as const,
    // Copied through JSON, which drops TypeBox's symbols.
    properties: JSON.parse(JSON.stringify(Object.assign({}, ...parts))) as Json,
    required: [
      ...pathNames(route),
      ...(query?.required ?? []),
      ...(route.bodyOptional === true ? [] : (body?.required ?? [])),
      ...(NEEDED[operationId] ?? []),
      ...(route.ifMatch === true ? [REVISION_INPUT] : []),
    ],
    additionalProperties: false as const,
  }
}

function toolOf(route: DomainRoute) {
  const { operationId, summary, description, method } = route
  const guidance = GUIDANCE[operationId]
  const outward = /^(publish|cancel)/.test(operationId)
  return {
    name: toolName(operationId),
    title: summary,
    description: [`${summary}.`, description, guidance].filter((part) => part !== undefined).join(' '),
    inputSchema: inputOf(route),
    annotations: {
      readOnlyHint: method === 'GET',
      destructiveHint: method === 'DELETE' || outward,
      idempotentHint: method === 'GET',
      openWorldHint: outward,
    },
  }
}

/** The tools of the routes that a client may call for a tenant, by name. */
export function routeTools(routes: readonly DomainRoute[]): ReadonlyMap<string, RouteTool> {
  const tenant = routes.filter(({ access, operationId }) => access === 'tenant' && !NO_TOOLS.has(operationId))
  return new Map(tenant.map((route) => [toolName(route.operationId), { route, tool: toolOf(route) }]))
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Formats a value for a header, which allows fewer characters than JSON. Throws VALIDATION_FAILED naming the input. */
function headerText(input: string, value: unknown): string {
  const text = asText(value)
  if (/^[\x20-\x7e\x80-\xff]*$/.test(text)) return text
  throw invalidField(input, `"${input}" should be plain characters on one line.`)
}

function queryOf(route: DomainRoute, given: Json): string {
  const search = new URLSearchParams()
  for (const name of Object.keys(membersOf(route.query))) {
    // Agents send null for what they leave out; as text it would be a word to look for.
    if (!Object.hasOwn(given, name) || given[name] === null) continue
    const values = Array.isArray(given[name]) ? (given[name] as unknown[]) : [given[name]]
    for (const value of values) search.append(name, asText(value))
  }
  return search.size === 0 ? '' : `?${search.toString()}`
}

/** Builds the HTTP request of a tool call. Throws VALIDATION_FAILED for unknown or missing inputs. */
export function requestOf({ tool, route }: RouteTool, given: Json, newKey: () => string) {
  const { properties, required } = tool.inputSchema
  // A query or a header is made of it as well as a body, and neither could go through it.
  if (isTooDeep(given))
    throw invalidField(
      'arguments',
      `The inputs are nested in more than ${MAX_LEVELS} levels; send plainer ones.`,
    )
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(properties, name))
  if (unknown !== undefined) throw invalidField(unknown, `${tool.name} has no input "${unknown}".`)
  const missing = required.find((name) => given[name] === undefined)
  if (missing !== undefined) throw invalidField(missing, `"${missing}" is missing.`)
  const params = Object.fromEntries(
    pathNames(route).map((name) => {
      const value = given[name]
      if (typeof value !== 'string' || value === '') throw invalidField(name, `"${name}" should be an id.`)
      return [name, value]
    }),
  )
  const members = Object.keys(membersOf(route.body)).filter((name) => Object.hasOwn(given, name))
  const body = {
    ...Object.fromEntries(members.map((name) => [name, given[name]])),
    ...FIXED[route.operationId],
  }
  return {
    method: route.method,
    params,
    query: queryOf(route, given),
    headers: {
      ...(route.idempotent === undefined
        ? {}
        : { 'idempotency-key': headerText(KEY_INPUT, given[KEY_INPUT] ?? newKey()) }),
      ...(route.ifMatch === true ? { 'if-match': headerText(REVISION_INPUT, given[REVISION_INPUT]) } : {}),
    },
    body: route.body === undefined || (route.bodyOptional === true && members.length === 0) ? null : body,
  }
}

const closed = { additionalProperties: false } as const
const MAX_COMMANDS = 20

const Commands = Type.Object(
  {
    commands: Type.Array(
      Type.Union(
        EDIT_COMMANDS.map(({ name, description, params }) =>
          Type.Object({ name: Type.Literal(name), arguments: params }, { ...closed, description }),
        ),
      ),
      {
        minItems: 1,
        maxItems: MAX_COMMANDS,
        description: 'Done in order, each on what the ones before made',
      },
    ),
  },
  closed,
)

const Done = Type.Object(
  {
    lines: Type.Array(
      Type.Object(
        {
          kind: Type.Union([Type.Literal('done'), Type.Literal('refused'), Type.Literal('unknown')]),
          text: Type.String(),
        },
        closed,
      ),
    ),
  },
  closed,
)

export const editClipRoute = tenantRoute('POST /clips/{clipId}/commands', {
  operationId: 'editClip',
  summary: 'Edit a clip by commands, as its editor does',
  description:
    'Cuts words, sentences and times; sets captions, title, zooms, layout, sound and texts. One edit, saved; nothing is rendered. Times are seconds as the player counts them.',
  body: Commands,
  ifMatch: true,
  idempotent: 'slow',
  answer: single(Done),
  success: 'A line for each command: done, or why not',
  handle: (services, { caller, params, baseUrl, body, ifMatch }) =>
    runClipCommands(
      services,
      { companyId: caller.companyId, clipId: params.clipId, baseUrl },
      { calls: body.commands as unknown as CommandCall[], ifMatch },
    ),
})
