/** The thumbnail of a clip as its designer looks at it, and as it is made in several sizes. */
import { Type, type Static } from '@sinclair/typebox'
import { StudioComposition, StudioDraft } from './studio-editor.ts'
import { StillBeingMade } from './studio-footage.ts'
import { ThumbnailSizeName } from './thumbnail-sizes.ts'

/** Edits that are not saved, and the size in which the thumbnail is wanted. */
export const StudioThumbnailDraft = Type.Object({ ...StudioDraft.properties, size: ThumbnailSizeName })
export type StudioThumbnailDraft = Static<typeof StudioThumbnailDraft>

export const StudioThumbnail = Type.Object({
  ...StudioComposition.properties,
  /** Of the composition: the one that the thumbnail shows. */
  frame: Type.Integer(),
  /** Seconds of the source at which a good thumbnail may be found, in order of time. */
  moments: Type.Array(Type.Number()),
})
export type StudioThumbnail = Static<typeof StudioThumbnail>

/** A file of the thumbnail as it is saved. */
export const StudioThumbnailFile = Type.Union([
  Type.Object({ state: Type.Literal('ready'), url: Type.String(), warnings: Type.Array(Type.String()) }),
  ...StillBeingMade,
])
export type StudioThumbnailFile = Static<typeof StudioThumbnailFile>
