import { BrandKitLook } from '../../server/contract/branding.ts'
import { describe, expect, it } from 'vitest'
import { Type, type TSchema } from '@sinclair/typebox'
import { NODE_TYPES, NODES } from '../../server/nodes/index.ts'
import {
  fieldKind,
  fieldWords,
  lengthOf,
  rowsOf,
  summaryOf,
  withField,
  type FieldKind,
} from './field-kind.ts'

/** Every field of every node, those of groups and of entries too: where it is, what it is called, and its schema. */
function allFields(
  where: string,
  schema: TSchema,
): (readonly [where: string, name: string, schema: TSchema])[] {
  return Object.entries(schema['properties'] as Record<string, TSchema>).flatMap(([name, own]) => {
    const at = `${where}.${name}`
    const kind = fieldKind(name, own)
    const inner =
      kind.kind === 'group'
        ? allFields(at, kind.schema)
        : kind.kind === 'rows'
          ? allFields(at, kind.item)
          : []
    return [[at, name, own] as const, ...inner]
  })
}

const FIELDS = [
  ...NODE_TYPES.flatMap((type) => allFields(type, NODES[type].config)),
  ...allFields('brand kit', BrandKitLook),
]
const kindAt = (where: string): FieldKind | undefined => {
  const found = FIELDS.find(([at]) => at === where)
  return found === undefined ? undefined : fieldKind(found[1], found[2])
}

describe('the fields of every node', () => {
  it('each have a control of their own: none is written as data', () => {
    expect(FIELDS.length).toBeGreaterThan(250)
    // fieldKind throws for a field without one.
    const kinds = new Set(FIELDS.map(([, name, schema]) => fieldKind(name, schema).kind))
    expect([...kinds].toSorted()).toEqual([
      'brand-kit',
      'check',
      'choice',
      'colour',
      'file',
      'folders',
      'group',
      'length',
      'lines',
      'number',
      'rows',
      'several',
      'switch',
      'text',
    ])
    expect(() => fieldKind('any', Type.Unknown())).toThrow('no control')
    expect(() => fieldKind('map', Type.Record(Type.String(), Type.Unknown()))).toThrow('no control')
    expect(() => fieldKind('list', Type.Array(Type.Array(Type.Number())))).toThrow('no control')
  })

  it.each([
    ['find_clips.min_length', 'number'],
    ['find_clips.prompt', 'text'],
    ['find_clips.pinnedTimestamps', 'rows'],
    ['remove_watermark.remove_watermark_config.regions', 'rows'],
    ['remove_curse_words.remove_curse_words_config.words', 'lines'],
    ['convert_to_vertical.aspect_ratio', 'choice'],
    ['add_broll.allowed_methods', 'several'],
    ['add_broll.library_folder_ids', 'folders'],
    ['add_brainrot.brainrot_config.cropPosition', 'choice'],
    ['add_brainrot.brainrot_config.randomVideoUrl', 'switch'],
    ['add_audiogram.template', 'choice'],
    ['add_music.background_music_options', 'rows'],
    ['add_music.background_music_options.url', 'file'],
    ['add_subtitles.subtitle_config.speakerStyles', 'rows'],
    ['add_subtitles.subtitle_config.speakerStyles.fontColor', 'colour'],
    ['add_subtitles.subtitle_config.fontSize', 'length'],
    ['add_subtitles.subtitle_config.fontUrl', 'file'],
    ['add_watermark.watermark_config.introTransitionId', 'choice'],
  ])('%s is a %s', (where, kind) => {
    expect(kindAt(where)?.kind).toBe(kind)
  })

  it('name the files that they take', () => {
    expect(kindAt('add_music.outro_music_option.url')).toEqual({ kind: 'file', files: ['audio'] })
    expect(kindAt('add_outro.end_card_option.url')).toEqual({ kind: 'file', files: ['image', 'video'] })
    expect(kindAt('add_brainrot.brainrot_config.videoUrl')).toEqual({ kind: 'file', files: ['video'] })
    expect(kindAt('add_audiogram.audiogram_config.coverUrl')).toEqual({ kind: 'file', files: ['image'] })
  })

  it('have labels in plain words', () => {
    for (const [where, name, schema] of FIELDS) {
      const { label, hint } = fieldWords(name, schema)
      expect([where, label]).toEqual([where, expect.stringMatching(/^[\p{Lu}“\d]/u)])
      expect([where, label + hint]).toEqual([where, expect.not.stringMatching(/[`_{}]|JSON|CSS colour/)])
      expect([where, label.length < 90]).toEqual([where, true])
    }
  })
})

describe('values', () => {
  it('take a length as a number or as it is written', () => {
    expect(['76', ' 64px ', ''].map(lengthOf)).toEqual([76, '64px', undefined])
  })

  it('are rows, whether they come as a list or as a map', () => {
    expect(rowsOf([{ a: 1 }, null])).toEqual([{ a: 1 }, {}])
    expect(rowsOf({ 2: { a: 1 } })).toEqual([{}, {}, { a: 1 }])
    expect(rowsOf(undefined)).toEqual([])
  })

  it('are left out when they are emptied', () => {
    expect(withField({ a: 1, b: 2 }, 'a', '')).toEqual({ b: 2 })
    expect(withField({}, 'a', Number.NaN)).toEqual({})
    expect(withField({}, 'a', {})).toEqual({})
    expect(withField({}, 'a', false)).toEqual({ a: false })
  })

  it('are summed up in two lines', () => {
    expect(summaryOf(NODES.find_clips.config, { min_length: 7, max_length: 30, prompt: 'x' })).toEqual([
      'Shortest clip: 7 s',
      'Longest clip: 30 s',
    ])
    const config = { subtitle_config: { styleId: 'classic' } }
    expect(summaryOf(NODES.add_subtitles.config, config)[0]).toMatch(/^Caption preset: /)
    expect(summaryOf(NODES.add_music.config, {})).toEqual([])
  })
})
