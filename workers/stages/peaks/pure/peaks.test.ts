import { expect, it } from 'vitest'
import { datHeader, lastPair, NO_PEAK, takeSamples } from '../stage.ts'

const samples = Int16Array.from({ length: 1000 }, (_, index) => Math.round(30_000 * Math.sin(index / 7)))

it('gives the same pairs however the samples come', () => {
  const whole = takeSamples(NO_PEAK, samples, 64)
  const pieces: number[] = []
  let open = NO_PEAK
  for (let at = 0; at < samples.length; at += 37) {
    const taken = takeSamples(open, samples.slice(at, at + 37), 64)
    pieces.push(...taken.pairs)
    open = taken.open
  }
  expect(pieces).toEqual([...whole.pairs])
  expect([...lastPair(open)]).toEqual([...lastPair(whole.open)])
  expect(whole.pairs.length / 2).toBe(Math.floor(1000 / 64))
  expect(lastPair(NO_PEAK)).toHaveLength(0)
})

it('writes low before high, as signed bytes towards zero', () => {
  const { pairs } = takeSamples(NO_PEAK, Int16Array.of(-32_768, 32_767, -200, 200), 2)
  expect([...pairs]).toEqual([-128, 127, 0, 0])
})

it('heads the file as version 2, eight bits, one channel', () => {
  const view = new DataView(datHeader(16_000, 256, 99).buffer)
  expect([0, 4, 8, 12, 16, 20].map((at) => view.getInt32(at, true))).toEqual([2, 1, 16_000, 256, 99, 1])
})
