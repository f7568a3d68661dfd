/** Queries of worker nodes. */
import { desc, gt } from 'drizzle-orm'
import { findBy, saveInto, updateBy, type Orm } from './rows.ts'
import { workerNodes } from './schema.ts'

export type WorkerNodeRow = typeof workerNodes.$inferSelect

export const findWorkerNode = findBy(workerNodes, 'id')
export const updateWorkerNode = updateBy(workerNodes, 'id')

/** Stores that a node joined or renewed its token; when it joined first, and that it was revoked, stay. */
export const saveWorkerNode = saveInto(workerNodes, ['id'], ['joinedAt', 'revokedAt'])

/** Nodes that were seen since a moment, the newest first. */
export const listWorkerNodes = (db: Orm, since: number): WorkerNodeRow[] =>
  db.orm
    .select()
    .from(workerNodes)
    .where(gt(workerNodes.seenAt, since))
    .orderBy(desc(workerNodes.joinedAt), desc(workerNodes.id))
    .all()
