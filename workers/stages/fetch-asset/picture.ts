/** Decodes a downloaded picture once, so that a damaged one is rejected now and not in the middle of a render. */
import { readFile } from 'node:fs/promises'
import { createCanvas, loadImage, type Image } from '@napi-rs/canvas'
import type { PictureAsset } from '../../../server/contract/composition.ts'
import { isAnimatedGif } from './pure/judge-head.ts'
import { damagedPicture, refuseHuge, requirePictureHead } from './picture-head.ts'

const SAMPLE = 256

/** The inspection that is running: several at once would add up. */
let turn: Promise<unknown> = Promise.resolve()

/** One at a time per process. Throws SOURCE_NOT_VIDEO or SOURCE_TOO_LARGE with a sentence for users. */
export function inspectPicture(
  path: string,
  digest: string,
  warn: (message: string) => void,
): ReturnType<typeof inspect> {
  const mine = turn.then(() => inspect(path, digest, warn))
  turn = mine.catch(() => undefined)
  return mine
}

async function inspect(path: string, digest: string, warn: (message: string) => void) {
  const bytes = await readFile(path)
  const { mediaType } = requirePictureHead(bytes)
  const image = await decode(bytes)
  refuseHuge(image)
  if (isAnimatedGif(bytes)) {
    warn(
      'An animated GIF is shown as a still picture, its first one. Use a video (MP4 or WebM) to have it move.',
    )
  }
  const { width, height } = image
  const picture: PictureAsset = { digest, width, height, opaque: isOpaque(image) }
  return { mediaType, picture }
}

async function decode(bytes: Buffer): Promise<Image> {
  try {
    const image = await loadImage(bytes)
    if (image.width > 0 && image.height > 0) return image
  } catch (cause) {
    throw damagedPicture(cause)
  }
  throw damagedPicture()
}

/** Decided on a small copy: smoothing carries every transparent spot of relevant size into it. */
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
