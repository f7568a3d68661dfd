/** A still picture that slowly grows: redrawn on every frame, cut to its rectangle, never past the picture. */
import { describe, expect, it } from 'vitest'
import type { ImageLayer } from '../../server/contract/composition.ts'
import type { DrawingContext, PictureLike } from './canvas.ts'
import { prepareImage } from './layers/image.ts'
import type { LayoutContext } from './layers/layer.ts'
import { omitUndefined } from '../../server/contract/omit-undefined.ts'

const picture = { width: 400, height: 200 } as PictureLike
const layer = (drift?: number, more: Partial<ImageLayer> = {}): ImageLayer => ({
  kind: 'image',
  id: 'p',
  fit: 'cover',
  background: null,
  opacity: 1,
  asset: { digest: 'd', width: 400, height: 200, opaque: true },
  rect: { x: 0, y: 0, width: 1080, height: 1920 },
  startFrame: 10,
  endFrame: 110,
  intro: { kind: 'none', frames: 0 },
  outro: { kind: 'none', frames: 0 },
  ...omitUndefined({ drift }),
  ...more,
})
const context = {
  unit: 0.5,
  width: 540,
  height: 960,
  durationFrames: 300,
  warn: () => undefined,
  pictures: new Map([['d', picture]]),
} as unknown as LayoutContext

function drawn(one: ImageLayer, frame: number): number[] {
  const calls: number[][] = []
  const canvas = {
    save: () => undefined,
    restore: () => undefined,
    drawImage: (_picture: unknown, ...numbers: number[]) => void calls.push(numbers),
  } as unknown as DrawingContext
  prepareImage(one, context).draw(canvas, frame)
  return calls[0] ?? []
}

describe('a drifting picture', () => {
  it('begins as it is, ends larger by its share around its middle, and fills its rectangle all the time', () => {
    const [first, middle, last] = [10, 60, 109].map((frame) => drawn(layer(0.1), frame))
    expect(first).toEqual(drawn(layer(), 10))
    expect(middle?.[2]).toBeCloseTo((first?.[2] ?? 0) / 1.05, 6)
    for (const part of [first, middle, last]) {
      const [x = 0, y = 0, width = 0, height = 0, ...to] = part ?? []
      expect(to).toEqual([0, 0, 540, 960])
      expect([x + width / 2, y + height / 2].map((value) => Math.round(value * 1000))).toEqual([
        200_000, 100_000,
      ])
      expect(width / height).toBeCloseTo(540 / 960, 6)
      expect(y).toBeGreaterThanOrEqual(0)
      expect(y + height).toBeLessThanOrEqual(200)
    }
  })

  it('shrinks to what it is, or moves to a side within the picture', () => {
    const out = layer(0.1, { driftTo: 'out' })
    expect(drawn(out, 10)[2]).toBeCloseTo((drawn(layer(), 10)[2] ?? 0) / 1.1, 6)
    expect(drawn(out, 109)[2]).toBeCloseTo((drawn(layer(), 10)[2] ?? 0) / 1.001, 6)
    const left = [10, 60, 109].map((frame) => drawn(layer(0.1, { driftTo: 'left' }), frame)[0] ?? 0)
    const right = [10, 60, 109].map((frame) => drawn(layer(0.1, { driftTo: 'right' }), frame)[0] ?? 0)
    expect(left).toEqual(left.toSorted((a, b) => b - a))
    expect(right).toEqual(right.toSorted((a, b) => a - b))
    expect(left[1]).toBeCloseTo(right[1] ?? 0, 6)
    const whole = drawn(layer(), 10)
    expect(Math.min(...left)).toBeGreaterThanOrEqual(whole[0] ?? 0)
    expect(right[2]).toBeLessThanOrEqual((whole[0] ?? 0) + (whole[2] ?? 0) * (1 - 1 / 1.1))
  })

  it('shows the part that is meant where it is cut, and stands where it is meant between bars', () => {
    expect(drawn(layer(undefined, { focusX: 0 }), 10)[0]).toBe(0)
    const [x = 0, , width = 0] = drawn(layer(undefined, { focusX: 100 }), 10)
    expect(x + width).toBeCloseTo(400, 6)
    const top = drawn(layer(undefined, { fit: 'contain', focusY: 0 }), 10)
    expect(top.slice(4)).toEqual([0, 0, 540, 270])
    expect(drawn(layer(undefined, { fit: 'contain', focusY: 100 }), 10).slice(4)).toEqual([0, 690, 540, 270])
  })

  it('is another picture on each frame, and one that stands still is the same', () => {
    const states = (one: ImageLayer) =>
      new Set([10, 11, 60, 109].map((frame) => prepareImage(one, context).stateAt(frame)))
    expect([states(layer(0.05)).size, states(layer()).size]).toEqual([4, 1])
  })
})
