import { expect, it } from 'vitest'
import { FLOOR_DB, type SoundFeatures } from './sound-features.ts'
import type { SustainedSound } from './sustained-sound.ts'
import { findUnwrittenFillers } from './unwritten-fillers.ts'

const held = (start: number, end: number, over: Partial<SustainedSound> = {}): SustainedSound => ({
  start,
  end,
  pitchHz: 120,
  riseSemitones: -0.5,
  wavering: 0.6,
  formant1Hz: 550,
  formant2Hz: 1400,
  levelDb: -20,
  change: 0.3,
  drift: 0.5,
  ...over,
})
const word = (start: number, end: number) => ({ start, end })

/** Ten seconds with sound from second to second as given. */
function soundOf(...spans: readonly (readonly [number, number])[]): SoundFeatures {
  const levelDb = new Float32Array(1000).fill(FLOOR_DB + 30)
  for (const [from, to] of spans) levelDb.fill(-20, Math.round(from * 100), Math.round(to * 100))
  return { startSeconds: 0, levelDb }
}

const WORDS = [word(1, 2), word(4, 5)]
const SPOKEN = [
  [1, 2],
  [4, 5],
] as const
const alone = soundOf(...SPOKEN, [2.5, 3])
const UM = { start: 2.5, end: 3 }

it.each([
  ['between pauses it is sure', held(2.5, 3), alone, { ...UM, sure: true }],
  ['its edges fade', held(2.55, 2.95), alone, { ...UM, sure: true }],
  [
    'after a word without a pause it is only likely',
    held(2, 2.4),
    soundOf([1, 2.4], [4, 5]),
    { start: 2, end: 2.4, sure: false },
  ],
  [
    'before a word without a pause too',
    held(3.6, 4),
    soundOf([1, 2], [3.6, 5]),
    { start: 3.6, end: 4, sure: false },
  ],
  [
    'a rise at its end makes it doubtful',
    held(2.5, 3, { riseSemitones: 1.5 }),
    alone,
    { ...UM, sure: false },
  ],
  ['a hum alone is a reply perhaps', held(2.5, 3, { formant1Hz: 250 }), alone, { ...UM, sure: false }],
  [
    'a short one is only likely',
    held(2.5, 2.68),
    soundOf(...SPOKEN, [2.5, 2.68]),
    { start: 2.5, end: 2.68, sure: false },
  ],
])('%s', (_, sound, levels, filler) => expect(findUnwrittenFillers(WORDS, [sound], levels)).toEqual([filler]))

it.each([
  ['the vowel of a word', held(1.2, 1.8), alone],
  ['a word that was left out, with its consonants', held(2.5, 2.8), soundOf(...SPOKEN, [2.5, 3.3])],
  ['a vowel that moves', held(2.5, 3, { drift: 2 }), alone],
  ['a question', held(2.5, 3, { riseSemitones: 4 }), alone],
  ['a vowel as in "see"', held(2.5, 3, { formant1Hz: 280, formant2Hz: 2500 }), alone],
  ['somebody who sings', held(2.1, 3.9), soundOf(...SPOKEN, [2.1, 3.9])],
])('%s is none', (_, sound, levels) => expect(findUnwrittenFillers(WORDS, [sound], levels)).toEqual([]))

it('of two parts that touch, both must be sure', () => {
  const levels = soundOf(...SPOKEN, [2.5, 3])
  const parts = [held(2.5, 2.72), held(2.76, 3)]
  expect(findUnwrittenFillers(WORDS, parts, levels)).toEqual([{ ...UM, sure: false }])
})

it('is found after the last word too', () => {
  const levels = soundOf(...SPOKEN, [6, 6.5])
  expect(findUnwrittenFillers(WORDS, [held(6, 6.5)], levels)).toEqual([{ start: 6, end: 6.5, sure: true }])
  expect(findUnwrittenFillers(WORDS, [], alone)).toEqual([])
})
