import { describe, expect, it } from 'vitest'
import { ADAPTERS } from '../../adapters/social/registry.ts'
import { PLATFORM_PRESETS } from '../../contract/platforms/registry.ts'
import { textLength } from '../../contract/text-length.ts'
import { checkContent } from './check-post.ts'
import { hashtagsOf, writePostText } from './post-texts.ts'

const CLIP = {
  title: 'The river froze for eleven weeks',
  bio: 'The river froze for eleven weeks. Nobody had seen it before, and nobody has since.',
  keywords: ['river', 'winter', 'old mill', 'harbour', 'ice', 'village'],
  titles: [
    { text: 'The river froze for eleven weeks', from: 'line' as const },
    { text: 'Why did the river freeze?', from: 'question' as const },
    { text: 'River, Harbour, Ice', from: 'topic' as const },
  ],
}
const presetOf = (name: string) =>
  PLATFORM_PRESETS.find(({ platform }) => platform === name) ?? PLATFORM_PRESETS[0]

/** Clips at the edges: nothing but a title; everything far too long; no Latin letter; emoji. */
const EDGES = [
  CLIP,
  { title: 'Clip', bio: '', keywords: [] },
  { title: `${'Endless '.repeat(40)}end`, bio: 'Very long. '.repeat(900), keywords: CLIP.keywords },
  {
    title: '川は十一週間凍っていました'.repeat(12),
    bio: '川が凍った。'.repeat(300),
    keywords: ['川', '冬の川'],
    language: 'ja',
  },
  { title: '👩‍👩‍👧'.repeat(120), bio: '👩‍👩‍👧 '.repeat(400), keywords: ['#', '1963', 'नदी के किनारे'] },
]

describe('the text of a post', () => {
  it.each(PLATFORM_PRESETS)('of any clip is what $platform takes', (preset) => {
    for (const clip of EDGES) {
      const { title, text, firstComment } = writePostText(clip, preset)
      const visibility = preset.limits.visibilities[0]
      expect(text).not.toBe('')
      const post = { text, title, firstComment, visibility, coverSeconds: null, accountId: 'a' }
      expect(() => checkContent(ADAPTERS[preset.platform], post)).not.toThrow()
      expect(title === null).toBe(preset.limits.title === null)
    }
  })

  it('has the title apart where there is one, and does not say it twice', () => {
    const { title, text, firstComment, hashtags } = writePostText(CLIP, presetOf('youtube'))
    expect(title).toBe(CLIP.title)
    expect(text).toBe('Nobody had seen it before, and nobody has since.\n\n#river #harbour #ice')
    expect(firstComment).toBe('Why did the river freeze?')
    expect(hashtags).toEqual(['#river', '#harbour', '#ice'])
  })

  it('puts the hashtags of Instagram in the first comment', () => {
    const { text, firstComment } = writePostText(CLIP, presetOf('instagram'))
    expect(text).toBe(`${CLIP.title}\n\nNobody had seen it before, and nobody has since.`)
    expect(firstComment).toBe('#river #harbour #ice #winter #OldMill')
  })

  it('is one line where people read one, with few hashtags, fewer where they do not fit', () => {
    expect(writePostText(CLIP, presetOf('twitter')).text).toBe(`${CLIP.title}\n\n#river`)
    const long = { ...CLIP, title: 'ж'.repeat(157), titles: [] }
    expect(writePostText(long, presetOf('snapchat')).text).toBe('ж'.repeat(157))
    const short = writePostText({ ...CLIP, title: 'и'.repeat(400) }, presetOf('bluesky')).text
    expect(textLength(short, 'graphemes')).toBe(300)
    expect(short).toMatch(/…$/)
  })

  it('begins with the hook of a language model, unless somebody wrote another title', () => {
    const hooked = { ...CLIP, hook: 'Nobody expected eleven weeks of ice' }
    expect(writePostText(hooked, presetOf('tiktok')).text).toMatch(/^Nobody expected eleven weeks of ice\n\n/)
    const edited = writePostText({ ...hooked, title: 'My own title' }, presetOf('tiktok'))
    expect(edited.text).toMatch(/^My own title\n\n/)
  })
})

describe('hashtags', () => {
  it('are in the language and script of the clip, without marks, each once', () => {
    expect(
      hashtagsOf({
        title: '',
        bio: '',
        keywords: ['Río Ebro', 'río ebro', "l'été", '1963', '#', 'Ñandú'],
        language: 'es',
      }),
    ).toEqual(['#RíoEbro', '#lété', '#ñandú'])
    expect(hashtagsOf({ title: '', bio: '', keywords: ['नदी', '川の冬', 'мост'] })).toEqual([
      '#नदी',
      '#川の冬',
      '#мост',
    ])
  })
})
