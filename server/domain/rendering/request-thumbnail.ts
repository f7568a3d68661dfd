/** Queues the thumbnail of an edited clip. Executed by jobs/retake-thumbnail.ts. */
import type { Clip } from '../../db/clips.ts'
import { insertUnlessQueued } from '../../db/operations.ts'
import { factsOfClip } from '../clips/get-clip.ts'
import type { Services } from '../services.ts'

/**
 * Soon, and beside everything else: to be called in the transaction that stores the edit. Nothing is asked for a clip
 * whose source is not known.
 */
export function requestThumbnail(services: Pick<Services, 'db' | 'now'>, clip: Clip): void {
  if (factsOfClip(services, clip) === null) return
  const { id: subjectId, companyId } = clip
  insertUnlessQueued(services.db, { companyId, kind: 'thumbnail', subjectId, now: services.now() })
}
