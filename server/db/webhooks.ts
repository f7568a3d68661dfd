/** Queries of webhooks and their deliveries. Deliveries are made by the trigger on events (schema-events.ts). */
import { and, asc, desc, eq, lte } from 'drizzle-orm'
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

/** A delivery with what it tells. */
export interface ToldDelivery extends DeliveryRow {
  readonly type: string
  readonly subjectId: string
}

/** Newest first. */
export function listDeliveries(
  db: Db,
  webhookId: string,
  options: { readonly state?: string; readonly limit: number },
): ToldDelivery[] {
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

/** Deliveries whose time has come, to webhooks that are active, the longest waiting first. */
export function listDueDeliveries(db: Db, now: number, limit: number): DueDelivery[] {
  return db.orm
    .select()
    .from(webhookDeliveries)
    .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
    .innerJoin(events, eq(events.id, webhookDeliveries.eventId))
    .where(
      and(
        eq(webhookDeliveries.state, 'queued'),
        lte(webhookDeliveries.availableAt, now),
        eq(webhooks.state, 'active'),
      ),
    )
    .orderBy(asc(webhookDeliveries.availableAt), asc(events.seq))
    .limit(limit)
    .all()
    .map((row) => ({ delivery: row.webhook_deliveries, webhook: row.webhooks, event: row.events }))
}

export function updateDelivery(
  db: Pick<Db, 'orm'>,
  id: string,
  changes: Partial<Omit<DeliveryRow, 'id' | 'webhookId' | 'eventId'>>,
): void {
  db.orm.update(webhookDeliveries).set(changes).where(eq(webhookDeliveries.id, id)).run()
}
