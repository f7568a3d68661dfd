/** Fetches a picture that nodes name by address, looks at it, and keeps it once by its content. */
import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { createCanvas, loadImage, type Image } from '@napi-rs/canvas'
import { stageError, type StageHandler } from '../context.ts'
import { keepSource } from '../ingest/keep.ts'
import { fetchSmall } from './fetch-small.ts'
import { pictureHead, type PictureSize } from './pure/picture-head.ts'

/** More would take over 200 MB when decoded, for nothing that a clip could show. */
const MOST_PIXELS = 50_000_000
const SAMPLE = 256

export const runFetchAsset: StageHandler<'fetch-asset'> = async (context, params) => {
  const accept = 'image/png,image/jpeg,image/webp,image/gif;q=0.9,*/*;q=0.1'
  const bytes = await fetchSmall({ ...params, maxBytes: params.maxBytes.image, accept }, context.signal)
  context.progress(0.8)
  const head = pictureHead(bytes)
  if (head.kind === 'refused') throw stageError('SOURCE_NOT_VIDEO', head.why)
  if (head.size !== null) refuseHuge(head.size)
  const image = await decode(bytes)
  refuseHuge(image)
  const digest = createHash('sha256').update(bytes).digest('hex')
  const file = join(context.temporary, 'asset')
  await writeSynced(file, bytes)
  await keepSource(context.sources, file, digest, bytes.length)
  context.progress(1)
  const { width, height } = image
  const picture = { digest, width, height, opaque: isOpaque(image) }
  return { kind: 'image', digest, bytes: bytes.length, mediaType: head.mediaType, picture }
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

async function writeSynced(path: string, bytes: Buffer): Promise<void> {
  const handle = await open(path, 'w', 0o600)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
