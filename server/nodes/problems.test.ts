/** Problems of configs in words: where they are, and what was expected. */
import { Type, type TSchema } from '@sinclair/typebox'
import { describe, expect, it } from 'vitest'
import { firstProblem, invalidNodeConfig } from './validate.ts'

const closed = (fields: Record<string, TSchema>) => Type.Object(fields, { additionalProperties: false })

describe('what a schema expects', () => {
  it.each<readonly [schema: TSchema, expected: string]>([
    [Type.Number(), 'a number'],
    [Type.Number({ minimum: 2 }), 'a number of at least 2'],
    [Type.Number({ maximum: 5 }), 'a number up to 5'],
    [Type.Number({ minimum: 0, maximum: 1 }), 'a number from 0 to 1'],
    [Type.Number({ exclusiveMinimum: 0 }), 'a number above 0'],
    [Type.Number({ exclusiveMinimum: 0, maximum: 5 }), 'a number above 0 up to 5'],
    [Type.Integer(), 'a whole number'],
    [Type.Integer({ minimum: 1, maximum: 9 }), 'a whole number from 1 to 9'],
    [Type.Integer({ minimum: 1 }), 'a whole number of at least 1'],
    [Type.Boolean(), 'true or false'],
    [Type.Null(), 'null'],
    [Type.Literal(7), '7'],
    [Type.Object({}), 'an object'],
    [Type.Array(Type.Number(), { minItems: 2 }), 'a list of at least 2 entries'],
    [Type.Array(Type.Number(), { maxItems: 1 }), 'a list of at most 1 entry'],
    [Type.Array(Type.Number(), { minItems: 0, maxItems: 3 }), 'a list of at most 3 entries'],
    [Type.Array(Type.Number(), { minItems: 3, maxItems: 3 }), 'a list of 3 entries'],
    [Type.Array(Type.Number(), { minItems: 1, maxItems: 1 }), 'a list of 1 entry'],
    [Type.Union([Type.Number(), Type.Null()]), 'a number or null'],
    [Type.Union([Type.Number(), Type.Boolean(), Type.Number()]), 'a number or true or false'],
    [Type.Union([Type.Literal('a'), Type.Literal(2), Type.Literal(true)]), 'one of "a", 2, true'],
  ])('%j is %s', (schema, expected) => {
    expect(firstProblem(schema, 'nothing of the kind')).toEqual({ path: '', expected })
  })

  it.each<readonly [schema: TSchema, expected: string]>([
    [Type.String(), 'a string'],
    [Type.String({ minLength: 0 }), 'a string'],
    [Type.String({ minLength: 1 }), 'a string that is not empty'],
    [Type.String({ maxLength: 9 }), 'a string of at most 9 characters'],
    [Type.String({ minLength: 0, maxLength: 9 }), 'a string of at most 9 characters'],
    [Type.String({ minLength: 2, maxLength: 9 }), 'a string that is not empty and has at most 9 characters'],
    [Type.String({ pattern: '^a', default: 'abc' }), 'a string such as "abc"'],
    [Type.String({ pattern: '^a' }), 'a string'],
    [Type.String({ default: 'abc' }), 'a string'],
    [Type.String({ format: 'date-time' }), 'an ISO-8601 datetime'],
  ])('a number in place of %j: %s', (schema, expected) => {
    expect(firstProblem(schema, 5)).toEqual({ path: '', expected })
  })
})

describe('where a problem is', () => {
  const deep = Type.Object({ a: Type.Object({ list: Type.Array(Type.Object({ n: Type.Number() })) }) })
  it.each<readonly [value: unknown, path: string, expected: string]>([
    [null, '', 'an object'],
    [{ a: 1 }, 'a', 'an object'],
    [{ a: { list: 'x' } }, 'a.list', 'a list'],
    [{ a: { list: [1] } }, 'a.list.0', 'an object'],
    [{ a: { list: [{ n: 1 }, { n: 'x' }] } }, 'a.list.1.n', 'a number'],
  ])('%j: %s should be %s', (value, path, expected) => {
    expect(firstProblem(deep, value)).toEqual({ path, expected })
  })
  it('writes names with odd characters as they are', () => {
    const schema = Type.Object({ 'a/b': Type.Number(), 'c~d': Type.Number() })
    expect(firstProblem(schema, { 'a/b': 'x', 'c~d': 1 })?.path).toBe('a/b')
    expect(firstProblem(schema, { 'a/b': 1, 'c~d': 'x' })?.path).toBe('c~d')
  })
  it('is nowhere where all is well', () => {
    expect(firstProblem(deep, { a: { list: [{ n: 1 }] } })).toBeNull()
    expect(firstProblem(Type.String({ maxLength: 2 }), '😀😀')).toBeNull()
    expect(firstProblem(Type.String({ maxLength: 2 }), 'abc')?.expected).toBe(
      'a string of at most 2 characters',
    )
  })
})

describe('unions', () => {
  const either = Type.Object({
    of: Type.Union([
      Type.Number({ minimum: 1 }),
      Type.Array(Type.Number()),
      closed({ size: Type.Number(), name: Type.String() }),
    ]),
  })
  it.each<readonly [value: unknown, path: string, expected: string]>([
    [[1, 'x'], 'of.1', 'a number'],
    [{ size: 'x', name: 'a' }, 'of.size', 'a number'],
    [{ size: 1, name: 'a', nam: 2 }, 'of.nam', 'left out: there is no such field (did you mean "name"?)'],
    ['x', 'of', 'a number of at least 1 or a list or an object'],
    [0, 'of', 'a number of at least 1 or a list or an object'],
    [null, 'of', 'a number of at least 1 or a list or an object'],
    [true, 'of', 'a number of at least 1 or a list or an object'],
  ])('%j: %s should be %s', (value, path, expected) => {
    expect(firstProblem(either, { of: value })).toEqual({ path, expected })
  })
  it('names no part where the value is none of the alternatives', () => {
    const scalar = Type.Union([Type.Number(), Type.String()])
    expect(firstProblem(scalar, [1])).toEqual({ path: '', expected: 'a number or a string' })
    expect(firstProblem(scalar, { a: 1 })).toEqual({ path: '', expected: 'a number or a string' })
  })
  it('goes down through several', () => {
    const inner = Type.Union([Type.Boolean(), Type.Array(Type.Boolean())])
    const outer = Type.Union([Type.Null(), Type.Object({ inner })])
    expect(firstProblem(outer, { inner: [true, 'x'] })).toEqual({
      path: 'inner.1',
      expected: 'true or false',
    })
    expect(firstProblem(outer, { inner: 'x' })).toEqual({
      path: 'inner',
      expected: 'true or false or a list',
    })
  })
})

describe('unknown fields', () => {
  const schema = closed({
    fontColor: Type.Optional(Type.String()),
    fontSize: Type.Optional(Type.Number()),
    bold: Type.Optional(Type.Boolean()),
  })
  const missing = (name: string) => `left out: there is no such field (did you mean "${name}"?)`
  const unlike = 'left out: the known fields are fontColor, fontSize, bold'
  it.each([
    ['fontColour', missing('fontColor')],
    ['font_color', missing('fontColor')],
    ['FONTCOLOR', missing('fontColor')],
    ['fontSiz', missing('fontSize')],
    ['fontsizing', unlike],
    ['bald', missing('bold')],
    ['bo', missing('bold')],
    ['b', unlike],
    ['volume', unlike],
    ['', unlike],
  ])('%j should be %s', (name, expected) => {
    expect(firstProblem(schema, { [name]: 1 })).toEqual({ path: name, expected })
  })
  it('takes the first of two that are as near', () => {
    const two = closed({ cat: Type.Optional(Type.Number()), car: Type.Optional(Type.Number()) })
    expect(firstProblem(two, { cap: 1 })?.expected).toBe(missing('cat'))
  })
  it('is found below other fields', () => {
    const outer = Type.Object({ config: schema })
    expect(firstProblem(outer, { config: { fontColour: 'red' } })).toEqual({
      path: 'config.fontColour',
      expected: missing('fontColor'),
    })
  })
  it('knows maps by number', () => {
    const map = Type.Object({
      styles: Type.Record(Type.String({ pattern: '^[0-9]+$' }), Type.Number(), {
        additionalProperties: false,
      }),
    })
    expect(firstProblem(map, { styles: { one: 1 } })).toEqual({
      path: 'styles.one',
      expected: 'left out: only numeric keys are known here',
    })
  })
})

describe('invalidNodeConfig', () => {
  it.each([
    ['', 'The config of add_music is not valid: its config should be an object.'],
    ['a.b', 'The config of add_music is not valid: "a.b" should be an object.'],
  ])('%j: %s', (path, message) => {
    const error = invalidNodeConfig('add_music', { path, expected: 'an object' })
    expect(error.message).toBe(message)
    expect(error.code).toBe('INVALID_NODE_CONFIG')
    expect(error.details).toEqual({ nodeType: 'add_music', path, expected: 'an object' })
  })
})
