/** Finds the files of a composition's video layers in the sources folder, where fetch-asset stores them by their digest. */
import { stat } from 'node:fs/promises'
import type { Composition } from '../../../server/contract/composition.ts'
import { videoLayersOf } from '../../compositor/compositor.ts'
import { sourcePath } from '../../paths.ts'
import { stageError } from '../context.ts'

/** Throws RENDER_FAILED when a file is gone from the home. */
export async function findVideos(
  composition: Composition,
  sources: string,
): Promise<(digest: string) => string> {
  const digests = new Set(videoLayersOf(composition).map(({ asset }) => asset.digest))
  await Promise.all([...digests].map((digest) => requireFile(digest, sources)))
  return (digest) => sourcePath(sources, digest)
}

async function requireFile(digest: string, sources: string): Promise<void> {
  const message = 'A video of this clip is no longer in the home. Run the workflow again.'
  let size: number
  try {
    size = (await stat(sourcePath(sources, digest))).size
  } catch (cause) {
    throw stageError('RENDER_FAILED', message, { details: { digest }, cause })
  }
  if (size === 0) throw stageError('RENDER_FAILED', message, { details: { digest } })
}
