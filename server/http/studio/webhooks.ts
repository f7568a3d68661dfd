/** /studio/webhooks: registered addresses, their deliveries, and sending one again. */
import { Elysia } from 'elysia'
import {
  EVENT_PATTERNS,
  Deliveries,
  DeliveriesQuery,
  WebhookChange,
  WebhookMade,
  WebhookRequest,
  Webhooks,
  WebhookShown,
} from '../../contract/events.ts'
import type { Services } from '../../domain/services.ts'
import {
  changeWebhookState,
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  replayDelivery,
} from '../../domain/webhooks/webhooks.ts'
import { describeRoute, done, Done } from '../answers.ts'
import { jsonBody, readQuery } from '../json-body.ts'
import { principalOf } from '../request-context.ts'
import { companyFor } from './company.ts'

const OWNERS = ['ROLE_NOT_ALLOWED'] as const
const ONE = [...OWNERS, 'NOT_FOUND'] as const
/** Newest first; older ones are for the command line. */
const MAX_DELIVERIES = 100

/** Webhooks, of every company. */
export function webhookRoutes(services: Services) {
  return new Elysia({ prefix: '/studio' })
    .get(
      '/webhooks',
      (): Webhooks => ({
        webhooks: listWebhooks(services, null),
        eventPatterns: [...EVENT_PATTERNS],
      }),
      describeRoute('Webhooks, without their secrets', Webhooks, { errors: OWNERS }),
    )
    .post(
      '/webhooks',
      (ctx): WebhookMade => {
        const { companyId, url, events = [] } = ctx.body
        return createWebhook(services, {
          companyId: companyFor(services, principalOf(ctx.request), companyId),
          url,
          events,
        })
      },
      describeRoute('Make a webhook; its secret is shown here and never again', WebhookMade, {
        body: jsonBody(WebhookRequest),
        errors: [...OWNERS, 'COMPANY_NOT_FOUND'],
      }),
    )
    .patch(
      '/webhooks/:webhookId',
      (ctx) => ({ webhook: changeWebhookState(services, ctx.params.webhookId, ctx.body.state) }),
      describeRoute('Pause a webhook, or let it go on', WebhookShown, {
        body: jsonBody(WebhookChange),
        errors: ONE,
      }),
    )
    .delete(
      '/webhooks/:webhookId',
      (ctx) => {
        deleteWebhook(services, ctx.params.webhookId)
        return done
      },
      describeRoute('Delete a webhook and what it was to be told', Done, { errors: ONE }),
    )
    .get(
      '/webhooks/:webhookId/deliveries',
      (ctx): Deliveries => ({
        deliveries: listDeliveries(services, ctx.params.webhookId, {
          ...readQuery({ request: ctx.request, params: {} }, DeliveriesQuery),
          limit: MAX_DELIVERIES,
        }),
      }),
      describeRoute('What a webhook was told, newest first', Deliveries, {
        query: DeliveriesQuery,
        errors: ONE,
      }),
    )
    .post(
      '/webhooks/:webhookId/deliveries/:deliveryId/replay',
      (ctx) => {
        replayDelivery(services, ctx.params.deliveryId, ctx.params.webhookId)
        return done
      },
      describeRoute('Tell it once more; a paused webhook goes on', Done, { errors: ONE }),
    )
}
