import { describe, expect, it } from 'vitest'
import { bytesOf, hdrSample, transparentHdrPicture, writeHdrRegion } from './yuva-hdr.ts'

describe('a colour of ordinary video in HDR', () => {
  // Levels of BT.2408 for 203 nits, and of black; the coloured ones by zimg (`zscale=...:npl=203:agamma=0`).
  it.each([
    ['hlg', [255, 255, 255], [721, 512, 512]],
    ['pq', [255, 255, 255], [573, 512, 512]],
    ['hlg', [0, 0, 0], [64, 512, 512]],
    ['pq', [0, 0, 0], [64, 512, 512]],
    ['hlg', [255, 214, 10], [651, 313, 548]],
    ['pq', [255, 214, 10], [532, 417, 530]],
  ] as const)('%s %j', (transfer, [red, green, blue], wanted) => {
    hdrSample(red, green, blue, transfer).forEach((value, at) =>
      expect(Math.abs(value - (wanted[at] ?? 0))).toBeLessThanOrEqual(1),
    )
  })
})

it('writes luma and alpha pixel by pixel, chroma by alpha, and leaves the rest transparent', () => {
  const picture = transparentHdrPicture(4, 4, 'hlg')
  const white = [255, 255, 255, 255]
  const nothing = [9, 200, 30, 0]
  const half = [255, 214, 10, 128]
  // Two by two pixels at the lower right.
  writeHdrRegion(picture, Uint8ClampedArray.from([...white, ...nothing, ...nothing, ...half]), { x: 2, y: 2, width: 2, height: 2 }) // prettier-ignore
  const [luma, cb, cr, alpha] = [[0, 16], [16, 20], [20, 24], [24, 40]].map(([from, to]) => [...picture.samples.slice(from, to)]) // prettier-ignore
  expect(luma).toEqual([...Array.from({ length: 10 }, () => 64), 721, 64, 64, 64, 64, 651])
  expect(alpha).toEqual([...Array.from({ length: 10 }, () => 0), 1023, 0, 0, 0, 0, 514])
  // A third of the alpha is the yellow's.
  expect([cb, cr]).toEqual([
    [512, 512, 512, Math.round(512 - (199 * 128) / 383)],
    [512, 512, 512, Math.round(512 + (36 * 128) / 383)],
  ])
  expect([...bytesOf(picture).slice(20, 22)]).toEqual([721 & 255, 721 >> 8])
})
