/** Takes a clip away for good. What its score was computed from stays, as an example of what was not wanted. */
import { AppError } from '../../contract/errors.ts'
import { removeClip } from '../../db/edit-clips.ts'
import { getRun } from '../../db/runs.ts'
import { markExampleDeleted } from '../../db/learning.ts'
import { requireClip } from './get-clip.ts'
import type { Services } from '../services.ts'

/**
 * The clip's document and words go; its files stay as long as others may share them (they are kept by content). Posts that
 * were made of it stay. Throws CLIP_NOT_FOUND, and INVALID_STATE while its run goes on: that would make it again.
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
