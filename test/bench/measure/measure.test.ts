import { describe, expect, it } from 'vitest'
import { diarizationError } from './diarization.ts'
import { scoreWords } from './words.ts'

const said = 'we choose to go to the moon in this decade'
  .split(' ')
  .map((word, at) => ({ word, start: at * 0.4, end: at * 0.4 + 0.3 }))

describe('scoreWords', () => {
  it('counts no error in the true words, whatever their case and punctuation', () => {
    const heard = said.map((one, at) => ({ ...one, word: at === 9 ? 'Decade.' : one.word.toUpperCase() }))
    expect(scoreWords(said, heard)).toMatchObject({ wordError: 0, startMedian: 0, startLate: 0, endLate: 0 })
  })

  it('counts substituted, missing and added words', () => {
    const changed = said.map((one) => (one.word === 'moon' ? { ...one, word: 'room' } : one))
    expect(scoreWords(said, changed)).toMatchObject({ wordError: 0.1, substituted: 1, missed: 0, added: 0 })
    expect(scoreWords(said, said.toSpliced(3, 2))).toMatchObject({ wordError: 0.2, missed: 2 })
    expect(scoreWords(said, [...said, ...said])).toMatchObject({ wordError: 1, added: 10 })
    expect(scoreWords(said, [])).toMatchObject({ wordError: 1, missed: 10 })
  })

  it('measures how far words are shifted in time', () => {
    const late = said.map((one) => ({ ...one, start: one.start + 0.12, end: one.end - 0.05 }))
    const scores = scoreWords(said, late)
    expect(scores.startMedian).toBeCloseTo(0.12, 6)
    expect(scores.endLate).toBeCloseTo(0.05, 6)
    const one = scoreWords(said, said.with(4, { word: 'to', start: 2.6, end: 2.7 }))
    expect([one.startMedian, one.startLate]).toEqual([0, expect.closeTo(1, 6)])
  })
})

describe('scoring of speaker turns', () => {
  const truth = [
    { speaker: 'a', start: 0, end: 4 },
    { speaker: 'b', start: 5, end: 9 },
  ]
  const right = [
    { speaker: 7, start: 0.1, end: 3.9 },
    { speaker: 2, start: 5.1, end: 9.2 },
  ]

  it('ignores speaker names and shifts of up to a quarter of a second', () => {
    expect(diarizationError(truth, right, 10).error).toBe(0)
    expect(diarizationError(truth, right, 10, 0).error).toBeCloseTo(0.5 / 8, 2)
  })

  it('counts missed speech, false speech in silence, and speech of the wrong speaker', () => {
    expect(diarizationError(truth, right.slice(0, 1), 10)).toMatchObject({ missed: 0.5, confused: 0 })
    const one = right.map((turn) => ({ ...turn, speaker: 1 }))
    expect(diarizationError(truth, one, 10)).toMatchObject({ confused: 0.5, missed: 0 })
    const more = [...right, { speaker: 3, start: 1, end: 2 }]
    expect(diarizationError(truth, more, 10).falseAlarm).toBeCloseTo(1 / 7, 2)
  })
})
