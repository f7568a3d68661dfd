import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  chainVoices,
  momentsOf,
  piecesOf,
  parseSegmentedWindow,
  type Chain,
  type SegmentedWindow,
} from './chains.ts'
import { assignChains, assignSpeakers } from './people.ts'
import { turnsOf, turnsOfWords, withSpeakers } from './turns.ts'
import type { Transcript, TranscriptWord } from '../../../../server/contract/transcript.ts'
import { groupPieces, type VoicedPiece } from './cluster.ts'
import { fbank } from './fbank.ts'
import { levelled, moveToUsual } from './front-end.ts'
import { blockLevels, gainsOf, withGains } from './levels.ts'
import { mfcc } from './mfcc.ts'

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

const tone = (hertz: number, amplitude: number, seconds = 1): Int16Array =>
  Int16Array.from({ length: seconds * 16_000 }, (_, at) =>
    Math.round(amplitude * Math.sin((2 * Math.PI * hertz * at) / 16_000)),
  )

describe('front ends', () => {
  it.each([
    ['mfcc', mfcc, 32],
    ['fbank', fbank, 98],
  ] as const)('%s has a row of its width for each step of a second', (_, frontEnd, rows) => {
    const features = frontEnd.features(levelled(tone(440, 8000)))
    expect(features).toHaveLength(rows * frontEnd.width)
    expect(features.every(Number.isFinite)).toBe(true)
  })

  it('give the same for a piece at another level', () => {
    const loud = mfcc.features(levelled(tone(440, 20_000)))
    const soft = mfcc.features(levelled(tone(440, 2000)))
    loud.forEach((value, at) => expect(Math.abs(value - (soft[at] ?? 0))).toBeLessThan(1))
  })

  it('have the greatest band where the tone is, and no mean', () => {
    const both = Int16Array.from([...tone(440, 8000), ...tone(3000, 8000)])
    const features = fbank.features(levelled(both))
    const greatest = (row: number): number => {
      const bands = [...features.subarray(row * 80, (row + 1) * 80)]
      return bands.indexOf(Math.max(...bands))
    }
    expect(greatest(20)).toBeLessThan(greatest(150))
    for (let band = 0; band < 80; band += 1) {
      let sum = 0
      for (let at = band; at < features.length; at += 80) sum += features[at] ?? 0
      expect(Math.abs(sum / (features.length / 80))).toBeLessThan(1e-4)
    }
  })

  it('are moved half of the way to the usual mean', () => {
    const frontEnd = { width: 2, window: null, usual: [10, 0], features: () => new Float32Array() }
    const pieces = [Float32Array.from([0, 4]), Float32Array.from([2, 0])]
    moveToUsual(frontEnd, pieces)
    expect(pieces.map((rows) => [...rows])).toEqual([
      [4.5, 3],
      [6.5, -1],
    ])
  })
})

describe('levels', () => {
  it('are evened out by half, in decibels, and noise is not raised', () => {
    const loud = tone(440, 10_000, 4)
    const soft = tone(440, 1000, 4)
    const hiss = tone(440, 200, 4)
    const samples = Int16Array.from([...loud, ...soft, ...hiss])
    const gains = gainsOf(blockLevels(samples, 16_000))
    expect(gains[20]).toBeCloseTo(1, 2)
    expect(gains[60]).toBeCloseTo(10 ** 0.5, 1)
    expect(gains[100]).toBeCloseTo(1, 2)
    const evened = withGains(samples.subarray(6 * 16_000, 7 * 16_000), 16_000, 6, gains)
    expect(evened.reduce((most, value) => Math.max(most, value), 0)).toBeCloseTo(
      (1000 / 32_768) * 10 ** 0.5,
      2,
    )
  })

  it('of digital silence stay as they are', () => {
    expect([...gainsOf(blockLevels(new Int16Array(4800), 16_000))]).toEqual([1, 1, 1])
  })
})

/** Pieces whose voices are known: the seconds in order, each with its own difference, as sentences have. */
function voicedPieces(windows: readonly SegmentedWindow[], voiceAt: (second: number) => number) {
  let seed = 1
  const noise = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647 - 0.5
  const chains = chainVoices(windows)
  const moments = momentsOf(windows, chains)
  const pieces = piecesOf(moments).map((piece): VoicedPiece => {
    const who = voiceAt((piece.start + piece.end) / 2)
    const values = Float32Array.from({ length: 16 }, (_, at) => (at === who ? 1 : 0) + 0.3 * noise())
    const length = Math.hypot(...values)
    return { ...piece, voice: piece.end - piece.start < 0.6 ? null : values.map((value) => value / length) }
  })
  return { chains, moments, pieces }
}

function labelTurns(windows: readonly SegmentedWindow[], voiceAt: (second: number) => number, count: number) {
  const steps = assignSpeakers(voicedPieces(windows, voiceAt), 0.75, count)
  for (;;) {
    const step = steps.next()
    if (step.done === true)
      return step.value.map(({ start, end, speaker }) =>
        [start, end, speaker].map((x) => Number(x.toFixed(1))),
      )
  }
}

function groupOf(pieces: readonly VoicedPiece[], chains: readonly Chain[]): number[][] {
  const steps = groupPieces(pieces, chains, 0.75, 0)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value.map((group) => group.pieces.toSorted((a, b) => a - b))
  }
}

describe('who speaks when', () => {
  // Three voices; the model takes the first two for one, as it does with some voices.
  const mixedUp = [
    window(0, [[0, 3.5], [4, 7.5]], [[8, 10]]), // prettier-ignore
    window(5, [[0, 2.5], [5, 9.5]], [[3, 5]]), // prettier-ignore
    window(10, [[0, 4.5], [5, 9.5]]), // prettier-ignore
  ]
  const voiceAt = (second: number): number =>
    second < 3.8 ? 0 : second < 7.8 ? 1 : second < 10 ? 2 : second < 14.8 ? 0 : 1
  const truth = [[0, 3.5, 0], [4, 7.5, 1], [8, 10, 2], [10, 14.5, 0], [15, 19.5, 1]] // prettier-ignore

  it('goes by the voices where the model mixes two of them', () => {
    const close = truth.map((turn) => turn.map((value) => expect.closeTo(value, 0) as number))
    expect(labelTurns(mixedUp, voiceAt, 0)).toEqual(close)
    expect(labelTurns(mixedUp, voiceAt, 3)).toEqual(close)
  })

  it('finds as many as were announced, the most alike as one, and never splits one voice', () => {
    const found = (count: number, who = voiceAt) =>
      new Set(labelTurns(mixedUp, who, count).map(([, , speaker]) => speaker)).size
    expect(found(2)).toBe(2)
    expect(found(1)).toBe(1)
    expect(found(3, () => 0)).toBe(1)
  })

  it('holds two voices of one window apart that sound alike', () => {
    const likes = (angle: number): Float32Array => Float32Array.from([Math.cos(angle), Math.sin(angle)])
    const pieces = [0, 0.8, 0, 0.8].map((angle, at): VoicedPiece => ({
      start: 3 * at,
      end: 3 * at + 2,
      chain: at % 2,
      voice: likes(angle),
    }))
    const apart = [0, 1].map((voice) => ({ parts: [{ window: 0, voice }] }))
    const unknown = [0, 1].map((voice) => ({ parts: [{ window: voice, voice }] }))
    expect(groupOf(pieces, apart)).toEqual([[0, 2], [1, 3]]) // prettier-ignore
    expect(groupOf(pieces, unknown)).toEqual([[0, 1, 2, 3]])
  })

  it('has both where two talk at once, each the one that its chain is before and after', () => {
    const both = [window(0, [[0, 5.5]], [[4.5, 10]])] // prettier-ignore
    expect(labelTurns(both, (second) => (second < 5 ? 0 : 1), 0)).toEqual([
      [0, 5.5, 0],
      [4.5, 10, 1],
    ])
  })

  it('is nobody in silence, and one person where there is too little speech', () => {
    expect(labelTurns([window(0)], () => 0, 0)).toEqual([])
    expect(labelTurns([window(0, [[1, 1.4]])], () => 0, 0)).toEqual([[1, 1.4, 0]])
  })

  it('is a number per chain where voices are not measured', () => {
    const windows = [window(0, [[0, 4]], [[3, 6]])] // prettier-ignore
    const turns = assignChains(momentsOf(windows, chainVoices(windows)))
    expect(turns.map(({ start, end, speaker }) => [start, end, speaker].map(Math.round))).toEqual([
      [0, 4, 0],
      [3, 6, 1],
    ])
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

  const transcriptOf = (words: readonly TranscriptWord[]): Transcript => ({
    origin: 'speech-model',
    language: 'en',
    detail: '',
    words: [...words],
  })

  it('a filler of somebody who speaks neither before nor after it is not sure', () => {
    const words = [
      { word: 'so', start: 0, end: 1 },
      { word: 'then', start: 3, end: 4 },
    ]
    const given = { ...transcriptOf(words), fillers: [{ start: 1.5, end: 2, sure: true }] }
    const own = { start: 0, end: 4, speaker: 0 }
    expect(withSpeakers(given, [own]).fillers).toEqual(given.fillers)
    const reply = [
      { start: 0, end: 1, speaker: 0 },
      { start: 1.4, end: 2.1, speaker: 1 },
      { start: 3, end: 4, speaker: 0 },
    ]
    expect(withSpeakers(given, reply).fillers).toEqual([{ start: 1.5, end: 2, sure: false }])
    expect(withSpeakers(transcriptOf(words), reply).fillers).toBe(undefined)
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
        const labelled = withSpeakers(transcriptOf(words), turns).words
        expect(labelled.map(({ speaker: _, ...word }) => word)).toEqual(words)
        expect(labelled.every(({ speaker }) => speaker === 0 || speaker === 1)).toBe(true)
        // Once the second one has the word, the first one does not get it back.
        expect(turnsOfWords(labelled).length).toBeLessThanOrEqual(2)
      }),
    )
  })
})
