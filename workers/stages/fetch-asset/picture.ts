/** What a fetched picture is: decoded once, so that a damaged one is refused now and not in the middle of a render. */
import { readFile } from 'node:fs/promises'
import { createCanvas, loadImage, type Image } from '@napi-rs/canvas'
import type { PictureAsset } from '../../../server/contract/composition.ts'
import { stageError } from '../context.ts'
import { isAnimatedGif } from './pure/judge-head.ts'
import { pictureHead, type PictureSize } from './pure/picture-head.ts'

/** More would take over 200 MB when decoded, for nothing that a clip could show. */
const MOST_PIXELS = 50_000_000
const SAMPLE = 256

/** Throws SOURCE_NOT_VIDEO or SOURCE_TOO_LARGE with a sentence for a person. */
export async function lookAtPicture(
  path: string,
  digest: string,
  warn: (message: string) => void,
): Promise<{ mediaType: string; picture: PictureAsset }> {
  const bytes = await readFile(path)
  const head = pictureHead(bytes)
  if (head.kind === 'refused') throw stageError('SOURCE_NOT_VIDEO', head.why)
  if (head.size !== null) refuseHuge(head.size)
  const image = await decode(bytes)
  refuseHuge(image)
  if (isAnimatedGif(bytes)) {
    warn(
      'An animated GIF is shown as a still picture, its first one. Use a video (MP4 or WebM) to have it move.',
    )
  }
  const { width, height } = image
  return { mediaType: head.mediaType, picture: { digest, width, height, opaque: isOpaque(image) } }
}

function refuseHuge({ width, height }: PictureSize): void {
  if (width * height <= MOST_PIXELS) return
  const most = Math.round(MOST_PIXELS / 1e6)
  const message = `The picture is ${width}x${height} pixels large; at most ${most} million pixels are shown.`
  throw stageError('SOURCE_TOO_LARGE', message, { details: { width, height } })
}

async function decode(bytes: Buffer): Promise<Image> {
  try {
    const image = await loadImage(bytes)
    if (image.width > 0 && image.height > 0) return image
  } catch (cause) {
    throw stageError('SOURCE_NOT_VIDEO', 'The picture is damaged and cannot be read.', { cause })
  }
  throw stageError('SOURCE_NOT_VIDEO', 'The picture is damaged and cannot be read.')
}

/** Judged on a small copy: smoothing carries every transparent spot of some size into it. */
function isOpaque(image: Image): boolean {
  const scale = Math.min(1, SAMPLE / Math.max(image.width, image.height))
  const width = Math.max(1, Math.floor(image.width * scale))
  const height = Math.max(1, Math.floor(image.height * scale))
  const context = createCanvas(width, height).getContext('2d')
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, 0, 0, width, height)
  const { data } = context.getImageData(0, 0, width, height)
  return data.every((value, index) => index % 4 !== 3 || value > 250)
}
