/** The icon that is committed is the mark that the studio shows. */
import { readFileSync } from 'node:fs'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { expect, it } from 'vitest'
import { drawIcon, ICON, ICON_SIZE } from './icon.ts'

async function pixelsOf(png: Buffer): Promise<Uint8ClampedArray> {
  const { width, height } = await loadImage(png)
  expect([width, height]).toEqual([ICON_SIZE, ICON_SIZE])
  const canvas = createCanvas(width, height)
  canvas.getContext('2d').drawImage(await loadImage(png), 0, 0)
  return canvas.getContext('2d').getImageData(0, 0, width, height).data
}

it('is drawn from the mark: `npm run icon` makes it again', async () => {
  const [stored, drawn] = await Promise.all([
    pixelsOf(readFileSync(ICON)),
    pixelsOf(await drawIcon(ICON_SIZE)),
  ])
  let differing = 0
  for (let at = 0; at < drawn.length; at += 1)
    if (Math.abs((drawn[at] ?? 0) - (stored[at] ?? 0)) > 16) differing += 1
  expect(differing / drawn.length).toBeLessThan(0.001)
  const corner = stored.slice(0, 4)
  const middle = stored.slice((ICON_SIZE * 200 + 200) * 4, (ICON_SIZE * 200 + 200) * 4 + 4)
  expect([corner[3], [...middle]]).toEqual([0, [0xb3, 0x40, 0x0f, 255]])
})
