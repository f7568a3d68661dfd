import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { alignWords, type Bounds, type PlacedWord, type WordToPlace } from './align-sounds.ts'
import { percentile, type SoundFeatures } from './sound-features.ts'
import type { Sound, SoundKind } from './spoken-sounds.ts'

const repeat = (count: number, value: number) => Array.from({ length: count }, () => value)
/** Levels in dB, and brightness where it is known. */
const features = (level: readonly number[], brightness?: readonly number[]): SoundFeatures => ({
  startSeconds: 0,
  levelDb: Float32Array.from(level),
  ...(brightness && { brightnessDb: Float32Array.from(brightness) }),
})
const word = (pausePrice: number, ...sounds: (readonly [SoundKind, number])[]): WordToPlace => ({
  sounds: sounds.map(([kind, seconds]): Sound => ({ kind, seconds })),
  pausePrice,
})
const SILENCE = -80
const SPEECH = -20

describe('words in a sound with clear edges', () => {
  it('lie on what is loud, wherever the captions say that they are', () => {
    const level = [...repeat(30, SILENCE), ...repeat(20, SPEECH), ...repeat(30, SILENCE)]
    for (const bounds of [
      { from: 30, to: 50 },
      { from: 22, to: 58 },
      { from: 36, to: 44 },
    ])
      expect(alignWords(features(level), [word(1, ['vowel', 0.2])], bounds, 1)).toEqual([
        { from: 30, to: 50 },
      ])
  })

  it('leave the pause between them out', () => {
    const level = [
      ...repeat(10, SILENCE),
      ...repeat(15, SPEECH),
      ...repeat(12, SILENCE),
      ...repeat(9, SPEECH),
      ...repeat(6, SILENCE),
    ]
    const words = [word(0.2, ['vowel', 0.15]), word(0.2, ['vowel', 0.09])]
    expect(alignWords(features(level), words, { from: 10, to: 46 }, 1)).toEqual([
      { from: 10, to: 25 },
      { from: 37, to: 46 },
    ])
  })

  it('change where the sound becomes bright', () => {
    const level = repeat(40, SPEECH).fill(SILENCE, 0, 5).fill(SILENCE, 35)
    const brightness = repeat(40, -13).fill(1, 20)
    const words = [word(3, ['vowel', 0.12]), word(3, ['hiss', 0.12])]
    expect(alignWords(features(level, brightness), words, { from: 5, to: 35 }, 1)).toEqual([
      { from: 5, to: 20 },
      { from: 20, to: 35 },
    ])
  })
})

it('places nothing where there are fewer frames than sounds, or no words', () => {
  const words = [word(1, ['vowel', 0.1], ['stop', 0.1]), word(1, ['vowel', 0.1])]
  const bounds = { from: 0, to: 3 }
  expect(alignWords(features([-20, -30]), words, bounds, 1)).toBeNull()
  expect(alignWords(features([-20, -30, -25]), words, bounds, 1)).toEqual([
    { from: 0, to: 2 },
    { from: 2, to: 3 },
  ])
  expect(alignWords(features([-20]), [], bounds, 1)).toBeNull()
})

/** Mean and spread of the level, and of the brightness. */
const PROFILES: Record<SoundKind | 'silence', readonly (readonly [number, number])[]> = {
  vowel: [
    [0.86, 0.14],
    [-13, 5],
  ],
  sonorant: [
    [0.74, 0.18],
    [-16, 5],
  ],
  voicedStop: [
    [0.55, 0.25],
    [-14, 7],
  ],
  buzz: [
    [0.62, 0.2],
    [-8, 7],
  ],
  hiss: [
    [0.58, 0.2],
    [1, 4],
  ],
  breath: [
    [0.45, 0.22],
    [-4, 7],
  ],
  stop: [
    [0.35, 0.27],
    [-6, 8],
  ],
  unknown: [[0.7, 0.3]],
  silence: [[0.05, 0.14]],
}
const misfit = (value: number, [mean, spread]: readonly [number, number]) =>
  ((value - mean) / spread) ** 2 / 2 + Math.log(spread / 0.2)

/** The model as it is described: the lowest cost of all ways to place the words, or of those of one placement. */
function lowestCost(
  sound: SoundFeatures,
  words: readonly WordToPlace[],
  bounds: Bounds,
  pace: number,
  only?: readonly PlacedWord[] | null,
): number {
  const { levelDb, brightnessDb } = sound
  const top = percentile(levelDb, 0.92)
  const floor = Math.max(-100, top - 50, Math.min(percentile(levelDb, 0.04), top - 12))
  const frames = levelDb.length
  const framePrice = (kind: SoundKind | 'silence', frame: number): number => {
    const level = Math.min(1.1, Math.max(0, (levelDb[frame]! - floor) / (top - floor)))
    const [ofLevel, ofBrightness] = PROFILES[kind]
    const audible = Math.min(1, Math.max(0, (level - 0.15) * 3))
    const bright = ofBrightness === undefined ? 2.4 : misfit(brightnessDb?.[frame] ?? 0, ofBrightness)
    return 0.3 * Math.min(6, misfit(level, ofLevel!) + (brightnessDb === undefined ? 0 : audible * bright))
  }
  const price = (kind: SoundKind | 'silence', from: number, to: number): number => {
    let sum = 0
    for (let frame = from; frame < to; frame += 1) sum += framePrice(kind, frame)
    return sum
  }
  const edge = (outside: number): number => (outside > 0 ? outside / 6 : -outside / 30)
  let lowest = Infinity
  const place = (index: number, from: number, cost: number): void => {
    if (index === words.length) {
      lowest = Math.min(lowest, cost + price('silence', from, frames) + edge(from - bounds.to))
      return
    }
    const { sounds, pausePrice } = words[index]!
    const sounded = (number: number, at: number, sum: number): void => {
      if (number === sounds.length) {
        if (only && (only[index]?.from !== from || only[index].to !== at)) return
        place(index + 1, at, sum)
        if (index + 1 === words.length) return
        for (let after = at + 3; after <= frames; after += 1)
          place(index + 1, after, sum + price('silence', at, after) + pausePrice)
        return
      }
      const { kind, seconds } = sounds[number]!
      const usual = Math.max(2, seconds * 100 * pace)
      const longest = Math.max(4, Math.ceil(usual * 3.5))
      for (let length = 1; length <= longest && at + length <= frames; length += 1) {
        const unusual = (Math.log(length / usual) / 0.55) ** 2 / 2
        sounded(number + 1, at + length, sum + price(kind, at, at + length) + unusual)
      }
    }
    sounded(0, from, cost)
  }
  for (let start = 0; start <= frames; start += 1)
    place(0, start, price('silence', 0, start) + edge(bounds.from - start))
  return lowest
}

describe('of all ways to place words', () => {
  const kind = fc.constantFrom<SoundKind>(
    'vowel',
    'sonorant',
    'voicedStop',
    'buzz',
    'hiss',
    'breath',
    'stop',
    'unknown',
  )
  const sounds = fc.array(fc.tuple(kind, fc.constantFrom(0.01, 0.03, 0.05)), { minLength: 1, maxLength: 2 })
  const words = fc.array(
    fc.tuple(fc.constantFrom(0.2, 0.8, 3.2), sounds).map(([price, list]) => word(price, ...list)),
    { minLength: 1, maxLength: 2 },
  )
  const frame = fc.tuple(
    fc.double({ min: -75, max: -10, noNaN: true }),
    fc.double({ min: -25, max: 8, noNaN: true }),
  )
  const sound = fc.array(frame, { minLength: 4, maxLength: 9 })

  it('finds the cheapest, with brightness and without', () => {
    const bound = fc.integer({ min: 0, max: 9 })
    const pace = fc.constantFrom(0.5, 1, 2)
    fc.assert(
      fc.property(
        words,
        sound,
        fc.boolean(),
        bound,
        bound,
        pace,
        (list, frames, isBright, from, to, speed) => {
          const level = frames.map(([db]) => db)
          const heard = features(level, isBright ? frames.map(([, bright]) => bright) : undefined)
          const lowest = lowestCost(heard, list, { from, to }, speed)
          const placed = alignWords(heard, list, { from, to }, speed)
          expect(placed).toHaveLength(list.length)
          expect(lowestCost(heard, list, { from, to }, speed, placed)).toBeCloseTo(lowest, 9)
        },
      ),
      { numRuns: 60 },
    )
  })
})
