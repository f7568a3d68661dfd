import { expect, test } from 'vitest'
import { isDamageMessage } from '../encode.ts'

test.each([
  ['[h264 @ 0x1] error while decoding MB 3 4, bytestream -7', true, true],
  ['[h264 @ 0x1] concealing 120 DC, 120 AC, 120 MV errors in P frame', true, true],
  ['[mpeg2video @ 0x1] ac-tex damaged at 12 3', true, true],
  ['Error while decoding stream #0:1: Invalid data found when processing input', true, false],
  [
    '[h264 @ 0x1] Missing reference picture, default is 0\n[h264 @ 0x1] decode_slice_header error',
    false,
    false,
  ],
  ['[swscaler @ 0x1] deprecated pixel format used, make sure you did set range correctly', false, false],
  ['', false, false],
])('%s', (stderr, indexed, loose) => {
  expect([isDamageMessage(stderr, false), isDamageMessage(stderr, true)]).toEqual([indexed, loose])
})
