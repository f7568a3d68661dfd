import { describe, expect, it } from 'vitest'
import { calibrate, rawScore } from '../../../../server/contract/clip-candidate.ts'
import { PLAIN_SETTINGS, sampleTalk } from '../../../../test/support/topics.ts'
import { findClips } from './find-clips.ts'
import { rawOf } from './score-windows.ts'
import { steeringOf } from './steering.ts'

describe('the features of a found clip', () => {
  it('are what its score was computed from', () => {
    for (const prompt of ['', 'pricing']) {
      const settings = { ...PLAIN_SETTINGS, maxClips: 6, prompt }
      const { candidates } = findClips({ ...sampleTalk(), language: 'en', settings })
      expect(candidates.length).toBeGreaterThan(2)
      for (const { features, score, start, end } of candidates) {
        const {
          hook = 0,
          flow = 0,
          value = 0,
          emotion = 0,
          ending = 0,
          story = 0,
          length = 0,
        } = features ?? {}
        expect(length).toBeCloseTo(Math.log(end - start), 3)
        const raw = rawOf({ hook, flow, value, emotion, ending }, story, steeringOf(settings))
        expect(calibrate(raw)).toBeCloseTo(score, 0)
      }
    }
  })

  it('come with a score that can be turned back', () => {
    for (const raw of [20, 40, 57, 70, 90]) expect(rawScore(calibrate(raw))).toBeCloseTo(raw, 0)
    expect(Number.isFinite(rawScore(0)) && Number.isFinite(rawScore(100))).toBe(true)
  })
})
