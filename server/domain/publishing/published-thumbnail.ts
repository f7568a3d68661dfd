/** The still that goes out with a clip. */
import type { Clip } from '../../db/clips.ts'

/** Media id: the thumbnail that an editor has designed, else the middle of what was rendered, else the automatic one. */
export function publishedThumbnail({
  document,
  renderedThumbnailMedia,
}: Pick<Clip, 'document' | 'renderedThumbnailMedia'>): string | null | undefined {
  const { thumbnail } = document.media
  const isDesigned = document.overrides?.thumbnail !== undefined && thumbnail !== undefined
  return isDesigned ? thumbnail : (renderedThumbnailMedia ?? thumbnail)
}
