import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fontHead } from './judge-head.ts'

const FONTS = join(import.meta.dirname, '..', '..', '..', '..', 'resources', 'fonts')
const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

describe('fontHead', () => {
  it.each([
    ['Anton_400Regular.ttf', 'font/ttf'],
    ['Twemoji.woff2', 'font/woff2'],
    ['noto-sans-jp/119.woff2', 'font/woff2'],
  ])('knows %s', async (file, mediaType) => {
    const bytes = await readFile(join(FONTS, file))
    expect(fontHead(bytes.subarray(0, 4096))).toEqual({ kind: 'font', mediaType })
  })

  it('knows OpenType with PostScript outlines by its tables', () => {
    const tables = ['CFF ', 'cmap', 'head'].map((name) => name + '\0'.repeat(12)).join('')
    expect(fontHead(bytesOf(`OTTO\0\x03\0\0\0\0\0\0${tables}`))).toEqual({
      kind: 'font',
      mediaType: 'font/otf',
    })
  })

  it.each([
    ['nothing', '', /empty/],
    ['a page', '<!doctype html><html>', /web page/],
    ['an older web font', `wOFF${'\0'.repeat(60)}`, /WOFF font of the first version/],
    ['a collection', `ttcf${'\0'.repeat(60)}`, /several fonts/],
    ['the beginning of a font', '\0\x01\0\0\0\x10', /damaged/],
    ['a font without letters', `\0\x01\0\0\0\x01\0\0\0\0\0\0head${'\0'.repeat(12)}`, /damaged/],
    ['a cut web font', 'wOF2', /damaged/],
    ['a picture', '\x89PNG\r\n\x1a\n', /not a font/],
  ])('refuses %s', (_name, text, why) => {
    expect(fontHead(bytesOf(text))).toEqual({ kind: 'refused', why: expect.stringMatching(why) as string })
  })
})
