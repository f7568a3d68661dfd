import { Type } from '@sinclair/typebox'
import { expect, test } from 'vitest'
import { firstProblem } from './validate.ts'

test('an empty text is not told that it should be a text', () => {
  const schema = Type.Object({
    id: Type.String({ minLength: 1, maxLength: 200 }),
    of: Type.String({ minLength: 1 }),
  })
  expect(firstProblem(schema, { id: '', of: 'a' })).toEqual({
    path: 'id',
    expected: 'a string that is not empty and has at most 200 characters',
  })
  expect(firstProblem(schema, { id: 'a', of: '' })).toEqual({
    path: 'of',
    expected: 'a string that is not empty',
  })
})

const item = Type.Object({ a: Type.Number() })

test.each([
  [Type.Literal('mcp'), '"mcp"'],
  [Type.Union([Type.Literal('any'), Type.Null()]), '"any" or null'],
  [Type.Union([Type.Literal('any'), Type.Literal('all')]), 'one of "any", "all"'],
  [Type.String({ format: 'date-time' }), 'an ISO-8601 datetime'],
  [Type.Array(item), 'a list'],
  [Type.Array(item, { minItems: 1 }), 'a list of at least 1 entry'],
  [Type.Array(item, { minItems: 1, maxItems: 1000 }), 'a list of 1 to 1000 entries'],
  [Type.Array(item, { maxItems: 20 }), 'a list of at most 20 entries'],
  [Type.Tuple([Type.Number(), Type.Number()]), 'a list of 2 entries'],
  [Type.Union([item, Type.Object({ b: Type.Number() }), Type.Object({})]), 'an object'],
])('%j asks for %s', (schema, expected) => {
  expect(firstProblem(schema, 'nothing of the kind')?.expected).toBe(expected)
})
