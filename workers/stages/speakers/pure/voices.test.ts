import { describe, expect, it } from 'vitest'
import { continueVoices, measureSpeakers, type SpeakerVoice } from './voices.ts'

/** A voice at an angle in degrees, so that the similarity of two is the cosine of the angle between them. */
const at = (degrees: number): number[] => [
  Math.cos((degrees * Math.PI) / 180),
  Math.sin((degrees * Math.PI) / 180),
]
const voice = (speaker: number, degrees: number, seconds = 60, model = 'm'): SpeakerVoice => ({
  speaker,
  model,
  seconds,
  embedding: at(degrees),
})
/** cos 30° is 0.87, cos 50° is 0.64. */
const SAME = 0.75
const labelsOf = (known: SpeakerVoice[], found: SpeakerVoice[]): number[][] =>
  [...continueVoices(known, found, SAME).labels].map((pair) => [...pair])

describe('the voices of speakers', () => {
  const piece = (start: number, end: number, degrees: number | null) => ({
    start,
    end,
    chain: 0,
    voice: degrees === null ? null : Float32Array.from(at(degrees)),
  })
  const turns = [
    { start: 0, end: 4, speaker: 0 },
    { start: 4, end: 6, speaker: 1 },
    { start: 8, end: 9, speaker: 2 },
  ]

  it('are the means of the pieces that they speak alone, by their seconds', () => {
    const pieces = [piece(0, 3, 0), piece(3, 4, 90), piece(4, 6, 45), piece(3.5, 4.5, 10), piece(8, 9, null)]
    expect(measureSpeakers(pieces, turns, 'm')).toEqual([
      { speaker: 0, model: 'm', seconds: 4, embedding: [0.94868, 0.31623] },
      { speaker: 1, model: 'm', seconds: 2, embedding: [0.70711, 0.70711] },
      { speaker: 2, model: 'm', seconds: 0, embedding: [] },
    ])
  })

  it('do not come from where two talk at once', () => {
    const both = [...turns, { start: 4.5, end: 6, speaker: 0 }]
    expect(measureSpeakers([piece(4, 6, 45)], both, 'm')[1]?.seconds).toBe(0)
  })
})

describe('the speakers of the next part of a stream', () => {
  it('have the numbers that their voices had', () => {
    expect(labelsOf([], [voice(0, 0), voice(1, 90)])).toEqual([
      [0, 0],
      [1, 1],
    ])
    expect(labelsOf([voice(0, 0), voice(1, 90)], [voice(0, 85), voice(1, 5)])).toEqual([
      [0, 1],
      [1, 0],
    ])
  })

  it('have the next number where the voice is new', () => {
    const known = [voice(0, 0), voice(3, 90)]
    expect(labelsOf(known, [voice(0, 180), voice(1, 88), voice(2, 240)])).toEqual([
      [0, 4],
      [1, 3],
      [2, 5],
    ])
  })

  it('are each another one, the most alike first', () => {
    expect(labelsOf([voice(0, 0)], [voice(0, 20), voice(1, 10)])).toEqual([
      [0, 1],
      [1, 0],
    ])
  })

  it('need less similarity where there is little speech, and never match without any', () => {
    expect(labelsOf([voice(0, 0)], [voice(0, 50)])).toEqual([[0, 1]])
    expect(labelsOf([voice(0, 0)], [voice(0, 50, 1)])).toEqual([[0, 0]])
    expect(labelsOf([voice(0, 0)], [{ ...voice(0, 0, 0), embedding: [] }])).toEqual([[0, 1]])
  })

  it('do not match voices of another model', () => {
    expect(labelsOf([voice(0, 0)], [voice(0, 0, 60, 'other')])).toEqual([[0, 1]])
  })

  it('leave behind the mean of what was measured, and those who are silent', () => {
    const known = [voice(0, 0, 30), voice(1, 90)]
    expect(continueVoices(known, [voice(0, 20, 10)], SAME).voices).toEqual([
      { speaker: 0, model: 'm', seconds: 40, embedding: [0.99625, 0.08649] },
      voice(1, 90),
    ])
  })

  it('are the same again when a part is repeated', () => {
    const known = [voice(0, 0), voice(1, 90)]
    const found = [voice(0, 95), voice(1, 200)]
    expect(continueVoices(known, found, SAME)).toEqual(continueVoices(known, found, SAME))
  })
})
