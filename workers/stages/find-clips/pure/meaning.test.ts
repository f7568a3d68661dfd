import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PLAIN_SETTINGS } from '../../../../test/support/topics.ts'
import { nearnessOf, nearStretches, listPreferences } from './meaning.ts'

const listed = (change: object) => listPreferences({ ...PLAIN_SETTINGS, ...change })
const unit = (...values: number[]): Float32Array => {
  const length = Math.hypot(...values)
  return Float32Array.from(values, (value) => value / length)
}
const places = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ start: at * 4, end: at * 4 + 3 }))

describe('what is asked for', () => {
  it('is told without the words of asking, each place with its weight, refusals below nothing', () => {
    const found = listed({
      prompt: 'Find the best moments about running out of money; skip the weather',
      promptAdjustment: 'more about family',
      keywords: ['pricing'],
    })
    expect(found).toEqual([
      { text: 'pricing', weight: 2 },
      { text: 'more about family', weight: 1.5 },
      { text: 'running out of money', weight: 1 },
      { text: 'weather', weight: -1.5 },
    ])
  })

  it('is nothing where only a kind of moment is asked for, or nothing at all', () => {
    expect(listed({})).toEqual([])
    expect(listed({ prompt: 'Find the best moments for social media' })).toEqual([])
    expect(listed({ prompt: 'funny clips' })).toEqual([])
  })

  it('stays short, however long the prompt', () => {
    const prompt = Array.from({ length: 80 }, (_, at) => `subject${at}`).join('; ')
    expect(listed({ prompt }).length).toBeLessThanOrEqual(12)
  })
})

describe('how near a sentence comes', () => {
  it('is what stands out, whether a model calls everything alike or not', () => {
    for (const alike of [0, 6]) {
      const vectors = Array.from({ length: 30 }, (_, at) =>
        at === 7 ? unit(alike + 2, 2, 0) : unit(alike + 1, 0.2 * Math.sin(at), 1),
      )
      const near = nearStretches(places(30), vectors, [{ text: 'it', weight: 1 }], [unit(alike, 2, 0)])
      expect(near[7]?.preference).toBe('it')
      expect(near[7]?.near ?? 0).toBeGreaterThan(0.5)
      near.forEach((one, at) => {
        if (at !== 7) expect(one.near).toBeLessThan((near[7]?.near ?? 0) / 3)
      })
    }
  })

  it('is nothing where nothing is about it, and below nothing for what is not wanted', () => {
    const vectors = Array.from({ length: 20 }, (_, at) => unit(0.1 * Math.cos(at), 1, 0.3 * Math.sin(at)))
    const none = nearStretches(places(20), vectors, [{ text: 'it', weight: 1 }], [unit(1, 0, 0)])
    expect(none.every(({ near, preference }) => near === 0 && preference === null)).toBe(true)
    const against = nearStretches(
      places(20),
      vectors.map((vector, at) => (at === 3 ? unit(1, 0, 0) : vector)),
      [{ text: 'it', weight: -1.5 }],
      [unit(1, 0, 0)],
    )
    expect(against[3]?.near ?? 0).toBeLessThan(-1)
    expect(against[3]?.preference).toBeNull()
  })

  it('is nothing where a model calls everything the same', () => {
    const vectors = Array.from({ length: 20 }, () => unit(1, 1, 0))
    const near = nearStretches(places(20), vectors, [{ text: 'it', weight: 1 }], [unit(1, 1, 0)])
    expect(near.every((one) => one.near === 0)).toBe(true)
  })

  it('is bounded, and finite, for any vectors', () => {
    const vector = fc
      .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 })
      .map((values) => unit(...values.map((value) => value + 1.01)))
    fc.assert(
      fc.property(fc.array(vector, { maxLength: 30 }), vector, (vectors, preference) => {
        const near = nearStretches(places(vectors.length), vectors, [{ text: 'it', weight: 1 }], [preference])
        for (const one of near) {
          expect(one.near).toBeGreaterThanOrEqual(0)
          expect(one.near).toBeLessThanOrEqual(3)
        }
      }),
    )
  })

  it('holds for the pieces that a sentence is cut into', () => {
    const stretches = places(3).map((place, at) => ({ ...place, near: at, preference: null }))
    const pieces = [
      { start: 0, end: 1.5 },
      { start: 1.6, end: 3 },
      { start: 4, end: 7 },
      { start: 8, end: 9 },
      { start: 9, end: 11 },
    ]
    expect(nearnessOf(pieces, stretches).map(({ near }) => near)).toEqual([0, 0, 1, 2, 2])
    expect(nearnessOf(pieces, []).every(({ near }) => near === 0)).toBe(true)
  })
})
