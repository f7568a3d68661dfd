/** What a clip's thumbnail is taken from, and the sizes that it is made in. */
import { Type, type Static } from '@sinclair/typebox'
import { Composition } from './composition.ts'
import { closedObject, choice } from './config-fields.ts'
import { SHAPES } from './shapes/registry.ts'

export const ThumbnailPlan = closedObject({
  /** The clip's, with only what a thumbnail shows of it. */
  composition: Composition,
  /** Frames that it may be taken from. */
  moments: Type.Array(
    closedObject({
      frame: Type.Integer({ minimum: 0 }),
      /** How well the frame shows the clip's subject: 1 when nothing is known, at most 2. */
      worth: Type.Number({ minimum: 1, maximum: 2 }),
    }),
    { minItems: 1 },
  ),
  /** As a PNG; absent: as a JPEG. */
  png: Type.Optional(Type.Literal(true)),
})
export type ThumbnailPlan = Static<typeof ThumbnailPlan>

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
