import { describe, expect, it } from 'vitest'
import { contextOf, PICTURE, SOUND, VIDEO } from '../../../test/support/node-context.ts'
import { secondsToTicks } from '../../contract/time.ts'
import { editableConfigs } from '../clip-document.ts'
import { applyBranding } from '../types/apply-branding.ts'
import { brandingOf, withBrandKits } from './kit.ts'
import { inSentences } from '../../../test/support/sentences.ts'

const COLOURS = { text_color: '#fff', accent_color: '#f06', background_color: '#000' }
const branded = (config: Record<string, unknown>) => ({
  id: 'b',
  type: 'apply_branding',
  enabled: true,
  config,
})
const captions = (config: Record<string, unknown>) => ({
  id: 'c',
  type: 'add_subtitles',
  enabled: true,
  config: { subtitle_config: config },
})

describe('a kit', () => {
  it('colours what there is, and brings no headline by colours alone', () => {
    const expected = { fontColor: '#fff', amplifiedColor: '#f06', highlightColor: '#f06' }
    expect(brandingOf(COLOURS, false)).toEqual({ subtitle_config: expected })
    expect(brandingOf(COLOURS, true).title_config).toEqual({ fontColor: '#fff', backgroundColor: '#000' })
    expect(brandingOf({}, true)).toEqual({})
  })

  it('gives way to what it sets itself for one of them', () =>
    expect(
      brandingOf({ ...COLOURS, title_config: { fontColor: '#0f0' }, lower_third: {} }, false),
    ).toMatchObject({
      title_config: { fontColor: '#0f0', backgroundColor: '#000' },
      lower_third: { fontColor: '#fff', backgroundColor: '#000' },
    }))

  it('is looked up for enabled nodes that name one, and refused where it is gone', () => {
    const look = () => ({ outro_card_url: 'kit', overlay_url: 'kit' })
    const node = branded({ brand_kit_id: 'a', overlay_url: 'own' })
    expect(withBrandKits([node], look)[0]?.config).toEqual({
      brand_kit_id: 'a',
      outro_card_url: 'kit',
      overlay_url: 'own',
    })
    expect(() => withBrandKits([node], () => null)).toThrow('Choose another one')
    const others = [branded({}), { ...node, enabled: false }, captions({})]
    expect(withBrandKits(others, () => null)).toEqual(others)
  })

  it('styles captions that choose no preset, and makes none', () => {
    const brand = branded({ subtitle_config: { styleId: 'karaoke', fontSize: 60 } })
    const of = (...nodes: ReturnType<typeof branded>[]) => editableConfigs(nodes, 'hash').subtitleConfig
    expect(of(brand, captions({ fontSize: 70 }))).toEqual({ styleId: 'karaoke', fontSize: 70 })
    expect(of(brand, captions({ styleId: 'pill' }))).toEqual({ styleId: 'pill' })
    expect(of(brand)).toBeUndefined()
  })

  it('brings music where the workflow has none', () => {
    const brand = branded({ background_music_option: { url: 'brand' } })
    const music = {
      id: 'm',
      type: 'add_music',
      enabled: true,
      config: { background_music_option: { url: 'own' } },
    }
    expect(editableConfigs([brand], 'hash').backgroundMusicOption).toEqual({ url: 'brand' })
    expect(editableConfigs([brand, music], 'hash').backgroundMusicOption).toEqual({ url: 'own' })
  })
})

describe('an intro', () => {
  const introOf = (url: string, seconds?: number) =>
    inSentences(
      applyBranding.compile(
        { intro_url: url, ...(seconds === undefined ? {} : { intro_seconds: seconds }) },
        contextOf({ durationFrames: 30 }),
      ),
    )

  it('is a picture before the clip, whole over black, for two seconds', () =>
    expect(introOf('https://x/picture.png').opening).toMatchObject({
      frames: 20,
      layers: [
        { kind: 'image', asset: PICTURE, startFrame: 0, endFrame: 20, fit: 'contain', background: '#000000' },
      ],
      tracks: [],
    }))

  it('is a video with its own sound as loud as the speech, never longer than itself', () => {
    const { opening } = introOf('https://x/video.mp4', 60)
    expect(opening).toMatchObject({
      frames: 60,
      layers: [{ kind: 'video', asset: VIDEO, endFrame: 60, loop: false }],
      tracks: [{ asset: SOUND, startFrame: 0, endFrame: 60, levelDb: 0, duckDb: 0 }],
    })
    expect(introOf('https://x/video.mp4', 1).opening?.frames).toBe(10)
  })

  it('says why it is missing', () => {
    expect(introOf('https://x/gone.png').opening).toBeUndefined()
    expect(introOf('https://x/gone.png')).toMatchObject({
      warnings: [
        'apply_branding.intro_url (https://x/gone.png) is left out: There is no file at this address.',
      ],
    })
  })

  it('is cut to a minute, and says so', () => {
    const context = contextOf()
    const long = { ...VIDEO, duration: secondsToTicks(90) }
    const assets = new Map([
      ['https://x/long.mp4', { state: 'ready' as const, kind: 'video' as const, video: long, sound: null }],
    ])
    const { opening, warnings } = inSentences(
      applyBranding.compile({ intro_url: 'https://x/long.mp4' }, { ...context, assets }),
    )
    expect(opening).toMatchObject({ frames: 600, tracks: [] })
    expect(warnings).toEqual(['apply_branding.intro_url: the intro was cut to 60 s.'])
  })
})

describe('names of speakers', () => {
  const context = contextOf()
  const words = [
    { word: 'One', start: 0, end: 0.4, speaker: 0 },
    { word: 'two', start: 1, end: 1.4, speaker: 1 },
    { word: 'three', start: 3, end: 3.4, speaker: 0 },
  ]
  const namesOf = (speakers: string[], config = {}) => {
    const start = context.document.startTimestamp
    const placed = words.map((word) => ({ ...word, start: word.start + start, end: word.end + start }))
    const document = { ...context.document, speakers }
    return (
      inSentences(applyBranding.compile({ lower_third: config }, { ...context, document, words: placed }))
        .layers ?? []
    ).map((layer) => ('text' in layer ? [layer.text, layer.startFrame, layer.endFrame] : []))
  }

  it('come where each first speaks, one at a time', () =>
    expect(namesOf(['Maya', 'Ruben'])).toEqual([
      ['Maya', 0, 10],
      ['Ruben', 10, 50],
    ]))

  it('leave out who has none', () => {
    expect(namesOf(['Speaker 1', 'Ruben'])).toEqual([['Ruben', 10, 50]])
    expect(namesOf([])).toEqual([])
    expect(namesOf(['Maya', 'Ruben'], { enabled: false })).toEqual([])
  })
})
