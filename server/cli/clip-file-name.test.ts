import { describe, expect, test } from 'vitest'
import { clipFileName } from './arguments.ts'

describe('clipFileName', () => {
  test.each([
    [
      1,
      "Why nobody reads the manual (and what's next)?",
      '01-why-nobody-reads-the-manual-and-whats-next.mp4',
    ],
    [12, '../../etc/passwd', '12-etc-passwd.mp4'],
    [3, 'C:\\temp\\nul', '03-c-temp-nul.mp4'],
    [4, 'NUL', '04-clip.mp4'],
    [5, '🎉🎉', '05-clip.mp4'],
    [6, 'Größe über alles: 日本語', '06-größe-über-alles-日本語.mp4'],
    [7, '', '07-clip.mp4'],
  ])('place %i, title %j', (place, title, name) => {
    expect(clipFileName(place, title)).toBe(name)
  })

  test('a long title is cut, and never ends in a dash', () => {
    const name = clipFileName(1, 'word '.repeat(40))
    expect(name.length).toBeLessThanOrEqual('01-.mp4'.length + 60)
    expect(name).not.toContain('-.mp4')
  })
})
