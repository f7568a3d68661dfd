import { describe, expect, it } from 'vitest'
import { endsSentence, fits, groupWords, type CueMeasure } from './cues.ts'
import type { PlacedWord } from './placed-words.ts'

const MEASURE: CueMeasure = {
  maxCharsPerLine: 60,
  maxLines: 1,
  maxWords: 3,
  idealWords: 2.5,
  lineWidth: 100,
  face: { fontFamily: 'Montserrat', textCase: 'none' },
}

const word = (text: string, startFrame: number, endFrame: number, over: Partial<PlacedWord> = {}) => ({
  text,
  startFrame,
  endFrame,
  speaker: 0,
  endsCue: false,
  joinsNext: false,
  index: startFrame,
  ...over,
})

/** Words of 30 frames each, one right after the other; `lengths` and `gaps` (before a word) where they differ. */
function talk(text: string, { lengths = {}, gaps = {} }: Record<string, Record<number, number>> = {}) {
  let at = 0
  return text.split(' ').map((spoken, index) => {
    const start = at + (gaps[index] ?? 0)
    at = start + (lengths[index] ?? 30)
    return word(spoken, start, at, { index })
  })
}

function cuesOf(words: readonly PlacedWord[], over: Partial<CueMeasure> = {}, framesPerSecond = 30) {
  const durationFrames = 10_000
  return groupWords(words, { framesPerSecond, durationFrames, measureOf: () => ({ ...MEASURE, ...over }) })
}
const linesOf = (words: readonly PlacedWord[], over: Partial<CueMeasure> = {}, framesPerSecond = 30) =>
  cuesOf(words, over, framesPerSecond).map((cue) => cue.words.map(({ text }) => text).join(' '))

describe('of two breaks that are as good, the better place is taken', () => {
  const plain = 'one two three four five'
  it.each<[string, string[], PlacedWord[]]>([
    ['the earlier one', ['one two', 'three four five'], talk(plain)],
    ['after a comma', ['one two three,', 'four five'], talk('one two three, four five')],
    ['after a comma in quotes', ['one two three,”)', 'four five'], talk('one two three,”) four five')],
    ['not after a comma within', ['one two', 'thr,ee four five'], talk('one two thr,ee four five')],
    ['after a sentence', ['one two three!', 'Four five'], talk('one two three! Four five')],
    ['before a new thought', ['one two three', 'because five'], talk('one two three because five')],
    ['after a pause', ['one two three', 'four five'], talk(plain, { gaps: { 3: 12 } })],
    [
      'before a new thought rather than after a tiny pause',
      ['one two three', 'because five'],
      talk('one two three because five', { gaps: { 2: 3 } }),
    ],
    [
      'after a short pause rather than before a new thought',
      ['one two', 'three because five'],
      talk('one two three because five', { gaps: { 2: 6 } }),
    ],
    [
      'where the captions of the source end',
      ['one two three', 'four five'],
      talk(plain).map((one, at) => ({ ...one, endsCue: at === 2 })),
    ],
    [
      'not within a word',
      ['one two three', 'four five'],
      talk(plain).map((one, at) => ({ ...one, joinsNext: at === 1, index: at === 2 ? 1 : at })),
    ],
    [
      'between words without a space',
      ['one two', 'three four five'],
      talk(plain).map((one, at) => ({ ...one, joinsNext: at === 1 })),
    ],
  ])('%s', (_name, lines, words) => {
    expect(linesOf(words)).toEqual(lines)
  })

  it.each<[string, string[], PlacedWord[], Partial<CueMeasure>]>([
    ['halves of equal length', ['one two', 'three four'], talk('one two three four'), { idealWords: 2 }],
    ['not after a small word', ['one', 'the three four'], talk('one the three four'), { idealWords: 2 }],
    ['a small word in capitals', ['one', '“The three four'], talk('one “The three four'), { idealWords: 2 }],
    [
      'no cue too short to read',
      ['one two three', 'four'],
      talk('one two three four', { lengths: { 0: 5, 1: 5 } }),
      { idealWords: 2 },
    ],
    [
      'a short cue before a pause',
      ['one two', 'three four'],
      talk('one two three four', { lengths: { 0: 3, 1: 3 }, gaps: { 2: 12 } }),
      { idealWords: 2 },
    ],
    [
      'no last cue too short to read',
      ['one', 'two three four'],
      talk('one two three four', { lengths: { 2: 5, 3: 5 } }),
      { idealWords: 2 },
    ],
    [
      'a last cue that stays a moment longer',
      ['one two', 'three four'],
      talk('one two three four', { lengths: { 2: 6, 3: 6 } }),
      { idealWords: 2 },
    ],
    [
      'no sentence end inside',
      ['one two.', 'Three four'],
      talk('one two. Three four'),
      { maxWords: 4, idealWords: 4 },
    ],
    [
      'one cue of one sentence',
      ['one two three four.'],
      talk('one two three four.'),
      { maxWords: 4, idealWords: 4 },
    ],
    [
      'no more words than there may be',
      ['one', 'two three'],
      talk('one two three'),
      { maxWords: 2, idealWords: 9 },
    ],
    ['no longer lines', ['one two', 'three'], talk('one two three'), { maxCharsPerLine: 8 }],
    ['one word however long', ['donaudampf', 'schiff'], talk('donaudampf schiff'), { maxCharsPerLine: 8 }],
    [
      'one word at a time, however short',
      ['a', 'b'],
      talk('a b', { lengths: { 0: 2, 1: 2 } }),
      { maxWords: 1 },
    ],
  ])('%s', (_name, lines, words, over) => {
    expect(linesOf(words, over)).toEqual(lines)
  })
})

describe('a cue always ends', () => {
  it('at a pause longer than seven tenths of a second', () => {
    expect(linesOf([word('one', 0, 10), word('two', 24, 30)], {}, 20)).toEqual(['one two'])
    expect(linesOf([word('one', 0, 10), word('two', 25, 30)], {}, 20)).toEqual(['one', 'two'])
  })

  it('where another person speaks, whose style then counts', () => {
    const words = [
      word('one', 0, 30),
      word('two', 30, 60, { speaker: 1 }),
      word('three', 60, 90, { speaker: 1 }),
    ]
    const measureOf = (speaker: number) => ({ ...MEASURE, maxWords: speaker === 1 ? 1 : 3 })
    const cues = groupWords(words, { framesPerSecond: 30, durationFrames: 900, measureOf })
    expect(cues).toEqual([
      { words: [words[0]], startFrame: 0, endFrame: 30, speaker: 0 },
      { words: [words[1]], startFrame: 30, endFrame: 60, speaker: 1 },
      { words: [words[2]], startFrame: 60, endFrame: 94, speaker: 1 },
    ])
  })

  it('nowhere without words', () => {
    expect(cuesOf([])).toEqual([])
  })
})

describe('a cue is shown', () => {
  const shown = (words: readonly PlacedWord[], framesPerSecond: number, durationFrames = 10_000) =>
    groupWords(words, {
      framesPerSecond,
      durationFrames,
      measureOf: () => ({ ...MEASURE, maxWords: 1, idealWords: 1 }),
    }).map(({ startFrame, endFrame }) => [startFrame, endFrame])

  it.each([
    // At 20 frames a second: bridged up to 7 frames, else 2.4 longer than spoken, and at least 12.
    ['until the next one that is near', 37, 20, [0, 37]],
    ['a little longer than it is spoken', 38, 20, [0, 32]],
    ['until the next one rather than with a flicker', 34, 20, [0, 34]],
  ])('%s', (_name, next, rate, expected) => {
    expect(shown([word('one', 0, 30), word('two', next, next + 30)], rate)[0]).toEqual(expected)
  })

  it.each([
    // At 25 frames a second: at least 15, and dark for at least 3.
    ['for six tenths of a second at least', 40, [2, 17]],
    ['dark for 3 frames after it', 20, [2, 17]],
    ['not dark for 2 frames', 19, [2, 19]],
  ])('%s', (_name, next, expected) => {
    expect(shown([word('one', 2, 7), word('two', next, next + 30)], 25)[0]).toEqual(expected)
  })

  it.each([
    ['a little longer than the last word', 38, 34],
    ['until the end of the clip rather than with a flicker', 37, 37],
    ['not beyond the end of the clip', 32, 32],
    ['not beyond the end of a clip that its last word touches', 30, 30],
  ])('%s', (_name, durationFrames, end) => {
    expect(shown([word('one', 0, 30)], 30, durationFrames)).toEqual([[0, end]])
  })
})

describe('words fit', () => {
  const three = talk('aaaa bbbb cccc')
  it.each<[string, readonly PlacedWord[], Partial<CueMeasure>, boolean]>([
    ['two of three on a line', three, { maxCharsPerLine: 9, maxLines: 2 }, true],
    ['not all on one line', three, { maxCharsPerLine: 9, maxLines: 1 }, false],
    ['not on two lines that are too short', three, { maxCharsPerLine: 8, maxLines: 2 }, false],
    ['on three lines', three, { maxCharsPerLine: 8, maxLines: 3 }, true],
    ['all on one', three, { maxCharsPerLine: 14 }, true],
    ['none', [], {}, true],
    ['alone however long', talk('aaaaaaaaaa'), { maxCharsPerLine: 3 }, true],
    ['not with one that is too long', talk('aaaaaaaaaa b'), { maxCharsPerLine: 9, maxLines: 2 }, false],
    [
      'not with one that is too long after it',
      talk('b aaaaaaaaaa'),
      { maxCharsPerLine: 9, maxLines: 2 },
      false,
    ],
    [
      'without the space that is not written',
      [word('aaaa', 0, 1, { joinsNext: true }), word('bbbb', 1, 2)],
      { maxCharsPerLine: 8 },
      true,
    ],
    [
      'with the space that is written after them',
      [word('aa', 0, 1, { joinsNext: true }), word('bb', 1, 2), word('cc', 2, 3)],
      { maxCharsPerLine: 6 },
      false,
    ],
    ['by their width', talk('aaaa bbbb'), { lineWidth: 5.34 }, true],
    [
      'where they are just as wide',
      [word('a', 0, 1, { joinsNext: true }), word('b', 1, 2)],
      { lineWidth: 1.26 },
      true,
    ],
    ['not where they are wider', talk('aaaa bbbb'), { lineWidth: 5.32 }, false],
    ['with their emoji', [word('aa', 0, 1, { emoji: '🔥' }), word('b', 1, 2)], { maxCharsPerLine: 7 }, true],
    [
      'not where the emoji is too much',
      [word('aa', 0, 1, { emoji: '🔥' }), word('b', 1, 2)],
      { maxCharsPerLine: 6 },
      false,
    ],
  ])('%s', (_name, words, over, expected) => {
    expect(fits(words, { ...MEASURE, ...over })).toBe(expected)
  })
})

describe('a sentence ends', () => {
  it.each([
    'done.',
    'done!',
    'done?',
    'done…',
    'done。',
    'done！',
    'done？',
    'done؟',
    'done।',
    'done.”’»)]',
    'Dr!',
    'e.g!',
    'x?',
  ])('after %s', (text) => {
    expect(endsSentence(text, 'The')).toBe(true)
    expect(endsSentence(text, '“The')).toBe(true)
    expect(endsSentence(text, '5')).toBe(true)
    expect(endsSentence(text, 'ǅ')).toBe(true)
    expect(endsSentence(text, '5 und')).toBe(false)
    expect(endsSentence(text, 'मैं')).toBe(true)
    expect(endsSentence(text, '“and')).toBe(false)
    expect(endsSentence(text, undefined)).toBe(true)
  })

  it.each(['done', 'do.ne', 'done,', 'Mr.', '((etc.', 'e.g.', 'J.', '“St.”', 'No.'])(
    'not after %s',
    (text) => {
      expect(endsSentence(text, 'The')).toBe(false)
      expect(endsSentence(text, undefined)).toBe(false)
    },
  )
})
