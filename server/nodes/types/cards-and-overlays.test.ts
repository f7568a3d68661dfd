import { describe, expect, it } from 'vitest'
import { contextOf, framesOf, PICTURE, SOUND, VIDEO } from '../../../test/support/node-context.ts'
import { node } from '../../../test/support/node-values.ts'
import { addMusic } from './add-music.ts'
import { addOutro } from './add-outro.ts'
import { addSubtitles } from './add-subtitles.ts'
import { addTitleOverlay } from './add-title-overlay.ts'
import { addWatermark } from './add-watermark.ts'
import { applyBranding } from './apply-branding.ts'
import { mediaOverlay } from './media-overlay.ts'
import { inSentences } from '../../../test/support/sentences.ts'

const GONE = 'https://x/gone.png'
const gone = (label: string) => `${label} (https://x/gone.png) is left out: There is no file at this address.`

describe('an end card', () => {
  type Card = NonNullable<Parameters<typeof addOutro.compile>[0]['end_card_option']>
  const compile = (card: Card) => inSentences(addOutro.compile({ end_card_option: card }, contextOf()))
  const picture = (over: Card = {}) => compile({ url: 'https://x/picture.png', ...over })
  const video = (over: Card = {}) => compile({ url: 'https://x/video.mp4', ...over })

  it('is a picture for three seconds after the clip', () =>
    expect(picture()).toEqual({
      tailFrames: 30,
      closing: { startFrame: 100, heard: false },
      layers: [
        {
          kind: 'image',
          asset: PICTURE,
          id: 'end-card',
          rect: { x: 0, y: 0, width: 1080, height: 1920 },
          fit: 'contain',
          background: '#000000',
          opacity: 1,
          startFrame: 100,
          endFrame: 130,
          intro: { kind: 'fade', frames: 4 },
          outro: { kind: 'none', frames: 0 },
        },
      ],
      tracks: [],
      warnings: [],
      music: [],
    }))
  it('is a video with its sound, as long as it is', () =>
    expect(video()).toEqual({
      tailFrames: 60,
      closing: { startFrame: 100, heard: true },
      layers: [
        {
          kind: 'video',
          asset: VIDEO,
          sourceStart: 0,
          loop: false,
          focusX: 50,
          focusY: 50,
          id: 'end-card',
          rect: { x: 0, y: 0, width: 1080, height: 1920 },
          fit: 'contain',
          background: '#000000',
          opacity: 1,
          startFrame: 100,
          endFrame: 160,
          intro: { kind: 'fade', frames: 4 },
          outro: { kind: 'none', frames: 0 },
        },
      ],
      tracks: [
        {
          id: 'end-card',
          asset: SOUND,
          sourceStart: 0,
          startFrame: 100,
          endFrame: 160,
          loop: false,
          levelDb: 0,
          duckDb: 0,
          fadeInMs: 30,
          fadeOutMs: 200,
        },
      ],
      warnings: [],
      music: [],
    }))

  it.each([
    [
      'a picture of 5 s',
      'https://x/picture.png',
      { duration: 5 },
      '100-150 fading in for 4, 50 after the clip, from 100',
    ],
    [
      'a picture over the end of the clip',
      'https://x/picture.png',
      { secondsBeforeEnd: 2 },
      '80-100 fading in for 4, 0 after the clip, from 80',
    ],
    [
      'a picture longer than that end',
      'https://x/picture.png',
      { secondsBeforeEnd: 2, duration: 5 },
      '80-130 fading in for 4, 30 after the clip, from 80',
    ],
    [
      'a picture over more than the clip',
      'https://x/picture.png',
      { secondsBeforeEnd: 99 },
      '0-100 fading in for 4, 0 after the clip, from 0',
    ],
    [
      'a picture of one frame',
      'https://x/picture.png',
      { duration: 0.1 },
      '100-101 fading in for 0, 1 after the clip, from 100',
    ],
    [
      'a picture of 0.5 s',
      'https://x/picture.png',
      { duration: 0.5 },
      '100-105 fading in for 2, 5 after the clip, from 100',
    ],
    [
      'a picture of a minute',
      'https://x/picture.png',
      { duration: 60 },
      '100-700 fading in for 4, 600 after the clip, from 100',
    ],
    [
      'a picture of more',
      'https://x/picture.png',
      { duration: 61 },
      '100-700 fading in for 4, 600 after the clip, from 100; endCardOption: the card was cut to 60 s.',
    ],
    [
      'a picture of no time',
      'https://x/picture.png',
      { duration: 0 },
      'endCardOption.duration is 0, so the clip has no end card.',
    ],
    [
      'a part of a video',
      'https://x/video.mp4',
      { videoDuration: 2 },
      '100-120 fading in for 4, 20 after the clip, from 100',
    ],
    [
      'no more of a video than there is',
      'https://x/video.mp4',
      { videoDuration: 20 },
      '100-160 fading in for 4, 60 after the clip, from 100',
    ],
    [
      'a video over the end',
      'https://x/video.mp4',
      { secondsBeforeEnd: 4 },
      '60-120 fading in for 4, 20 after the clip, from 60',
    ],
  ])('may be %s', (_, url, over, expected) => {
    const { layers = [], tailFrames, closing, warnings = [] } = compile({ url, ...over })
    const shown = layers.map((layer) => {
      const fade = 'intro' in layer ? layer.intro.frames : 0
      return `${framesOf(layer)} fading in for ${fade}, ${tailFrames} after the clip, from ${closing?.startFrame}`
    })
    expect([...shown, ...warnings].join('; ')).toBe(expected)
  })

  it('has the opacity that is set', () =>
    expect(picture({ opacity: 0.5 }).layers).toMatchObject([{ opacity: 0.5 }]))

  it.each([
    ['full', {}, 0],
    ['full', { volume: 3 }, 0],
    ['half', { volume: 0.5 }, -6.02],
    ['a tenth', { volume: 0.1 }, -20],
  ])('is heard at %s volume', (_, over, levelDb) => {
    const { tracks, closing } = video(over)
    expect(tracks).toEqual([
      {
        id: 'end-card',
        asset: SOUND,
        sourceStart: 0,
        startFrame: 100,
        endFrame: 160,
        loop: false,
        levelDb,
        duckDb: 0,
        fadeInMs: 30,
        fadeOutMs: 200,
      },
    ])
    expect(closing).toEqual({ startFrame: 100, heard: true })
  })

  it('is not heard at no volume, or without sound', () => {
    for (const edits of [video({ volume: 0 }), compile({ url: 'https://x/silent.mp4' })]) {
      expect(edits.tracks).toEqual([])
      expect(edits.closing).toEqual({ startFrame: 100, heard: false })
    }
  })

  it('is nothing where it was taken off', () =>
    expect(inSentences(addOutro.compile({}, contextOf()))).toEqual({ music: [], warnings: [] }))

  it.each([
    ['is not there', { url: GONE }, gone('endCardOption.url')],
    ['has no address', { duration: 3 }, 'endCardOption.url is empty, so there is no picture to show.'],
    [
      'is no video, as it should be',
      { url: 'https://x/picture.png', isVideo: true },
      'endCardOption.url (https://x/picture.png) is left out: It is a still picture, and a video is needed here.',
    ],
    [
      'is no picture, as it should be',
      { url: 'https://x/video.mp4', isVideo: false },
      'endCardOption.url (https://x/video.mp4) is left out: It is a video, and a still picture is needed here.',
    ],
    [
      'is a sound',
      { url: 'https://x/sound.mp3' },
      'endCardOption.url (https://x/sound.mp3) is left out: It is a sound, and a still picture or a video is needed here.',
    ],
  ])('is left out where it %s', (_, card, warning) =>
    expect(compile(card)).toEqual({ music: [], warnings: [warning] }),
  )

  it('needs its file and its music', () => {
    const need = (end_card_option: Card, music?: string) =>
      addOutro.assets?.(
        { end_card_option, ...(music !== undefined && { outro_music_option: { url: music } }) },
        {},
      )
    expect(need({ url: 'a' })).toEqual([{ url: 'a', kind: 'media' }])
    expect(need({ url: 'a', isVideo: true })).toEqual([{ url: 'a', kind: 'video' }])
    expect(need({ url: 'a', isVideo: false }, 'b')).toEqual([
      { url: 'a', kind: 'image' },
      { url: 'b', kind: 'audio' },
    ])
    expect(addOutro.assets?.({}, {})).toEqual([])
  })

  it('has its music under it', () => {
    const config = {
      end_card_option: { url: GONE },
      outro_music_option: { url: 'https://x/sound.mp3', volume: 0.5 },
    }
    expect(inSentences(addOutro.compile(config, contextOf()))).toEqual({
      music: [
        {
          place: 'closing',
          label: 'add_outro.outro_music_option.url',
          asset: SOUND,
          levelDb: -6.02,
          duckDb: 12,
        },
      ],
      warnings: [gone('endCardOption.url')],
    })
  })
})

describe('music', () => {
  const bed = { url: 'https://x/sound.mp3', volume: 1 }
  it('is laid under the clip and under what closes it', () =>
    expect(
      inSentences(
        addMusic.compile({ background_music_option: bed, outro_music_option: { url: GONE } }, contextOf()),
      ),
    ).toEqual({
      music: [
        {
          place: 'clip',
          label: 'add_music.background_music_option.url',
          asset: SOUND,
          levelDb: 0,
          duckDb: 12,
        },
      ],
      warnings: [
        'add_music.outro_music_option.url (https://x/gone.png) is left out: There is no file at this address.',
      ],
    }))

  it('is not lowered where that is off', () =>
    expect(inSentences(addMusic.compile({ outro_music_option: bed, ducking: false }, contextOf()))).toEqual({
      music: [
        {
          place: 'closing',
          label: 'add_music.outro_music_option.url',
          asset: SOUND,
          levelDb: 0,
          duckDb: 0,
        },
      ],
      warnings: [],
    }))

  const many = (count: number) => ({
    background_music_options: Array.from({ length: count }, () => ({ url: 'a' })),
  })
  const TOO_MANY = 'add_music.background_music_options: tracks after the first 25 are not used.'
  it.each([
    ['a warning for the 26th', many(26), [], [TOO_MANY]],
    ['none for 25', many(25), [], []],
    ['none where a single one is set', many(26), [node('add_music', { background_music_option: bed })], []],
    [
      'one where the single one is of another node',
      many(26),
      [node('add_outro', { background_music_option: bed })],
      [TOO_MANY],
    ],
    [
      'one where the node has several only',
      many(26),
      [node('add_music', many(26)), node('add_outro')],
      [TOO_MANY],
    ],
    [
      'none where one of several nodes has one',
      many(26),
      [node('add_outro'), node('add_music', { background_music_option: bed })],
      [],
    ],
    ['none for none', {}, [], []],
  ])('of several tracks has %s', (_, config, nodes, warnings) =>
    expect(inSentences(addMusic.compile(config, contextOf({ document: { nodes } })))).toEqual({
      music: [],
      warnings,
    }),
  )

  it('needs its tracks', () => {
    expect(
      addMusic.assets?.({ background_music_option: { url: 'a' }, outro_music_option: { url: 'b' } }, {}),
    ).toEqual([
      { url: 'a', kind: 'audio' },
      { url: 'b', kind: 'audio' },
    ])
    expect(addMusic.assets?.({ background_music_options: [{ url: 'a' }, {}, { url: 'b' }] }, {})).toEqual([
      { url: 'a', kind: 'audio' },
      { url: 'b', kind: 'audio' },
    ])
    expect(addMusic.assets?.({ ...many(2), background_music_option: { url: 'x' } }, {})).toEqual([
      { url: 'x', kind: 'audio' },
    ])
    expect(addMusic.assets?.({}, {})).toEqual([])
  })

  it.each([
    ['several tracks replace a single one of an earlier layer', { background_music_options: [bed] }, false],
    [
      'but not where the layer sets a single one too',
      { background_music_options: [bed], background_music_option: bed },
      true,
    ],
    ['and not where there are none', { background_music_options: [] }, true],
    ['nor where they are no list', { background_music_options: 'a' }, true],
    ['nor where the layer has none', { ducking: false }, true],
  ])('%s', (_, layer, stays) => {
    const base = { background_music_option: { url: 'old.mp3' } }
    const settled = addMusic.settle?.({ base, layer, merged: { ...base, ...layer }, warn: () => undefined })
    expect(settled).toEqual(stays ? { ...base, ...layer } : { background_music_options: [bed] })
  })
})

describe('a brand', () => {
  it('has nothing to draw without an overlay', () => {
    expect(inSentences(applyBranding.compile({}, contextOf()))).toEqual({
      layers: [],
      music: [],
      warnings: [],
    })
    expect(inSentences(applyBranding.compile({ overlay_url: '' }, contextOf()))).toEqual({
      layers: [],
      music: [],
      warnings: [],
    })
  })

  it('draws its overlay over the whole clip', () =>
    expect(inSentences(applyBranding.compile({ overlay_url: 'https://x/picture.png' }, contextOf()))).toEqual(
      {
        layers: [
          {
            kind: 'image',
            asset: PICTURE,
            id: 'brand-overlay',
            rect: { x: 0, y: 0, width: 1080, height: 1920 },
            fit: 'contain',
            background: null,
            opacity: 1,
            startFrame: 0,
            endFrame: 100,
            intro: { kind: 'none', frames: 0 },
            outro: { kind: 'none', frames: 0 },
          },
        ],
        music: [],
        warnings: [],
      },
    ))

  it('has its music under the end card', () =>
    expect(
      inSentences(applyBranding.compile({ outro_music_url: 'https://x/sound.mp3' }, contextOf())),
    ).toEqual({
      layers: [],
      music: [
        {
          place: 'closing',
          label: 'apply_branding.outro_music_url',
          asset: SOUND,
          levelDb: -4.44,
          duckDb: 12,
        },
      ],
      warnings: [],
    }))

  it('says what is missing', () =>
    expect(
      inSentences(applyBranding.compile({ overlay_url: GONE, outro_music_url: GONE }, contextOf())),
    ).toEqual({
      layers: [],
      music: [],
      warnings: [
        'apply_branding.outro_music_url (https://x/gone.png) is left out: There is no file at this address.',
        'apply_branding.overlay_url (https://x/gone.png) is left out: There is no file at this address.',
      ],
    }))

  it('is not drawn in a clip without length', () =>
    expect(
      inSentences(
        applyBranding.compile({ overlay_url: 'https://x/picture.png' }, contextOf({ durationFrames: 0 })),
      ),
    ).toEqual({
      layers: [],
      music: [],
      warnings: [
        "apply_branding.overlay_url is never shown: its offsets leave nothing of this clip's 0.0 s.",
      ],
    }))

  it('needs its files, and faces where its title avoids them', () => {
    expect(applyBranding.assets?.({ overlay_url: 'a', outro_music_url: 'b' }, {})).toEqual([
      { url: 'a', kind: 'image' },
      { url: 'b', kind: 'audio' },
    ])
    expect(applyBranding.assets?.({}, {})).toEqual([])
    expect(applyBranding.measures?.({})).toEqual([])
    expect(applyBranding.measures?.({ title_config: {} })).toEqual([])
    expect(applyBranding.measures?.({ title_config: { avoidFaces: true } })).toEqual(['faces'])
    expect(applyBranding.measures?.({ title_config: { positionDynamically: true } })).toEqual(['faces'])
  })
})

describe('titles and captions', () => {
  it('need faces only where they avoid them', () => {
    expect(addTitleOverlay.measures?.({})).toEqual([])
    expect(addTitleOverlay.measures?.({ title_config: { avoidFaces: false } })).toEqual([])
    expect(addTitleOverlay.measures?.({ title_config: { avoidFaces: true } })).toEqual(['faces'])
    expect(addTitleOverlay.measures?.({ title_config: { positionDynamically: true } })).toEqual(['faces'])
    expect(addSubtitles.measures?.({})).toEqual([])
    expect(addSubtitles.measures?.({ subtitle_config: { avoidFaces: true } })).toEqual(['faces'])
    expect(
      addSubtitles.measures?.({ subtitle_config: { speakerStyles: { '0': {}, '1': { avoidFaces: true } } } }),
    ).toEqual(['faces'])
  })

  it('need their fonts', () => {
    expect(addTitleOverlay.assets?.({}, {})).toEqual([])
    expect(addTitleOverlay.assets?.({ title_config: { fontUrl: 'a' } }, {})).toEqual([
      { url: 'a', kind: 'font' },
    ])
    expect(addSubtitles.assets?.({}, {})).toEqual([])
    expect(
      addSubtitles.assets?.(
        { subtitle_config: { fontUrl: 'a', speakerStyles: { '1': { fontUrl: 'b' } } } },
        {},
      ),
    ).toEqual([
      { url: 'a', kind: 'font' },
      { url: 'b', kind: 'font' },
    ])
  })

  it('a title under its other name is brought to the usual one', () => {
    const normalise = addTitleOverlay.normalise!
    expect(normalise({ titleConfig: { text: 'a', fontSize: 4 } })).toEqual({
      title_config: { text: 'a', fontSize: 4 },
    })
    expect(normalise({ titleConfig: { text: 'a', fontSize: 4 }, title_config: { text: 'b' } })).toEqual({
      title_config: { text: 'b', fontSize: 4 },
    })
    expect(normalise({ titleConfig: { text: 'a' }, title_config: 'b' })).toEqual({
      title_config: { text: 'a' },
    })
    expect(normalise({ title_config: { text: 'b' } })).toEqual({ title_config: { text: 'b' } })
    expect(normalise({ titleConfig: 'a' })).toEqual({ titleConfig: 'a' })
  })
})

describe('a watermark', () => {
  const compile = (watermark_config: object, durationFrames = 100) =>
    inSentences(addWatermark.compile({ watermark_config }, contextOf({ durationFrames })))
  it('is at the top right', () =>
    expect(compile({ url: 'https://x/picture.png' })).toEqual({
      layers: [
        {
          kind: 'image',
          asset: PICTURE,
          id: 'watermark',
          rect: { x: 864, y: 43.2, width: 172.8, height: 86.4 },
          fit: 'fill',
          background: null,
          opacity: 1,
          startFrame: 0,
          endFrame: 100,
          intro: { kind: 'none', frames: 0 },
          outro: { kind: 'none', frames: 0 },
        },
      ],
      warnings: [],
    }))
  it('is a warning where it is missing', () => {
    expect(compile({ url: GONE })).toEqual({ warnings: [gone('watermarkConfig.url')] })
    expect(inSentences(addWatermark.compile({}, contextOf()))).toEqual({
      warnings: ['watermarkConfig.url is empty, so there is no picture to show.'],
    })
  })
  it('is none where its offsets leave nothing', () =>
    expect(compile({ url: 'https://x/picture.png', startOffset: 10 })).toEqual({
      layers: [],
      warnings: ["watermarkConfig is never shown: its offsets leave nothing of this clip's 10.0 s."],
    }))
  it('needs its file', () => {
    expect(addWatermark.assets?.({ watermark_config: { url: 'a' } }, {})).toEqual([
      { url: 'a', kind: 'image' },
    ])
    expect(addWatermark.assets?.({}, {})).toEqual([])
  })
})

describe('an overlay', () => {
  const compile = (media_overlay_config: object) =>
    inSentences(mediaOverlay.compile({ media_overlay_config }, contextOf()))
  it('is a picture in the middle', () =>
    expect(compile({ mediaUrl: 'https://x/picture.png' })).toEqual({
      layers: [
        {
          kind: 'image',
          asset: PICTURE,
          id: 'media-overlay',
          rect: { x: 340, y: 860, width: 400, height: 200 },
          fit: 'fill',
          background: null,
          opacity: 1,
          startFrame: 0,
          endFrame: 100,
          intro: { kind: 'none', frames: 0 },
          outro: { kind: 'none', frames: 0 },
        },
      ],
      warnings: [],
    }))
  it('is a video again and again', () =>
    expect(compile({ mediaUrl: 'https://x/video.mp4' })).toEqual({
      layers: [
        {
          kind: 'video',
          asset: VIDEO,
          sourceStart: 0,
          loop: true,
          focusX: 50,
          focusY: 50,
          id: 'media-overlay',
          rect: { x: 220, y: 780, width: 640, height: 360 },
          fit: 'fill',
          background: null,
          opacity: 1,
          startFrame: 0,
          endFrame: 100,
          intro: { kind: 'none', frames: 0 },
          outro: { kind: 'none', frames: 0 },
        },
      ],
      warnings: [],
    }))
  it.each([
    [
      'https://x/sound.mp3',
      'media_overlay_config.mediaUrl (https://x/sound.mp3) is left out: It is a sound, and a still picture or a video is needed here.',
    ],
    [GONE, gone('media_overlay_config.mediaUrl')],
    ['', 'media_overlay_config.mediaUrl is empty, so there is no picture to show.'],
  ])('is left out where it is "%s"', (mediaUrl, warning) =>
    expect(compile({ mediaUrl })).toEqual({ warnings: [warning] }),
  )
  it('is none where its offsets leave nothing', () =>
    expect(compile({ mediaUrl: 'https://x/video.mp4', endOffset: 10 })).toEqual({
      layers: [],
      warnings: ["media_overlay_config is never shown: its offsets leave nothing of this clip's 10.0 s."],
    }))
  it('needs its file', () => {
    expect(mediaOverlay.assets?.({ media_overlay_config: { mediaUrl: 'a' } }, {})).toEqual([
      { url: 'a', kind: 'media' },
    ])
    expect(mediaOverlay.assets?.({}, {})).toEqual([])
  })
})
