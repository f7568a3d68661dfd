/** Pictures that are to be refused before they are decoded, and that only one is decoded at a time. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as canvas from '@napi-rs/canvas'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { inspectPicture } from './picture.ts'

const seen = vi.hoisted(() => ({ going: 0, most: 0, times: 0 }))
vi.mock('@napi-rs/canvas', async (original) => {
  const real = await original<typeof canvas>()
  const loadImage = async (bytes: Buffer): Promise<canvas.Image> => {
    seen.times += 1
    seen.going += 1
    seen.most = Math.max(seen.most, seen.going)
    try {
      return await real.loadImage(bytes)
    } finally {
      seen.going -= 1
    }
  }
  return { ...real, loadImage }
})

let root: string
let jpeg: Buffer
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-picture-'))
  jpeg = Buffer.from(await canvas.createCanvas(16, 16).encode('jpeg'))
})
afterAll(() => rm(root, { recursive: true, force: true }))
beforeEach(() => Object.assign(seen, { going: 0, most: 0, times: 0 }))

async function look(name: string, bytes: Buffer) {
  const path = join(root, name)
  await writeFile(path, bytes)
  return inspectPicture(path, 'digest', () => undefined)
}

/** So large, with junk before its frame. */
function hugeJpeg(): Buffer {
  let at = 2
  for (; jpeg.readUInt8(at + 1) !== 0xc0;) at += 2 + jpeg.readUInt16BE(at + 2)
  const huge = Buffer.concat([jpeg.subarray(0, at), Buffer.from([0x12, 0x34]), jpeg.subarray(at)])
  huge.writeUInt16BE(22_000, at + 7)
  huge.writeUInt16BE(22_000, at + 9)
  return huge
}

it('refuses a picture that is too large, or does not say how large it is, without decoding it', async () => {
  await expect(look('huge', hugeJpeg())).rejects.toMatchObject({
    code: 'SOURCE_TOO_LARGE',
    details: { width: 22_000, height: 22_000 },
  })
  await expect(look('unsaid', jpeg.subarray(0, 40))).rejects.toMatchObject({
    code: 'SOURCE_NOT_VIDEO',
    message: expect.stringContaining('The size of the picture is missing') as string,
  })
  expect(seen.times).toBe(0)
})

it('decodes one at a time, and goes on after one that is refused', async () => {
  const names = ['a', 'b', 'c', 'd']
  const broken = look('broken', jpeg.subarray(0, 10)).catch((error: unknown) => error)
  const looked = await Promise.all(names.map((name) => look(name, jpeg)))
  expect(looked.map(({ picture }) => picture.width)).toEqual([16, 16, 16, 16])
  expect(await broken).toMatchObject({ code: 'SOURCE_NOT_VIDEO' })
  expect([seen.times, seen.most]).toEqual([4, 1])
})
