import { describe, expect, it } from 'vitest'
import { keyStep } from '../dragging.ts'
import { platformZones, snapped, stepped } from './snap.ts'

const VERTICAL = { width: 1080, height: 1920 }
const zones = platformZones(VERTICAL)

describe('a dragged block', () => {
  it('is caught by the middle, each way by itself', () => {
    expect(snapped({ x: 50.9, y: 60 }, { width: 80, height: 10 }, [])).toEqual({
      place: { x: 50, y: 60 },
      guides: [{ axis: 'x', at: 50 }],
    })
    expect(snapped({ x: 40, y: 49.2 }, { width: 20, height: 10 }, []).place).toEqual({ x: 40, y: 50 })
  })

  it('is caught with its edge at the edge of what a platform covers', () => {
    // 100 - 22 (TikTok) - 5
    expect(snapped({ x: 50, y: 72.8 }, { width: 80, height: 10 }, zones)).toEqual({
      place: { x: 50, y: 73 },
      guides: [
        { axis: 'x', at: 50 },
        { axis: 'y', at: 78 },
      ],
    })
  })

  it('is left alone further away', () => {
    expect(snapped({ x: 30.04, y: 60 }, { width: 20, height: 10 }, zones)).toEqual({
      place: { x: 30, y: 60 },
      guides: [],
    })
  })

  it('has no covered edges on pictures that are not upright', () => {
    expect(zones.map(({ platform }) => platform)).toEqual(['TikTok', 'Reels', 'Shorts'])
    expect(platformZones({ width: 1920, height: 1080 })).toEqual([])
  })

  it('goes by arrow keys, and not out of the picture', () => {
    expect(keyStep('ArrowUp', false)).toEqual({ x: 0, y: -1 })
    expect(keyStep('ArrowRight', true)).toEqual({ x: 5, y: 0 })
    expect(keyStep('a', false)).toBeNull()
    expect(stepped({ x: 98, y: 1.25 }, { x: 5, y: 1 })).toEqual({ x: 100, y: 2.3 })
  })
})
