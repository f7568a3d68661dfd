/** Queries of responses that are stored for their Idempotency-Key. */
import { and, eq, isNull, lt } from 'drizzle-orm'
import type { Db } from './client.ts'
import { idempotentAnswers } from './schema.ts'

/** What a key is bound to. */
export interface AnswerKey {
  readonly companyId: string
  readonly clientId: string
  /** `POST /social/posts` */
  readonly route: string
  readonly key: string
}

type Answer = { status: number; headers: Readonly<Record<string, string>>; body: string }
type Orm = Pick<Db, 'orm'>

const table = idempotentAnswers
const where = ({ companyId, clientId, route, key }: AnswerKey) =>
  and(
    eq(table.companyId, companyId),
    eq(table.clientId, clientId),
    eq(table.route, route),
    eq(table.key, key),
  )

export function getAnswer(
  db: Orm,
  key: AnswerKey,
): { requestDigest: string; owner: string | null; createdAt: number; answer: Answer | null } | null {
  const row = db.orm.select().from(table).where(where(key)).get()
  if (row === undefined) return null
  const { requestDigest, owner, createdAt, status, headers, body } = row
  const answer = status === null ? null : { status, headers: headers ?? {}, body: body ?? '' }
  return { requestDigest, owner, createdAt, answer }
}

export function insertRunning(
  db: Orm,
  row: AnswerKey & { requestDigest: string; owner: string; createdAt: number },
): void {
  db.orm.insert(table).values(row).run()
}

export function saveAnswer(db: Orm, key: AnswerKey, { status, headers, body }: Answer): void {
  db.orm
    .update(table)
    .set({ owner: null, status, headers: { ...headers }, body })
    .where(where(key))
    .run()
}

export function deleteAnswer(db: Orm, key: AnswerKey): void {
  db.orm.delete(table).where(where(key)).run()
}

/** Responses that no caller waits for any more. */
export function deleteAnswersBefore(db: Orm, createdAt: number): void {
  db.orm
    .delete(table)
    .where(and(lt(table.createdAt, createdAt), isNull(table.owner)))
    .run()
}
