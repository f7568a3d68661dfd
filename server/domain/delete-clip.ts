/** Takes a clip away for good. What its score was computed from stays, as an example of what was not wanted. */
import { removeClip } from '../db/edit-clips.ts'
import { markExampleDeleted } from '../db/taste.ts'
import { requireClip } from './get-clip.ts'
import type { Services } from './services.ts'

/**
 * The clip's document and words go; its files stay as long as others may share them (they are kept by content). Posts that
 * were made of it stay. Throws CLIP_NOT_FOUND.
 */
export function deleteClip(
  services: Pick<Services, 'db' | 'now'>,
  clip: { readonly companyId: string; readonly clipId: string },
): void {
  requireClip(services, clip)
  services.db.orm.transaction(
    () => {
      markExampleDeleted(services.db, clip, services.now())
      removeClip(services.db, clip)
    },
    { behavior: 'immediate' },
  )
}
