/** Where one clip stands, as lists of clips say it. */
import type { ClipStatus } from '../contract/tenant-api/clip.ts'
import { eq } from 'drizzle-orm'
import type { Db } from './client.ts'
import { statusesOf } from './clip-lists/statuses.ts'
import { listedClips } from './schema.ts'

/** Everything that holds of a published clip; the first is how its video stands. */
export function statusesOfClip(db: Pick<Db, 'orm'>, clipId: string): ClipStatus[] {
  const { rendered, edited, renderState, postStates } = listedClips
  const row = db.orm
    .select({ rendered, edited, renderState, postStates })
    .from(listedClips)
    .where(eq(listedClips.clipId, clipId))
    .get()
  return row === undefined ? ['unrendered'] : statusesOf(row)
}
