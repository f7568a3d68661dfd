import { createCanvas, loadImage } from '@napi-rs/canvas'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pictureHead } from './judge-head.ts'

const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

const word = (value: number): number[] => [value & 0xff, value >> 8]

/** A GIF with a colour table, a comment, and frames that begin somewhere and are so large. */
function gifOf(screen: readonly [number, number], frames: readonly (readonly number[])[]): Uint8Array {
  const head = [...bytesOf('GIF89a'), ...screen.flatMap(word), 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
  const comment = [0x21, 0xfe, 3, 0x2c, 0x2c, 0x2c, 0]
  const drawn = frames.flatMap((frame) => [0x2c, ...frame.flatMap(word), 0, 2, 2, 0x4c, 1, 0])
  return Uint8Array.from([...head, ...comment, ...drawn, 0x3b])
}

/** A JPEG that says that it is so large, with this before the segment at this place. */
async function jpegOf(width: number, height: number, odd: readonly number[], after = 1): Promise<Buffer> {
  const bytes = Buffer.from(await createCanvas(16, 16).encode('jpeg'))
  const starts: number[] = []
  let at = 2
  for (; bytes.readUInt8(at + 1) !== 0xc0; at += 2 + bytes.readUInt16BE(at + 2)) starts.push(at)
  bytes.writeUInt16BE(height, at + 5)
  bytes.writeUInt16BE(width, at + 7)
  const cut = starts[after] ?? at
  return Buffer.concat([bytes.subarray(0, cut), Buffer.from(odd), bytes.subarray(cut)])
}

describe('pictureHead', () => {
  it.each(['png', 'jpeg', 'webp'] as const)('reads the size of a %s before it is decoded', async (format) => {
    const canvas = createCanvas(321, 123)
    const bytes = await canvas.encode(format as 'png')
    expect(pictureHead(bytes)).toEqual({
      kind: 'picture',
      mediaType: `image/${format}`,
      size: { width: 321, height: 123 },
    })
  })

  it('reads the size of a GIF, and of a large WebP that says it in three bytes', () => {
    const gif = gifOf([321, 123], [[0, 0, 5, 5]])
    expect(pictureHead(gif)).toMatchObject({ mediaType: 'image/gif', size: { width: 321, height: 123 } })
    const webp = bytesOf(`RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x40\x01\0\x7a\0\0\0\0`)
    expect(pictureHead(webp)).toMatchObject({ size: { width: 321, height: 123 } })
  })

  it.each([
    ['nothing', '', /empty/],
    ['a page', '<!doctype html><html>', /web page/],
    ['a drawing', '<?xml version="1.0"?><svg width="9">', /SVG/],
    ['a video', '\0\0\0\x20ftypisom', /video/],
    ['text', 'hello there', /text/],
    ['an archive', 'PK\x03\x04', /archive/],
    ['noise', '\x01\x02\x03\x04', /not a picture that can be read/],
  ])('refuses %s', (_name, text, why) => {
    expect(pictureHead(bytesOf(text))).toEqual({ kind: 'refused', why: expect.stringMatching(why) as string })
  })

  it('does not run past the end of a JPEG without a frame', () => {
    expect(pictureHead(bytesOf('\xff\xd8\xff\xe0\x00\x04ab\xff'))).toMatchObject({ size: null })
  })

  it.each([
    ['junk', [0x12, 0x34, 0x56]],
    ['junk with what looks like markers', [0x12, 0xff, 0, 0x34, 0xff, 0xff]],
    ['a restart, which stands alone', [0xff, 0xd0]],
    ['a marker that stands alone, and junk', [0xff, 0x01, 0x11]],
    ['a segment shorter than its own length', [0xff, 0xfe, 0, 0]],
    ['a number of lines', [0xff, 0xdc, 0, 4, 0, 1]],
  ])('finds the size of a JPEG behind %s between its segments, as its decoder does', async (_name, odd) => {
    for (const after of [1, 99]) {
      const size = { width: 22_000, height: 21_000 }
      expect(pictureHead(await jpegOf(22_000, 21_000, odd, after))).toMatchObject({ size })
      const small = await loadImage(await jpegOf(16, 16, odd, after))
      expect([small.width, small.height]).toEqual([16, 16])
    }
  })

  it('counts the frames of a GIF that reach beyond its screen', async () => {
    const sizeOf = (bytes: Uint8Array) => pictureHead(bytes)
    expect(sizeOf(gifOf([10, 10], [[0, 0, 20_000, 20_000]]))).toMatchObject({
      size: { width: 20_000, height: 20_000 },
    })
    const beyond = gifOf([10, 10], [[300, 200, 10, 20]])
    expect(sizeOf(beyond)).toMatchObject({ size: { width: 310, height: 220 } })
    const image = await loadImage(Buffer.from(beyond))
    expect([image.width, image.height]).toEqual([310, 220])
    expect(sizeOf(gifOf([10, 10], []))).toMatchObject({ size: null })
  })

  it('is never told a smaller size than the decoder makes room for, whatever is changed', async () => {
    const canvas = createCanvas(24, 16)
    canvas.getContext('2d').fillRect(2, 2, 9, 9)
    const whole = [
      ...(await Promise.all(
        (['png', 'jpeg', 'webp'] as const).map((format) => canvas.encode(format as 'png')),
      )),
      Buffer.from(gifOf([24, 16], [[0, 0, 9, 9], [1, 1, 3, 3]])), // prettier-ignore
    ]
    const change = fc.record({
      at: fc.nat({ max: 700 }),
      bytes: fc.uint8Array({ maxLength: 4 }),
      over: fc.boolean(),
    })
    const changes = fc.array(change, { minLength: 1, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...whole), changes, async (picture, changed) => {
        let bytes = Buffer.from(picture)
        for (const { at, bytes: put, over } of changed) {
          const from = at % bytes.length
          bytes = Buffer.concat([
            bytes.subarray(0, from),
            put,
            bytes.subarray(over ? from + put.length : from),
          ])
        }
        const head = pictureHead(bytes)
        // What tells no size is not decoded at all.
        if (head.kind === 'refused' || head.size === null) return
        const { width, height } = head.size
        if (width * height > 1_000_000) return
        const image = await loadImage(bytes).catch(() => null)
        if (image === null || image.width * image.height === 0) return
        expect([image.width <= width, image.height <= height]).toEqual([true, true])
      }),
      { numRuns: 1500 },
    )
  })
})
