/** Deletes a clip. Its features stay as a negative example for learning. */
import { AppError } from '../../contract/errors.ts'
import { removeClip } from '../../db/edit-clips.ts'
import { getRun } from '../../db/runs.ts'
import { markExampleDeleted } from '../../db/learning.ts'
import { requireClip } from './get-clip.ts'
import type { Services } from '../services.ts'

/**
 * Deletes the clip's document and words. Its files stay while other clips may use them (they are stored by content), and so
 * do its posts. Throws CLIP_NOT_FOUND, and INVALID_STATE while its run is running, because that would make it again.
 */
export function deleteClip(
  services: Pick<Services, 'db' | 'now'>,
  clip: { readonly companyId: string; readonly clipId: string },
): void {
  const { runId } = requireClip(services, clip)
  const status = runId === null ? undefined : getRun(services.db, runId)?.status
  if (status !== undefined && status !== 'Completed' && status !== 'Error')
    throw new AppError('INVALID_STATE', {
      message: 'The run that made this clip still goes on; delete the clip when it has ended.',
      details: { clipId: clip.clipId, status },
    })
  services.db.orm.transaction(
    () => {
      markExampleDeleted(services.db, clip, services.now())
      removeClip(services.db, clip)
    },
    { behavior: 'immediate' },
  )
}
