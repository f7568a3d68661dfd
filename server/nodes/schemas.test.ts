import { describe, expect, it } from 'vitest'
import { AppError } from '../contract/errors.ts'
import type { JsonObject } from './declare.ts'
import { NODE_TYPES, nodeDefinition, NODES, overridesFromBody, resolveNodes, type NodeType } from './index.ts'
import { firstProblem } from './validate.ts'

function problemOf(type: NodeType, config: JsonObject): unknown {
  const graph = { nodes: [{ id: 'n', type, config: {} }], edges: [] }
  try {
    resolveNodes(graph, overridesFromBody({ nodeConfigs: { [type]: config } }))
    return null
  } catch (error) {
    if (error instanceof AppError && error.code === 'INVALID_NODE_CONFIG') return error.details
    throw error
  }
}

/** Types that clients of the hosted service name; there may be more. */
const PROMISED = [
  'find_clips',
  'filler_words',
  'remove_curse_words',
  'convert_to_vertical',
  'smart_zoom',
  'media_overlay',
  'remove_watermark',
  'add_broll',
  'add_brainrot',
  'add_audiogram',
  'add_subtitles',
  'add_title_overlay',
  'add_watermark',
  'add_music',
  'add_outro',
  'apply_branding',
]

describe('every node type', () => {
  it('is listed, once; the sixteen that clients of the public API know are among them', () => {
    expect(Object.keys(NODES).toSorted()).toEqual([...NODE_TYPES].toSorted())
    expect(NODE_TYPES).toEqual(expect.arrayContaining(PROMISED))
  })

  it.each(NODE_TYPES)('%s takes {} and enabled, refuses other names, describes each field', (type) => {
    expect(problemOf(type, {})).toBeNull()
    expect(problemOf(type, { enabled: false })).toBeNull()
    expect(problemOf(type, { enabled: 'yes' })).toEqual({
      nodeType: type,
      path: 'enabled',
      expected: 'true or false',
    })
    expect(problemOf(type, { nonsense: 1 })).toMatchObject({ nodeType: type, path: 'nonsense' })
    for (const [name, field] of Object.entries(nodeDefinition(type).config.properties)) {
      expect(field['description'], `${type}.${name}`).toMatch(/\w/)
    }
  })
})

describe('what is taken', () => {
  const taken: [NodeType, JsonObject][] = [
    [
      'find_clips',
      {
        min_length: 10,
        max_length: 90.5,
        model_key: 'multimodal',
        prompt: 'p',
        pinnedTimestamps: [{ start: 0, end: 1 }],
        pinnedTimestampMode: 'search_within',
      },
    ],
    [
      'convert_to_vertical',
      {
        aspect_ratio: '4:5',
        style: 'adaptive',
        centerVertical: true,
        zoom: 0.5,
        gaussian_blur: true,
        y_offset: -4,
        split_view: true,
        force_split_view: false,
        ignore_content_tiles: true,
      },
    ],
    [
      'add_broll',
      {
        prompt: 'p',
        broll_frequency: 'low',
        allowed_methods: ['getty', 'youtube'],
        enable_ai_broll: true,
        use_broll_library: true,
        library_folder_ids: [],
      },
    ],
    [
      'add_subtitles',
      {
        subtitle_config: {
          fontSize: '64',
          fontWeight: 700,
          speakerStyles: [{ styleId: 'pill' }, null, { subtitleY: 30 }],
        },
      },
    ],
    [
      'add_subtitles',
      {
        subtitle_config: {
          fontSize: 64,
          fontWeight: 'bold',
          speakerStyles: { '0': { animationStyle: 'pop' }, '12': {} },
        },
      },
    ],
    [
      'add_music',
      {
        background_music_option: {
          id: 'i',
          name: 'n',
          url: 'https://x.example/u',
          thumbnailUrl: 'https://x.example/t',
          duration: 3,
          volume: 1,
        },
        ducking: false,
      },
    ],
    [
      'add_watermark',
      {
        watermark_config: {
          enabled: true,
          url: 'https://x.example/u',
          position: 9,
          size: 10,
          padding: 2,
          opacity: 0,
          x: 1,
          y: 2,
          startOffset: 0,
          endOffset: 0,
          animationDuration: 0.5,
          introTransitionId: 'fade',
          outroTransitionId: 'zoomOut',
        },
      },
    ],
    [
      'apply_branding',
      {
        style: 's',
        watermark_config: {},
        outro_music_url: 'https://x.example/u',
        outro_card_url: 'https://x.example/u',
        overlay_url: 'https://x.example/u',
        title_config: {},
      },
    ],
    [
      'add_title_overlay',
      {
        titleConfig: { xPosition: 0.5, fontSize: '60', textShadow: '0 2px 4px black', titlePresetId: 'card' },
      },
    ],
    [
      'filler_words',
      { filler_words_config: { enabled: true, stutteredWordsEnabled: true, silencesEnabled: false } },
    ],
    [
      'smart_zoom',
      { smart_zoom_config: { enabled: true, intensity: 1.5, frequency: 'high', mode: 'smooth' } },
    ],
    [
      'add_outro',
      {
        end_card_option: {
          url: 'https://x.example/u',
          duration: 3,
          secondsBeforeEnd: 1,
          isVideo: true,
          opacity: 1,
          videoDuration: 3,
          volume: 0.4,
        },
        outro_music_option: { url: 'https://x.example/u', volume: 1 },
      },
    ],
    ['add_audiogram', { template: 't', audiogram_config: { waveStyle: 'mirror', x: 50, showCover: true } }],
    [
      'remove_watermark',
      { remove_watermark_config: { auto: true, regions: [{ x: 1, y: 2, width: 3, height: 4, start: 1 }] } },
    ],
    [
      'add_brainrot',
      {
        brainrot_config: {
          category: 'c',
          cropPosition: 'center',
          randomVideoUrl: 'https://x.example/u',
          verticalY: 50,
          videoUrl: 'https://x.example/u',
        },
      },
    ],
    [
      'media_overlay',
      {
        media_overlay_config: {
          mediaUrl: 'https://x.example/u',
          opacity: 1,
          scale: 2,
          xPosition: 1,
          yPosition: 1,
          startOffset: 1,
          endOffset: 0,
          animationDuration: 1,
          introTransitionId: 'a',
          outroTransitionId: 'b',
        },
      },
    ],
    ['remove_curse_words', { remove_curse_words_config: { enabled: true, mode: 'beep', words: ['darn'] } }],
  ]
  it.each(taken)('%s %j', (type, config) => {
    expect(problemOf(type, config)).toBeNull()
  })

  it('holds the documented subtitle fields', () => {
    const fields =
      'fontColor fontFamily fontSize fontWeight backgroundColor backgroundOpacity backgroundFillStyle backgroundPadding captionPosition textAlign outlineColor outlineWidth shadowColor shadowBlur shadowEnabled textCase maxCharsPerLine subtitleX subtitleY speakerStyles amplifySpokenWords amplifiedColor amplifiedOpacity amplifyOpacityTransitionDuration animationStyle backgroundBorderRadius isItalic lineHeight letterSpacing maxLines wrapWidthPct styleId emojis highlightKeywords highlightColor safeZone fontUrl avoidFaces enabled'
    const schema = NODES.add_subtitles.config.properties.subtitle_config
    expect(Object.keys(schema.properties).toSorted()).toEqual(fields.split(' ').toSorted())
  })

  it('holds the documented title fields', () => {
    const fields =
      'text prompt fontFamily fontUrl fontWeight fontColor fontSize lineHeight characterSpacing padding verticalPadding borderRadius backgroundColor backgroundOpacity textShadow boxShadow xPosition yPosition positionDynamically avoidFaces maxWidthPercent targetHeightPercent duration fadeDuration allCaps backgroundStyle textAlign fontScale lineMargin titlePresetId titlePaletteId generateTitle enabled'
    const schema = NODES.add_title_overlay.config.properties.title_config
    expect(Object.keys(schema.properties).toSorted()).toEqual(fields.split(' ').toSorted())
  })
})

describe('what is refused', () => {
  const refused: [NodeType, JsonObject, string, string][] = [
    ['find_clips', { min_length: '30' }, 'min_length', 'a number above 0'],
    ['find_clips', { min_length: 0 }, 'min_length', 'a number above 0'],
    ['find_clips', { model_key: 'gpt' }, 'model_key', 'one of "conversational", "multimodal"'],
    [
      'find_clips',
      {
        pinnedTimestamps: [
          { start: 1, end: 2 },
          { start: 1, end: 'x' },
        ],
      },
      'pinnedTimestamps.1.end',
      'a number',
    ],
    [
      'find_clips',
      { pinnedTimestamps: [{ start: 5, end: 5 }] },
      'pinnedTimestamps.0.end',
      'a number above the start of the range',
    ],
    [
      'find_clips',
      { pinnedTimestampMode: 'around' },
      'pinnedTimestampMode',
      'one of "search_within", "ranges"',
    ],
    [
      'find_clips',
      { minLength: 3 },
      'minLength',
      'left out: there is no such field (did you mean "min_length"?)',
    ],
    [
      'convert_to_vertical',
      { style: 'style_five' },
      'style',
      'one of "style_one", "style_two", "style_three", "style_four", "style_none", "adaptive"',
    ],
    ['convert_to_vertical', { aspect_ratio: 'tall' }, 'aspect_ratio', 'a string such as "9:16"'],
    [
      'add_broll',
      { allowed_methods: ['getty', 'bing'] },
      'allowed_methods.1',
      'one of "google_images", "youtube", "getty"',
    ],
    ['add_broll', { broll_frequency: 3 }, 'broll_frequency', 'one of "low", "medium", "high"'],
    ['add_subtitles', { subtitle_config: '{"fontColor":"red"}' }, 'subtitle_config', 'an object'],
    [
      'add_subtitles',
      { subtitle_config: { fontColour: 'red' } },
      'subtitle_config.fontColour',
      'left out: there is no such field (did you mean "fontColor"?)',
    ],
    [
      'add_subtitles',
      { subtitle_config: { backgroundOpacity: 80 } },
      'subtitle_config.backgroundOpacity',
      'a number from 0 to 1',
    ],
    [
      'add_subtitles',
      { subtitle_config: { fontSize: true } },
      'subtitle_config.fontSize',
      'a number or a string of at most 40 characters',
    ],
    [
      'add_subtitles',
      { subtitle_config: { safeZone: 'myspace' } },
      'subtitle_config.safeZone',
      'one of "none", "tiktok", "reels", "shorts"',
    ],
    [
      'add_subtitles',
      { subtitle_config: { speakerStyles: { first: {} } } },
      'subtitle_config.speakerStyles.first',
      'left out: only numeric keys are known here',
    ],
    [
      'add_subtitles',
      { subtitle_config: { speakerStyles: { '1': { fontColor: 7 } } } },
      'subtitle_config.speakerStyles.1.fontColor',
      'a string of at most 100 characters',
    ],
    [
      'add_subtitles',
      { subtitle_config: { speakerStyles: [{}, { subtitleY: 'low' }] } },
      'subtitle_config.speakerStyles.1.subtitleY',
      'a number',
    ],
    [
      'add_title_overlay',
      { title_config: { yPosition: 40 } },
      'title_config.yPosition',
      'a number from 0 to 1',
    ],
    [
      'add_title_overlay',
      { titleConfig: { duration: -1 } },
      'titleConfig.duration',
      'a number of at least 0',
    ],
    [
      'add_music',
      { background_music_option: { volume: 2 } },
      'background_music_option.volume',
      'a number from 0 to 1',
    ],
    [
      'add_watermark',
      { watermark_config: { opacity: '1' } },
      'watermark_config.opacity',
      'a number from 0 to 1',
    ],
    [
      'smart_zoom',
      { smart_zoom_config: { intensity: 2 } },
      'smart_zoom_config.intensity',
      'a number from 1 to 1.5',
    ],
    [
      'add_audiogram',
      { audiogram_config: { waveStyle: 'sine' } },
      'audiogram_config.waveStyle',
      'one of "bars", "line", "mirror"',
    ],
    [
      'remove_watermark',
      { remove_watermark_config: { regions: [{ x: 1 }] } },
      'remove_watermark_config.regions.0.y',
      'a number from 0 to 100',
    ],
    [
      'remove_curse_words',
      { remove_curse_words_config: { mode: 'blur' } },
      'remove_curse_words_config.mode',
      'one of "silence", "beep", "remove"',
    ],
    [
      'add_brainrot',
      { brainrot_config: { position: 1 } },
      'brainrot_config.position',
      'left out: there is no such field (did you mean "cropPosition"?)',
    ],
    [
      'media_overlay',
      { media_overlay_config: { opacity: -0.1 } },
      'media_overlay_config.opacity',
      'a number from 0 to 1',
    ],
    ['add_outro', { end_card_option: { isVideo: 'no' } }, 'end_card_option.isVideo', 'true or false'],
    ['filler_words', { filler_words_config: { enabled: 1 } }, 'filler_words_config.enabled', 'true or false'],
    [
      'apply_branding',
      { overlay_url: 4 },
      'overlay_url',
      'an address of at most 8192 characters, or a data: address of a picture or sound of at most 1048576',
    ],
  ]
  it.each(refused)('%s %j at %s', (type, config, path, expected) => {
    const problem = problemOf(type, config)
    if (path === 'brainrot_config.position') expect(problem).toMatchObject({ nodeType: type, path })
    else expect(problem).toEqual({ nodeType: type, path, expected })
  })
})

it('names the first problem of a config by path and expectation', () => {
  expect(firstProblem(NODES.add_music.config, { ducking: 3 })).toEqual({
    path: 'ducking',
    expected: 'true or false',
  })
  expect(firstProblem(NODES.add_music.config, {})).toBeNull()
})
