/** /studio/keys, /clients, /language-model, /hardware and /about: access for programs, and what the machine offers. */
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import {
  About,
  ClientRequest,
  GrantRequest,
  Hardware,
  KeyMade,
  KeyRequest,
  LanguageModelFacts,
  LanguageModelTried,
  SettingsClients,
  SettingsGrant,
  SettingsKeys,
} from '../../contract/settings.ts'
import { addClient, describeClients, grantForDays, revokeAccess } from '../../domain/access/clients.ts'
import { createApiKey, describeAllApiKeys, endApiKey } from '../../domain/people/api-keys.ts'
import type { Services } from '../../domain/services.ts'
import { describeAbout, describeHardware } from '../../domain/settings/about.ts'
import { describeLanguageModel, tryLanguageModel } from '../../domain/settings/language-model.ts'
import { describeRoute, done, Done } from '../answers.ts'
import { jsonBody, readQuery } from '../json-body.ts'
import { principalOf } from '../request-context.ts'
import { companyFor } from './company.ts'

const HardwareQuery = Type.Object({ again: Type.Optional(Type.Boolean()) })
const GrantQuery = Type.Object({ companyId: Type.Optional(Type.String({ minLength: 1 })) })
const OWNERS = ['ROLE_NOT_ALLOWED'] as const
const OF_COMPANY = [...OWNERS, 'COMPANY_NOT_FOUND', 'NOT_FOUND'] as const

/** Keys of the public API, of every company. */
export function keyRoutes(services: Services) {
  const make = jsonBody(KeyRequest)
  return new Elysia({ prefix: '/studio' })
    .get(
      '/keys',
      () => ({ keys: describeAllApiKeys(services) }),
      describeRoute('API keys, without their secrets', SettingsKeys, { errors: OWNERS }),
    )
    .post(
      '/keys',
      (ctx) =>
        createApiKey(services, {
          companyId: companyFor(services, principalOf(ctx.request), ctx.body.companyId),
          name: ctx.body.name,
        }),
      describeRoute('Make a key; it is shown here and never again', KeyMade, {
        body: make,
        errors: OF_COMPANY,
      }),
    )
    .delete(
      '/keys/:keyId',
      (ctx) => {
        endApiKey(services, ctx.params.keyId)
        return done
      },
      describeRoute('Revoke a key, at once and for good', Done, { errors: OF_COMPANY }),
    )
}

/** OAuth clients of the domain API, and what companies grant to them. */
export function clientRoutes(services: Services) {
  const make = jsonBody(ClientRequest)
  return new Elysia({ prefix: '/studio' })
    .get(
      '/clients',
      () => ({ clients: describeClients(services) }),
      describeRoute('Services that may call for a company', SettingsClients, { errors: OWNERS }),
    )
    .post(
      '/clients',
      (ctx) => {
        const companyId = companyFor(services, principalOf(ctx.request), ctx.body.companyId)
        return { clients: addClient(services, { ...ctx.body, companyId }) }
      },
      describeRoute('Register a client', SettingsClients, {
        body: make,
        errors: OF_COMPANY,
      }),
    )
    .put(
      '/clients/:clientId/grant',
      (ctx) => {
        const { companyId: given, days } = ctx.body
        const companyId = companyFor(services, principalOf(ctx.request), given)
        return grantForDays(services, { clientId: ctx.params.clientId, companyId, days })
      },
      describeRoute('Let a client act for a company, or renew that', SettingsGrant, {
        body: jsonBody(GrantRequest),
        errors: OF_COMPANY,
      }),
    )
    .delete(
      '/clients/:clientId/grant',
      (ctx) => {
        const { companyId: given } = readQuery({ request: ctx.request, params: {} }, GrantQuery)
        const companyId = companyFor(services, principalOf(ctx.request), given)
        revokeAccess(services, { clientId: ctx.params.clientId, companyId })
        return done
      },
      describeRoute('Take a grant back', Done, { query: GrantQuery, errors: OF_COMPANY }),
    )
}

/** What the appliance runs on, and what it is made of. */
export function machineRoutes(services: Services, version: string) {
  return new Elysia({ prefix: '/studio' })
    .get(
      '/hardware',
      (ctx): Promise<Hardware> => describeHardware(services, readQuery(ctx, HardwareQuery).again === true),
      describeRoute('What the doctor finds; takes seconds', Hardware, {
        query: HardwareQuery,
        errors: [...OWNERS, 'INVALID_STATE'],
      }),
    )
    .get(
      '/language-model',
      (): LanguageModelFacts => describeLanguageModel(services),
      describeRoute('The language model that is asked about clips', LanguageModelFacts, {
        errors: OWNERS,
      }),
    )
    .post(
      '/language-model/try',
      (): Promise<LanguageModelTried> => tryLanguageModel(services),
      describeRoute('Ask it which models it has', LanguageModelTried, {
        errors: [...OWNERS, 'INVALID_STATE'],
      }),
    )
    .get(
      '/about',
      (): Promise<About> => describeAbout(services, version),
      describeRoute('Version and licences', About),
    )
}
