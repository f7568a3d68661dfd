/** The status of one clip, in the words of clip lists. */
import type { ClipStatus } from '../contract/tenant-api/clip.ts'
import { eq } from 'drizzle-orm'
import type { Db } from './client.ts'
import { statusesOf } from './clip-index/statuses.ts'
import { listedClips } from './schema.ts'

/** All statuses of a published clip; the first is that of its video. */
export function statusesOfClip(db: Pick<Db, 'orm'>, clipId: string): ClipStatus[] {
  const { rendered, edited, renderState, postStates } = listedClips
  const row = db.orm
    .select({ rendered, edited, renderState, postStates })
    .from(listedClips)
    .where(eq(listedClips.clipId, clipId))
    .get()
  return row === undefined ? ['unrendered'] : statusesOf(row)
}
