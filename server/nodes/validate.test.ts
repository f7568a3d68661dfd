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
