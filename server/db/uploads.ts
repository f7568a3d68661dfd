/** Queries of uploads: files that came in through the studio and wait for a run. */
import { and, eq } from 'drizzle-orm'
import type { Db } from './client.ts'
import { uploads } from './schema.ts'

export type UploadRow = typeof uploads.$inferSelect

export function insertUpload(db: Db, row: UploadRow): void {
  db.orm.insert(uploads).values(row).run()
}

export function getUpload(db: Db, companyId: string, id: string): UploadRow | null {
  return (
    db.orm
      .select()
      .from(uploads)
      .where(and(eq(uploads.id, id), eq(uploads.companyId, companyId)))
      .get() ?? null
  )
}

export function listUploads(db: Db): UploadRow[] {
  return db.orm.select().from(uploads).all()
}

export function deleteUpload(db: Db, id: string): void {
  db.orm.delete(uploads).where(eq(uploads.id, id)).run()
}
