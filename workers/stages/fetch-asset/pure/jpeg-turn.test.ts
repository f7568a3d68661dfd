import { createCanvas, loadImage } from '@napi-rs/canvas'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isOnItsSide } from './jpeg-turn.ts'

async function turned(orientation: number, little: boolean): Promise<Buffer> {
  const jpeg = Buffer.from(await createCanvas(40, 20).encode('jpeg'))
  const word = (value: number): number[] => (little ? [value & 255, value >> 8] : [value >> 8, value & 255])
  const long = (value: number): number[] =>
    little ? [...word(value), ...word(0)] : [...word(0), ...word(value)]
  const order = little ? [0x49, 0x49] : [0x4d, 0x4d]
  const entry = [...word(0x0112), ...word(3), ...long(1), ...word(orientation), 0, 0]
  const tiff = [...order, ...word(42), ...long(8), ...word(1), ...entry, ...long(0)]
  const body = [...Buffer.from('Exif\0\0', 'latin1'), ...tiff]
  const segment = [0xff, 0xe1, (body.length + 2) >> 8, (body.length + 2) & 255, ...body]
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.from(segment), jpeg.subarray(2)])
}

it.each([1, 3, 5, 6, 7, 8])('says of orientation %i what the decoder makes of it', async (orientation) => {
  for (const little of [true, false]) {
    const bytes = await turned(orientation, little)
    const { width } = await loadImage(bytes)
    expect(isOnItsSide(bytes)).toBe(width === 20)
  }
})

it('takes any bytes, and a picture without a note for upright', async () => {
  expect(isOnItsSide(Buffer.from(await createCanvas(40, 20).encode('jpeg')))).toBe(false)
  const whole = await turned(6, true)
  for (let length = 0; length < 60; length += 1) isOnItsSide(whole.subarray(0, length))
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void isOnItsSide(bytes)))
  const flipped = fc.tuple(fc.nat(50), fc.nat(255))
  fc.assert(
    fc.property(flipped, ([at, value]) => {
      const bytes = Uint8Array.from(whole)
      bytes[at] = value
      isOnItsSide(bytes)
    }),
  )
})
