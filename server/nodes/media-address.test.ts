/** How long the addresses of a node's config may be, and what may be written into them. */
import { describe, expect, it } from 'vitest'
import { NODES } from './index.ts'
import { firstProblem } from './validate.ts'

describe('addresses of pictures and sounds', () => {
  const logo = (url: string) => firstProblem(NODES.add_watermark.config, { watermark_config: { url } })
  const data = (type: string, length: number): string => `data:${type};base64,`.padEnd(length, 'A')

  it('may hold them, up to a mebibyte', () => {
    for (const type of ['image/png', 'audio/mpeg']) {
      expect(logo(data(type, 1024 * 1024))).toBeNull()
      expect(logo(data(type, 1024 * 1024 + 1))).toMatchObject({
        path: 'watermark_config.url',
        expected: expect.stringContaining('at most 1048576') as string,
      })
    }
    const music = { background_music_option: { url: data('audio/wav', 500_000) } }
    expect(firstProblem(NODES.add_music.config, music)).toBeNull()
  })

  it('are short otherwise, whatever is in them', () => {
    for (const start of [
      'https://host/',
      'data:text/html,',
      ' data:image/png,',
      'file:///x?data:image/png,',
      '\n',
    ]) {
      expect(logo(start.padEnd(8192, 'a'))).toBeNull()
      expect(logo(start.padEnd(8193, 'a'))).toMatchObject({ path: 'watermark_config.url' })
    }
    // Fonts are fetched from where they are.
    const font = { subtitle_config: { fontUrl: data('image/png', 8193) } }
    expect(firstProblem(NODES.add_subtitles.config, font)).toMatchObject({
      path: 'subtitle_config.fontUrl',
      expected: 'a string of at most 8192 characters',
    })
  })
})
