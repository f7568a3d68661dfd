/** What the metrics read of the database: stages that have ended, deliveries of webhooks, posts. */
import type { Db } from './client.ts'
import { oncePerConnection } from './prepared.ts'

export interface EndedStage {
  readonly stage: string
  readonly state: 'finished' | 'failed'
  /** Code of its failure; null: it did not fail. */
  readonly code: string | null
  readonly milliseconds: number | null
  readonly finishedAt: number
}

const endedStages = oncePerConnection((db) =>
  db.sqlite.prepare<[number], EndedStage>(
    `select stage, state, json_extract(failure, '$.code') as code, milliseconds, finished_at as finishedAt
     from run_stages where finished_at > ? and reused = 0 and state <> 'running'`,
  ),
)

/** Stages that have ended after a moment, without those whose result was there already. */
export const listEndedStages = (db: Db, after: number): EndedStage[] => endedStages(db).all(after)

interface Counted {
  readonly state: string
  readonly count: number
  /** When the oldest of them came to be due, milliseconds since the epoch. */
  readonly oldest: number
}

const deliveries = oncePerConnection((db) =>
  db.sqlite.prepare<[], Counted>(
    `select state, count(*) as count, min(created_at) as oldest from webhook_deliveries
     where state <> 'delivered' group by state`,
  ),
)

/** Deliveries of webhooks that wait, or were given up. */
export const countOpenDeliveries = (db: Db): Counted[] => deliveries(db).all()

const posts = oncePerConnection((db) =>
  db.sqlite.prepare<[], { status: string; count: number }>(
    'select status, count(*) as count from posts group by status',
  ),
)

export const countPosts = (db: Db): { readonly status: string; readonly count: number }[] => posts(db).all()

/** Operations that have failed, by kind and code. */
export const countDeadByCode = (db: Pick<Db, 'sqlite'>): { kind: string; code: string; count: number }[] =>
  db.sqlite
    .prepare<[], { kind: string; code: string; count: number }>(
      `select kind, json_extract(failure, '$.code') as code, count(*) as count from operations
       where state = 'failed' group by 1, 2 order by 1, 2`,
    )
    .all()
