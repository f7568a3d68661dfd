import { Type } from '@sinclair/typebox'
import { describe, expect, test } from 'vitest'
import { convertText, parseBody } from './json-body.ts'

describe('the text of a query parameter', () => {
  const number = Type.Number()
  const integer = Type.Integer()

  test.each(['0.30000000000000004', '1e-7', '1E+3', '-2.5', '20', '0.1000000000000000055511151231257827'])(
    '%s is a number',
    (text) => {
      expect(convertText(number, text)).toBe(Number(text))
    },
  )

  test.each(['', ' 1', '1e400', 'Infinity', 'NaN', '0x10', '.5', '1.', '1e', '+1', '1,5'])(
    '%j is none',
    (text) => {
      expect(convertText(number, text)).toBe(text)
    },
  )

  test('a whole number is one as it stands', () => {
    expect(convertText(integer, '-12')).toBe(-12)
    for (const text of ['1e1', '1.0', '1'.repeat(16)]) expect(convertText(integer, text)).toBe(text)
  })
})

describe('a body', () => {
  test.each([
    '{"a":[{"b":-1e999}]}',
    `{"a":${'9'.repeat(400)}}`,
    '{"a":1E+400}',
    `{"a":${'9'.repeat(250)}e99}`,
  ])('with a number that is too large is refused: %.20s', (text) => {
    expect(() => parseBody(text)).toThrow('A number of the body is too large.')
  })

  test('may hold numbers that only look so, and texts', () => {
    expect(parseBody('{"a":1e100,"b":"1e999","c":1e-999}')).toEqual({ a: 1e100, b: '1e999', c: 0 })
  })
})
