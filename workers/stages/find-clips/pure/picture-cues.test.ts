import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PictureFacts } from '../../../../server/contract/source-facts.ts'
import {
  pictureCuesOf,
  pictureEmotion,
  pictureFeatures,
  pictureHook,
  PICTURE_LIMITS,
} from './picture-cues.ts'
import { pictureStretches } from './find-by-sound.ts'
import type { Sentence } from './sentences.ts'

const sentence = (start: number, end: number): Sentence => ({
  first: 0,
  last: 0,
  text: '',
  before: 0,
  after: 0,
  speaker: null,
  edgeStart: true,
  edgeEnd: true,
  start,
  end,
})
const SENTENCES = Array.from({ length: 10 }, (_, at) => sentence(at * 6 + 1, at * 6 + 5))

const seconds = fc.double({ min: 0, max: 60, noNaN: true })
const anyFacts: fc.Arbitrary<PictureFacts> = fc.record({
  cuts: fc.array(seconds, { maxLength: 40 }).map((cuts) => cuts.sort((a, b) => a - b)),
  looks: fc
    .array(
      fc.tuple(seconds, fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(-1, 0, 0.002, 0.1)),
      {
        maxLength: 40,
      },
    )
    .map((looks) => looks.sort((a, b) => a[0] - b[0])),
})

describe('what is seen in a clip', () => {
  it('adds within its limits, and is told in finite numbers, whatever was seen', () => {
    fc.assert(
      fc.property(anyFacts, fc.nat(9), fc.nat(9), (facts, a, b) => {
        const from = Math.min(a, b)
        const to = Math.max(a, b)
        const cues = pictureCuesOf(SENTENCES, facts)
        const emotion = pictureEmotion(cues, from, to)
        expect(emotion).toBeGreaterThanOrEqual(0)
        expect(emotion).toBeLessThanOrEqual(PICTURE_LIMITS.motion + PICTURE_LIMITS.cuts)
        const hook = pictureHook(cues, from)
        expect(hook >= 0 && hook <= PICTURE_LIMITS.face).toBe(true)
        const { cuts = 0, motion = 0, faces = 0 } = pictureFeatures(cues, from, to)
        expect(Number.isFinite(cuts) && cuts >= 0).toBe(true)
        expect(motion >= -1e-9 && motion <= 1 + 1e-9).toBe(true)
        expect(faces >= -1e-9 && faces <= 1 + 1e-9).toBe(true)
      }),
    )
  })

  it('counts each cut once, for the sentence in which it lies or after which it comes', () => {
    const facts: PictureFacts = {
      cuts: [3, 6.5, 20, 59],
      looks: [
        [0, 0, -1],
        [60, 0, -1],
      ],
    }
    const cues = pictureCuesOf(SENTENCES, facts)
    const each = SENTENCES.map((_, at) => (cues.sums.cuts[at + 1] ?? 0) - (cues.sums.cuts[at] ?? 0))
    // The last one comes after all that is said.
    expect(each).toEqual([2, 0, 0, 1, 0, 0, 0, 0, 0, 1])
    expect(cues.cutsPerMinute).toBe(4)
    expect(pictureFeatures(cues, 0, 0).cuts).toBeCloseTo(20)
  })

  it('gives a face its worth by how rare faces are', () => {
    const looks = (faces: number): PictureFacts['looks'] =>
      Array.from({ length: 61 }, (_, at) => [at, 0, at > 0 && at <= faces ? 0.05 : 0])
    const worth = (faces: number): number =>
      pictureHook(pictureCuesOf(SENTENCES, { cuts: [], looks: looks(faces) }), 0)
    expect(worth(0)).toBe(0)
    expect(worth(10)).toBeGreaterThan(worth(50))
    expect(worth(60)).toBe(0)
  })
})

describe('a video without sound in pieces', () => {
  it('is whole: its shots one after the other, long ones cut where least moves', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const stretches = pictureStretches(facts, 60)
        expect(stretches[0]?.start).toBe(0)
        expect(stretches.at(-1)?.end).toBe(60)
        stretches.forEach(({ start, end }, at) => {
          expect(end).toBeGreaterThan(start)
          expect(end - start).toBeLessThanOrEqual(12 + 1e-9)
          if (at > 0) expect(start).toBe(stretches[at - 1]?.end)
        })
      }),
    )
    const calm: PictureFacts = {
      cuts: [],
      looks: [
        [0, 0.5, -1],
        [7, 0.5, -1],
        [9, 0.1, -1],
        [11, 0.5, -1],
        [20, 0.5, -1],
      ],
    }
    expect(pictureStretches(calm, 20)[0]?.end).toBe(9)
  })
})
