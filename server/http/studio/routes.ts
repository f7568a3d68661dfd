/** The studio's own routes, by session cookie or API key. */
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { StudioClips, StudioSession } from '../../contract/studio.ts'
import { WorkflowSummary } from '../../contract/workflow.ts'
import type { Services } from '../../domain/services.ts'
import { studioClips, studioSession } from '../../domain/clips/studio-overview.ts'
import { listWorkflows } from '../../domain/workflows/workflows.ts'
import { describeRoute } from '../answers.ts'
import { boundCompany, type Principal } from '../authenticate.ts'
import { readQuery } from '../json-body.ts'
import { contextOf, principalOf } from '../request-context.ts'
import { companyFor, companyInQuery, CompanyQuery } from './company.ts'

const ClipsQuery = Type.Object({
  companyId: Type.Optional(Type.String({ minLength: 1 })),
  runId: Type.Optional(Type.String({ minLength: 1 })),
})

const whoIs = (principal: Principal) => ({
  allCompanies: boundCompany(principal) === null,
  person: principal.kind === 'session' ? principal.person : null,
})

export function studioRoutes(services: Services, version: string) {
  const company = (request: Request, given?: string) => companyFor(services, principalOf(request), given)
  return new Elysia({ prefix: '/studio' })
    .get(
      '/session',
      (ctx): StudioSession =>
        studioSession(services, {
          companyId: companyInQuery(services, ctx.request),
          ...whoIs(principalOf(ctx.request)),
          version,
        }),
      describeRoute('Who is signed in', StudioSession, { query: CompanyQuery }),
    )
    .get(
      '/workflows',
      (ctx) => {
        const companyId = companyInQuery(services, ctx.request)
        return { workflows: listWorkflows(services, { companyId }) }
      },
      describeRoute('Saved workflows', Type.Object({ workflows: Type.Array(WorkflowSummary) }), {
        query: CompanyQuery,
      }),
    )
    .get(
      '/clips',
      (ctx) => {
        const query = readQuery(ctx, ClipsQuery)
        const { baseUrl } = contextOf(ctx.request)
        const companyId = company(ctx.request, query.companyId)
        return { clips: studioClips(services, { companyId, runId: query.runId ?? null, baseUrl }) }
      },
      describeRoute('Newest clips, or those of one run', StudioClips, { query: ClipsQuery }),
    )
}
