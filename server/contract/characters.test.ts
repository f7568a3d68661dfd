import { Type, type TSchema } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { Value } from '@sinclair/typebox/value'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { charactersIn, inCharacters, isLonger } from './characters.ts'
import { mediaAddress } from './config-fields.ts'

const FACE = '😀'

describe('characters', () => {
  test('are counted as code points, halves of one too', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'é', FACE, '\ud83d', '\ude00') })
    fc.assert(
      fc.property(text, fc.nat(20), (one, most) => {
        expect(charactersIn(one)).toBe([...one].length)
        expect(isLonger(one, most)).toBe([...one].length > most)
      }),
    )
  })
})

const fits = (schema: TSchema, value: unknown): boolean => {
  const changed = inCharacters(schema)
  const compiled = TypeCompiler.Compile(changed).Check(value)
  expect(Value.Check(changed, value)).toBe(compiled)
  expect(Value.Errors(changed, value).First() === undefined).toBe(compiled)
  return compiled
}

describe('a schema in characters', () => {
  const short = Type.String({ maxLength: 3 })
  const long = Type.String({ minLength: 3 })

  test('has room for as many of them, and asks for as many', () => {
    expect([fits(short, FACE.repeat(3)), fits(short, FACE.repeat(4))]).toEqual([true, false])
    expect([fits(long, FACE.repeat(3)), fits(long, FACE.repeat(2))]).toEqual([true, false])
    expect([fits(short, 'abc'), fits(short, 'abcd'), fits(short, 3), fits(long, 'ab')]).toEqual([
      true,
      false,
      false,
      false,
    ])
  })

  test.each<[string, TSchema, (text: string) => unknown]>([
    ['an optional member', Type.Object({ a: Type.Optional(short) }), (a) => ({ a })],
    ['a list', Type.Array(short), (text) => ['a', text]],
    ['a pair', Type.Tuple([Type.Number(), short]), (text) => [1, text]],
    ['a record', Type.Record(Type.String(), short), (text) => ({ any: text })],
    ['other members', Type.Object({}, { additionalProperties: short }), (text) => ({ any: text })],
    ['a choice', Type.Union([Type.Number(), short]), (text) => text],
    ['parts', Type.Intersect([Type.Object({ a: short }), Type.Object({})]), (a) => ({ a })],
  ])('also inside of %s', (_name, schema, put) => {
    expect([fits(schema, put(FACE.repeat(3))), fits(schema, put(FACE.repeat(4)))]).toEqual([true, false])
  })

  test('keeps what else is asked, what is optional, and its description', () => {
    const schema = Type.Object({ a: Type.Optional(short) }, { additionalProperties: false })
    expect([fits(schema, {}), fits(schema, { b: 1 })]).toEqual([true, false])
    expect(JSON.stringify(inCharacters(schema))).toBe(JSON.stringify(schema))
    expect(inCharacters(schema)).toBe(inCharacters(schema))
    expect(fits(mediaAddress(), FACE.repeat(8192))).toBe(true)
    expect([
      fits(mediaAddress(), 'a'.repeat(8193)),
      fits(mediaAddress(), 'data:image/png,'.padEnd(9000)),
    ]).toEqual([false, true])
  })
})
