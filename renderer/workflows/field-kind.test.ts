import { describe, expect, it } from 'vitest'
import { Type, type TSchema } from '@sinclair/typebox'
import { NODE_TYPES, NODES } from '../../server/nodes/index.ts'
import { fieldKind, labelOf, withField } from './field-kind.ts'

describe('fields of node configs', () => {
  it.each([
    [Type.Boolean(), { kind: 'check' }],
    [Type.Number({ minimum: 1, maximum: 2 }), { kind: 'number', min: 1, max: 2, whole: false }],
    [Type.Integer(), { kind: 'number', whole: true }],
    [Type.Union([Type.Literal('a'), Type.Literal('b')]), { kind: 'choice', values: ['a', 'b'] }],
    [Type.String({ maxLength: 20_000 }), { kind: 'text', long: true }],
    [Type.String(), { kind: 'text', long: false }],
    [Type.Array(Type.String()), { kind: 'lines' }],
    [Type.Array(Type.Object({})), { kind: 'json' }],
    [Type.Union([Type.Number(), Type.String()]), { kind: 'json' }],
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

  it('are left out when they are emptied', () => {
    expect(withField({ a: 1, b: 2 }, 'a', '')).toEqual({ b: 2 })
    expect(withField({}, 'a', Number.NaN)).toEqual({})
    expect(withField({}, 'a', {})).toEqual({})
    expect(withField({}, 'a', false)).toEqual({ a: false })
  })
})
