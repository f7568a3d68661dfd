/** Queries of saved workflows. */
import { and, asc, eq, sql } from 'drizzle-orm'
import type { Db } from './client.ts'
import { deleteBy, findBy, insertInto, listWhere, type Orm } from './rows.ts'
import { workflows } from './schema.ts'

export type Workflow = Readonly<typeof workflows.$inferSelect>

/** The company's workflow with this id, or null. */
export const getWorkflow = findBy(workflows, 'companyId', 'id')

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

export const insertWorkflow = insertInto(workflows)

/** The company's workflows, oldest first, those after this place. */
export function pageWorkflows(
  db: Db,
  companyId: string,
  { after, limit }: { after: { createdAt: number; id: string } | null; limit: number },
): Workflow[] {
  const { createdAt, id } = workflows
  const later = after === null ? undefined : sql`(${createdAt}, ${id}) > (${after.createdAt}, ${after.id})`
  return listWhere(db, workflows, {
    where: and(eq(workflows.companyId, companyId), later),
    order: [createdAt, id],
    limit,
  })
}

/** False when it is not there at this revision. */
export function updateWorkflow(
  db: Orm,
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
export const deleteWorkflow = deleteBy(workflows, 'companyId', 'id')
