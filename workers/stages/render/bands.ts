/** Draws a band and streams it to ffmpeg: one picture per state, redrawn only where it changed. */
import type { Writable } from 'node:stream'
import { createCanvas } from '@napi-rs/canvas'
import type { Rational } from '../../../server/contract/time.ts'
import { damageBetween, drawBand, paintedAt, stateAt, type Band } from '../../compositor/compositor.ts'
import type { OverlayLuma } from '../../media/arguments/dialect.ts'
import { writeWhole } from '../../media/pipes.ts'
import { useExactText } from '../../render-support/exact-text.ts'
import { bandPictureHeader, bandStreamHeader } from './pure/band-stream.ts'
import { transparentPicture, writeRegion } from './pure/yuva.ts'

export interface BandStatistics {
  pictures: number
  bytes: number
  drawMilliseconds: number
}

/** Maximum number of pictures that `feedBand` sends: one per state, the first one, and the empty one at the end. */
export function countPictures(band: Band): number {
  let count = 2
  for (const { startFrame, endFrame } of band.shown) {
    let state = ''
    for (let frame = startFrame; frame <= endFrame; frame++) {
      const next = stateAt(band, frame)
      if (next !== state) count += 1
      state = next
    }
  }
  return count
}

/**
 * Writes the whole band and ends the pipe. Backpressure limits it to one picture ahead of ffmpeg. `luma`: from the dialect of this
 * ffmpeg. Returns without an error when the reader is gone; whoever started ffmpeg reports why.
 */
export async function feedBand(
  pipe: Writable,
  band: Band,
  frameRate: Rational,
  statistics: BandStatistics,
  luma?: OverlayLuma,
): Promise<void> {
  const { width, height } = band.box
  const canvas = createCanvas(width, height)
  const context = useExactText(canvas.getContext('2d'))
  const picture = transparentPicture(width, height, luma)
  const end = band.shown.at(-1)?.endFrame ?? 0

  const send = async (frame: number): Promise<boolean> => {
    statistics.pictures += 1
    statistics.bytes += picture.bytes.length
    const head = bandPictureHeader(frame, picture.bytes.length)
    return (await writeWhole(pipe, head)) && (await writeWhole(pipe, picture.bytes))
  }
  const redraw = (frame: number): boolean => {
    const region = frame === 0 ? paintedAt(band, 0) : damageBetween(band, frame - 1, frame)
    if (region === null) return false
    const started = performance.now()
    drawBand(context, band, frame, region)
    const drawn = context.getImageData(region.x, region.y, region.width, region.height)
    writeRegion(picture, drawn.data, region, luma)
    statistics.drawMilliseconds += performance.now() - started
    return true
  }

  let open = await writeWhole(pipe, bandStreamHeader(width, height, frameRate))
  redraw(0)
  // The first picture is always at 0, because ffmpeg counts a stream's time from its first picture.
  open &&= await send(0)
  let state = stateAt(band, 0)
  // One past the end: the picture after the last one is empty, so that nothing stays visible.
  for (let frame = 1; open && frame <= end; frame++) {
    const next = stateAt(band, frame)
    if (next === state) continue
    state = next
    if (redraw(frame)) open = await send(frame)
  }
  if (open) await new Promise<void>((resolve) => pipe.end(resolve))
}
