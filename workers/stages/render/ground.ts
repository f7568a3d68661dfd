/** Paints the still background of a clip whose source has no picture: one raw frame for ffmpeg to start from. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createCanvas } from '@napi-rs/canvas'
import type { Composition } from '../../../server/contract/composition.ts'
import { drawFrame, type PreparedComposition } from '../../compositor/compositor.ts'
import { toDiskFull } from '../../media/disk.ts'
import type { StageContext } from '../context.ts'
import { splitGround } from './pure/ground.ts'
import { transparentPicture, writeRegion } from './pure/yuva.ts'

export interface Drawing {
  /** What moves, or appears and disappears. */
  readonly prepared: PreparedComposition
  /** Path of one planar yuv420p frame of the output's size in the stage's temporary folder; null: there is none. */
  readonly groundFile: string | null
}

/** Lays out the layers and paints those that never change. `lay` is called once or twice. */
export async function drawGround(
  context: StageContext,
  composition: Composition,
  lay: (part: Composition) => PreparedComposition,
): Promise<Drawing> {
  const { ground, over } = splitGround(composition)
  const prepared = lay(over)
  if (ground === null) return { prepared, groundFile: null }
  const still = lay(ground)
  const groundFile = join(context.temporary, 'ground.yuv')
  try {
    await writeFile(groundFile, paint(still))
  } catch (error) {
    throw toDiskFull(error)
  }
  return { prepared: { ...prepared, warnings: [...still.warnings, ...prepared.warnings] }, groundFile }
}

/** Over black, with the same conversion as bands, so that equal colours stay equal. */
function paint(still: PreparedComposition): Uint8Array {
  const { width, height } = still
  const canvas = createCanvas(width, height)
  const drawn = createCanvas(width, height)
  drawFrame(drawn.getContext('2d'), still, 0)
  const context = canvas.getContext('2d')
  context.fillStyle = '#000000'
  context.fillRect(0, 0, width, height)
  context.drawImage(drawn, 0, 0)
  const picture = transparentPicture(width, height)
  writeRegion(picture, context.getImageData(0, 0, width, height).data, { x: 0, y: 0, width, height })
  return picture.bytes.subarray(0, (width * height * 3) / 2)
}
