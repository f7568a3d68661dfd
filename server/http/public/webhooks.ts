/** Webhooks of a company, by a key of scope admin. An addition to the service's document. */
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { NewWebhook, NewWebhookBody, Webhook } from '../../contract/events.ts'
import type { Services } from '../../domain/services.ts'
import {
  createWebhook,
  deleteWebhookOf,
  listWebhooks,
  webhookWithSecret,
} from '../../domain/webhooks/webhooks.ts'
import { describeRoute } from '../answers.ts'
import { jsonBody, readQuery, readRoutes } from '../json-body.ts'
import { answerPost } from './answer-posts.ts'

const CompanyQuery = Type.Object({ companyId: Type.String({ minLength: 1 }) })
const WebhookQuery = Type.Object({ ...CompanyQuery.properties, webhookId: Type.String({ minLength: 1 }) })
const Listed = Type.Object({ webhooks: Type.Array(Webhook) })
const Deleted = Type.Object({ webhookId: Type.String(), status: Type.Literal('success') })
export const CreatedWebhook = Type.Object({
  webhook: Webhook,
  secret: Type.String({ description: 'What deliveries are signed with; shown here only' }),
})

export function webhookApiRoutes(services: Services) {
  return new Elysia()
    .use(
      readRoutes(
        ['/webhooks', '/companies/:companyId/webhooks'],
        (ctx) => ({ webhooks: listWebhooks(services, readQuery(ctx, CompanyQuery).companyId) }),
        describeRoute('The webhooks of a company', Listed, { query: CompanyQuery }),
      ),
    )
    .post(
      '/webhooks',
      ({ request, set, body }) => {
        const { companyId, url, events = [] } = body
        // The secret is stored sealed, and so is no part of the stored answer.
        const create = () => ({
          data: { id: createWebhook(services, { companyId, url, events }).webhook.id },
        })
        const present = (stored: object) => webhookWithSecret(services, (stored as { id: string }).id)
        return answerPost(services, { request, set, content: body, present }, { atomic: create })
      },
      describeRoute('Add a webhook', CreatedWebhook, {
        body: jsonBody(NewWebhook, { shown: NewWebhookBody }),
        once: true,
        errors: ['NOT_FOUND', 'SECRETS_KEY_UNAVAILABLE'],
      }),
    )
    .use(
      readRoutes(
        ['/webhooks/:webhookId', '/companies/:companyId/webhooks/:webhookId'],
        (ctx) => {
          const address = readQuery(ctx, WebhookQuery)
          deleteWebhookOf(services, address)
          return { webhookId: address.webhookId, status: 'success' }
        },
        describeRoute('Delete a webhook', Deleted, { query: WebhookQuery, errors: ['NOT_FOUND'] }),
        'DELETE',
      ),
    )
}
