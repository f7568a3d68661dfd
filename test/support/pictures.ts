/** Pictures for tests: one colour, or see-through. */
import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createCanvas } from '@napi-rs/canvas'
import type { PictureAsset } from '../../server/contract/composition.ts'
import { sourcePath } from '../../workers/paths.ts'

/** A PNG filled with a CSS colour. */
export async function plainPng(width: number, height: number, colour: string): Promise<Buffer> {
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  context.fillStyle = colour
  context.fillRect(0, 0, width, height)
  return canvas.encode('png')
}

/** Stores a picture where renders under `root` (stage harness) look for it. */
export async function keepPicture(
  root: string,
  bytes: Buffer,
  size: { width: number; height: number; opaque?: boolean },
): Promise<PictureAsset> {
  const digest = createHash('sha256').update(bytes).digest('hex')
  const path = sourcePath(join(root, 'sources'), digest)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, bytes)
  return { digest, width: size.width, height: size.height, opaque: size.opaque ?? true }
}
