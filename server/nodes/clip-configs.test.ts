/** What a new clip is given by its run: languages, measurements, headlines, music. */
import { describe, expect, it } from 'vitest'
import { documentOf, factsOf, node } from '../../test/support/node-values.ts'
import { editableConfigs, headlinePrompt, newClipDocument, type NewClip } from './clip-document.ts'
import { findClipsSettings } from './settings.ts'

const boundary = { sentenceEdge: true, pauseSeconds: 0.4 }
const clip: NewClip = {
  candidate: {
    start: 10,
    end: 40.0004,
    origin: 'found',
    title: 'Title',
    bio: 'About it.',
    keywords: ['bike'],
    people: ['Ann', 'Ben'],
    score: 81,
    scoreReasons: [{ name: 'hook', score: 80, reason: 'It opens with a question.' }],
    whyPicked: 'Why.',
    startBoundary: boundary,
    endBoundary: boundary,
    text: '',
  },
  facts: factsOf(),
  nodes: [node('add_subtitles')],
  sourceDigest: 'digest',
  originalUrl: 'https://example.test/talk.mp4',
  sourceInputId: 'input',
  taskId: 'task',
  clipHash: 'hash',
  extended: { start: 5, end: 45 },
  speakers: ['Ann', 'Speaker 2'],
}

describe('newClipDocument', () => {
  it('carries what the candidate and the run say', () => {
    expect(newClipDocument(clip)).toMatchObject({
      title: 'Title',
      bio: 'About it.',
      keywords: ['bike'],
      people: ['Ann', 'Ben'],
      speakers: ['Ann', 'Speaker 2'],
      duration: 30,
      startTimestamp: 10,
      endTimestamp: 40.0004,
      timestampBoundary: { start: 10, end: 40.0004 },
      extended: { start: 5, end: 45, fileStart: 5 },
      viralityScore: 81,
      scoreReasons: [{ name: 'hook', score: 80, reason: 'It opens with a question.' }],
      whyPicked: 'Why.',
      boundaries: { start: boundary, end: boundary },
      nodes: [node('add_subtitles')],
      originalUrl: 'https://example.test/talk.mp4',
      sourceId: 'digest',
      sourceInputId: 'input',
      taskId: 'task',
      clipHash: 'hash',
    })
  })
  it('plays what the candidate does not leave out', () => {
    const leftOut = [
      { start: 15, end: 20.5 },
      { start: 30, end: 32 },
    ]
    const document = newClipDocument({ ...clip, candidate: { ...clip.candidate, end: 40, leftOut } })
    expect(document.duration).toBe(22.5)
    expect(document.segments).toEqual([
      { startSeconds: 0, endSeconds: 5 },
      { startSeconds: 10.5, endSeconds: 20 },
      { startSeconds: 22, endSeconds: 30 },
    ])
    expect(newClipDocument(clip).segments).toEqual([])
  })
  it.each([
    ['en', { language: 'en' }],
    ['und', {}],
    [undefined, {}],
  ])('of the language %j has %j', (language, shown) => {
    const document = newClipDocument(language === undefined ? clip : { ...clip, language })
    expect('language' in document ? { language: document.language } : {}).toEqual(shown)
  })
  it('has the measurements that were made, and no others', () => {
    const sound = { start: 0, hopSeconds: 0.02, levels: 'Z', speechLevelDb: -20, noiseLevelDb: -60 }
    expect(newClipDocument({ ...clip, sound }).sound).toEqual(sound)
    for (const name of ['sound', 'faces', 'logos']) expect(newClipDocument(clip)).not.toHaveProperty(name)
  })
})

describe('headlinePrompt', () => {
  it.each<readonly [config: Record<string, unknown>, prompt: string]>([
    [{ prompt: ' Ask. ' }, 'Ask.'],
    [{ prompt: 'Ask.', enabled: true }, 'Ask.'],
    [{ prompt: 'Ask.', enabled: false }, ''],
    [{ prompt: 'Ask.', text: 'Fixed' }, ''],
    [{ prompt: 'Ask.', text: '  ' }, 'Ask.'],
    [{ prompt: 'Ask.', text: '' }, 'Ask.'],
    [{ text: 'Fixed' }, ''],
    [{}, ''],
  ])('of %j is %j', (title_config, prompt) => {
    expect(headlinePrompt([node('add_title_overlay', { title_config })])).toBe(prompt)
    expect(headlinePrompt([node('apply_branding', { title_config })])).toBe(prompt)
  })
  it('is empty without a node, and is there where the title is to be written', () => {
    expect(headlinePrompt([])).toBe('')
    const title_config = { prompt: 'Ask.', text: 'Old', generateTitle: true }
    expect(headlinePrompt([node('add_title_overlay', { title_config })])).toBe('Ask.')
    expect(headlinePrompt([node('add_title_overlay', { title_config: { prompt: 'Ask.' } }, false)])).toBe('')
  })
  it('leaves a title that is off without its headline', () => {
    const title_config = { prompt: 'Ask.', enabled: false }
    expect(
      documentOf([node('add_title_overlay', { title_config })], {}, undefined, 'Written').titleConfig,
    ).toEqual(title_config)
    expect(documentOf([node('add_title_overlay', { title_config: { prompt: 'Ask.' } })]).titleConfig).toEqual(
      {
        prompt: 'Ask.',
      },
    )
  })
})

describe('editableConfigs', () => {
  it.each<readonly [type: string, config: Record<string, unknown>, shown: object]>([
    ['add_subtitles', {}, { subtitleConfig: {} }],
    [
      'add_subtitles',
      { subtitle_config: { styleId: 'box' } },
      { subtitleConfig: { styleId: 'box' }, subtitleId: 'box' },
    ],
    ['add_subtitles', { subtitle_config: { styleId: 5 } }, { subtitleConfig: { styleId: 5 } }],
    ['add_music', { background_music_option: { url: 'a' } }, { backgroundMusicOption: { url: 'a' } }],
    [
      'add_music',
      { background_music_option: { url: 'a' }, background_music_options: [{ url: 'b' }] },
      { backgroundMusicOption: { url: 'a' } },
    ],
    [
      'add_music',
      { background_music_options: [null, { url: 'b' }, 'c'] },
      { backgroundMusicOption: { url: 'b' } },
    ],
    ['add_music', { background_music_options: 'odd' }, {}],
    ['add_music', {}, {}],
    ['add_watermark', { watermark_config: { url: 'w' } }, { watermarkConfig: { url: 'w' } }],
    ['add_outro', { end_card_option: { url: 'e' } }, { endCardOption: { url: 'e' } }],
    ['apply_branding', { outro_card_url: 'e' }, { endCardOption: { url: 'e' } }],
    ['apply_branding', { outro_card_url: 5 }, {}],
    ['convert_to_vertical', {}, {}],
  ])('of %s %j are %j', (type, config, shown) => {
    expect(editableConfigs([node(type, config)], 'hash')).toEqual(shown)
  })
  it('puts the node on top of the brand', () => {
    const brand = node('apply_branding', {
      watermark_config: { url: 'a', position: 2 },
      outro_card_url: 'card',
    })
    const own = [
      node('add_watermark', { watermark_config: { url: 'b' } }),
      node('add_outro', { end_card_option: { duration: 4 } }),
    ]
    expect(editableConfigs([brand, ...own], 'hash')).toEqual({
      watermarkConfig: { url: 'b', position: 2 },
      endCardOption: { url: 'card', duration: 4 },
    })
  })
})

describe('findClipsSettings', () => {
  it('has no words of its own, and no ranges to search within', () => {
    expect(findClipsSettings([node('find_clips', { pinnedTimestampMode: 'search_within' })], [])).toEqual({
      minLength: 20,
      maxLength: 60,
      prompt: '',
      promptAdjustment: '',
      keywords: [],
      pinned: [],
      pinnedOnly: false,
      pinnedMode: 'ranges',
      maxClips: 10,
      wholeSource: false,
    })
  })
})
