/** A few seconds that move, small and without sound. */
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { rationalToNumber } from '../../../server/contract/time.ts'
import { previewArguments } from '../../media/arguments/export.ts'
import { detectDialect } from '../../media/dialect.ts'
import { stageError, type StageContext } from '../context.ts'
import { bandInputOf, findVideos, prepareDrawing } from '../render/drawing.ts'
import { renderPass } from '../render/encode.ts'
import type { Made, Work } from './maker.ts'

/** Throws RENDER_FAILED, CANCELLED or DISK_FULL. */
export async function makePreview(context: StageContext<'source'>, work: Work<'preview'>): Promise<Made> {
  const { composition, delivery } = work
  const dialect = await detectDialect(context.tools.ffmpeg)
  const videoFile = await findVideos(composition, context.sources)
  const { prepared, groundFile } = await prepareDrawing(context, composition)
  const file = `preview.${delivery.codec}`
  const path = join(context.folder, file)
  const bands = prepared.bands.map(bandInputOf)
  const sourceFile = context.input('source')
  const args = previewArguments(
    { composition, sourceFile, bands, videoFile, groundFile, dialect, file: path },
    delivery,
  )
  await renderPass(context, { composition, prepared, dialect }, { args, from: 0 }, [], (share, note) =>
    context.progress(share, note),
  )
  const whole = composition.durationFrames / rationalToNumber(composition.output.frameRate)
  const durationSeconds = Math.min(delivery.seconds, whole)
  const frames = Math.round(durationSeconds * delivery.framesPerSecond)
  const size = await readSize(path)
  return { file, ...size, frames, durationSeconds, integratedLufs: null, warnings: prepared.warnings }
}

/**
 * From the header of the file (https://www.w3.org/Graphics/GIF/spec-gif89a.txt,
 * https://developers.google.com/speed/webp/docs/riff_container): ffprobe reads no animated WebP. Throws RENDER_FAILED.
 */
async function readSize(path: string): Promise<{ width: number; height: number }> {
  const head = Buffer.alloc(30)
  await using handle = await open(path, 'r')
  await handle.read(head, 0, head.length, 0)
  if (head.toString('latin1', 0, 6) === 'GIF89a')
    return { width: head.readUInt16LE(6), height: head.readUInt16LE(8) }
  if (head.toString('latin1', 12, 16) === 'VP8X')
    return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 }
  throw stageError('RENDER_FAILED', 'The preview does not move.')
}
