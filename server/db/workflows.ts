/** Queries of saved workflows. */
import { and, asc, eq, sql } from 'drizzle-orm'
import type { WorkflowGraph } from '../contract/workflow.ts'
import type { Db } from './client.ts'
import { oncePerConnection } from './prepared.ts'
import { workflows } from './schema.ts'

export interface Workflow {
  readonly id: string
  readonly companyId: string
  readonly name: string
  readonly description: string
  readonly graph: WorkflowGraph
  readonly revision: number
  readonly createdAt: number
  readonly updatedAt: number
}

const byId = oncePerConnection((db) =>
  db.orm
    .select()
    .from(workflows)
    .where(
      and(eq(workflows.id, sql.placeholder('id')), eq(workflows.companyId, sql.placeholder('companyId'))),
    )
    .prepare(),
)

/** The company's workflow with this id, or null. */
export function getWorkflow(db: Db, companyId: string, id: string): Workflow | null {
  const row = byId(db).get({ id, companyId })
  return row ?? null
}

/** Oldest first, without their graphs. */
export function listWorkflows(
  db: Db,
  companyId: string,
): { id: string; name: string; description: string }[] {
  return db.orm
    .select({ id: workflows.id, name: workflows.name, description: workflows.description })
    .from(workflows)
    .where(eq(workflows.companyId, companyId))
    .orderBy(asc(workflows.createdAt), asc(workflows.id))
    .all()
}

export function insertWorkflow(db: Pick<Db, 'orm'>, workflow: Omit<Workflow, 'revision'>): void {
  db.orm.insert(workflows).values(workflow).run()
}

/** The company's workflows, oldest first, those after this place. */
export function pageWorkflows(
  db: Db,
  companyId: string,
  page: { after: { createdAt: number; id: string } | null; limit: number },
): Workflow[] {
  const { after, limit } = page
  return db.orm
    .select()
    .from(workflows)
    .where(
      and(
        eq(workflows.companyId, companyId),
        after === null
          ? undefined
          : sql`(${workflows.createdAt}, ${workflows.id}) > (${after.createdAt}, ${after.id})`,
      ),
    )
    .orderBy(asc(workflows.createdAt), asc(workflows.id))
    .limit(limit)
    .all()
}

/** False when it is not there at this revision. */
export function updateWorkflow(
  db: Pick<Db, 'orm'>,
  change: Pick<Workflow, 'id' | 'companyId' | 'revision' | 'name' | 'description' | 'graph' | 'updatedAt'>,
): boolean {
  const { id, companyId, revision, ...values } = change
  const same = and(eq(workflows.id, id), eq(workflows.companyId, companyId), eq(workflows.revision, revision))
  return (
    db.orm
      .update(workflows)
      .set({ ...values, revision: revision + 1 })
      .where(same)
      .run().changes === 1
  )
}

/** False when there was none. */
export function deleteWorkflow(db: Pick<Db, 'orm'>, companyId: string, id: string): boolean {
  const own = and(eq(workflows.id, id), eq(workflows.companyId, companyId))
  return db.orm.delete(workflows).where(own).run().changes === 1
}
