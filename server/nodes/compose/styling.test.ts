import { Value } from '@sinclair/typebox/value'
import { describe, expect, it } from 'vitest'
import { compile, subtitled, vertical, words } from '../../../test/support/compiled.ts'
import { documentOf, factsOf, node, spoken } from '../../../test/support/node-values.ts'
import { Composition, type CaptionLayer } from '../../contract/composition.ts'
import { CAPTION_PRESETS, compileComposition, TITLE_PRESETS } from '../index.ts'

const titled = (titleConfig: Record<string, unknown>) => compile(vertical, { titleConfig })

describe('caption styling', () => {
  const styleOf = (config: Record<string, unknown>) => {
    const { captions, warnings } = subtitled(config)
    return { style: captions?.styles[0], warnings }
  }
  const table: [Record<string, unknown>, object][] = [
    [
      {},
      {
        face: { fontFamily: 'Montserrat', fontWeight: 800, fontSize: 76, colour: '#ffffff' },
        yPercent: 72,
        animation: 'pop',
        spoken: { mode: 'colour' },
      },
    ],
    [
      { fontColor: 'red', fontSize: '90px', fontWeight: 'semi-bold', isItalic: true },
      { face: { colour: '#ff0000', fontSize: 90, fontWeight: 600, italic: true } },
    ],
    [
      { textCase: 'UPPERCASE', textAlign: 'start', lineHeight: 1.4, letterSpacing: '2' },
      { face: { textCase: 'upper', lineHeight: 1.4, letterSpacing: 2 }, align: 'left' },
    ],
    [{ outlineWidth: 0 }, { face: { outline: null } }],
    [{ outlineWidth: '4', outlineColor: '#f0f' }, { face: { outline: { colour: '#ff00ff', width: 4 } } }],
    [
      { styleId: 'box', outlineColor: 'black' },
      { face: { outline: { colour: '#000000' } }, backdrop: { fill: 'block' } },
    ],
    [{ shadowEnabled: false }, { face: { shadow: null } }],
    [
      { shadowColor: 'rgba(0,0,0,0.5)', shadowBlur: 3 },
      { face: { shadow: { colour: '#00000080', blur: 3 } } },
    ],
    [{ backgroundColor: '#123' }, { backdrop: { fill: 'wrap', colour: '#112233', opacity: 1 } }],
    [{ backgroundColor: '#123', backgroundOpacity: 0 }, { backdrop: { fill: 'none' } }],
    [
      {
        backgroundOpacity: 0.4,
        backgroundFillStyle: 'block',
        backgroundPadding: 20,
        backgroundBorderRadius: 3,
      },
      { backdrop: { fill: 'block', opacity: 0.4, paddingX: 20, paddingY: 12, radius: 3 } },
    ],
    [{ captionPosition: 'top' }, { yPercent: 18 }],
    [
      { captionPosition: 'middle', subtitleY: 33, subtitleX: 40 },
      { yPercent: 33, xPercent: 40 },
    ],
    [{ amplifySpokenWords: false }, { spoken: { mode: 'none' } }],
    [{ styleId: 'minimal', amplifySpokenWords: true }, { spoken: { mode: 'colour', colour: '#ffd60a' } }],
    [
      { amplifiedColor: 'cyan', amplifiedOpacity: 0.9, amplifyOpacityTransitionDuration: 0.5 },
      { spoken: { colour: '#00ffff', opacity: 0.9, transitionFrames: 15 } },
    ],
    [
      { styleId: 'pill', amplifiedColor: 'yellow' },
      { spoken: { mode: 'pill', pillColour: '#ffff00', colour: '#111111' } },
    ],
    [{ animationStyle: 'slide-up' }, { animation: 'slide' }],
    [{ animationStyle: 'karaoke' }, { spoken: { mode: 'sweep' } }],
    [
      { maxLines: 1, wrapWidthPct: 60 },
      { maxLines: 1, wrapWidthPercent: 60 },
    ],
    [{ safeZone: 'tiktok', subtitleY: 99 }, { wrapWidthPercent: 82 }],
  ]
  it.each(table)('%j', (config, expected) => {
    const { style, warnings } = styleOf(config)
    expect(style).toMatchObject(expected)
    expect(warnings).toEqual([])
  })

  it('keeps captions clear of the controls of a platform', () => {
    const y = styleOf({ safeZone: 'tiktok', subtitleY: 99 }).style?.yPercent ?? 0
    expect(y).toBeGreaterThan(70)
    expect(y).toBeLessThan(78)
    expect(styleOf({ safeZone: 'none', subtitleY: 99 }).style?.yPercent).toBe(99)
  })

  it.each([
    [{ fontColor: 'reddish' }, 'fontColor "reddish"'],
    [{ styleId: 'no such' }, 'no caption preset "no such"'],
    [{ fontSize: 'big' }, 'fontSize "big"'],
    [{ animationStyle: 'explode' }, 'no caption animation "explode"'],
    [{ textCase: 'zigzag' }, 'textCase "zigzag"'],
    [{ captionPosition: 'left-ish' }, 'no caption position'],
    [{ avoidFaces: true }, 'no faces were looked for'],
    [{ fontUrl: 'https://example.test/a.ttf' }, 'subtitleConfig.fontUrl (https://example.test/a.ttf)'],
  ])('%j is used as far as it can be read, with a warning', (config, message) => {
    const { style, warnings } = styleOf(config)
    expect(style?.face.fontSize).toBe(76)
    expect(warnings).toEqual([expect.stringContaining(message)])
  })

  it('styles each speaker above entry 0 above the config, and breaks where the speaker changes', () => {
    const document = documentOf(vertical, {
      subtitleConfig: {
        fontColor: 'red',
        fontSize: 50,
        speakerStyles: { '0': { fontColor: 'green' }, '1': { styleId: 'box', fontWeight: 900 } },
      },
    })
    const talk = words.map((word, index) => ({ ...word, speaker: index < 8 ? 0 : index < 15 ? 1 : 2 }))
    const { composition } = compileComposition({ document, words: talk, facts: factsOf() })
    const captions = composition.layers[0] as CaptionLayer
    expect(captions.styles).toHaveLength(2)
    expect(captions.styles[0]).toMatchObject({
      face: { colour: '#008000', fontSize: 50 },
      backdrop: { fill: 'none' },
    })
    expect(captions.styles[1]).toMatchObject({
      face: { colour: '#008000', fontSize: 50, fontWeight: 900 },
      backdrop: { fill: 'block' },
    })
    expect(new Set(captions.cues.map((cue) => cue.style))).toEqual(new Set([0, 1]))
    const list = {
      ...document,
      subtitleConfig: {
        ...document.subtitleConfig,
        speakerStyles: [{ fontColor: 'green' }, { styleId: 'box', fontWeight: 900 }],
      },
    }
    expect(compileComposition({ document: list, words: talk, facts: factsOf() }).composition).toEqual(
      composition,
    )
  })

  it('reads the preset and the height that are stored beside the config, below it', () => {
    const beside = { subtitleId: 'box', subtitleY: 30 }
    expect(compile(vertical, { ...beside, subtitleConfig: {} }).captions?.styles[0]).toMatchObject({
      backdrop: { fill: 'block' },
      yPercent: 30,
    })
    expect(
      compile(vertical, { ...beside, subtitleConfig: { subtitleY: 44 } }).captions?.styles[0]?.yPercent,
    ).toBe(44)
  })

  it('colours keywords, of several words too', () => {
    const document = documentOf(vertical, {
      subtitleConfig: { highlightKeywords: true, highlightColor: 'lime' },
    })
    const { composition } = compileComposition({
      document,
      words: spoken('The bike shop does Repair, not a bike', 12),
      facts: factsOf(),
    })
    const coloured = (composition.layers[0] as CaptionLayer).cues
      .flatMap((cue) => cue.words)
      .filter((word) => word.highlight === '#00ff00')
    expect(coloured.map((word) => word.text)).toEqual(['bike', 'shop', 'Repair,'])
  })

  it.each(CAPTION_PRESETS.map((preset) => preset.id))(
    'preset %s is valid and fits its lines in every shape',
    (styleId) => {
      for (const aspect_ratio of ['9:16', '1:1', '16:9']) {
        const { composition, warnings } = compile([
          node('convert_to_vertical', { aspect_ratio }),
          node('add_subtitles', { subtitle_config: { styleId } }),
        ])
        expect([...Value.Errors(Composition, composition)]).toEqual([])
        expect(warnings).toEqual([])
      }
    },
  )

  it('names the language by its letters', () => {
    const languageOf = (text: string) => {
      const { composition } = compileComposition({
        document: documentOf(vertical),
        words: spoken(text, 12),
        facts: factsOf(),
      })
      return (composition.layers[0] as CaptionLayer).language
    }
    expect(
      ['שלום עולם', 'مرحبا بالعالم', '今日は いい天気', '你好 世界', 'hello world'].map(languageOf),
    ).toEqual(['he', 'ar', 'ja', 'zh', 'und'])
  })
})

describe('title styling', () => {
  it('marks where a line may break in a script without spaces, and names its language', () => {
    const { title } = titled({ text: '没有人会把说明书读两遍' })
    expect(title?.text.replaceAll('\u200b', '')).toBe('没有人会把说明书读两遍')
    expect(title?.text.split('\u200b').length).toBeGreaterThan(3)
    expect(title?.language).toBe('zh')
    expect(titled({ text: 'Why nobody reads it' }).title).not.toHaveProperty('language')
  })

  const table: [Record<string, unknown>, object][] = [
    [
      {},
      {
        xPercent: 50,
        yPercent: 17,
        backdrop: { fill: 'wrap', colour: '#ffffff' },
        face: { colour: '#111114' },
      },
    ],
    [{ text: '  Two\n lines ' }, { text: 'Two lines' }],
    [{ text: 'Fixed', generateTitle: false }, { text: 'Fixed' }],
    [
      { xPosition: 0.25, yPosition: 0.5, maxWidthPercent: 60, targetHeightPercent: 0.1, textAlign: 'left' },
      { xPercent: 25, yPercent: 50, maxWidthPercent: 60, targetHeightPercent: 10, align: 'left' },
    ],
    [
      { duration: 2, fadeDuration: 0 },
      { endFrame: 60, fadeFrames: 0 },
    ],
    [{ duration: 0 }, { endFrame: 900 }],
    [
      { duration: 900, fadeDuration: 1 },
      { endFrame: 900, fadeFrames: 30 },
    ],
    [
      { titlePresetId: 'card', titlePaletteId: 'dark' },
      { backdrop: { fill: 'block', colour: '#111114' }, face: { colour: '#ffffff' } },
    ],
    [
      { titlePresetId: 'card', fontColor: 'red', allCaps: true, fontScale: 2, fontSize: 30 },
      { face: { colour: '#ff0000', textCase: 'upper', fontSize: 60 } },
    ],
    [{ lineHeight: 90, fontSize: 60, lineMargin: 6 }, { face: { lineHeight: 1.6 } }],
    [
      {
        padding: 20,
        borderRadius: '4',
        backgroundColor: 'blue',
        backgroundOpacity: 0.5,
        backgroundStyle: 'line',
      },
      { backdrop: { fill: 'line', paddingX: 20, paddingY: 10, radius: 4, colour: '#0000ff', opacity: 0.5 } },
    ],
    [{ backgroundOpacity: 0 }, { backdrop: { fill: 'none' } }],
    [
      { textShadow: '2px 4px 6px rgba(0, 0, 0, 0.5)' },
      { face: { shadow: { offsetX: 2, offsetY: 4, blur: 6, colour: '#00000080' } } },
    ],
    [
      { textShadow: '0 2px 4px red' },
      { face: { shadow: { offsetX: 0, offsetY: 2, blur: 4, colour: '#ff0000' } } },
    ],
    [{ textShadow: 'none', titlePresetId: 'bare' }, { face: { shadow: null } }],
    [
      { boxShadow: true },
      { backdrop: { shadow: { offsetX: 0, offsetY: 10, blur: 32, colour: '#00000080' } } },
    ],
    [
      { boxShadow: '3px 4px 0 red' },
      { backdrop: { shadow: { offsetX: 3, offsetY: 4, blur: 0, colour: '#ff0000' } } },
    ],
    [
      { titlePresetId: 'neon', titlePaletteId: 'cyan' },
      { face: { shadow: { colour: '#19d3ff', blur: 48 } } },
    ],
  ]
  it.each(table)('%j', (config, expected) => {
    const { title, warnings } = titled(config)
    expect(title).toMatchObject(expected)
    expect(warnings).toEqual([])
  })

  it.each([
    [{ prompt: 'Make it funny' }, 'titleConfig.prompt'],
    [{ avoidFaces: true }, 'titleConfig.avoidFaces: no faces were looked for'],
    [{ titlePresetId: 'no such' }, 'no title preset'],
    [{ titlePaletteId: 'plaid' }, 'no palette "plaid"'],
  ])('%j is shown as far as it can be, with a warning', (config, message) => {
    const { title, warnings } = titled(config)
    expect(title?.text).toBe('A title that says it')
    expect(warnings).toEqual([expect.stringContaining(message)])
  })

  it.each(
    TITLE_PRESETS.flatMap((preset) => preset.palettes.map((palette) => [preset.id, palette.id] as const)),
  )('preset %s in %s is valid', (titlePresetId, titlePaletteId) => {
    const { composition, warnings } = titled({ titlePresetId, titlePaletteId })
    expect([...Value.Errors(Composition, composition)]).toEqual([])
    expect(warnings).toEqual([])
  })
})
