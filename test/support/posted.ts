/** Posts as publishing leaves them. */
import { posts } from '../../server/db/schema.ts'
import { newId } from '../../server/ids.ts'
import type { TestServer } from './server.ts'

/** A post that is published now by default; its id. */
export function addPost(server: TestServer, more: Partial<typeof posts.$inferInsert> = {}): string {
  const id = newId()
  const now = server.services.now()
  const row = {
    id,
    companyId: server.companyId,
    platform: 'tiktok' as const,
    text: `Post ${id}`,
    status: 'success' as const,
    nativeId: `n-${id}`,
  }
  server.services.db.orm
    .insert(posts)
    .values({ ...row, publishedAt: now, createdAt: now, updatedAt: now, ...more })
    .run()
  return id
}
