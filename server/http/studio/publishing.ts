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
import { describeRoute, done, Done } from '../answers.ts'
import { readQuery } from '../json-body.ts'
import { principalOf } from '../request-context.ts'
import { companyFor, companyInQuery, CompanyQuery } from './company.ts'
import { LearningReport } from '../../contract/learning.ts'
import { deleteClip } from '../../domain/clips/update-clip.ts'
import { describeLearning } from '../../domain/learning/learn.ts'

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

export function learningRoutes(services: Services) {
  return new Elysia({ prefix: '/studio' })
    .get(
      '/learning',
      (ctx) => describeLearning(services, companyInQuery(services, ctx.request)),
      describeRoute('What the company’s own results teach about its clips', LearningReport, {
        query: CompanyQuery,
        errors: ['COMPANY_NOT_FOUND'],
      }),
    )
    .delete(
      '/clips/:clipId',
      (ctx) => {
        const companyId = companyInQuery(services, ctx.request)
        deleteClip(services, { companyId, clipId: ctx.params.clipId })
        return done
      },
      describeRoute('Delete a clip; posts that were made of it stay', Done, {
        query: CompanyQuery,
        errors: ['CLIP_NOT_FOUND', 'COMPANY_NOT_FOUND', 'INVALID_STATE'],
      }),
    )
}
