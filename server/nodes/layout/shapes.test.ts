import { expect, describe, it } from 'vitest'
import { compile } from '../../../test/support/compiled.ts'
import { factsOf, node } from '../../../test/support/node-values.ts'
import type { ClipFaces } from '../../contract/clip-measurements.ts'

const FACES: ClipFaces = {
  start: 5,
  end: 45,
  shotStarts: [],
  tracks: [
    {
      id: 0,
      points: Array.from({ length: 81 }, (_, at) => [5 + at / 2, 0.2, 0.31, 0.1, 0.18]),
      speaking: [],
    },
  ],
  screens: [],
}

describe('shapes', () => {
  it.each([
    ['9:16', 1080, 1920],
    ['1:1', 1080, 1080],
    ['4:5', 1080, 1350],
    ['16:9', 1920, 1080],
    ['2:3', 1080, 1620],
    ['21:9', 1920, 822],
    ['1:4', 480, 1920],
  ])('%s is %i by %i', (aspect, width, height) => {
    const { composition } = compile([node('convert_to_vertical', { aspect_ratio: aspect })])
    expect(composition.output).toMatchObject({ width, height })
    expect([width % 2, height % 2]).toEqual([0, 0])
  })

  it('refuses strips', async () => {
    const { convertToVertical } = await import('../types/convert-to-vertical.ts')
    expect(convertToVertical.check?.({ aspect_ratio: '1:9999' })).toMatchObject({ path: 'aspect_ratio' })
    expect(convertToVertical.check?.({ aspect_ratio: '21:9' })).toBeNull()
  })

  it('frames people in sources of any shape', () => {
    for (const [width, height] of [
      [640, 360],
      [1080, 1920],
      [721, 405],
      [1440, 1080],
      [3840, 2160],
    ] as const) {
      // prettier-ignore
      const facts = factsOf({ width, height })
      const { composition } = compile([node('convert_to_vertical')], { faces: FACES }, facts)
      const [span] = composition.layout
      if (span?.kind !== 'crop') throw new Error('no crop')
      const view = span.crop
      expect(view.x + view.width).toBeLessThanOrEqual(width + 0.01)
      expect(view.y + view.height).toBeLessThanOrEqual(height + 0.01)
      expect(view.width / view.height).toBeCloseTo(9 / 16, 2)
    }
  })
})
