/** People, the audit log, keys, clients and webhooks, most of them for owners (http/abilities.ts). */
import { Elysia } from 'elysia'
import { AppError } from '../../contract/errors.ts'
import { AuditQuery } from '../../contract/audit.ts'
import { DeliveriesQuery, EVENT_PATTERNS, WebhookChange, WebhookRequest } from '../../contract/events.ts'
import { PersonChanges, PersonRequest } from '../../contract/people.ts'
import { ClientRequest, GrantRequest, KeyRequest } from '../../contract/settings.ts'
import { VoiceChange, VoiceRecognition, VoiceRequest } from '../../contract/voices.ts'
import { addClient, describeClients, grantForDays, revokeAccess } from '../../domain/access/clients.ts'
import { createApiKey, describeAllApiKeys, endApiKey } from '../../domain/people/api-keys.ts'
import { readAudit } from '../../domain/people/audit.ts'
import { requireCompany } from '../../domain/people/companies.ts'
import {
  changePerson,
  endSessions,
  invitePerson,
  linkFor,
  listPeople,
  removePerson,
} from '../../domain/people/people.ts'
import type { Services } from '../../domain/services.ts'
import {
  forgetVoice,
  listVoices,
  nameVoice,
  renameVoice,
  setVoiceRecognition,
} from '../../domain/voices/voices.ts'
import {
  changeWebhookState,
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  replayDelivery,
} from '../../domain/webhooks/webhooks.ts'
import { boundCompany, shownCompany } from '../authenticate.ts'
import { acceptBody, done, readQuery } from '../json-body.ts'
import { contextOf, principalOf } from '../request-context.ts'
import { companyInBody, companyInQuery, isShown } from './company.ts'

/** Newest first; older ones are for the command line. */
const MAX_DELIVERIES = 100

export function peopleRoutes(services: Services) {
  return new Elysia({ prefix: '/studio' })
    .get('/people', () => ({ people: listPeople(services) }))
    .post(
      '/people',
      (ctx) => invitePerson(services, { ...ctx.body, baseUrl: contextOf(ctx.request).baseUrl }),
      acceptBody(PersonRequest),
    )
    .patch(
      '/people/:personId',
      (ctx) => ({ person: changePerson(services, ctx.params.personId, ctx.body) }),
      acceptBody(PersonChanges),
    )
    .post('/people/:personId/link', (ctx) =>
      linkFor(services, { id: ctx.params.personId, baseUrl: contextOf(ctx.request).baseUrl }),
    )
    .delete('/people/:personId/sessions', (ctx) => {
      const principal = principalOf(ctx.request)
      const own = principal.kind === 'session' ? principal : null
      return { ended: endSessions(services, ctx.params.personId, own) }
    })
    .delete('/people/:personId', (ctx) => {
      removePerson(services, ctx.params.personId)
      return done
    })
    .get('/audit', (ctx) => {
      const companyId = shownCompany(principalOf(ctx.request))
      const about = companyId === null ? {} : { companyId }
      return readAudit(services, { ...about, ...readQuery(ctx, AuditQuery) })
    })
}

/** Keys of the public API, and OAuth clients of the tenant API: of the company shown, or of every one. */
export function keyRoutes(services: Services) {
  const company = companyInBody(services)
  return new Elysia({ prefix: '/studio' })
    .get('/keys', (ctx) => {
      const isOurs = isShown(ctx)
      return { keys: describeAllApiKeys(services).filter(({ companyId }) => isOurs(companyId)) }
    })
    .post(
      '/keys',
      (ctx) => {
        const { name, scopes, expiresAt } = ctx.body
        const end = expiresAt === undefined ? {} : { expiresAt: Date.parse(expiresAt) }
        return createApiKey(services, { companyId: company(ctx), name, scopes, ...end })
      },
      acceptBody(KeyRequest),
    )
    .delete('/keys/:keyId', (ctx) => {
      endApiKey(services, ctx.params.keyId)
      return done
    })
    .get('/clients', (ctx) => {
      const isOurs = isShown(ctx)
      const clients = describeClients(services).filter(
        ({ companyId, grants }) => isOurs(companyId) || grants.some((given) => isOurs(given.companyId)),
      )
      return { clients }
    })
    .post(
      '/clients',
      (ctx) => ({ clients: addClient(services, { ...ctx.body, companyId: company(ctx) }) }),
      acceptBody(ClientRequest),
    )
    .put(
      '/clients/:clientId/grant',
      (ctx) =>
        grantForDays(services, {
          ...ctx.params,
          companyId: company(ctx),
          days: ctx.body.days,
          scopes: ctx.body.scopes,
        }),
      acceptBody(GrantRequest),
    )
    .delete('/clients/:clientId/grant', (ctx) => {
      revokeAccess(services, { ...ctx.params, companyId: companyInQuery(services)(ctx) })
      return done
    })
}

/** Webhooks: of the company shown, or of every one. */
export function webhookRoutes(services: Services) {
  return new Elysia({ prefix: '/studio/webhooks' })
    .onBeforeHandle(({ request, params }) => {
      const id = (params as { readonly webhookId?: string } | undefined)?.webhookId
      const bound = boundCompany(principalOf(request))
      if (id === undefined || bound === null) return
      // Of another company is the same as not there.
      if (!listWebhooks(services, bound).some((webhook) => webhook.id === id)) throw new AppError('NOT_FOUND')
    })
    .get('', (ctx) => {
      const isOurs = isShown(ctx)
      const webhooks = listWebhooks(services, null).filter(({ companyId }) => isOurs(companyId))
      return { webhooks, eventPatterns: EVENT_PATTERNS }
    })
    .post(
      '',
      (ctx) => {
        const { url, events = [] } = ctx.body
        return createWebhook(services, { companyId: companyInBody(services)(ctx), url, events })
      },
      acceptBody(WebhookRequest),
    )
    .patch(
      '/:webhookId',
      (ctx) => ({ webhook: changeWebhookState(services, ctx.params.webhookId, ctx.body.state) }),
      acceptBody(WebhookChange),
    )
    .delete('/:webhookId', (ctx) => {
      deleteWebhook(services, ctx.params.webhookId)
      return done
    })
    .get('/:webhookId/deliveries', (ctx) => {
      const { state } = readQuery({ request: ctx.request, params: {} }, DeliveriesQuery)
      const filter = { limit: MAX_DELIVERIES, ...(state === undefined ? {} : { state }) }
      return { deliveries: listDeliveries(services, ctx.params.webhookId, filter) }
    })
    .post('/:webhookId/deliveries/:deliveryId/replay', (ctx) => {
      replayDelivery(services, ctx.params.deliveryId, ctx.params.webhookId)
      return done
    })
}

/** Named voices of a company, and whether it recognises any. */
export function voiceRoutes(services: Services) {
  const company = companyInQuery(services)
  const describe = (companyId: string) => ({
    recognise: requireCompany(services, companyId).recogniseVoices,
    voices: listVoices(services, companyId),
  })
  return new Elysia({ prefix: '/studio/voices' })
    .get('', (ctx) => describe(company(ctx)))
    .put(
      '',
      (ctx) => {
        const companyId = company(ctx)
        setVoiceRecognition(services, companyId, ctx.body.recognise)
        return describe(companyId)
      },
      acceptBody(VoiceRecognition),
    )
    .post(
      '',
      (ctx) => ({ voice: nameVoice(services, { ...ctx.body, companyId: company(ctx) }) }),
      acceptBody(VoiceRequest),
    )
    .patch(
      '/:voiceId',
      (ctx) => ({
        voice: renameVoice(services, { ...ctx.body, companyId: company(ctx), id: ctx.params.voiceId }),
      }),
      acceptBody(VoiceChange),
    )
    .delete('/:voiceId', (ctx) => {
      forgetVoice(services, { companyId: company(ctx), id: ctx.params.voiceId })
      return done
    })
}
