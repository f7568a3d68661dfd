import { expect, it } from 'vitest'
import type { SpeakerVoice } from '../../../workers/stages/speakers/pure/voices.ts'
import { matchNames, MIN_NAMED_SECONDS } from './match-names.ts'

/** A voice at an angle in degrees: the similarity of two is the cosine of the angle between them. */
const print = (degrees: number, seconds = 60, model = 'm') => ({
  model,
  seconds,
  embedding: [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)],
})
const found = (...angles: number[]): SpeakerVoice[] =>
  angles.map((degrees, speaker) => ({ speaker, ...print(degrees) }))
const ANNA = { name: 'Anna', ...print(0) }
const BEN = { name: 'Ben', ...print(90) }
/** cos 18.2° is 0.95. */
const names = (voices: readonly SpeakerVoice[], named = [ANNA, BEN]) => [...matchNames(voices, named, 0.95)]

it('names each speaker whose voice is near enough to a named one', () => {
  expect(names(found(80, 10, 45))).toEqual([
    [0, 'Ben'],
    [1, 'Anna'],
  ])
})

it('names nobody where two named voices could be meant, or two speakers could be the person', () => {
  expect(names(found(8), [ANNA, { name: 'Bea', ...print(16) }])).toEqual([])
  expect(names(found(5, -5))).toEqual([])
  expect(names(found(5, 60))).toEqual([[0, 'Anna']])
})

it('does not compare voices of other models, or of which little was measured', () => {
  expect(names([{ speaker: 0, ...print(0, 60, 'other') }])).toEqual([])
  expect(names([{ speaker: 0, ...print(0, MIN_NAMED_SECONDS - 0.1) }])).toEqual([])
  expect(names([{ speaker: 3, ...print(0, MIN_NAMED_SECONDS) }])).toEqual([[3, 'Anna']])
})
