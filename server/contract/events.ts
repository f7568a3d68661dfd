/** Events of an appliance, as webhooks and the studio's stream receive them, and the webhooks with their deliveries. */
import { Type, type Static } from '@sinclair/typebox'
import { choice, closedObject, nullable, oneOf, takesNull } from './config-fields.ts'

/** Events that are stored and sent to subscribed webhooks. `events_*` triggers write them; the names are a contract. */
export const EVENT_TYPES = [
  'run.queued',
  'run.processing',
  'run.learning',
  'run.completed',
  'run.failed',
  'render.queued',
  'render.started',
  'render.finished',
  'render.failed',
  'render.cancelled',
  'clip.created',
  'clip.updated',
  'clip.deleted',
  'clip.rendered',
  'clip.reviewed',
  'pick.created',
  'pick.finished',
  'pick.failed',
  'pick.cancelled',
  'post.created',
  'post.updated',
  'post.scheduled',
  'post.publishing',
  'post.published',
  'post.failed',
  'post.cancelled',
  'post.deleted',
  'share.commented',
  'share.decided',
  'confirmation.created',
  'confirmation.approved',
  'confirmation.declined',
  'confirmation.consumed',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

/** `run.*` and `*` match every event that begins so. */
export const EVENT_PATTERNS: readonly string[] = [
  '*',
  ...new Set(EVENT_TYPES.map((type) => `${type.slice(0, type.indexOf('.'))}.*`)),
  ...EVENT_TYPES,
]

/** The body of a webhook request, and of stored events in the studio's stream. */
export const ApplianceEvent = Type.Object({
  id: Type.String(),
  type: oneOf(EVENT_TYPES),
  companyId: Type.String(),
  /** Of the run (picks too), the clip (renders and clips), the post or the confirmation. */
  subjectId: Type.String(),
  createdAt: Type.String({ format: 'date-time' }),
  /** Ids and state; members without a value are left out. */
  data: Type.Record(Type.String(), Type.Unknown()),
})
export type ApplianceEvent = Static<typeof ApplianceEvent>

/** Current progress; it is not stored and not sent again. */
export const ProgressMessage = Type.Union([
  Type.Object({
    type: Type.Literal('run.progress'),
    operationId: Type.String(),
    runId: Type.String(),
    progress: Type.Number(),
    stage: Type.String(),
  }),
  Type.Object({
    type: Type.Literal('pick.progress'),
    operationId: Type.String(),
    runId: Type.String(),
    progress: Type.Number(),
  }),
  Type.Object({
    type: Type.Literal('render.progress'),
    operationId: Type.String(),
    clipId: Type.String(),
    progress: Type.Number(),
  }),
])
export type ProgressMessage = Static<typeof ProgressMessage>

/** A message of GET /studio/events. `stream.reset`: events are no longer stored, so all is to be reloaded. */
export type StreamMessage =
  | ApplianceEvent
  | ProgressMessage
  | { readonly type: 'stream.hello' | 'stream.reset'; readonly progress: readonly ProgressMessage[] }

const Nullable = nullable(Type.String())

const WEBHOOK_STATES = ['active', 'paused'] as const
/** A webhook as it is shown: never its secret. */
export const Webhook = Type.Object({
  id: Type.String(),
  companyId: Type.String(),
  url: Type.String(),
  /** Subscribed events: names, `run.*` and the like, `*`. */
  events: Type.Array(Type.String()),
  /** A paused webhook is sent nothing: waiting deliveries stay queued, and events in the meantime are not queued. */
  state: choice(WEBHOOK_STATES),
  createdAt: Type.String(),
})
export type Webhook = Static<typeof Webhook>
/** What one is made of; `events` empty or absent: all. */
export const NewWebhook = Type.Object({
  companyId: Type.String({ minLength: 1 }),
  url: Type.String({ minLength: 1, maxLength: 2000 }),
  events: Type.Optional(Type.Array(Type.String(), { maxItems: 100 })),
})
/** The same as it is described to callers. */
export const NewWebhookBody = takesNull(NewWebhook)
export const Webhooks = Type.Object({
  webhooks: Type.Array(Webhook),
  /** Filters of the list. */
  eventPatterns: Type.Array(Type.String()),
})
export type Webhooks = Static<typeof Webhooks>

export const DELIVERY_STATES = ['queued', 'delivered', 'dead'] as const
export const Delivery = Type.Object({
  id: Type.String(),
  event: Type.String(),
  /** Of the run, the clip, the post or the confirmation. */
  subjectId: Type.String(),
  /** `dead`: not retried automatically; it can be sent again on request. */
  state: choice(DELIVERY_STATES),
  attempts: Type.Integer(),
  /** Of the next try; null where there is none. */
  nextAt: Nullable,
  /** HTTP status of the last answer; null: there was none. */
  responseStatus: nullable(Type.Integer()),
  /** One sentence about the last failure. */
  error: Nullable,
  createdAt: Type.String(),
})
export type Delivery = Static<typeof Delivery>
export const Deliveries = Type.Object({ deliveries: Type.Array(Delivery) })
export type Deliveries = Static<typeof Deliveries>
export const DeliveriesQuery = Type.Object({ state: Type.Optional(choice(DELIVERY_STATES)) })

export const WebhookRequest = closedObject({
  companyId: Type.Optional(Type.String({ minLength: 1 })),
  url: Type.String({ minLength: 1, maxLength: 2000 }),
  /** Left out or empty: everything. */
  events: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 100 })),
})
export const WebhookChange = closedObject({ state: choice(WEBHOOK_STATES) })

/** `secret` is shown here and never again. */
export const WebhookMade = Type.Object({ webhook: Webhook, secret: Type.String() })
export type WebhookMade = Static<typeof WebhookMade>
