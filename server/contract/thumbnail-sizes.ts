/** Sizes that a thumbnail is made in besides the clip's own: those of the shapes that platforms request. */
import { choice } from './config-fields.ts'
import { SHAPES } from './shapes/registry.ts'

export type ThumbnailSize = (typeof SHAPES)[number]['thumbnailSizes'][number]
export const THUMBNAIL_SIZES: readonly ThumbnailSize[] = SHAPES.flatMap(
  ({ thumbnailSizes }): readonly ThumbnailSize[] => thumbnailSizes,
)

export type ThumbnailSizeName = 'clip' | ThumbnailSize
/** As a schema; `clip`: as large as the clip. */
export const ThumbnailSizeName = choice(['clip', ...THUMBNAIL_SIZES] as const, {
  description: 'Pixels; `clip`: as large as the clip',
})

/** Pixels; null: as large as the clip. */
export function pixelsOf(
  size: ThumbnailSizeName,
): { readonly width: number; readonly height: number } | null {
  if (size === 'clip') return null
  const [width = 0, height = 0] = size.split('x').map(Number)
  return { width, height }
}
