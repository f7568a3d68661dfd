/** Webhooks and what became of each delivery, as the studio and the command line show them. */
import { Type, type Static } from '@sinclair/typebox'
import { choice, closedObject, nullable } from './config-fields.ts'

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
export const WebhookShown = Type.Object({ webhook: Webhook })
/** `secret` is shown here and never again. */
export const WebhookMade = Type.Object({ webhook: Webhook, secret: Type.String() })
export type WebhookMade = Static<typeof WebhookMade>
