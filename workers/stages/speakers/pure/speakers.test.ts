import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chainVoices } from './chains.ts'
import { groupChains } from './cluster.ts'
import { heardWindow, type HeardWindow } from './segments.ts'
import { speakersOfWords, turnsOf, turnsOfWords } from './turns.ts'
import { addCepstra, cepstra, noCepstra } from './voiceprint.ts'

const FRAMES = 100

/** A window in which each voice is heard in these seconds of it. */
const window = (startSeconds: number, ...voices: [number, number][][]): HeardWindow => ({
  ...{ startSeconds, frameSeconds: 0.1 },
  active: [0, 1, 2].map((voice) =>
    Uint8Array.from({ length: FRAMES }, (_, frame) =>
      Number(voices[voice]?.some(([from, to]) => frame >= from * 10 && frame < to * 10) === true),
    ),
  ),
})

/** Sound of one pitch, as the voice of somebody. */
function print(hertz: number) {
  const samples = Int16Array.from({ length: 32_000 }, (_, at) =>
    [1, 2, 3, 4, 5].reduce(
      (sum, k) => sum + (4000 / k) * Math.sin((2 * Math.PI * hertz * k * at) / 16_000),
      0,
    ),
  )
  const rows = cepstra(samples)
  const sum = noCepstra()
  for (let row = 0; row * 13 < rows.length; row += 1) addCepstra(sum, rows, row)
  return sum
}

describe('what the model says', () => {
  it('is read as who is heard in each frame, two at once included', () => {
    const scores = Float32Array.from([
      0, -9, -9, -9, -9, -9, -9, -9, 0, -9, -9, -9, -9, -9, -9, -9, -9, -9, -9, 0, -9,
    ])
    expect(heardWindow(scores, 5).active.map((line) => [...line])).toEqual([
      [0, 1, 1],
      [0, 0, 0],
      [0, 0, 1],
    ])
  })
})

describe('chains', () => {
  it('follow a voice whose number changes from window to window', () => {
    const windows = [window(0, [[0, 10]], []), window(5, [], [[0, 8]])]
    expect(chainVoices(windows)).toEqual([
      {
        parts: [
          { window: 0, voice: 0 },
          { window: 1, voice: 1 },
        ],
      },
    ])
  })

  it('begin anew where the windows have no moment of the voice in common', () => {
    expect(chainVoices([window(0, [[0, 4]]), window(5, [[6, 9]])])).toHaveLength(2)
  })
})

describe('people', () => {
  const [low, high] = [print(110), print(230)]
  const chain = (at: number, voice: number, sounds: ReturnType<typeof print>) => ({
    ...{ parts: [{ window: at, voice }], print: sounds, seconds: 4 },
  })

  it('are told apart by how they sound, and come back as the same', () => {
    expect(groupChains([chain(0, 0, low), chain(2, 0, high), chain(4, 0, low)], 0)).toEqual([0, 1, 0])
  })

  it('are two when both are heard in one window, however alike, and as many as were announced', () => {
    expect(groupChains([chain(0, 0, low), chain(0, 1, low)], 0)).toEqual([0, 1])
    expect(groupChains([chain(0, 0, low), chain(2, 0, high), chain(4, 0, low)], 1)).toEqual([0, 0, 0])
  })
})

describe('turns', () => {
  it('are of each moment told by one window, joined over short pauses', () => {
    const windows = [window(0, [[1, 10]]), window(5, [[0, 4]], [[5, 10]])]
    const chains = chainVoices(windows)
    const turns = turnsOf(windows, chains, [0, 1])
    expect(turns).toEqual([
      { start: 1, end: expect.closeTo(9) as number, speaker: 0 },
      { start: expect.closeTo(10) as number, end: expect.closeTo(15) as number, speaker: 1 },
    ])
  })

  it('give every word near them a speaker, and change nothing else of it', () => {
    const times = fc.array(fc.double({ min: 0.1, max: 1, noNaN: true }), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(times, (lengths) => {
        let at = 0
        const words = lengths.map((length, index) => ({ word: `w${index}`, start: at, end: (at += length) }))
        const turns = [
          { start: 0, end: at / 2, speaker: 0 },
          { start: at / 2, end: at, speaker: 1 },
        ]
        const told = speakersOfWords(words, turns)
        expect(told.map(({ speaker: _, ...word }) => word)).toEqual(words)
        expect(told.every(({ speaker }) => speaker === 0 || speaker === 1)).toBe(true)
        // Once the second one has the word, the first one does not get it back.
        expect(turnsOfWords(told).length).toBeLessThanOrEqual(2)
      }),
    )
  })
})
