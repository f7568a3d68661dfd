/** Workflows as the studio edits them. */
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { EditedWorkflow, WorkflowFile } from '../../contract/workflow.ts'
import type { Services } from '../../domain/services.ts'
import {
  deleteWorkflow,
  importWorkflow,
  openWorkflow,
  saveWorkflow,
} from '../../domain/workflows/workflows.ts'
import { describeRoute, type RouteNotes } from '../answers.ts'
import { jsonBody } from '../json-body.ts'
import { companyInQuery, CompanyQuery } from './company.ts'

/** The body only has to be present; the use case reports what is wrong with the file. */
const Save = Type.Object({ revision: Type.Integer(), file: Type.Unknown() })
const Create = Type.Object({ file: Type.Unknown() })
const Created = Type.Object({ workflowId: Type.String() })
const Saved = Type.Object({ revision: Type.Integer() })
const Deleted = Type.Object({ deleted: Type.Literal(true) })

export function workflowEditorRoutes(services: Services) {
  const company = (request: Request): string => companyInQuery(services, request)
  const wrong = ['INVALID_NODE_CONFIG'] as const
  const notes: RouteNotes = { query: CompanyQuery, errors: ['WORKFLOW_NOT_FOUND'] }
  return new Elysia({ prefix: '/studio' })
    .post(
      '/workflows',
      (ctx) => importWorkflow(services, { companyId: company(ctx.request), file: ctx.body.file }),
      describeRoute('Save a new workflow', Created, {
        body: jsonBody(Create, { shown: Type.Object({ file: WorkflowFile }) }),
        errors: wrong,
      }),
    )
    .get(
      '/workflows/:workflowId',
      (ctx): EditedWorkflow =>
        openWorkflow(services, { companyId: company(ctx.request), workflowId: ctx.params.workflowId }),
      describeRoute('A workflow for its editor', EditedWorkflow, notes),
    )
    .put(
      '/workflows/:workflowId',
      (ctx) => {
        const { revision, file } = ctx.body
        const address = { companyId: company(ctx.request), workflowId: ctx.params.workflowId }
        return saveWorkflow(services, { ...address, revision, file })
      },
      describeRoute('Save another version of a workflow', Saved, {
        body: jsonBody(Save, { shown: Type.Object({ revision: Type.Integer(), file: WorkflowFile }) }),
        errors: [...wrong, 'WORKFLOW_NOT_FOUND', 'PRECONDITION_FAILED'],
      }),
    )
    .delete(
      '/workflows/:workflowId',
      (ctx) => {
        deleteWorkflow(services, { companyId: company(ctx.request), workflowId: ctx.params.workflowId })
        return { deleted: true as const }
      },
      describeRoute('Delete a workflow', Deleted, notes),
    )
}
