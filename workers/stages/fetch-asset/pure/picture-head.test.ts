import { createCanvas } from '@napi-rs/canvas'
import { describe, expect, it } from 'vitest'
import { pictureHead } from './picture-head.ts'

const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

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
    const gif = bytesOf(`GIF89a\x41\x01\x7b\x00${'\0'.repeat(30)}`)
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
})
