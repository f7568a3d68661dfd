import { describe, expect, it } from 'vitest'
import { Type, type TSchema } from '@sinclair/typebox'
import { NODE_TYPES, NODES } from '../../server/nodes/index.ts'
import { fieldKind, labelOf, plainValue, withField } from './field-kind.ts'

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

  it('have a control and a label each, in every node', () => {
    for (const type of NODE_TYPES)
      for (const [name, schema] of Object.entries(NODES[type].config.properties as Record<string, TSchema>)) {
        expect(fieldKind(schema).kind, `${type}.${name}`).toBeTruthy()
        expect(labelOf(name, schema).length, `${type}.${name}`).toBeGreaterThan(1)
      }
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
