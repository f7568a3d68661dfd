import { describe, expect, it } from 'vitest'
import type { CaptionStyle } from '../../contract/composition.ts'
import type { SpeakerStyle } from '../../contract/text-configs.ts'
import { clearOfControls, inFile, resolveCueStyle, speakerConfig } from './caption-style.ts'
import type { CueMeasure } from './cues.ts'

const VERTICAL = { width: 1080, height: 1920 }
const FRAMES_PER_SECOND = 30

/** Captions of a vertical clip, nothing set. */
const PLAIN: CaptionStyle = {
  face: {
    fontFamily: 'Montserrat',
    fontSize: 76,
    fontWeight: 800,
    italic: false,
    lineHeight: 1.16,
    letterSpacing: 0,
    textCase: 'none',
    colour: '#ffffff',
    outline: { colour: '#0b0b0f', width: 9 },
    shadow: { colour: '#00000099', blur: 14, offsetX: 0, offsetY: 5 },
  },
  backdrop: { fill: 'none', colour: '#000000', opacity: 0.75, paddingX: 26, paddingY: 14, radius: 16 },
  spoken: {
    mode: 'colour',
    colour: '#ffd60a',
    opacity: 1,
    restOpacity: 1,
    pillColour: '#6d3bf5',
    scale: 1.1,
    transitionFrames: 2,
  },
  animation: 'pop',
  align: 'center',
  xPercent: 50,
  yPercent: 72,
  maxLines: 2,
  wrapWidthPercent: 84,
}
/** No outline, no shadow, one dark box. */
const BOX: CaptionStyle = {
  ...PLAIN,
  face: {
    ...PLAIN.face,
    fontFamily: 'Inter',
    fontWeight: 700,
    fontSize: 58,
    lineHeight: 1.24,
    outline: null,
    shadow: null,
  },
  backdrop: { fill: 'block', colour: '#0b0b0f', opacity: 0.78, paddingX: 34, paddingY: 22, radius: 22 },
  animation: 'fade',
  wrapWidthPercent: 80,
}
interface Change extends Partial<Omit<CaptionStyle, 'face' | 'backdrop' | 'spoken'>> {
  readonly face?: Partial<CaptionStyle['face']>
  readonly backdrop?: Partial<CaptionStyle['backdrop']>
  readonly spoken?: Partial<CaptionStyle['spoken']>
}
const withChange = (style: CaptionStyle, { face, backdrop, spoken, ...rest }: Change): CaptionStyle => ({
  ...style,
  ...rest,
  face: { ...style.face, ...face },
  backdrop: { ...style.backdrop, ...backdrop },
  spoken: { ...style.spoken, ...spoken },
})

function resolved(config: SpeakerStyle, output = VERTICAL) {
  const warnings: string[] = []
  const { style, measure, highlight } = resolveCueStyle(
    config,
    output,
    FRAMES_PER_SECOND,
    (_code, _field, message) => void warnings.push(message),
  )
  return { style, measure, highlight, warnings }
}

describe('a setting of the captions changes what it names and nothing else', () => {
  it.each<[SpeakerStyle, Change]>([
    [{}, {}],
    [{ styleId: ' ' }, {}],
    [{ fontFamily: ' Lora ' }, { face: { fontFamily: 'Lora' } }],
    [{ fontFamily: ' ' }, {}],
    [{ fontSize: 7 }, { face: { fontSize: 8 } }],
    [{ fontSize: 1081 }, { face: { fontSize: 1080 } }],
    [{ fontSize: '40 px' }, { face: { fontSize: 40 } }],
    [{ fontWeight: 1 }, { face: { fontWeight: 100 } }],
    [{ fontWeight: 2000 }, { face: { fontWeight: 1000 } }],
    [{ fontWeight: '450.4' }, { face: { fontWeight: 450 } }],
    [{ isItalic: true }, { face: { italic: true } }],
    [{ lineHeight: 2 }, { face: { lineHeight: 2 } }],
    [{ letterSpacing: -1 }, { face: { letterSpacing: -1 } }],
    [{ textCase: 'Title Case' }, { face: { textCase: 'title' } }],
    [{ textCase: 'lower' }, { face: { textCase: 'lower' } }],
    [{ fontColor: '#abc' }, { face: { colour: '#aabbcc' } }],
    [{ outlineWidth: 0 }, { face: { outline: null } }],
    [{ outlineWidth: -1 }, { face: { outline: null } }],
    [{ outlineWidth: 0.5 }, { face: { outline: { colour: '#0b0b0f', width: 0.5 } } }],
    [{ outlineColor: 'red' }, { face: { outline: { colour: '#ff0000', width: 9 } } }],
    [{ shadowEnabled: false, shadowBlur: 4 }, { face: { shadow: null } }],
    [{ shadowEnabled: true }, {}],
    [{ shadowBlur: -4 }, { face: { shadow: { colour: '#00000099', blur: 0, offsetX: 0, offsetY: 5 } } }],
    [{ shadowColor: 'red' }, { face: { shadow: { colour: '#ff0000', blur: 14, offsetX: 0, offsetY: 5 } } }],
    [{ backgroundColor: 'red' }, { backdrop: { fill: 'wrap', colour: '#ff0000', opacity: 1 } }],
    [{ backgroundOpacity: 0.25 }, { backdrop: { fill: 'wrap', opacity: 0.25 } }],
    [{ backgroundOpacity: 0 }, { backdrop: { opacity: 0 } }],
    [{ backgroundFillStyle: 'per line' }, { backdrop: { fill: 'line' } }],
    [{ backgroundPadding: 25 }, { backdrop: { paddingX: 25, paddingY: 15 } }],
    [{ backgroundPadding: -5 }, { backdrop: { paddingX: 0, paddingY: 0 } }],
    [{ backgroundBorderRadius: '5' }, { backdrop: { radius: 5 } }],
    [{ backgroundBorderRadius: -5 }, { backdrop: { radius: 0 } }],
    [{ amplifySpokenWords: true }, {}],
    [{ amplifySpokenWords: false }, { spoken: { mode: 'none' } }],
    [{ amplifySpokenWords: false, animationStyle: 'karaoke' }, { spoken: { mode: 'none' } }],
    [{ amplifiedColor: 'red' }, { spoken: { colour: '#ff0000' } }],
    [{ amplifiedOpacity: 0.5 }, { spoken: { opacity: 0.5 } }],
    [{ amplifyOpacityTransitionDuration: 1.25 }, { spoken: { transitionFrames: 38 } }],
    [{ animationStyle: ' ' }, {}],
    [{ animationStyle: 'None' }, { animation: 'none' }],
    [{ animationStyle: 'static' }, { animation: 'none' }],
    [{ animationStyle: 'fade-in' }, { animation: 'fade' }],
    [{ animationStyle: 'bounce' }, { animation: 'bounce' }],
    [{ animationStyle: 'slide' }, { animation: 'slide' }],
    [{ animationStyle: 'sweep' }, { spoken: { mode: 'sweep' } }],
    [{ animationStyle: 'pill' }, { spoken: { mode: 'pill' } }],
    [{ animationStyle: 'scale' }, { spoken: { mode: 'scale' } }],
    [{ animationStyle: 'spotlight' }, { spoken: { mode: 'spotlight' } }],
    [{ animationStyle: 'typewriter' }, { animation: 'none', spoken: { mode: 'reveal' } }],
    [{ textAlign: 'justify' }, {}],
    [{ textAlign: 'left' }, { align: 'left' }],
    [{ subtitleX: 40 }, { xPercent: 40 }],
    [{ subtitleY: 40 }, { yPercent: 40 }],
    [{ captionPosition: 'Top left' }, { yPercent: 18 }],
    [{ captionPosition: 'mid' }, { yPercent: 50 }],
    [{ captionPosition: 'CENTRE' }, { yPercent: 50 }],
    [{ captionPosition: 'bottom-centre' }, {}],
    [{ captionPosition: 'auto' }, {}],
    [{ captionPosition: 'default' }, {}],
    [{ captionPosition: '' }, {}],
    [{ captionPosition: 'top', subtitleY: 33 }, { yPercent: 33 }],
    [{ maxLines: 2.6 }, { maxLines: 3 }],
    [{ maxLines: 0.2 }, { maxLines: 1 }],
    [{ wrapWidthPct: 50 }, { wrapWidthPercent: 50 }],
  ])('%j', (config, change) => {
    expect(resolved(config)).toMatchObject({ warnings: [], highlight: null })
    expect(resolved(config).style).toEqual(withChange(PLAIN, change))
  })

  it.each<[SpeakerStyle, Change]>([
    [{}, {}],
    [{ outlineColor: 'red' }, { face: { outline: { colour: '#ff0000', width: 8 } } }],
    [{ outlineWidth: 3 }, { face: { outline: { colour: '#000000', width: 3 } } }],
    [
      { shadowEnabled: true },
      { face: { shadow: { colour: '#00000099', blur: 14, offsetX: 0, offsetY: 5 } } },
    ],
    [{ shadowBlur: 3 }, { face: { shadow: { colour: '#00000099', blur: 3, offsetX: 0, offsetY: 5 } } }],
    [{ shadowColor: 'red' }, { face: { shadow: { colour: '#ff0000', blur: 14, offsetX: 0, offsetY: 5 } } }],
    [{ shadowEnabled: false, shadowColor: 'red' }, {}],
    [{ backgroundColor: 'red' }, { backdrop: { colour: '#ff0000', opacity: 1 } }],
    [{ backgroundOpacity: 0.25 }, { backdrop: { opacity: 0.25 } }],
    [{ backgroundOpacity: 0 }, { backdrop: { fill: 'none', opacity: 0 } }],
  ])('on the boxed style, which has neither edge nor shadow: %j', (config, change) => {
    expect(resolved({ styleId: 'box', ...config }).style).toEqual(withChange(BOX, change))
  })

  it.each<[SpeakerStyle, Partial<CaptionStyle['spoken']>]>([
    [{}, { mode: 'none', colour: '#ffffff' }],
    [{ amplifySpokenWords: true }, { mode: 'colour', colour: '#ffd60a' }],
    [
      { amplifySpokenWords: true, amplifiedColor: 'red' },
      { mode: 'colour', colour: '#ff0000' },
    ],
    [{ amplifySpokenWords: false }, { mode: 'none', colour: '#ffffff' }],
    [{ animationStyle: 'highlight' }, { mode: 'colour', colour: '#ffffff' }],
  ])('the spoken word of a style that emphasises none: %j', (config, spoken) => {
    expect(resolved({ styleId: 'minimal', ...config }).style.spoken).toEqual({ ...PLAIN.spoken, ...spoken })
  })

  it.each<[SpeakerStyle, Partial<CaptionStyle['spoken']>]>([
    [{}, { colour: '#ffffff', pillColour: '#6d3bf5' }],
    [{ amplifiedColor: 'white' }, { colour: '#111111', pillColour: '#ffffff' }],
    [{ amplifiedColor: 'black' }, { colour: '#ffffff', pillColour: '#000000' }],
    [
      { amplifiedColor: 'red', amplifySpokenWords: false },
      { mode: 'none', colour: '#ff0000' },
    ],
  ])('the pill of a spoken word: %j', (config, spoken) => {
    expect(resolved({ styleId: 'pill', ...config }).style.spoken).toEqual({
      ...PLAIN.spoken,
      mode: 'pill',
      ...spoken,
    })
  })

  it.each([
    ['square', 1080, 1080, 64, 9 * 0.84, 80, { paddingX: 22, paddingY: 12, radius: 13 }],
    ['horizontal', 1920, 1080, 59, 9 * 0.78, 84, { paddingX: 20, paddingY: 11, radius: 12 }],
  ])('is smaller and lower in a %s picture', (_shape, width, height, fontSize, edge, yPercent, box) => {
    expect(resolved({}, { width, height }).style).toEqual(
      withChange(PLAIN, {
        yPercent,
        face: { fontSize, outline: { colour: '#0b0b0f', width: edge } },
        backdrop: box,
      }),
    )
  })

  it.each<[SpeakerStyle, string | null]>([
    [{}, null],
    [{ highlightColor: 'red' }, null],
    [{ highlightKeywords: false, highlightColor: 'red' }, null],
    [{ highlightKeywords: true }, '#38e07b'],
    [{ highlightKeywords: true, highlightColor: 'red' }, '#ff0000'],
  ])('%j colours keywords in %s', (config, highlight) => {
    expect(resolved(config)).toMatchObject({ highlight, warnings: [] })
  })

  it('says what cannot be read, word for word, and shows the rest as usual', () => {
    const { style, warnings } = resolved({
      styleId: 'no such',
      fontSize: 'big',
      fontWeight: 'fat',
      letterSpacing: 'airy',
      textCase: 'zigzag',
      fontColor: 'reddish',
      outlineWidth: 'thick',
      outlineColor: 'bluish',
      shadowColor: 'dark-ish',
      shadowBlur: 'soft',
      backgroundFillStyle: 'bubble',
      backgroundColor: 'greenish',
      backgroundOpacity: 0.75,
      backgroundBorderRadius: 'round',
      amplifiedColor: 'bright',
      animationStyle: 'explode',
      captionPosition: 'left-ish',
      highlightKeywords: true,
      highlightColor: 'shiny',
    })
    expect(style).toEqual(withChange(PLAIN, { backdrop: { fill: 'wrap' } }))
    const colour = (name: string, value: string) =>
      `subtitleConfig.${name} "${value}" was ignored: it should be a CSS colour.`
    const number = (name: string, value: string) =>
      `subtitleConfig.${name} "${value}" was ignored: it should be a number.`
    expect(warnings).toEqual([
      'There is no caption preset "no such"; "pop" is used in its place.',
      number('outlineWidth', 'thick'),
      number('fontSize', 'big'),
      'subtitleConfig.fontWeight "fat" was ignored: it should be one of thin, extralight, light, normal, regular, medium, semibold, demibold, bold, extrabold, heavy, black.',
      number('letterSpacing', 'airy'),
      'subtitleConfig.textCase "zigzag" was ignored: it should be one of none, normal, original, asis, upper, uppercase, allcaps, lower, lowercase, title, titlecase, capitalize.',
      colour('fontColor', 'reddish'),
      colour('outlineColor', 'bluish'),
      colour('shadowColor', 'dark-ish'),
      number('shadowBlur', 'soft'),
      'subtitleConfig.backgroundFillStyle "bubble" was ignored: it should be one of none, transparent, line, lines, perline, block, box, full, fill, solid, wrap, text, tight, rounded.',
      colour('backgroundColor', 'greenish'),
      number('backgroundBorderRadius', 'round'),
      colour('amplifiedColor', 'bright'),
      'There is no caption animation "explode"; the preset\'s own is used. Known: none, static, fade, fadein, pop, popin, bounce, slide, slideup, karaoke, sweep, highlight, colour, color, pill, scale, spotlight, reveal, typewriter.',
      'There is no caption position "left-ish"; known are top, middle and bottom.',
      colour('highlightColor', 'shiny'),
    ])
  })

  it('of padding that cannot be read says so, and guesses its height', () => {
    const { style, warnings } = resolved({ backgroundPadding: 'much' })
    expect(style.backdrop).toEqual({ ...PLAIN.backdrop, paddingY: 8 })
    expect(new Set(warnings)).toEqual(
      new Set(['subtitleConfig.backgroundPadding "much" was ignored: it should be a number.']),
    )
  })
})

describe('how much fits into a caption', () => {
  const measured = (config: SpeakerStyle, output = VERTICAL): CueMeasure => resolved(config, output).measure

  it('follows from the preset: characters, lines, words, and the width less the outline in font sizes', () => {
    expect(measured({})).toEqual({
      maxCharsPerLine: 20,
      maxLines: 2,
      maxWords: 5,
      idealWords: 3.5,
      lineWidth: 11.7,
      face: PLAIN.face,
    })
  })

  it.each<[SpeakerStyle, Partial<CueMeasure>]>([
    [{ maxCharsPerLine: 40 }, { maxCharsPerLine: 40, maxWords: 10, idealWords: 7 }],
    [{ maxCharsPerLine: 10.4 }, { maxCharsPerLine: 10, maxWords: 3, idealWords: 1.75 }],
    // Never less than three tenths of the words, nor less than one.
    [{ maxCharsPerLine: 2 }, { maxCharsPerLine: 2, maxWords: 2, idealWords: 1.05 }],
    [
      { maxCharsPerLine: 2, styleId: 'impact' },
      { maxWords: 1, idealWords: 1 },
    ],
    [{ maxLines: 1 }, { maxLines: 1, maxWords: 3, idealWords: 1.75 }],
    [
      { maxLines: 4, maxCharsPerLine: 10 },
      { maxLines: 4, maxWords: 5, idealWords: 3.5 },
    ],
    [
      { styleId: 'spotlight', maxCharsPerLine: 180 },
      { maxWords: 1, idealWords: 1 },
    ],
    [{ wrapWidthPct: 50, fontSize: 18 }, { lineWidth: 29 }],
    [{ wrapWidthPct: 50, fontSize: 54, outlineWidth: 0 }, { lineWidth: 10 }],
    [{ wrapWidthPct: 1 }, { lineWidth: 1 }],
    [{ wrapWidthPct: 50, fontSize: 40, outlineWidth: 0, letterSpacing: 6 }, { lineWidth: 10.8 }],
    [{ wrapWidthPct: 50, fontSize: 40, outlineWidth: 0, letterSpacing: -6 }, { lineWidth: 13.5 }],
    [
      { wrapWidthPct: 50, fontSize: 40, outlineWidth: 0, backgroundPadding: 70, backgroundColor: 'red' },
      { lineWidth: 10 },
    ],
  ])('%j', (config, expected) => {
    expect(measured(config)).toMatchObject(expected)
  })

  it('is wider in a wide picture', () => {
    const config = { wrapWidthPct: 50, fontSize: 48, outlineWidth: 0 }
    expect(measured(config, { width: 3840, height: 2160 }).lineWidth).toBe(20)
  })
})

describe('a style moved clear of the controls of TikTok', () => {
  /** A block of 192 units, 10 percent of the height. */
  const block: CaptionStyle = withChange(PLAIN, { face: { fontSize: 96, lineHeight: 1 } })
  const cleared = (over: Change, output = VERTICAL) =>
    clearOfControls(withChange(block, over), 'tiktok', output)

  it('is narrower and moved, and otherwise as it was', () => {
    expect(cleared({ yPercent: 99 })).toEqual({ ...block, wrapWidthPercent: 82, xPercent: 46, yPercent: 73 })
  })

  it.each<[Change, Partial<CaptionStyle>]>([
    [{ yPercent: 0 }, { yPercent: 13 }],
    [{ yPercent: 40 }, { yPercent: 40 }],
    [
      { wrapWidthPercent: 40, xPercent: 10 },
      { wrapWidthPercent: 40, xPercent: 25 },
    ],
    [{ wrapWidthPercent: 40, xPercent: 90 }, { xPercent: 67 }],
    [{ wrapWidthPercent: 40, xPercent: 50 }, { xPercent: 50 }],
    [{ yPercent: 99, backdrop: { fill: 'block', paddingY: 96 } }, { yPercent: 68 }],
    [{ yPercent: 99, backdrop: { fill: 'none', paddingY: 96 } }, { yPercent: 73 }],
    [{ yPercent: 99, maxLines: 4 }, { yPercent: 68 }],
    // There is no room for so many lines: they lie in the middle of what there is.
    [{ yPercent: 99, maxLines: 20 }, { yPercent: 43 }],
  ])('%j', (change, expected) => {
    expect(cleared(change)).toMatchObject(expected)
  })

  it('stays as it is without a platform, and in pictures that are not upright', () => {
    const low = withChange(block, { yPercent: 99 })
    expect(clearOfControls(low, 'none', VERTICAL)).toEqual(low)
    expect(cleared({ yPercent: 99 }, { width: 1080, height: 1080 })).toEqual(low)
    expect(resolved({ safeZone: 'none', subtitleY: 99 }).style.yPercent).toBe(99)
    expect(resolved({ safeZone: 'tiktok', subtitleY: 5 }).style.yPercent).toBeCloseTo(8 + 4.59167, 4)
  })
})

describe('the style of a speaker', () => {
  const config = { fontColor: 'red', fontSize: 40, fontWeight: 300 }
  const list = [{ fontColor: 'green', fontSize: 50 }, null, { fontColor: 'blue' }]
  const map = { '0': { fontColor: 'green', fontSize: 50 }, '2': { fontColor: 'blue' } }
  it.each([
    ['a list', list],
    ['a map', map],
  ])('of %s is above the first entry, and that above the config', (_name, speakerStyles) => {
    const of = (speaker: number) => speakerConfig({ ...config, speakerStyles }, speaker)
    expect(of(0)).toEqual({ fontColor: 'green', fontSize: 50, fontWeight: 300 })
    expect(of(1)).toEqual({ fontColor: 'green', fontSize: 50, fontWeight: 300 })
    expect(of(2)).toEqual({ fontColor: 'blue', fontSize: 50, fontWeight: 300 })
    expect(of(9)).toEqual({ fontColor: 'green', fontSize: 50, fontWeight: 300 })
  })

  it('is the config alone without styles', () => {
    expect(speakerConfig(config, 1)).toEqual(config)
  })
})

it('sets a font file in its own weight', () => {
  expect(inFile(PLAIN.face, undefined)).toEqual(PLAIN.face)
  expect(inFile(PLAIN.face, 'abc')).toEqual({ ...PLAIN.face, fontFile: 'abc', fontWeight: 400 })
})
