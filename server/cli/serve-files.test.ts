import { describe, expect, test } from 'vitest'
import { byteRange } from './serve-files.ts'

describe('byteRange', () => {
  test.each([
    [undefined, null],
    ['bytes=0-', { start: 0, end: 99 }],
    ['bytes=10-19', { start: 10, end: 19 }],
    ['bytes=90-500', { start: 90, end: 99 }],
    ['bytes=-5', { start: 95, end: 99 }],
    ['bytes=-500', { start: 0, end: 99 }],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=9-3', 'unsatisfiable'],
    ['bytes=-', null],
    ['lines=1-2', null],
  ])('%j of 100 bytes', (header, expected) => expect(byteRange(header, 100)).toEqual(expected))
})
