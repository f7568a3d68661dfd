/** Loads the pictures of a composition from the sources folder, where fetch-asset stores them by their digest. */
import { readFile } from 'node:fs/promises'
import { loadImage } from '@napi-rs/canvas'
import type { Composition } from '../../../server/contract/composition.ts'
import { picturesOf } from '../../compositor/compositor.ts'
import type { PictureLike } from '../../compositor/canvas.ts'
import { sourcePath } from '../../paths.ts'
import { stageError } from '../context.ts'

/** Decodes each picture once. Throws RENDER_FAILED when one is gone from the home or cannot be read any more. */
export async function loadPictures(
  composition: Composition,
  sources: string,
): Promise<ReadonlyMap<string, PictureLike>> {
  const load = async (digest: string): Promise<readonly [string, PictureLike]> => {
    try {
      return [digest, await loadImage(await readFile(sourcePath(sources, digest)))]
    } catch (cause) {
      const message =
        'A picture of this clip is no longer in the home, or is damaged. Run the workflow again.'
      throw stageError('RENDER_FAILED', message, { details: { digest }, cause })
    }
  }
  return new Map(await Promise.all(picturesOf(composition).map(load)))
}
