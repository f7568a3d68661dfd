/**
 * The icon of the window and of the packages, drawn from the studio's mark: `npm run icon` writes it again after the mark
 * was changed. electron-builder makes the forms of Windows and macOS (ICO, ICNS) of it.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { ROOT } from './stage.ts'

/** The committed picture, and its size in pixels. */
export const ICON = join(ROOT, 'resources', 'icon', 'icon.png')
export const ICON_SIZE = 1024
/** Systems show icons beside each other with some air around each: a part of the size, on every side. */
const AIR = 0.06

/** PNG bytes, `size` pixels wide and high. */
export async function drawIcon(size: number): Promise<Buffer> {
  const mark = readFileSync(join(ROOT, 'renderer', 'mark.svg'), 'utf8')
  const inner = Math.round(size * (1 - 2 * AIR))
  const at = Math.round((size - inner) / 2)
  // A vector picture is drawn at the size that it names.
  const sized = mark.replace('<svg ', `<svg width="${inner}" height="${inner}" `)
  const canvas = createCanvas(size, size)
  canvas.getContext('2d').drawImage(await loadImage(Buffer.from(sized)), at, at, inner, inner)
  return canvas.encode('png')
}

if (process.argv[1] === import.meta.filename) writeFileSync(ICON, await drawIcon(ICON_SIZE))
