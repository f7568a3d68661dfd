/** GET /studio/platforms: what they take; /studio/confirmations: what waits for a person; /studio/analytics/days: gains. */
import { Elysia } from 'elysia'
import {
  AnalyticsDays,
  AnalyticsDaysQuery,
  PlatformsAnswer,
  WaitingConfirmations,
} from '../../contract/studio.ts'
import { analyticsDays } from '../../domain/analytics/read.ts'
import { listWaiting } from '../../domain/operations/confirmations.ts'
import type { Services } from '../../domain/services.ts'
import { describePlatforms } from '../../domain/publishing/accounts.ts'
import { describeRoute } from '../answers.ts'
import { readQuery } from '../json-body.ts'
import { principalOf } from '../request-context.ts'
import { companyFor, companyInQuery, CompanyQuery } from './company.ts'

export function publishingRoutes(services: Services) {
  const company = (request: Request): string => companyInQuery(services, request)
  const notes = { query: CompanyQuery, errors: ['COMPANY_NOT_FOUND'] as const }
  return new Elysia({ prefix: '/studio' })
    .get(
      '/platforms',
      (ctx) => describePlatforms(services, company(ctx.request)),
      describeRoute('What each platform takes, and how an account is connected', PlatformsAnswer, notes),
    )
    .get(
      '/confirmations',
      (ctx) => ({ confirmations: listWaiting(services, { companyId: company(ctx.request) }) }),
      describeRoute('What waits for the decision of a person', WaitingConfirmations, notes),
    )
    .get(
      '/analytics/days',
      (ctx) => {
        const { companyId, ...query } = readQuery(ctx, AnalyticsDaysQuery)
        return analyticsDays(services, {
          ...query,
          companyId: companyFor(services, principalOf(ctx.request), companyId),
        })
      },
      describeRoute('What the company’s posts gained, day by day', AnalyticsDays, {
        query: AnalyticsDaysQuery,
        errors: ['COMPANY_NOT_FOUND'],
      }),
    )
}
