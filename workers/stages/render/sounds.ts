/** Finds the files of a composition's sound tracks in the sources folder, where fetch-asset stores them by their digest. */
import { access } from 'node:fs/promises'
import type { Composition } from '../../../server/contract/composition.ts'
import { sourcePath } from '../../paths.ts'
import { stageError } from '../context.ts'

/** In the order of `audio.tracks`. Throws RENDER_FAILED when one is gone from the home. */
export async function trackFiles(composition: Composition, sources: string): Promise<string[]> {
  const find = async (digest: string): Promise<string> => {
    const file = sourcePath(sources, digest)
    try {
      await access(file)
    } catch (cause) {
      const message = 'A sound of this clip is no longer in the home. Run the workflow again.'
      throw stageError('RENDER_FAILED', message, { details: { digest }, cause })
    }
    return file
  }
  return Promise.all((composition.audio.tracks ?? []).map(({ asset }) => find(asset.digest)))
}
