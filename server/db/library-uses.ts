/** What names a stored file: clips, workflows and brand kits of a company. Each searches all rows: for one item at a time. */
import { sql } from 'drizzle-orm'
import type { Db } from './client.ts'

interface Named {
  readonly id: string
  readonly name: string
}

/** The clips whose settings name this content, the one edited last first; `total` counts all of them. */
export function clipsNaming(
  db: Db,
  { companyId, digest, most }: { companyId: string; digest: string; most: number },
): { total: number; first: Named[] } {
  const rows = db.orm.all<Named & { total: number }>(sql`
    select id, title as name, count(*) over () as total from clips
    where company_id = ${companyId} and instr(document, ${digest}) > 0
    order by updated_at desc, id limit ${most}`)
  return { total: rows[0]?.total ?? 0, first: rows.map(({ id, name }) => ({ id, name })) }
}

/** The workflows that name this content, by name. */
export const workflowsNaming = (db: Db, companyId: string, digest: string): Named[] =>
  db.orm.all<Named>(sql`
    select id, name from workflows
    where company_id = ${companyId} and instr(graph, ${digest}) > 0 order by name, id`)

/** The brand kits that name this content, by name. */
export const brandKitsNaming = (db: Db, companyId: string, digest: string): Named[] =>
  db.orm.all<Named>(sql`
    select id, name from brand_kits
    where company_id = ${companyId} and instr(look, ${digest}) > 0 order by name, id`)
