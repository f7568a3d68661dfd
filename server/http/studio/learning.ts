/** GET /studio/learning: what the company's results teach. DELETE /studio/clips/{clipId}: which is part of them. */
import { Elysia } from 'elysia'
import { LearningReport } from '../../contract/learning.ts'
import { deleteClip } from '../../domain/clips/update-clip.ts'
import type { Services } from '../../domain/services.ts'
import { describeLearning } from '../../domain/learning/learn.ts'
import { describeRoute, done, Done } from '../answers.ts'
import { companyInQuery, CompanyQuery } from './company.ts'

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
