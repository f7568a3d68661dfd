import { describe, expect, it } from 'vitest'
import { Type, type TSchema } from '@sinclair/typebox'
import { NODE_TYPES, NODES } from '../../server/nodes/index.ts'
import { fieldKind, labelOf, plainValue, withField, type FieldKind } from './field-kind.ts'

/** What people set each field with; groups (`..._config`, `..._option`) have controls of their own inside. */
const CONTROLS: Record<string, FieldKind['kind']> = {
  enabled: 'check',
  renderEverything: 'check',
  min_length: 'number',
  max_length: 'number',
  model_key: 'choice',
  prompt: 'text',
  promptAdjustment: 'text',
  speechModel: 'text',
  pinnedTimestamps: 'json',
  pinnedTimestampsOnly: 'check',
  pinnedTimestampMode: 'choice',
  aspect_ratio: 'text',
  style: 'choice',
  centerVertical: 'check',
  zoom: 'number',
  gaussian_blur: 'check',
  y_offset: 'number',
  split_view: 'check',
  force_split_view: 'check',
  ignore_content_tiles: 'check',
  broll_frequency: 'choice',
  allowed_methods: 'lines',
  enable_ai_broll: 'check',
  use_broll_library: 'check',
  library_folder_ids: 'lines',
  template: 'text',
  outro_music_url: 'text',
  outro_card_url: 'text',
  overlay_url: 'text',
  background_music_options: 'json',
  ducking: 'check',
}

describe('fields of node configs', () => {
  it.each([
    [Type.Boolean(), { kind: 'check' }],
    [Type.Number({ minimum: 1, maximum: 2 }), { kind: 'number', min: 1, max: 2, whole: false }],
    [Type.Integer(), { kind: 'number', whole: true }],
    [Type.Union([Type.Literal('a'), Type.Literal('b')]), { kind: 'choice', values: ['a', 'b'] }],
    [Type.String({ maxLength: 20_000 }), { kind: 'text', long: true }],
    [Type.String(), { kind: 'text', long: false }],
    [Type.Array(Type.String()), { kind: 'lines', known: [] }],
    [Type.Array(Type.Union([Type.Literal('a'), Type.Literal('b')])), { kind: 'lines', known: ['a', 'b'] }],
    [
      Type.Array(
        Type.Object({ start: Type.Number(), name: Type.String(), more: Type.Optional(Type.Null()) }),
      ),
      { kind: 'json', example: '[{"start":0,"name":"…"}]' },
    ],
    [Type.Union([Type.Number(), Type.String()]), { kind: 'plain' }],
  ])('%j', (schema, kind) => {
    expect(fieldKind(schema)).toEqual(kind)
  })

  const fields = NODE_TYPES.flatMap((type) =>
    Object.entries(NODES[type].config.properties as Record<string, TSchema>).map(
      ([name, schema]) => [type, name, schema] as const,
    ),
  )

  it.each(fields)('%s has the control for %s, and a label', (type, name, schema) => {
    const group = /(config|Config|_option)$/.test(name)
    const branding = type === 'apply_branding' && name === 'style'
    expect(fieldKind(schema).kind).toBe(branding ? 'text' : group ? 'group' : CONTROLS[name])
    const label = labelOf(name, schema)
    expect(label).toMatch(/^[\p{Lu}“\d]/u)
    expect(label).not.toContain('`')
  })

  it('take a number, a text, or yes and no as it is written', () => {
    const size = Type.Union([Type.Number(), Type.String()])
    const shadow = Type.Union([Type.Boolean(), Type.String()])
    expect(['76', ' bold ', 'true', ''].map((written) => plainValue(size, written))).toEqual([
      76,
      'bold',
      'true',
      undefined,
    ])
    expect(['true', 'false', '0 4px'].map((written) => plainValue(shadow, written))).toEqual([
      true,
      false,
      '0 4px',
    ])
  })

  it('are named as people quote', () => {
    expect(labelOf('mode', { description: '`punch` cuts in' } as TSchema)).toBe('“punch” cuts in')
  })

  it('are left out when they are emptied', () => {
    expect(withField({ a: 1, b: 2 }, 'a', '')).toEqual({ b: 2 })
    expect(withField({}, 'a', Number.NaN)).toEqual({})
    expect(withField({}, 'a', {})).toEqual({})
    expect(withField({}, 'a', false)).toEqual({ a: false })
  })
})
