import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CLIP_FEATURES } from '../../contract/clip-candidate.ts'
import {
  AS_SCORED,
  LIKES_FEELINGS,
  NO_TASTE,
  syntheticExamples,
  type SyntheticExample,
} from '../../../test/support/taste-examples.ts'
import { calibrated, preferencesOf } from './apply.ts'
import { EXAMPLES_NEEDED, hitRateOf, trainTaste } from './train.ts'

const SEEDS = Array.from({ length: 20 }, (_, index) => index + 1)

/** How often pairs of unseen clips are ranked as the truth has it: by the learned marks, and by the scores alone. */
function rates(seen: readonly SyntheticExample[], unseen: readonly SyntheticExample[]) {
  const model = trainTaste(seen)
  const truths = unseen.map((clip) => ({ label: clip.truth }))
  const learned = unseen.map((clip) => calibrated(model, clip)?.score ?? clip.score)
  return {
    model,
    learned: hitRateOf(truths, learned).rate ?? 0,
    byScore:
      hitRateOf(
        truths,
        unseen.map(({ score }) => score),
      ).rate ?? 0,
  }
}
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

describe('what is learned of a company', () => {
  it('comes ever nearer to a taste that the score does not know', () => {
    const at = (count: number) =>
      SEEDS.map((seed) =>
        rates(
          syntheticExamples(count, { preference: LIKES_FEELINGS, chance: 0.5, seed }),
          syntheticExamples(80, { preference: LIKES_FEELINGS, chance: 0, seed: seed + 1000 }),
        ),
      )
    const few = at(EXAMPLES_NEEDED)
    const some = at(60)
    const many = at(240)
    expect(mean(few.map(({ byScore }) => byScore))).toBeLessThan(0.6)
    expect(mean(few.map(({ learned }) => learned))).toBeGreaterThan(0.75)
    expect(mean(some.map(({ learned }) => learned))).toBeGreaterThan(mean(few.map(({ learned }) => learned)))
    expect(mean(many.map(({ learned }) => learned))).toBeGreaterThan(0.87)
    for (const { model } of many) {
      expect(model.state).toBe('learned')
      // What it tells of itself holds for clips that it never saw, chance aside.
      expect(model.hitRate ?? 0).toBeGreaterThan(0.75)
      const [first, second] = preferencesOf(model).map(({ feature }) => feature)
      expect(['emotion', 'value', 'length']).toContain(first)
      expect(['emotion', 'value', 'length']).toContain(second)
    }
  })

  it('is off below the least number of examples, whatever they say', () => {
    for (const count of [0, 1, EXAMPLES_NEEDED - 1]) {
      const examples = syntheticExamples(count, { preference: LIKES_FEELINGS, chance: 0, seed: 3 })
      const model = trainTaste(examples)
      expect(model).toMatchObject({ state: 'few', features: [], hitRate: null })
      const [clip] = syntheticExamples(1, { preference: NO_TASTE, chance: 0, seed: 4 })
      expect(clip === undefined ? null : calibrated(model, clip)).toBeNull()
    }
  })

  it('falls back to the score where labels are chance, and does not harm the ranking', () => {
    for (const count of [EXAMPLES_NEEDED, 50, 120]) {
      const all = SEEDS.map((seed) =>
        rates(
          syntheticExamples(count, { preference: NO_TASTE, chance: 1, seed }),
          // The truth is then what the score says.
          syntheticExamples(80, { preference: AS_SCORED, chance: 0, seed: seed + 1000 }),
        ),
      )
      expect(all.filter(({ model }) => model.state === 'default').length).toBeGreaterThanOrEqual(15)
      expect(mean(all.map(({ learned }) => learned))).toBeGreaterThan(0.95)
    }
  })

  it('leaves the score alone where it is right already', () => {
    const all = SEEDS.map((seed) =>
      rates(
        syntheticExamples(60, { preference: AS_SCORED, chance: 0.7, seed }),
        syntheticExamples(80, { preference: AS_SCORED, chance: 0, seed: seed + 1000 }),
      ),
    )
    expect(mean(all.map(({ learned }) => learned))).toBeGreaterThan(0.98)
  })

  it('is never used with a hit rate below that of the score', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e6 }),
        fc.integer({ min: EXAMPLES_NEEDED, max: 60 }),
        fc.double({ min: 0, max: 3, noNaN: true }),
        fc.constantFrom(LIKES_FEELINGS, AS_SCORED, NO_TASTE),
        (seed, count, chance, preference) => {
          const model = trainTaste(syntheticExamples(count, { preference, chance, seed }))
          if (model.state === 'learned')
            expect(model.hitRate ?? 0).toBeGreaterThanOrEqual(model.defaultHitRate ?? 1)
          else expect(model.features).toEqual([])
        },
      ),
      { numRuns: 60 },
    )
  })

  it('stands whatever it is given: equal labels, missing and constant features, one run, huge numbers', () => {
    const number = fc.oneof(fc.constant(0), fc.double({ min: -1e9, max: 1e9, noNaN: true }))
    const features = fc.record(Object.fromEntries(CLIP_FEATURES.map((name) => [name, number])), {
      requiredKeys: [],
    })
    const example = fc.record({
      clipId: fc.string(),
      group: fc.constantFrom('a', 'b'),
      features,
      raw: number,
      label: fc.constantFrom(-1, 0, 0.5, 1),
      weight: fc.constantFrom(0.5, 1),
    })
    fc.assert(
      fc.property(fc.array(example, { minLength: 20, maxLength: 40 }), (examples) => {
        const model = trainTaste(examples)
        for (const one of examples) {
          const mark = calibrated(model, { features: one.features, score: 50 })
          if (mark === null) continue
          expect(mark.score).toBeGreaterThanOrEqual(1)
          expect(mark.score).toBeLessThanOrEqual(99)
          expect(Math.abs(mark.score - 50)).toBeLessThan(20)
        }
      }),
      { numRuns: 60 },
    )
    const alike = syntheticExamples(30, { preference: NO_TASTE, chance: 0, seed: 5 })
    expect(trainTaste(alike)).toMatchObject({ state: 'default', pairs: 0 })
  })
})

describe('a learned mark', () => {
  const model = trainTaste(syntheticExamples(200, { preference: LIKES_FEELINGS, chance: 0.3, seed: 9 }))
  const [usual] = syntheticExamples(1, { preference: NO_TASTE, chance: 0, seed: 10 })
  const clip = (change: object) => ({
    features: { ...usual?.features, emotion: 45, value: 40, length: 3.3, ...change },
    score: 50,
  })

  it('says what moved it, in the direction in which it moved', () => {
    const raised = calibrated(model, clip({ emotion: 80 }))
    expect(raised?.score).toBeGreaterThan(52)
    expect(raised?.reason.name).toBe('results')
    expect(raised?.reason.reason).toMatch(
      /^Raised by \d+ points by what did well for this company before: .*strong feelings.*\.$/,
    )
    const lowered = calibrated(model, clip({ value: 75 }))
    expect(lowered?.score).toBeLessThan(48)
    expect(lowered?.reason.reason).toMatch(/^Lowered by \d+ points .*figures, rules and reasons/)
  })

  it('moves by a bound, and keeps the order beyond it', () => {
    const marks = [45, 60, 75, 90, 100].map((emotion) => calibrated(model, clip({ emotion }))?.score ?? 0)
    expect(marks).toEqual(marks.toSorted((a, b) => a - b))
    expect(new Set(marks).size).toBe(marks.length)
    expect(Math.max(...marks)).toBeLessThan(70)
  })

  it('knows nothing of features that the company has not shown', () => {
    const plain = calibrated(model, clip({}))?.score
    expect(calibrated(model, clip({ motion: 1, cuts: 30, laughter: 0.5 }))?.score).toBe(plain)
  })
})
