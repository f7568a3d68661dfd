/** Brand kits of a company. */
import { Elysia } from 'elysia'
import { BrandKitRequest, BrandKitSave } from '../../contract/branding.ts'
import {
  createBrandKit,
  readBrandKits,
  removeBrandKit,
  saveBrandKit,
} from '../../domain/library/brand-kits.ts'
import type { Services } from '../../domain/services.ts'
import { acceptBody, done } from '../json-body.ts'
import { companyInBody, companyInQuery } from './company.ts'

export function brandKitRoutes(services: Services) {
  const company = companyInQuery(services)
  const named = companyInBody(services)
  return new Elysia({ prefix: '/studio/brand-kits' })
    .get('', (ctx) => readBrandKits(services, company(ctx)))
    .post(
      '',
      (ctx) => ({ kit: createBrandKit(services, { ...ctx.body, companyId: named(ctx) }) }),
      acceptBody(BrandKitRequest),
    )
    .put(
      '/:kitId',
      (ctx) => ({ kit: saveBrandKit(services, { ...ctx.body, ...ctx.params, companyId: named(ctx) }) }),
      acceptBody(BrandKitSave),
    )
    .delete('/:kitId', (ctx) => {
      removeBrandKit(services, { companyId: company(ctx), ...ctx.params })
      return done
    })
}
