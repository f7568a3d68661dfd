/** What is refused of a picture before anything decodes it. Nothing here does. */
import { omitUndefined } from '../../../server/contract/omit-undefined.ts'
import { stageError } from '../context.ts'
import { pictureHead, type PictureSize } from './pure/judge-head.ts'

/** Larger pictures would take more than 200 MB when decoded, without any benefit. The decoder has no limit of its own. */
const MAX_PIXELS = 50_000_000

/** By a whole file: what it is, and how large. Throws SOURCE_NOT_VIDEO or SOURCE_TOO_LARGE with a sentence for users. */
export function requirePictureHead(bytes: Uint8Array): {
  readonly mediaType: string
  readonly size: PictureSize
} {
  const head = pictureHead(bytes)
  if (head.kind === 'refused') throw stageError('SOURCE_NOT_VIDEO', head.why)
  const { mediaType, size } = head
  if (size === null)
    throw stageError(
      'SOURCE_NOT_VIDEO',
      'The size of the picture is missing in the file, so it is not read. Save the picture again in another program.',
    )
  refuseHuge(size)
  return { mediaType, size }
}

/** Throws SOURCE_TOO_LARGE. */
export function refuseHuge({ width, height }: PictureSize): void {
  if (width * height <= MAX_PIXELS) return
  const most = Math.round(MAX_PIXELS / 1e6)
  const message = `The picture is ${width}x${height} pixels large; at most ${most} million pixels are shown.`
  throw stageError('SOURCE_TOO_LARGE', message, { details: { width, height } })
}

/** What is thrown for a picture that no decoder reads. */
export const damagedPicture = (cause?: unknown): Error =>
  stageError('SOURCE_NOT_VIDEO', 'The picture is damaged and cannot be read.', omitUndefined({ cause }))
