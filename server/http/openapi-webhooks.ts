/** The section `webhooks` of the public API's description: one entry for each event that a webhook may be sent. */
import { Metadata } from '../contract/metadata.ts'
import { ApplianceEvent, EVENT_TYPES, type EventType } from '../contract/events.ts'

const text = { type: 'string' }
const failure = ['errorCode', 'error']

/** What the data of events holds, by the first word of their names; any member may be missing. */
const DATA: Readonly<Record<string, readonly string[]>> = {
  run: ['runId', 'workflowId', 'status', ...failure],
  render: ['operationId', 'clipId', 'state', ...failure],
  clip: ['clipId', 'runId', 'workflowId', 'title', 'review'],
  pick: ['pickId', 'runId', 'kind', 'state', ...failure],
  post: ['postId', 'clipId', 'platform', 'state', 'postUrl', ...failure],
  share: [
    'shareId',
    'clipId',
    'commentId',
    'replyTo',
    'by',
    'author',
    'text',
    'decision',
    'reviewer',
    'note',
  ],
  confirmation: ['confirmationId', 'action', 'subjectId', 'state'],
}

const NUMBERS: Readonly<Record<string, readonly string[]>> = {
  render: ['attempts'],
  share: ['frame', 'seconds'],
}

/** Of the client's own; the run's is `metadata` of its events, and `runMetadata` of those of its clips. */
const METADATA: Readonly<Record<string, readonly string[]>> = {
  run: ['metadata'],
  clip: ['metadata', 'runMetadata'],
  render: ['metadata', 'runMetadata'],
}

const kindOf = (type: EventType): string => type.slice(0, type.indexOf('.'))
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
const dataName = (kind: string): string => `${capital(kind)}EventData`

/** Schemas of the data of events. */
export const EVENT_DATA_SCHEMAS: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.entries(DATA).map(([kind, names]) => [
    dataName(kind),
    {
      type: 'object',
      description: 'Members without a value are left out',
      properties: Object.fromEntries([
        ...names.map((name) => [name, text]),
        ...(NUMBERS[kind] ?? []).map((name) => [name, { type: 'number' }]),
        ...(METADATA[kind] ?? []).map((name) => [name, Metadata]),
      ]) as unknown,
    },
  ]),
)

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: text,
})

const HEADERS = [
  header('Cutroom-Event', 'The type of the event'),
  header('Cutroom-Delivery', 'The same each time that this event is sent to this webhook'),
  header(
    'Cutroom-Signature',
    't=SECONDS,v1=HEX: the HMAC-SHA256 of t, a dot and the body as it came, with the secret of the webhook as key',
  ),
]

/** What a webhook is sent, by the event. */
export const webhooksDescribed = (): Record<string, unknown> =>
  Object.fromEntries(
    EVENT_TYPES.map((type) => [
      type,
      {
        post: {
          operationId: `on${type.split('.').map(capital).join('')}`,
          summary: `The event ${type}`,
          tags: ['Webhooks'],
          security: [],
          parameters: HEADERS,
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: {
                  allOf: [
                    ApplianceEvent,
                    {
                      type: 'object',
                      properties: {
                        type: { type: 'string', const: type },
                        data: { $ref: `#/components/schemas/${dataName(kindOf(type))}` },
                      },
                    },
                  ],
                },
              },
            },
          },
          responses: {
            '2XX': { description: 'Received. Anything else is tried again for 15 hours' },
            410: { description: 'Nobody is there any more: the webhook is paused' },
          },
        },
      },
    ]),
  )
