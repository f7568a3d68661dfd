/** Sizes of thumbnails besides the clip's own, as platforms require them. */
import { choice } from './config-fields.ts'

export const THUMBNAIL_SIZES = ['1080x1920', '1080x1080', '1280x720', '1920x1080'] as const
export type ThumbnailSize = (typeof THUMBNAIL_SIZES)[number]

/** As a schema; `clip`: as large as the clip. */
export const ThumbnailSizeName = choice(['clip', ...THUMBNAIL_SIZES], {
  description: 'Pixels; `clip`: as large as the clip',
})
export type ThumbnailSizeName = 'clip' | ThumbnailSize

/** Pixels; null: as large as the clip. */
export function pixelsOf(
  size: ThumbnailSizeName,
): { readonly width: number; readonly height: number } | null {
  if (size === 'clip') return null
  const [width = 0, height = 0] = size.split('x').map(Number)
  return { width, height }
}
