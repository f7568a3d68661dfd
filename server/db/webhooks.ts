/** Queries of webhooks and their deliveries. Deliveries are made by the trigger on events (schema-events.ts). */
import { and, asc, desc, eq, lte, sql } from 'drizzle-orm'
import type { Delivery } from '../contract/events.ts'
import type { Db } from './client.ts'
import { deleteBy, findBy, insertInto, listWhere, updateBy } from './rows.ts'
import { events, webhookDeliveries, webhooks } from './schema.ts'

export type WebhookRow = typeof webhooks.$inferSelect
export type DeliveryRow = typeof webhookDeliveries.$inferSelect

export const insertWebhook = insertInto(webhooks)

export const getWebhook = findBy(webhooks, 'id')

/** Oldest first; null: those of every company. */
export function listWebhooks(db: Db, companyId: string | null): WebhookRow[] {
  const where = companyId === null ? undefined : eq(webhooks.companyId, companyId)
  return listWhere(db, webhooks, { where, order: [webhooks.createdAt, webhooks.id] })
}

/** Its deliveries go with it. */
export const deleteWebhook = deleteBy(webhooks, 'id')

export const updateWebhook = updateBy(webhooks, 'id')

/** A delivery with its event. */
export interface DeliveryView extends DeliveryRow {
  readonly type: string
  readonly subjectId: string
}

/** Newest first. */
export function listDeliveries(
  db: Db,
  webhookId: string,
  options: { readonly state?: Delivery['state']; readonly limit: number },
): DeliveryView[] {
  const { state, limit } = options
  return db.orm
    .select()
    .from(webhookDeliveries)
    .innerJoin(events, eq(events.id, webhookDeliveries.eventId))
    .where(
      and(
        eq(webhookDeliveries.webhookId, webhookId),
        state === undefined ? undefined : eq(webhookDeliveries.state, state),
      ),
    )
    .orderBy(desc(webhookDeliveries.createdAt), desc(events.seq))
    .limit(limit)
    .all()
    .map(({ webhook_deliveries: delivery, events: { type, subjectId } }) => ({
      ...delivery,
      type,
      subjectId,
    }))
}

export const getDelivery = findBy(webhookDeliveries, 'id')

export interface DueDelivery {
  readonly delivery: DeliveryRow
  readonly webhook: WebhookRow
  readonly event: typeof events.$inferSelect
}

/**
 * Deliveries that are due, to active webhooks: the `each` longest waiting ones of each webhook, the first of every
 * webhook before the second of any, so that one receiver that is away does not delay all others.
 */
export function listDueDeliveries(
  db: Db,
  now: number,
  { each, limit }: { readonly each: number; readonly limit: number },
): DueDelivery[] {
  const { availableAt, webhookId } = webhookDeliveries
  const longestWaiting = (webhook: WebhookRow): DueDelivery[] =>
    db.orm
      .select({ delivery: webhookDeliveries, event: events })
      .from(webhookDeliveries)
      .innerJoin(events, eq(events.id, webhookDeliveries.eventId))
      // The words of its index (webhook_deliveries_due), which a bound value would not be; rows are in the order of their events.
      .where(and(eq(webhookId, webhook.id), sql`state = 'queued'`, lte(availableAt, now)))
      .orderBy(asc(availableAt), sql`${webhookDeliveries}.rowid`)
      .limit(each)
      .all()
      .map((found) => ({ ...found, webhook }))
  return db.orm
    .select()
    .from(webhooks)
    .where(eq(webhooks.state, 'active'))
    .all()
    .flatMap((webhook) => longestWaiting(webhook).map((due, place) => ({ due, place })))
    .toSorted((a, b) => a.place - b.place || a.due.delivery.availableAt - b.due.delivery.availableAt)
    .slice(0, limit)
    .map(({ due }) => due)
}

export const updateDelivery = updateBy(webhookDeliveries, 'id')
