import { expect, test } from 'vitest'
import { createPieceCutter } from './hear-ahead.ts'

test('pieces of a stream have one length, and each begins a step after the one before it, however the bytes come', () => {
  const bytes = Buffer.from(Array.from({ length: 41 }, (_, at) => at))
  for (const size of [1, 3, 7, 12, 41]) {
    const cut = createPieceCutter(12, 10)
    const pieces: Buffer[] = []
    for (let at = 0; at < bytes.length; at += size) pieces.push(...cut(bytes.subarray(at, at + size)))
    expect(pieces).toEqual([bytes.subarray(0, 12), bytes.subarray(10, 22), bytes.subarray(20, 32)])
  }
})
