import { describe, expect, it } from 'vitest'
import {
  generatedTalk,
  GENERATED_WISHES,
  PLAIN_SETTINGS,
  sampleTalk,
  SAMPLE_WISHES,
} from '../../../../test/support/topics.ts'
import { findClips } from './find-clips.ts'
import { steeringOf, widenSteering, nearness } from './steering.ts'
import { stem } from './text-tools.ts'

const talk = sampleTalk()
const best = (prompt: string, on = talk, change: object = {}) =>
  findClips({ ...on, language: 'en', settings: { ...PLAIN_SETTINGS, prompt, ...change } })

describe('steering the sample talk', () => {
  it.each(SAMPLE_WISHES)('$prompt: the best clip is about it, and says so', ({ prompt, holds }) => {
    const { candidates, warnings } = best(`Find the moments about ${prompt}.`)
    expect(candidates[0]?.text).toMatch(holds)
    expect(candidates[0]?.whyPicked).toMatch(/^Speaks of ".*" as asked/)
    expect(warnings.join()).not.toContain('matches the prompt')
  })

  it('asks differently, gets different clips; a promptAdjustment outweighs the prompt', () => {
    const texts = ['waste', 'family', 'pricing'].map((topic) => best(topic).candidates[0]?.text)
    expect(new Set(texts).size).toBe(3)
    const adjusted = best('about fear', talk, { promptAdjustment: 'rather about the railway' })
    expect(adjusted.candidates[0]?.text).toContain('railway')
  })

  it('says so when nothing of it is spoken of', () => {
    expect(best('volcanoes and submarines').warnings.join()).toContain('matches the prompt')
  })

  it('turns away from what is refused, by other words too', () => {
    const of = (prompt: string) =>
      best(prompt, talk, { maxClips: 6 })
        .candidates.map(({ text }) => text)
        .join(' ')
    expect(of('')).toMatch(/price/)
    expect(of('')).toMatch(/dump|throwing away/)
    expect(of('avoid pricing')).not.toMatch(/price/)
    expect(of('no garbage')).not.toMatch(/dump/)
  })
})

it.each([1, 2, 3])('generated talk %i: every topic is found by a word that is not said', (seed) => {
  const made = generatedTalk(seed)
  for (const { prompt, holds } of GENERATED_WISHES)
    expect(best(`about ${prompt}`, made).candidates[0]?.text).toMatch(holds)
})

describe('nearness', () => {
  it.each([
    ['garbage', 'dump', 0.5],
    ['bicycles', 'bike', 0.5],
    ['economics', 'economic', 1],
    ['mechanic', 'mechanical', 0.7],
    ['part', 'party', 0],
    ['lighthouse', 'lightning', 0],
    ['dog', 'price', 0],
  ])('of %s and %s is %d', (asked, said, near) => {
    expect(nearness(stem(asked), stem(said))).toBe(near)
    expect(nearness(stem(said), stem(asked))).toBe(near)
  })

  it('adds only what is said, weaker than the word itself, and weaker still where that is said', () => {
    const steering = steeringOf({ ...PLAIN_SETTINGS, prompt: 'bicycles' })
    const bicycle = stem('bicycles')
    const bike = stem('bike')
    const alone = widenSteering(steering, new Set([bike, 'road']))
    const both = widenSteering(steering, new Set([bike, bicycle]))
    expect([...alone.terms.keys()]).toEqual([bicycle, bike])
    expect(alone.terms.get(bike)).toBeLessThan(alone.terms.get(bicycle) ?? 0)
    expect(both.terms.get(bike)).toBeLessThan(alone.terms.get(bike) ?? 0)
    expect(alone.written.get(bike)).toBe('bicycles')
  })
})
