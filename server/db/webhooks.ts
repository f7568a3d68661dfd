/** Queries of webhooks and their deliveries. Deliveries are made by the trigger on events (schema-events.ts). */
import { and, asc, desc, eq, lte, sql } from 'drizzle-orm'
import type { Delivery } from '../contract/events.ts'
import type { Db } from './client.ts'
import { events, webhookDeliveries, webhooks } from './schema.ts'

export type WebhookRow = typeof webhooks.$inferSelect
export type DeliveryRow = typeof webhookDeliveries.$inferSelect

export function insertWebhook(db: Db, row: WebhookRow): void {
  db.orm.insert(webhooks).values(row).run()
}

export function getWebhook(db: Db, id: string): WebhookRow | null {
  return db.orm.select().from(webhooks).where(eq(webhooks.id, id)).get() ?? null
}

/** Oldest first; null: those of every company. */
export function listWebhooks(db: Db, companyId: string | null): WebhookRow[] {
  return db.orm
    .select()
    .from(webhooks)
    .where(companyId === null ? undefined : eq(webhooks.companyId, companyId))
    .orderBy(asc(webhooks.createdAt), asc(webhooks.id))
    .all()
}

/** Its deliveries go with it. */
export function deleteWebhook(db: Db, id: string): boolean {
  return db.orm.delete(webhooks).where(eq(webhooks.id, id)).run().changes > 0
}

export function setWebhookState(db: Db, id: string, state: 'active' | 'paused', now: number): void {
  db.orm.update(webhooks).set({ state, updatedAt: now }).where(eq(webhooks.id, id)).run()
}

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

export function getDelivery(db: Db, id: string): DeliveryRow | null {
  return db.orm.select().from(webhookDeliveries).where(eq(webhookDeliveries.id, id)).get() ?? null
}

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

export function updateDelivery(
  db: Pick<Db, 'orm'>,
  id: string,
  changes: Partial<Omit<DeliveryRow, 'id' | 'webhookId' | 'eventId'>>,
): void {
  db.orm.update(webhookDeliveries).set(changes).where(eq(webhookDeliveries.id, id)).run()
}
