import { describe, expect, it } from 'vitest'
import { EASING_NAMES, type EasingName } from './easings.ts'
import { ANIMATED_SOUND, animatedOfLayer } from './animated.ts'
import { valueAt, valuesOn } from './keyframes.ts'

const way = (easing: EasingName) => [
  { frame: 10, value: 100, easing },
  { frame: 20, value: 200, easing: 'linear' as const },
]

describe('a value over time', () => {
  it('is as at its ends before and after them', () => {
    expect(valueAt(way('linear'), -5)).toBe(100)
    expect(valueAt(way('linear'), 20)).toBe(200)
    expect(valueAt(way('linear'), 400)).toBe(200)
  })

  it.each([
    ['linear', 125, 150, 175],
    ['ease_in', 106.25, 125, 156.25],
    ['ease_out', 143.75, 175, 193.75],
    ['ease_in_out', 115.625, 150, 184.375],
    ['hold', 100, 100, 100],
  ] as const)('goes %s', (easing, ...values) => {
    expect([12.5, 15, 17.5].map((frame) => valueAt(way(easing), frame))).toEqual(values)
  })

  it('has a test of every easing', () => {
    expect(EASING_NAMES).toEqual(['linear', 'ease_in', 'ease_out', 'ease_in_out', 'hold'])
  })
})

describe('values on a frame', () => {
  it('are put where their names say, in lists in every entry, and nowhere else', () => {
    const layer = {
      rect: { x: 1, y: 2 },
      styles: [{ yPercent: 5 }, { yPercent: 6 }],
      outline: null,
      keyframes: ['rect.x', 'styles.yPercent', 'outline.width'].map((property) => ({
        property,
        points: way('linear'),
      })),
    }
    expect(valuesOn(layer, 15)).toEqual({
      rect: { x: 150, y: 2 },
      styles: [{ yPercent: 150 }, { yPercent: 150 }],
      outline: null,
    })
    expect(layer.rect.x).toBe(1)
  })
})

describe('properties that can move', () => {
  it('come from the schemas, with their bounds, and are none of time or of files', () => {
    const names = (['captions', 'title', 'image', 'shape', 'audiogram'] as const).map((kind) =>
      animatedOfLayer(kind).map(({ name }) => name),
    )
    expect(names[1]).toEqual(expect.arrayContaining(['xPercent', 'yPercent', 'opacity', 'face.fontSize']))
    expect(names[0]).toEqual(expect.arrayContaining(['styles.face.fontSize', 'styles.yPercent']))
    for (const kind of names.slice(2)) expect(kind).toEqual(expect.arrayContaining(['rect.x', 'rect.width']))
    for (const name of names.flat()) expect(name).not.toMatch(/[fF]rame|asset|[mM]s$|cues/u)
    expect(ANIMATED_SOUND.map(({ name }) => name)).toEqual(['levelDb'])
    expect(animatedOfLayer('image').find(({ name }) => name === 'opacity')).toEqual({
      name: 'opacity',
      minimum: 0,
      maximum: 1,
    })
  })
})
