import { describe, expect, it } from 'vitest'
import { decodeAmf, encodeAmf } from './amf.ts'
import { createChunkReader, encodeMessage } from './chunks.ts'
import { parseRtmpAddress } from './client.ts'

describe('commands', () => {
  it('come back as they were sent', () => {
    const values = ['connect', 1, { app: 'live', ok: true, nothing: null, inner: { n: -0.5 } }, 'ü', null]
    expect(decodeAmf(encodeAmf(values))).toEqual(values)
  })

  it('that are cut off, or of unknown kinds, end where they can be read no more', () => {
    const bytes = encodeAmf(['onStatus', 0, null, { code: 'x' }])
    for (let length = 0; length < bytes.length; length++)
      expect(decodeAmf(bytes.subarray(0, length)).length).toBeLessThan(4)
    expect(decodeAmf(Buffer.concat([encodeAmf(['a']), Buffer.from([99, 1, 2])]))).toEqual(['a'])
  })

  it('without an end do not recurse without one', () => {
    const nested = Buffer.concat(Array.from({ length: 5000 }, () => Buffer.from([3, 0, 1, 97])))
    expect(decodeAmf(nested)).toEqual([])
  })
})

describe('chunks', () => {
  const payload = Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 251))

  it('are one message again, however they are cut on the way', () => {
    const bytes = encodeMessage(5, { type: 9, stream: 1, payload })
    for (const step of [1, 7, 128, 5000]) {
      const reader = createChunkReader()
      const messages = []
      for (let at = 0; at < bytes.length; at += step)
        messages.push(...reader.push(bytes.subarray(at, at + step)))
      expect(messages).toEqual([{ type: 9, stream: 1, time: 0, payload }])
    }
  })

  it('follow the size that the server sets, its steps in time, and messages that lie between each other', () => {
    const reader = createChunkReader()
    const setSize = Buffer.concat([
      Buffer.from([2, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0]),
      Buffer.from([0, 0, 0, 4]),
    ])
    expect(reader.push(setSize)).toHaveLength(1)
    const first = Buffer.from([4, 0, 3, 0xe8, 0, 0, 6, 9, 1, 0, 0, 0, 1, 2, 3, 4])
    const other = Buffer.from([6, 0xff, 0xff, 0xff, 0, 0, 1, 8, 1, 0, 0, 0, 1, 0, 0, 0, 42])
    const rest = Buffer.from([0xc4, 5, 6])
    const next = Buffer.from([0x84, 0, 0, 40, 7, 8, 9, 10, 0xc4, 11, 12])
    const messages = reader.push(Buffer.concat([first, other, rest, next]))
    expect(messages.map(({ type, time, payload: bytes }) => [type, time, [...bytes]])).toEqual([
      [8, 0x01000000, [42]],
      [9, 1000, [1, 2, 3, 4, 5, 6]],
      [9, 1040, [7, 8, 9, 10, 11, 12]],
    ])
  })

  it('of a channel that never began are refused', () => {
    expect(() => createChunkReader().push(Buffer.from([0xc4, 1, 2, 3]))).toThrow(RangeError)
  })
})

it.each([
  ['rtmp://h/app/talk', { host: 'h', port: 1935, secure: false, app: 'app', stream: 'talk' }],
  [
    'rtmp://h:99/app/room/talk?k=v',
    { port: 99, app: 'app/room', stream: 'talk?k=v', tcUrl: 'rtmp://h:99/app/room' },
  ],
  ['rtmps://[::1]/app/talk', { host: '::1', port: 443, secure: true, tcUrl: 'rtmps://[::1]/app' }],
])('%s', (address, parts) => {
  expect(parseRtmpAddress(address)).toMatchObject(parts)
})
it('an address without a stream is none', () => expect(parseRtmpAddress('rtmp://h/app')).toBeNull())
