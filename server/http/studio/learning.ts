/** GET /studio/learning: what the company's results teach. DELETE /studio/clips/{clipId}: which is part of them. */
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { LearningReport } from '../../contract/learning.ts'
import { deleteClip } from '../../domain/delete-clip.ts'
import type { Services } from '../../domain/services.ts'
import { describeLearning } from '../../domain/taste/learn.ts'
import { describe } from '../answers.ts'
import { companyInQuery, CompanyQuery } from './company.ts'

const DeletedAnswer = Type.Object({ status: Type.Literal('success') })

export function learningRoutes(services: Services) {
  return new Elysia({ prefix: '/studio' })
    .get('/learning', (ctx) => describeLearning(services, companyInQuery(services, ctx.request)), {
      detail: describe('What the company’s own results teach about its clips', LearningReport, {
        query: CompanyQuery,
        errors: ['COMPANY_NOT_FOUND'],
      }),
    })
    .delete(
      '/clips/:clipId',
      (ctx) => {
        const companyId = companyInQuery(services, ctx.request)
        deleteClip(services, { companyId, clipId: ctx.params.clipId })
        return { status: 'success' as const }
      },
      {
        detail: describe('Delete a clip; posts that were made of it stay', DeletedAnswer, {
          query: CompanyQuery,
          errors: ['CLIP_NOT_FOUND', 'COMPANY_NOT_FOUND', 'INVALID_STATE'],
        }),
      },
    )
}
