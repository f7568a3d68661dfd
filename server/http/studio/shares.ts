/** Share links in the studio, and what reviewers said of a clip. */
import { Elysia } from 'elysia'
import { ShareAnswer, ShareChange, ShareRequest, ShareResolve } from '../../contract/sharing.ts'
import {
  answerComment,
  changeShare,
  createShare,
  listShares,
  readFeedback,
  resolveComment,
  revokeShare,
} from '../../domain/sharing/links.ts'
import type { Services } from '../../domain/services.ts'
import { acceptBody } from '../json-body.ts'
import { contextOf } from '../request-context.ts'
import { personOf } from './account.ts'
import { companyInQuery } from './company.ts'

export function shareRoutes(services: Services) {
  const company = companyInQuery(services)
  const nameOf = ({ request }: { readonly request: Request }): string => personOf(request).person.name
  return new Elysia({ prefix: '/studio/shares' })
    .get('', (ctx) => listShares(services, company(ctx)))
    .post(
      '',
      (ctx) => {
        const { baseUrl } = contextOf(ctx.request)
        return createShare(services, { ...ctx.body, companyId: company(ctx), by: nameOf(ctx), baseUrl })
      },
      acceptBody(ShareRequest),
    )
    .patch(
      '/:shareId',
      (ctx) => changeShare(services, { companyId: company(ctx), id: ctx.params.shareId }, ctx.body),
      acceptBody(ShareChange),
    )
    .delete('/:shareId', (ctx) => revokeShare(services, company(ctx), ctx.params.shareId))
    .get('/clips/:clipId', (ctx) =>
      readFeedback(services, { companyId: company(ctx), clipId: ctx.params.clipId }),
    )
    .post(
      '/comments/:commentId/answers',
      (ctx) => {
        const { text } = ctx.body
        const comment = { companyId: company(ctx), commentId: ctx.params.commentId, by: nameOf(ctx), text }
        return { comment: answerComment(services, comment) }
      },
      acceptBody(ShareAnswer),
    )
    .put(
      '/comments/:commentId/resolved',
      (ctx) => {
        const { resolved } = ctx.body
        const comment = { companyId: company(ctx), commentId: ctx.params.commentId, resolved }
        return { comment: resolveComment(services, comment) }
      },
      acceptBody(ShareResolve),
    )
}
