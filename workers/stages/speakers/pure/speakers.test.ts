import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chainVoices, momentsOf, piecesOf, parseSegmentedWindow, type SegmentedWindow } from './chains.ts'
import { assignSpeakers } from './people.ts'
import { speakersOfWords, turnsOf, turnsOfWords } from './turns.ts'
import { addFrame, CEPSTRA, cepstra, joined, noVoice, spreadOf, type VoiceSum } from './voiceprint.ts'

const FRAMES = 100

/** A window in which each voice speaks in these seconds of it. */
const window = (startSeconds: number, ...voices: [number, number][][]): SegmentedWindow => ({
  startSeconds,
  frameSeconds: 0.1,
  active: [0, 1, 2].map((voice) =>
    Uint8Array.from({ length: FRAMES }, (_, frame) =>
      Number(voices[voice]?.some(([from, to]) => frame >= from * 10 && frame < to * 10) === true),
    ),
  ),
})

/** Sound of one pitch, as the voice of somebody. */
function print(hertz: number): VoiceSum {
  const samples = Int16Array.from({ length: 32_000 }, (_, at) =>
    [1, 2, 3, 4, 5].reduce(
      (sum, k) => sum + (4000 / k) * Math.sin((2 * Math.PI * hertz * k * at) / 16_000),
      0,
    ),
  )
  const rows = cepstra(samples)
  const sum = noVoice()
  for (let row = 0; row * CEPSTRA < rows.length; row += 1) addFrame(sum, rows, row)
  return sum
}

describe('what the model says', () => {
  it('is read as who speaks in each frame, two at once included', () => {
    const scores = Float32Array.from([
      0, -9, -9, -9, -9, -9, -9, -9, 0, -9, -9, -9, -9, -9, -9, -9, -9, -9, -9, 0, -9,
    ])
    expect(parseSegmentedWindow(scores, 5).active.map((line) => [...line])).toEqual([
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

describe('pieces', () => {
  it('are of one chain each, broken at pauses and where they get long; what two say at once is none', () => {
    const windows = [window(0, [[0, 1], [1.1, 2], [2.6, 3], [5, 10]], [[2.8, 4]])] // prettier-ignore
    const moments = momentsOf(windows, chainVoices(windows))
    expect(moments.find(({ chains }) => chains.length === 2)).toMatchObject({
      start: expect.closeTo(2.8) as number,
      end: expect.closeTo(3) as number,
    })
    const expected = [[0, 2, 0], [2.6, 2.8, 0], [3, 4, 1], [5, 7.5, 0], [7.5, 10, 0]] // prettier-ignore
    const rounded = piecesOf(moments).map(({ start, end, chain }) =>
      [start, end, chain].map((x) => Number(x.toFixed(1))),
    )
    expect(rounded).toEqual(expected)
  })
})

describe('voices', () => {
  it('fit themselves better than each other, the less so the noisier', () => {
    const low = print(110)
    const high = print(230)
    const both = joined(low, high)
    const apart = (a: VoiceSum, b: VoiceSum) =>
      (spreadOf(joined(a, b), both) - spreadOf(a, both) - spreadOf(b, both)) / 2 / (a.count + b.count)
    expect(apart(low, low)).toBeLessThan(0.05)
    expect(apart(low, high)).toBeGreaterThan(1)
  })
})

/** Cepstra of voices that are known: seconds of each, one after the other. Each moment differs, as syllables do. */
function talk(parts: readonly (readonly [voice: number, seconds: number])[]): Float32Array {
  let seed = 1
  const noise = (): number => {
    let sum = 0
    for (let at = 0; at < 12; at += 1) sum += (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
    return sum - 6
  }
  const frames = parts.flatMap(([voice, seconds]) =>
    Array.from({ length: Math.round(seconds / ROW) }, () =>
      Array.from({ length: CEPSTRA }, (_, order) =>
        order === 0 ? 0 : noise() + 3 * Math.sin(voice * 2.3 + order * (1 + voice)),
      ),
    ),
  )
  return Float32Array.from(frames.flat())
}
const ROW = 0.016

function labelTurns(windows: readonly SegmentedWindow[], rows: Float32Array, count: number) {
  const steps = assignSpeakers(windows, rows, ROW, count)
  for (;;) {
    const step = steps.next()
    if (step.done === true)
      return step.value.map(({ start, end, speaker }) =>
        [start, end, speaker].map((x) => Number(x.toFixed(1))),
      )
  }
}

describe('who speaks when', () => {
  // Three voices; the model takes the first two for one, as it does with some voices beside a noisy recording.
  const rows = talk([[0, 4], [1, 4], [2, 2], [0, 5], [1, 5]]) // prettier-ignore
  const mixedUp = [
    window(0, [[0, 8]], [[8, 10]]), // prettier-ignore
    window(5, [[0, 3], [5, 10]], [[3, 5]]), // prettier-ignore
    window(10, [[0, 10]]),
  ]
  const truth = [[0, 4, 0], [4, 8, 1], [8, 10, 2], [10, 15, 0], [15, 20, 1]] // prettier-ignore

  it('goes by how voices sound where the model mixes two of them', () => {
    const close = truth.map((turn) => turn.map((value) => expect.closeTo(value, 0) as number))
    expect(labelTurns(mixedUp, rows, 0)).toEqual(close)
    expect(labelTurns(mixedUp, rows, 3)).toEqual(close)
  })

  it('finds as many as were announced, the most alike as one', () => {
    expect(new Set(labelTurns(mixedUp, rows, 2).map(([, , speaker]) => speaker)).size).toBe(2)
    expect(new Set(labelTurns(mixedUp, rows, 1).map(([, , speaker]) => speaker))).toEqual(new Set([0]))
  })

  it('is one person where the model takes one voice for two', () => {
    const one = [window(0, [[0, 4]], [[4, 10]]), window(5, [[0, 2]], [[2, 10]])] // prettier-ignore
    const turns = labelTurns(one, talk([[0, 15]]), 0)
    expect(new Set(turns.map(([, , speaker]) => speaker))).toEqual(new Set([0]))
  })

  it('has both where two talk at once, each the one that its chain is before and after', () => {
    const both = [window(0, [[0, 5.5]], [[4.5, 10]])] // prettier-ignore
    const turns = labelTurns(both, talk([[0, 5], [1, 5]]), 0) // prettier-ignore
    expect(turns).toEqual([
      [0, 5.5, 0],
      [4.5, 10, 1],
    ])
  })

  it('is nobody in silence, and one person where there is too little speech', () => {
    expect(labelTurns([window(0)], talk([[0, 10]]), 0)).toEqual([])
    expect(labelTurns([window(0, [[1, 1.4]])], talk([[0, 10]]), 0)).toEqual([[1, 1.4, 0]])
  })
})

describe('turns', () => {
  it('are joined over short pauses, and what is shorter than a word is none', () => {
    const spans = [[1, 5, 0], [5.3, 6, 0], [7, 8, 0], [5.1, 5.2, 1]] // prettier-ignore
    expect(turnsOf(spans.map(([start = 0, end = 0, speaker = 0]) => ({ start, end, speaker })))).toEqual([
      { start: 1, end: 6, speaker: 0 },
      { start: 7, end: 8, speaker: 0 },
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
        const labelled = speakersOfWords(words, turns)
        expect(labelled.map(({ speaker: _, ...word }) => word)).toEqual(words)
        expect(labelled.every(({ speaker }) => speaker === 0 || speaker === 1)).toBe(true)
        // Once the second one has the word, the first one does not get it back.
        expect(turnsOfWords(labelled).length).toBeLessThanOrEqual(2)
      }),
    )
  })
})
