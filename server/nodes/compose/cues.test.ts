import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { secondsToTicks } from '../../contract/time.ts'
import type { TranscriptWord } from '../../contract/transcript.ts'
import { spoken } from '../../../test/support/node-values.ts'
import { endsSentence, fits, groupWords, HOLD, PAUSE, type CueMeasure } from './cues.ts'
import { placeWords } from './placed-words.ts'
import { splitUnspacedWord, columns } from './script-words.ts'
import { buildTimeMap } from '../../contract/time-map/spans.ts'

const FPS = 30
const measure: CueMeasure = {
  maxCharsPerLine: 20,
  maxLines: 2,
  maxWords: 5,
  idealWords: 3.5,
  lineWidth: 12,
  face: { fontFamily: 'Montserrat', textCase: 'none' },
}

function place(words: TranscriptWord[], kept = [{ start: 0, end: 120, playbackRate: 1 }]) {
  const { timeMap, durationFrames } = buildTimeMap(
    kept,
    { numerator: FPS, denominator: 1 },
    secondsToTicks(600),
  )
  return { words: placeWords(words, timeMap), durationFrames }
}

function group(words: TranscriptWord[], over: Partial<CueMeasure> = {}) {
  const { words: placed, durationFrames } = place(words)
  return groupWords(placed, {
    framesPerSecond: FPS,
    durationFrames,
    measureOf: () => ({ ...measure, ...over }),
  })
}
const texts = (words: TranscriptWord[], over: Partial<CueMeasure> = {}) =>
  group(words, over).map((cue) => cue.words.map((word) => word.text).join(' '))

const arbitraryWords = fc
  .array(
    fc.record({
      word: fc.oneof(
        { weight: 6, arbitrary: fc.stringMatching(/^[a-zA-Z]{1,11}[.,?!]?$/) },
        {
          weight: 1,
          arbitrary: fc.constantFrom(
            'Donaudampfschifffahrtsgesellschaft',
            '今日はとても天気がいいですね',
            'مرحبا',
            '—',
            'éé',
          ),
        },
      ),
      gap: fc.oneof(
        fc.constant(0),
        fc.double({ min: -0.2, max: 0.3, noNaN: true }),
        fc.double({ min: 0.3, max: 2, noNaN: true }),
      ),
      length: fc.oneof(fc.constant(0), fc.double({ min: 0.02, max: 0.9, noNaN: true })),
      speaker: fc.constantFrom(0, 0, 0, 1),
      endsCue: fc.boolean(),
    }),
    { minLength: 1, maxLength: 60 },
  )
  .map((parts) => {
    let at = 0.5
    return parts.map(({ word, gap, length, speaker, endsCue }): TranscriptWord => {
      const start = Math.max(0, at + gap)
      at = start + length
      return { word, start, end: at, speaker, endsCue }
    })
  })

describe('cues', () => {
  it('hold every word once and in order, do not overlap, and fit', () => {
    fc.assert(
      fc.property(
        arbitraryWords,
        fc.integer({ min: 6, max: 40 }),
        fc.integer({ min: 1, max: 3 }),
        (words, maxCharsPerLine, maxLines) => {
          const over = { maxCharsPerLine, maxLines, maxWords: 8, lineWidth: 1000 }
          const { words: placed, durationFrames } = place(words)
          const cues = groupWords(placed, {
            framesPerSecond: FPS,
            durationFrames,
            measureOf: () => ({ ...measure, ...over }),
          })
          const sorted = words
            .map((word, index) => ({ word, index }))
            .toSorted((a, b) => a.word.start - b.word.start || a.index - b.index)
          expect(cues.flatMap((cue) => cue.words.map((word) => word.text)).join('')).toBe(
            sorted.map(({ word }) => word.word).join(''),
          )
          let last = 0
          for (const [index, cue] of cues.entries()) {
            expect(cue.startFrame).toBeGreaterThanOrEqual(last)
            expect(cue.endFrame).toBeGreaterThan(cue.startFrame)
            last = cue.endFrame
            expect(cue.endFrame).toBeLessThanOrEqual(durationFrames)
            const first = cue.words[0]
            const end = cue.words.at(-1)
            expect(first?.startFrame).toBe(cue.startFrame)
            expect(end?.endFrame).toBeLessThanOrEqual(cue.endFrame)
            expect(new Set(cue.words.map((word) => word.speaker)).size).toBe(1)
            cue.words.forEach((word, at) => {
              expect(word.endFrame).toBeGreaterThan(word.startFrame)
              const next = cue.words[at + 1]
              if (next === undefined) return
              expect(next.startFrame).toBeGreaterThanOrEqual(word.endFrame)
              expect(next.startFrame - word.endFrame).toBeLessThanOrEqual(PAUSE * FPS)
            })
            if (cue.words.length > 1) expect(fits(cue.words, { ...measure, ...over })).toBe(true)
            if (cue.words.length > 1)
              for (const word of cue.words) expect(columns(word.text)).toBeLessThanOrEqual(maxCharsPerLine)
            const next = cues[index + 1]
            const gap = next === undefined || end === undefined ? Infinity : next.startFrame - end.endFrame
            if (next !== undefined && gap <= HOLD * FPS) expect(cue.endFrame).toBe(next.startFrame)
            // Never a flash of nothing between two cues.
            if (next !== undefined && cue.endFrame < next.startFrame)
              expect(next.startFrame - cue.endFrame).toBeGreaterThan(3)
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  it('keep word times to the frame', () => {
    const placed = place(spoken('one two three', 1.23, 0.31, 0.11)).words
    expect(placed.map((word) => [word.startFrame, word.endFrame])).toEqual([
      [37, 46],
      [50, 59],
      [62, 71],
    ])
  })

  it('are short and break where speech does', () => {
    expect(
      texts(
        spoken(
          'So I went to the market, and I bought a small red bike. It was broken. Nobody knew why it did not work',
        ),
      ),
    ).toEqual([
      'So I went',
      'to the market,',
      'and I bought',
      'a small red bike.',
      'It was broken.',
      'Nobody knew why',
      'it did not work',
    ])
  })

  it('never cross a long pause, a change of speaker, or the end of a sentence that can stand alone', () => {
    const pause = [...spoken('a good', 0), ...spoken('idea now', 2)]
    expect(texts(pause)).toEqual(['a good', 'idea now'])
    const turn = spoken('yes it is').map((word, index) => ({ ...word, speaker: index < 2 ? 0 : 1 }))
    expect(texts(turn)).toEqual(['yes it', 'is'])
    expect(texts(spoken('It works. They all came', 0, 0.4))).toEqual(['It works.', 'They all came'])
  })

  it('do not flash a tiny sentence', () => {
    expect(texts(spoken('No. That is it', 0, 0.12, 0.02))).toEqual(['No. That is it'])
  })

  it('show one word at a time where the style does', () => {
    expect(texts(spoken('one two three'), { maxWords: 1, idealWords: 1, maxLines: 1 })).toEqual([
      'one',
      'two',
      'three',
    ])
  })

  it('end shortly after the last word before a pause, and at the next cue otherwise', () => {
    const cues = group([...spoken('this is here', 0, 0.3, 0), ...spoken('and there', 3, 0.3, 0)])
    expect(cues.map((cue) => [cue.startFrame, cue.endFrame])).toEqual([
      [0, 31],
      [90, 112],
    ])
  })
})

describe('placeWords', () => {
  const kept = [
    { start: 0, end: 1, playbackRate: 1 },
    { start: 2, end: 4, playbackRate: 2 },
  ]
  it('drops deleted and cut words and moves the rest', () => {
    const words: TranscriptWord[] = [
      { word: 'kept', start: 0.2, end: 0.5 },
      { word: 'gone', start: 0.5, end: 0.8, isDeleted: true },
      { word: 'cut', start: 1.2, end: 1.6 },
      { word: 'over', start: 0.9, end: 1.05 },
      { word: 'fast', start: 3, end: 3.5 },
    ]
    expect(
      place(words, kept).words.map(({ text, startFrame, endFrame }) => [text, startFrame, endFrame]),
    ).toEqual([
      ['kept', 6, 15],
      ['over', 27, 30],
      ['fast', 45, 53],
    ])
  })

  it('gives parts of a Japanese word their share of its time and no spaces', () => {
    const placed = place([
      { word: '今日はとても天気がいいですね。', start: 0, end: 3 },
      { word: '次', start: 3, end: 3.2 },
    ]).words
    expect(placed.map((word) => word.text).join('|')).toBe('今日はとても|天気がいいですね。|次')
    expect(placed.map((word) => word.joinsNext)).toEqual([true, true, false])
    expect(placed[0]?.startFrame).toBe(0)
    expect(placed.at(-2)?.endFrame).toBe(90)
  })
})

describe('splitUnspacedWord', () => {
  it('loses no letter and starts no part with closing punctuation', () => {
    const letters = fc.constantFrom(...'今日天気山川人はがいですねカタナッょー、。「」abc 1')
    fc.assert(
      fc.property(fc.array(letters, { maxLength: 40 }), (parts) => {
        const word = parts.join('')
        const split = splitUnspacedWord(word)
        expect(split.join('')).toBe(word)
        for (const part of split.slice(1)) expect(part).not.toMatch(/^[、。」ッょー]/u)
      }),
    )
  })
  it('leaves spaced scripts alone', () => {
    for (const word of ['Donaudampfschifffahrt', 'مرحبا', '안녕하세요여러분'])
      expect(splitUnspacedWord(word)).toEqual([word])
  })
})

it.each([
  ['done.', 'The', true],
  ['done.”', 'The', true],
  ['done.', 'and', false],
  ['Dr.', 'Smith', false],
  ['J.', 'Smith', false],
  ['really?', 'Yes', true],
  ['done', 'The', false],
  ['です。', '次', true],
  ['end.', undefined, true],
])('%s before %s ends a sentence: %s', (text, next, expected) => {
  expect(endsSentence(text, next)).toBe(expected)
})
