import { describe, expect, it } from 'vitest'
import type { ClipFaces } from '../../contract/clip-measurements.ts'
import type { TitleLayer } from '../../contract/composition.ts'
import type { TitleConfig } from '../../contract/text-configs.ts'
import { compileTitle, type TitleContext } from './title.ts'
import { inSentences } from '../../../test/support/sentences.ts'

const FACES: ClipFaces = { start: 0, end: 10, shotStarts: [], screens: [], tracks: [] }
const FONT = 'https://example.test/font.ttf'
const VERTICAL = { width: 1080, height: 1920, frameRate: { numerator: 30, denominator: 1 } }

const contextOf = (
  document: Partial<TitleContext['document']> = {},
  over: Partial<TitleContext> = {},
): TitleContext => ({
  output: VERTICAL,
  durationFrames: 300,
  assets: new Map(),
  document: { title: 'A clip', ...document },
  ...over,
})

/** The headline of a vertical clip of ten seconds, nothing set. */
const PLAIN: TitleLayer = {
  kind: 'title',
  id: 'title',
  text: 'A clip',
  startFrame: 0,
  endFrame: 150,
  fadeFrames: 9,
  face: {
    fontFamily: 'Montserrat',
    fontSize: 60,
    fontWeight: 800,
    italic: false,
    lineHeight: 1.36,
    letterSpacing: 0,
    textCase: 'none',
    colour: '#111114',
    outline: null,
    shadow: null,
  },
  backdrop: { fill: 'wrap', colour: '#ffffff', opacity: 1, paddingX: 28, paddingY: 14, radius: 18 },
  align: 'center',
  xPercent: 50,
  yPercent: 17,
  maxWidthPercent: 84,
  targetHeightPercent: 15,
}
interface Change extends Partial<Omit<TitleLayer, 'face' | 'backdrop'>> {
  readonly face?: Partial<TitleLayer['face']>
  readonly backdrop?: Partial<TitleLayer['backdrop']>
}
const withChange = ({ face, backdrop, ...rest }: Change): TitleLayer => ({
  ...PLAIN,
  ...rest,
  face: { ...PLAIN.face, ...face },
  backdrop: { ...PLAIN.backdrop, ...backdrop },
})

describe('a setting of the headline changes what it names and nothing else', () => {
  const shadow = { colour: '#00000099', blur: 16, offsetX: 0, offsetY: 5 }
  const boxShadow = { colour: '#00000080', blur: 32, offsetX: 0, offsetY: 10 }
  const table: [TitleConfig, Change][] = [
    [{}, {}],
    [{ text: '  \n ' }, {}],
    [{ text: ' One \n  two\tthree ' }, { text: 'One two three' }],
    [{ duration: 2 }, { endFrame: 60 }],
    [{ duration: 0 }, { endFrame: 300 }],
    [{ duration: 11 }, { endFrame: 300 }],
    [{ fadeDuration: 1 }, { fadeFrames: 30 }],
    [{ fadeDuration: 60 }, { fadeFrames: 75 }],
    [{ fontFamily: ' Inter ' }, { face: { fontFamily: 'Inter' } }],
    [{ fontFamily: '  ' }, {}],
    [{ fontSize: '90px' }, { face: { fontSize: 90 } }],
    [{ fontSize: 2 }, { face: { fontSize: 8 } }],
    [{ fontSize: 5000 }, { face: { fontSize: 1080 } }],
    [{ fontSize: 40, fontScale: 1.5 }, { face: { fontSize: 60 } }],
    [{ fontWeight: 'bold' }, { face: { fontWeight: 700 } }],
    [{ characterSpacing: '3' }, { face: { letterSpacing: 3 } }],
    // Up to 4 a line height is a multiple of the size, above it is a height.
    [{ lineHeight: 4 }, { face: { lineHeight: 4 } }],
    [{ lineHeight: 75 }, { face: { lineHeight: 1.25 } }],
    [{ lineHeight: 0.25 }, { face: { lineHeight: 0.5 } }],
    [{ lineHeight: 0 }, {}],
    [{ lineHeight: -1 }, {}],
    [{ lineHeight: 1, lineMargin: 15 }, { face: { lineHeight: 1.25 } }],
    [{ lineHeight: 1.5, lineMargin: -30 }, { face: { lineHeight: 1 } }],
    [{ allCaps: true }, { face: { textCase: 'upper' } }],
    [{ allCaps: false }, {}],
    [{ fontColor: 'navy' }, { face: { colour: '#000080' } }],
    [{ textShadow: '' }, {}],
    [{ textShadow: false }, {}],
    [{ textShadow: true }, { face: { shadow } }],
    [{ textShadow: 'red' }, { face: { shadow: { ...shadow, colour: '#ff0000' } } }],
    [{ textShadow: '7px' }, { face: { shadow } }],
    [{ textShadow: '7px blue' }, { face: { shadow: { ...shadow, colour: '#0000ff' } } }],
    [{ textShadow: 'of no meaning' }, { face: { shadow } }],
    [
      { textShadow: '1px -2px' },
      { face: { shadow: { colour: '#00000099', blur: 0, offsetX: 1, offsetY: -2 } } },
    ],
    [
      { textShadow: '-1.5px 2.25 0.5px #123456' },
      { face: { shadow: { colour: '#123456', blur: 0.5, offsetX: -1.5, offsetY: 2.25 } } },
    ],
    [
      { textShadow: '10 20 -30 rgba(10, 20, 30, 50%)' },
      { face: { shadow: { colour: '#0a141e80', blur: 0, offsetX: 10, offsetY: 20 } } },
    ],
    [{ boxShadow: true }, { backdrop: { shadow: boxShadow } }],
    [{ boxShadow: 'lime' }, { backdrop: { shadow: { ...boxShadow, colour: '#00ff00' } } }],
    [{ boxShadow: 'none' }, {}],
    [{ backgroundColor: 'red' }, { backdrop: { colour: '#ff0000' } }],
    [{ backgroundOpacity: 0.5 }, { backdrop: { opacity: 0.5 } }],
    [{ backgroundOpacity: 0 }, { backdrop: { opacity: 0, fill: 'none' } }],
    [{ backgroundStyle: 'line' }, { backdrop: { fill: 'line' } }],
    [{ padding: 25 }, { backdrop: { paddingX: 25, paddingY: 13 } }],
    [{ padding: -4 }, { backdrop: { paddingX: 0, paddingY: 0 } }],
    [{ verticalPadding: 3 }, { backdrop: { paddingY: 3 } }],
    [{ verticalPadding: -3 }, { backdrop: { paddingY: 0 } }],
    [{ padding: 10, verticalPadding: 30 }, { backdrop: { paddingX: 10, paddingY: 30 } }],
    [{ borderRadius: 2 }, { backdrop: { radius: 2 } }],
    [{ borderRadius: -2 }, { backdrop: { radius: 0 } }],
    [{ textAlign: 'end' }, { align: 'right' }],
    [{ xPosition: 0.25 }, { xPercent: 25 }],
    [{ yPosition: 0 }, { yPercent: 0 }],
    [{ maxWidthPercent: 1 }, { maxWidthPercent: 100 }],
    [{ maxWidthPercent: 0.5 }, { maxWidthPercent: 50 }],
    [{ maxWidthPercent: 2 }, { maxWidthPercent: 2 }],
    [{ maxWidthPercent: 0 }, {}],
    [{ targetHeightPercent: 0.25 }, { targetHeightPercent: 25 }],
    [{ targetHeightPercent: 0 }, {}],
    [{ titlePaletteId: ' DARK ' }, { face: { colour: '#ffffff' }, backdrop: { colour: '#111114' } }],
    [{ titlePaletteId: '  ' }, {}],
    [{ titlePresetId: '  ' }, {}],
    [{ prompt: '  ' }, {}],
    [{ prompt: 'Make it funny', text: 'Ha' }, { text: 'Ha' }],
    [{ fontUrl: ' ' }, {}],
  ]
  it.each(table)('%j', (config, change) => {
    expect(inSentences(compileTitle(config, contextOf()))).toEqual({
      layers: [withChange(change)],
      warnings: [],
    })
  })
})

describe('the look of a preset', () => {
  const bare: Change = {
    face: {
      fontSize: 66,
      lineHeight: 1.16,
      colour: '#ffd60a',
      outline: { colour: '#0b0b0f', width: 8 },
      shadow: { colour: '#00000099', blur: 18, offsetX: 0, offsetY: 6 },
    },
    backdrop: { fill: 'none', colour: '#0b0b0f' },
  }
  const lettered = { titlePresetId: 'bare', titlePaletteId: 'yellow' }
  it.each<[TitleConfig, Change]>([
    [{}, {}],
    [{ backgroundOpacity: 0.4 }, { backdrop: { fill: 'wrap', opacity: 0.4 } }],
    [{ backgroundColor: '#fff' }, { backdrop: { fill: 'wrap', colour: '#ffffff' } }],
    [{ backgroundColor: '#fff', backgroundStyle: 'box' }, { backdrop: { fill: 'block', colour: '#ffffff' } }],
    [{ backgroundOpacity: 0 }, { backdrop: { fill: 'none', opacity: 0 } }],
    [{ textShadow: true }, {}],
    [{ textShadow: false }, { face: { shadow: null } }],
    [{ textShadow: 'none' }, { face: { shadow: null } }],
  ])('without a box, and %j', (config, change) => {
    const { face, backdrop, ...rest } = change
    const both = {
      ...bare,
      ...rest,
      face: { ...bare.face, ...face },
      backdrop: { ...bare.backdrop, ...backdrop },
    }
    expect(inSentences(compileTitle({ ...lettered, ...config }, contextOf()))).toEqual({
      layers: [withChange(both)],
      warnings: [],
    })
  })

  it('glows in the colour of its palette, with an edge in that of its background', () => {
    const { layers } = inSentences(
      compileTitle({ titlePresetId: 'NEON!', titlePaletteId: 'cyan' }, contextOf()),
    )
    expect(layers?.[0]).toMatchObject({
      face: {
        colour: '#eaffff',
        outline: { colour: '#02181c', width: 5 },
        shadow: { colour: '#19d3ff', blur: 48, offsetX: 0, offsetY: 0 },
      },
    })
  })

  it.each([
    ['square', 1080, 1080, { fontSize: 52 }, { paddingX: 36, paddingY: 25, radius: 27 }],
    ['horizontal', 1920, 1080, { fontSize: 49 }, { paddingX: 34, paddingY: 24, radius: 26 }],
  ])('is smaller in a %s picture', (_shape, width, height, size, box) => {
    const output = { width, height, frameRate: { numerator: 25, denominator: 1 } }
    const { layers } = inSentences(compileTitle({ titlePresetId: 'card' }, contextOf({}, { output })))
    expect(layers).toEqual([
      withChange({
        endFrame: 125,
        fadeFrames: 8,
        maxWidthPercent: 80,
        face: { fontFamily: 'Poppins', fontWeight: 700, lineHeight: 1.24, colour: '#ffffff', ...size },
        backdrop: { fill: 'block', colour: '#6d3bf5', ...box },
      }),
    ])
  })
})

describe('what is written', () => {
  it('is nothing without a text and a title', () => {
    expect(inSentences(compileTitle({ text: ' ' }, contextOf({ title: ' \n' })))).toEqual({ warnings: [] })
  })

  it('is in the language of the clip', () => {
    const { layers } = inSentences(compileTitle({}, contextOf({ language: 'de' })))
    expect(layers).toEqual([{ ...PLAIN, language: 'de' }])
  })

  it('is set in a font file in its own weight', () => {
    const digest = 'f'.repeat(64)
    const assets: TitleContext['assets'] = new Map([[FONT, { state: 'ready', kind: 'font', digest }]])
    expect(inSentences(compileTitle({ fontUrl: FONT, fontWeight: 900 }, contextOf({}, { assets })))).toEqual({
      layers: [withChange({ face: { fontFile: digest, fontWeight: 400 } })],
      warnings: [],
    })
  })

  it('fades for at most half of a short clip', () => {
    const { layers } = inSentences(compileTitle({ duration: 0 }, contextOf({}, { durationFrames: 15 })))
    expect(layers).toEqual([{ ...PLAIN, endFrame: 15, fadeFrames: 7 }])
  })

  it('says each setting that could not be honoured, and shows the rest as usual', () => {
    const config = {
      titlePresetId: 'nope',
      titlePaletteId: 'plaid',
      prompt: 'Make it funny',
      fontUrl: FONT,
      fontColor: 'reddish',
      fontSize: 'big',
      fontWeight: 'fat',
      lineHeight: 'high',
      lineMargin: 'wide',
      characterSpacing: 'airy',
      backgroundColor: 'grass',
      backgroundStyle: 'bubble',
      padding: 'much',
      verticalPadding: 'more',
      borderRadius: 'round',
    }
    expect(inSentences(compileTitle(config, contextOf()))).toEqual({
      layers: [withChange({ backdrop: { paddingY: 14 } })],
      warnings: [
        'titleConfig.prompt was not followed: no language model wrote this headline (CUTROOM_LLM_URL) when the clip was made. The title of the clip is shown; `text` sets another.',
        'There is no title preset "nope"; "clean" is used in its place.',
        'The title preset "clean" has no palette "plaid"; "light" is used in its place.',
        'titleConfig.fontUrl (https://example.test/font.ttf) is left out: It was not fetched yet.',
        'titleConfig.fontSize "big" was ignored: it should be a number.',
        'titleConfig.lineHeight "high" was ignored: it should be a number.',
        'titleConfig.fontWeight "fat" was ignored: it should be one of thin, extralight, light, normal, regular, medium, semibold, demibold, bold, extrabold, heavy, black.',
        'titleConfig.lineMargin "wide" was ignored: it should be a number.',
        'titleConfig.characterSpacing "airy" was ignored: it should be a number.',
        'titleConfig.fontColor "reddish" was ignored: it should be a CSS colour.',
        'titleConfig.backgroundStyle "bubble" was ignored: it should be one of none, transparent, line, lines, perline, block, box, full, fill, solid, wrap, text, tight, rounded.',
        'titleConfig.padding "much" was ignored: it should be a number.',
        'titleConfig.backgroundColor "grass" was ignored: it should be a CSS colour.',
        'titleConfig.verticalPadding "more" was ignored: it should be a number.',
        'titleConfig.borderRadius "round" was ignored: it should be a number.',
      ],
    })
  })
})

describe('the places where a headline may go', () => {
  const places = (config: TitleConfig, faces: ClipFaces | undefined = FACES) =>
    inSentences(compileTitle(config, contextOf(faces === undefined ? {} : { faces }))).places
  /** Letters of 0.5 em: each is 0.315 wide in Montserrat, so that 20 of them are 378 units at size 60. */
  const LETTERS = 'llllllllllllllllllll'

  it('are its own and five others, as wide and high as its one line', () => {
    expect(places({ text: LETTERS, lineHeight: 1.6, padding: 0, verticalPadding: 48 })).toEqual([
      {
        layer: 'title',
        settings: ['titleConfig.avoidFaces'],
        xPercent: 50,
        widthPercent: expect.closeTo(35, 9) as number,
        // A line of 96 and two times 48, of 1920.
        heightPercent: expect.closeTo(10, 9) as number,
        yPercents: [17, 16, 26, 36, 60, 70],
      },
    ])
  })

  it('have no room around letters without a box', () => {
    const [place] = places({ text: LETTERS, lineHeight: 1.6, padding: 30, backgroundStyle: 'none' }) ?? []
    expect(place?.heightPercent).toBeCloseTo(5, 9)
  })

  it.each([
    // Lines are taken to be a tenth longer than they are: 1.1 times 378 is 415.8, a room of 416 just holds them.
    [38.6, 1, 35],
    [38.4, 2, 35],
    [19.3, 2, 19.3],
    [19.2, 3, 19.2],
  ])('in a room of %s % are of %s lines, and at most as wide as it', (maxWidthPercent, lines, width) => {
    const config = { text: LETTERS, lineHeight: 1.6, maxWidthPercent, targetHeightPercent: 100 }
    const [place] = places({ ...config, backgroundStyle: 'none' }) ?? []
    expect(place?.heightPercent).toBeCloseTo(lines * 5, 9)
    expect(place?.widthPercent).toBeCloseTo(width, 9)
  })

  it('are at most as high as the headline may be', () => {
    const config = { text: LETTERS, lineHeight: 1.6, maxWidthPercent: 10, padding: 0, verticalPadding: 48 }
    expect(places({ ...config, targetHeightPercent: 12 })?.[0]?.heightPercent).toBeCloseTo(17, 9)
  })

  const avoid = 'titleConfig.avoidFaces'
  const dynamic = 'titleConfig.positionDynamically'
  it.each<[string, TitleConfig, string | undefined, boolean]>([
    ['faces are known', {}, avoid, true],
    ['no faces are known', {}, undefined, false],
    ['it is set left', { xPosition: 0.2 }, undefined, true],
    ['it is set low', { yPosition: 0.8 }, undefined, true],
    ['it shall not', { avoidFaces: false }, undefined, true],
    ['it shall', { avoidFaces: true }, avoid, false],
    ['it shall though it is set low', { avoidFaces: true, yPosition: 0.8 }, avoid, true],
    ['the service may choose', { positionDynamically: true }, dynamic, false],
    ['it may but shall not', { positionDynamically: true, avoidFaces: false }, dynamic, true],
    ['both are set', { positionDynamically: true, avoidFaces: true }, `${dynamic} and ${avoid}`, true],
  ])('where %s', (_name, config, setting, known) => {
    const { places: found } = inSentences(compileTitle(config, contextOf(known ? { faces: FACES } : {})))
    expect(found?.map((place) => place.settings.join(' and '))).toEqual(
      setting === undefined ? undefined : [setting],
    )
  })
})
