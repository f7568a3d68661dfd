/** Events of an appliance, as webhooks and the studio's stream receive them. */
import { Type, type Static } from '@sinclair/typebox'

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
  'post.created',
  'post.updated',
  'post.scheduled',
  'post.publishing',
  'post.published',
  'post.failed',
  'post.cancelled',
  'post.deleted',
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
  type: Type.String({ enum: [...EVENT_TYPES] }),
  companyId: Type.String(),
  /** Of the run, the clip (renders and clips), the post or the confirmation. */
  subjectId: Type.String(),
  createdAt: Type.String({ format: 'date-time' }),
  /** Ids and state; members without a value are left out. */
  data: Type.Record(Type.String(), Type.Unknown()),
})
export type ApplianceEvent = Omit<Static<typeof ApplianceEvent>, 'type'> & { type: EventType }

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
    type: Type.Literal('render.progress'),
    operationId: Type.String(),
    clipId: Type.String(),
    progress: Type.Number(),
  }),
])
export type ProgressMessage = Static<typeof ProgressMessage>

/**
 * One message of GET /studio/events. `stream.hello` is the first. `stream.reset` instead means that events since
 * Last-Event-ID are no longer stored: the client must reload everything.
 */
export type StreamMessage =
  | ApplianceEvent
  | ProgressMessage
  | { readonly type: 'stream.hello' | 'stream.reset'; readonly progress: readonly ProgressMessage[] }
