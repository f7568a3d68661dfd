/** GET /workflows, GET /workflow and their path forms. */
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { WorkflowDocument, WorkflowSummary } from '../../contract/workflow.ts'
import type { Services } from '../../domain/services.ts'
import { getWorkflow, listWorkflows } from '../../domain/workflows/workflows.ts'
import { describeRoute } from '../answers.ts'
import { readQuery } from '../json-body.ts'

const CompanyQuery = Type.Object({ companyId: Type.String({ minLength: 1 }) })
const WorkflowQuery = Type.Object({
  companyId: Type.String({ minLength: 1 }),
  workflowId: Type.String({ minLength: 1 }),
})
const Workflows = Type.Object({ workflows: Type.Array(WorkflowSummary) })
const OneWorkflow = Type.Object({ workflow: WorkflowDocument })

interface Asked {
  readonly request: Request
  readonly params: Readonly<Record<string, string>>
}

export function workflowRoutes(services: Services) {
  const list = (ctx: Asked) => ({ workflows: listWorkflows(services, readQuery(ctx, CompanyQuery)) })
  const one = (ctx: Asked) => ({ workflow: getWorkflow(services, readQuery(ctx, WorkflowQuery)) })
  const notes = { query: WorkflowQuery, errors: ['WORKFLOW_NOT_FOUND'] } as const
  return new Elysia()
    .get(
      '/workflows',
      (ctx) => list(ctx),
      describeRoute('Saved workflows', Workflows, { query: CompanyQuery }),
    )
    .get(
      '/companies/:companyId/workflows',
      (ctx) => list(ctx),
      describeRoute('Saved workflows', Workflows, { query: CompanyQuery }),
    )
    .get('/workflow', (ctx) => one(ctx), describeRoute('One workflow', OneWorkflow, notes))
    .get(
      '/companies/:companyId/workflows/:workflowId',
      (ctx) => one(ctx),
      describeRoute('One workflow', OneWorkflow, notes),
    )
}
