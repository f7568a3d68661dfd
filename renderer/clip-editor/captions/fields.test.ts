import { describe, expect, it } from 'vitest'
import { SubtitleConfig, TitleConfig } from '../../../server/contract/text-configs.ts'
import { CAPTION_PRESETS, TITLE_PRESETS } from '../../../server/nodes/index.ts'
import { colourText, pickedColour, writtenColour } from './colours.ts'
import { effectiveCaption, effectiveTitle } from './effective.ts'
import {
  CAPTION_GROUPS,
  countSet,
  KEPT_BY_CAPTION_PRESETS,
  KEPT_BY_TITLE_PRESETS,
  numberOf,
  TITLE_GROUPS,
  withPreset,
  type FieldGroup,
} from './fields.ts'
import { captionSample, sampleWords, titleOf, titleSample } from './samples.ts'

const OUTPUT = { width: 1080, height: 1920 }
const namesOf = (groups: readonly FieldGroup[]): string[] =>
  groups.flatMap(({ fields }) => fields.map(({ name }) => name)).toSorted()
const without = (schema: { properties: object }, names: readonly string[]): string[] =>
  Object.keys(schema.properties)
    .filter((name) => !names.includes(name))
    .toSorted()

describe('style fields', () => {
  it('are all there, each once', () => {
    expect(namesOf(CAPTION_GROUPS)).toEqual(without(SubtitleConfig, ['enabled', 'styleId', 'speakerStyles']))
    expect(namesOf(TITLE_GROUPS)).toEqual(
      without(TitleConfig, ['enabled', 'titlePresetId', 'titlePaletteId']),
    )
  })

  it('show what every preset comes to', () => {
    for (const { id, face } of CAPTION_PRESETS) {
      const shown = effectiveCaption({ styleId: id }, OUTPUT, 30)
      expect([shown['styleId'], shown['fontFamily'], shown['fontSize']]).toEqual([
        id,
        face.fontFamily,
        face.fontSize,
      ])
      for (const { name, control } of CAPTION_GROUPS.flatMap(({ fields }) => fields))
        if (control.kind === 'range') expect(numberOf(shown[name]), `${id} ${name}`).not.toBeNull()
    }
    for (const { id, palettes } of TITLE_PRESETS) {
      const shown = effectiveTitle({ titlePresetId: id }, titleOf({ titlePresetId: id }, 'A title', OUTPUT))
      expect([shown['titlePresetId'], shown['titlePaletteId'], shown['fontColor']]).toEqual([
        id,
        palettes[0]?.id,
        palettes[0]?.text,
      ])
      for (const { name, control } of TITLE_GROUPS.flatMap(({ fields }) => fields))
        if (control.kind === 'range') expect(numberOf(shown[name]), `${id} ${name}`).not.toBeNull()
    }
  })

  it('go with another preset, but for where the text is and what it says', () => {
    const config = { styleId: 'pop', fontSize: 90, fontColor: '#fff', subtitleY: 20, emojis: true }
    expect(withPreset(config, { field: 'styleId', id: 'neon' }, KEPT_BY_CAPTION_PRESETS)).toEqual({
      styleId: 'neon',
      subtitleY: 20,
      emojis: true,
    })
    const title = { titlePresetId: 'card', titlePaletteId: 'red', text: 'Hi', duration: 2, padding: 4 }
    expect(withPreset(title, { field: 'titlePresetId', id: 'neon' }, KEPT_BY_TITLE_PRESETS)).toEqual({
      titlePresetId: 'neon',
      text: 'Hi',
      duration: 2,
    })
    expect(countSet(config, CAPTION_GROUPS[0]?.fields ?? [])).toBe(2)
  })

  it('read lengths in the forms that callers send', () => {
    expect(['76', '76px', 12.5, 'wide', '', null, Number.NaN].map(numberOf)).toEqual([
      76,
      76,
      12.5,
      null,
      null,
      null,
      null,
    ])
  })

  it('hold colours with what is seen through them', () => {
    expect(pickedColour('rgba(255, 0, 0, 0.5)')).toEqual({ hex: '#ff0000', alpha: 0.5 })
    expect(colourText({ hex: '#ff0000', alpha: 0.5 })).toBe('#ff000080')
    expect(colourText(pickedColour('#abc'))).toBe('#aabbcc')
    expect(pickedColour('nonsense')).toEqual({ hex: '#000000', alpha: 1 })
    expect([writtenColour('ABCDEF'), writtenColour('#12'), writtenColour('rgb(1,2,3)')]).toEqual([
      '#abcdef',
      null,
      '#010203',
    ])
  })
})

const word = (text: string, start: number, rest = {}) => ({
  word: text,
  start,
  end: start + 0.3,
  isDeleted: false,
  visible: true,
  ...rest,
})

describe('samples', () => {
  it('are of the first words that are heard, without long pauses', () => {
    const words = sampleWords([
      word('away', 1, { visible: false }),
      word('Nobody', 10),
      word('uh', 11, { isDeleted: true }),
      word('reads', 14),
      word('manuals', 14.3),
    ])
    expect(words.map(({ text }) => text)).toEqual(['Nobody', 'reads', 'manuals'])
    expect(words[1]?.startFrame).toBeLessThan(20)
    expect(words.every(({ startFrame, endFrame }) => endFrame > startFrame)).toBe(true)
    expect(sampleWords([]).length).toBeGreaterThan(3)
  })

  it('have every preset in the middle, in its own face, with a word being said', () => {
    const words = sampleWords([])
    for (const { id, face, maxWords } of CAPTION_PRESETS) {
      const { composition, stillFrame } = captionSample({ styleId: id, subtitleY: 90 }, words, OUTPUT, 300)
      const [layer] = composition.layers
      if (layer?.kind !== 'captions') throw new Error('no captions')
      expect([layer.styles[0]?.xPercent, layer.styles[0]?.yPercent]).toEqual([50, 50])
      expect(layer.styles[0]?.face.fontFamily).toBe(face.fontFamily)
      expect(Math.max(...layer.cues.map((cue) => cue.words.length))).toBeLessThanOrEqual(maxWords)
      const [cue] = layer.cues
      expect(cue !== undefined && cue.startFrame <= stillFrame && stillFrame < cue.endFrame).toBe(true)
    }
  })

  it('have headlines, also where there is none', () => {
    for (const title of ['What nobody reads', '']) {
      const { composition } = titleSample({ titlePresetId: 'poster', yPosition: 0.9 }, title, OUTPUT, 300)
      const [layer] = composition.layers
      expect(layer?.kind === 'title' && [layer.text === '', layer.yPercent]).toEqual([false, 50])
    }
  })
})
