import { describe, expect, it } from 'vitest'
import { sampleComposition } from '../../test/support/sample-composition.ts'
import { placedPatches } from './patch-place.ts'

const rect = (x: number, y: number, width: number, height: number) => ({ x, y, width, height })
const places = (
  rectangle: ReturnType<typeof rect>,
  source = { width: 1920, height: 1080 },
  endFrame = 50,
) => {
  const patches = [{ rect: rectangle, startFrame: 10, endFrame }]
  const composition = sampleComposition({ source: { ...source, patches } })
  return placedPatches(composition.source).map(({ place, strip }) => [place, strip])
}

describe('a patch', () => {
  it('covers whole pairs of pixels, and is blended from all sides inside the picture', () => {
    expect(places(rect(101, 51, 98, 47))).toEqual([[rect(100, 50, 100, 48), null]])
    expect(places(rect(2, 2, 10, 10))).toEqual([[rect(2, 2, 10, 10), null]])
    expect(places(rect(1908, 1068, 10, 10))).toEqual([[rect(1908, 1068, 10, 10), null]])
  })

  it.each([
    ['at the left, stretched down', rect(0, 50, 100, 48), rect(0, 48, 100, 2)],
    ['at the left, stretched from its right', rect(0, 50, 40, 48), rect(40, 50, 2, 48)],
    ['in the upper left', rect(0, 0, 40, 200), rect(40, 0, 2, 200)],
    ['in the lower right, tall', rect(1880, 1000, 40, 80), rect(1878, 1000, 2, 80)],
    ['in the lower right, wide', rect(1800, 1000, 120, 80), rect(1800, 998, 120, 2)],
    ['along the bottom', rect(0, 1000, 1920, 80), rect(0, 998, 1920, 2)],
    ['along the top', rect(0, 0, 1920, 80), rect(0, 80, 1920, 2)],
    ['along the right', rect(1800, 0, 120, 1080), rect(1798, 0, 2, 1080)],
  ])('%s takes the nearest edge', (_name, place, strip) => {
    expect(places(place)).toEqual([[place, strip]])
  })

  it('stays inside a picture of odd size', () => {
    expect(places(rect(-9, -9, 30, 30), { width: 101, height: 99 })).toEqual([
      [rect(0, 0, 22, 22), rect(22, 0, 2, 22)],
    ])
    expect(places(rect(90, 40, 30, 10), { width: 101, height: 99 })).toEqual([
      [rect(90, 40, 10, 10), rect(88, 40, 2, 10)],
    ])
  })

  it('is none outside, over everything, or for no time', () => {
    expect(places(rect(1920, 0, 50, 50))).toEqual([])
    expect(places(rect(0, -50, 50, 50))).toEqual([])
    expect(places(rect(0, 0, 1920, 1080))).toEqual([])
    expect(places(rect(100, 100, 50, 50), undefined, 10)).toEqual([])
    expect(placedPatches(sampleComposition().source)).toEqual([])
  })
})
