import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TranscriptWord } from '../../contract/transcript.ts'
import { AppError } from '../../contract/errors.ts'
import { parseOperations } from './parse-operations.ts'
import { applyOperations, MAX_WORD_CHARACTERS } from './transcript-operations.ts'
import { measureSlowness } from '../../../test/support/pace.ts'

/** One word per second, from second 0; `~word` is deleted. */
function transcript(text: string): TranscriptWord[] {
  return text.split(' ').map((word, index) => ({
    word: word.replace('~', ''),
    start: index,
    end: index + 0.8,
    ...(word.startsWith('~') ? { isDeleted: true } : {}),
  }))
}

const shown = (words: readonly TranscriptWord[]): string =>
  words.map((word) => (word.isDeleted === true ? `~${word.word}` : word.word)).join(' | ')

function patch(words: readonly TranscriptWord[], operations: unknown, visible = () => true) {
  const parsed = parseOperations(operations)
  const applied = applyOperations(words, parsed.operations, visible)
  return { ...applied, warnings: [...parsed.warnings, ...applied.warnings] }
}

describe('text mode', () => {
  it.each<[string, string, Record<string, unknown>, string, number]>([
    [
      'replacing Schwarz in "Schwarz," gives "Cozz,"',
      'Mr Schwarz, hello',
      { from: 'Schwarz', to: 'Cozz' },
      'Mr | Cozz, | hello',
      1,
    ],
    ['case-insensitive by default', 'schwarz SCHWARZ', { from: 'Schwarz', to: 'Cozz' }, 'Cozz | Cozz', 2],
    [
      'case-sensitive with matchCase',
      'schwarz Schwarz',
      { from: 'Schwarz', to: 'Cozz', matchCase: true },
      'schwarz | Cozz',
      1,
    ],
    [
      'whole-word: not inside another word',
      'cats cat category',
      { from: 'cat', to: 'dog' },
      'cats | dog | category',
      1,
    ],
    ['replaces every occurrence', 'a b a b a', { from: 'a', to: 'x' }, 'x | b | x | b | x', 3],
    [
      'from may contain several words; the span collapses',
      'in new york city, now',
      { from: 'New York City', to: 'NYC' },
      'in | NYC, | ~york | ~city, | now',
      1,
    ],
    ['replacement is an accepted alias', 'one two', { from: 'two', replacement: 'three' }, 'one | three', 1],
    [
      'to wins over replacement',
      'one two',
      { from: 'two', to: 'three', replacement: 'four' },
      'one | three',
      1,
    ],
    [
      'empty to removes the span from the captions',
      'um, I mean yes',
      { from: 'I mean', to: '' },
      'um, | ~I | ~mean | yes',
      1,
    ],
    [
      'never across an already deleted word',
      'new ~big york new york',
      { from: 'new york', to: 'NY' },
      'new | ~big | york | NY | ~york',
      1,
    ],
    ['an already deleted word is not matched', '~um um', { from: 'um', to: 'hm' }, '~um | hm', 1],
    ['an operation matching nothing', 'one two', { from: 'three', to: 'x' }, 'one | two', 0],
    ['occurrences do not overlap', 'a a a', { from: 'a a', to: 'b' }, 'b | ~a | a', 1],
    [
      'to may hold several words',
      'in NYC today',
      { from: 'nyc', to: 'New York City' },
      'in | New York City | today',
      1,
    ],
    [
      'quotes and brackets are kept',
      'say “Schwarz!” (Schwarz)',
      { from: 'schwarz', to: 'Cozz' },
      'say | “Cozz!” | (Cozz)',
      2,
    ],
    [
      'punctuation in from is ignored',
      'Schwarz, and Schwarz',
      { from: '"Schwarz"', to: 'Cozz' },
      'Cozz, | and | Cozz',
      2,
    ],
    ['a mark that to brings is not doubled', 'really? yes.', { from: 'yes', to: 'no!' }, 'really? | no!', 1],
    ['apostrophes match, straight or curly', "don’t don't", { from: "don't", to: 'do' }, 'do | do', 2],
    ['signs of a name belong to it', 'C C# C++', { from: 'C', to: 'Rust' }, 'Rust | C# | C++', 1],
    ['accents match composed or not', 'Jose\u0301 says', { from: 'Jos\u00e9', to: 'Joe' }, 'Joe | says', 1],
  ])('%s', (_rule, before, operation, after, replaced) => {
    const done = patch(transcript(before), [operation])
    expect([shown(done.words), done.applied, done.replaced]).toEqual([after, 1, replaced])
  })

  it('what was put in is not looked at again, and a later operation sees it word by word', () => {
    const words = transcript('the cat sat')
    const done = patch(words, [
      { from: 'cat', to: 'cat and cat' },
      { from: 'and cat sat', to: 'sat' },
    ])
    expect(shown(done.words)).toBe('the | cat sat | ~sat')
    expect(done.words[1]).toMatchObject({ start: 1, end: 2.8 })
  })

  it('operations that double a text do not add up without end', () => {
    const double = { from: 'ha', to: 'ha ha' }
    const done = patch(
      transcript('ha'),
      Array.from({ length: 40 }, () => double),
    )
    expect(done.words[0]?.word.length).toBeLessThanOrEqual(MAX_WORD_CHARACTERS)
    expect(done.warnings.join()).toContain('characters')
  })
})

describe('a patch that is too much for one request', () => {
  const words = transcript(Array.from({ length: 3000 }, (_, n) => (n % 2 === 0 ? 'a,' : 'b')).join(' '))

  it('is refused as a whole, soon', () => {
    const swap = Array.from({ length: 20_000 }, (_, n) =>
      n % 2 === 0 ? { from: 'a', to: 'c' } : { from: 'c', to: 'a' },
    )
    const start = performance.now()
    expect(() => patch(words, swap)).toThrow('too much for one request')
    expect(performance.now() - start).toBeLessThan(5000 * measureSlowness())
  })

  it('thousands of corrections are not', () => {
    const each = words.map((_, index) => ({ index, to: `w${index}` }))
    const texts = Array.from({ length: 3000 }, (_, n) => ({ from: `w${n}`, to: 'x' }))
    expect(patch(words, [...each, ...texts]).replaced).toBe(6000)
  })
})

describe('time and index', () => {
  it('start and end select the words that overlap the range', () => {
    const done = patch(transcript('a b, c. d e'), [{ start: 1.5, end: 3.1, to: 'x' }])
    expect(shown(done.words)).toBe('a | x | ~c. | ~d | e')
    expect(done.words[1]).toEqual({ word: 'x', start: 1, end: 3.8 })
  })

  it('a word that only touches the range is not selected', () => {
    const done = patch(transcript('a b c'), [{ start: 0.8, end: 1, to: 'x' }])
    expect([shown(done.words), done.replaced]).toEqual(['a | b | c', 0])
  })

  it('index is one word, punctuation and all', () => {
    const done = patch(transcript('a b, c'), [{ index: 1, to: 'x' }])
    expect([shown(done.words), done.replaced]).toEqual(['a | x | c', 1])
  })

  it('index gives a removed word back; beyond the end it matches nothing', () => {
    const done = patch(transcript('a ~b c'), [
      { index: 1, to: 'b' },
      { index: 99, to: 'x' },
    ])
    expect([shown(done.words), done.applied, done.replaced]).toEqual(['a | b | c', 2, 1])
    expect(done.warnings).toEqual(['operations[1] matched no words.'])
  })

  it('the first word of the span takes the text and the whole timing; speaker and cue end go with it', () => {
    const words: TranscriptWord[] = [
      { word: 'one', start: 1, end: 1.4, speaker: 2, confidence: 0.3 },
      { word: 'two', start: 1.5, end: 2, speaker: 3, endsCue: true },
    ]
    const done = patch(words, [{ start: 0, end: 9, to: 'both' }])
    expect(done.words).toEqual([
      { word: 'both', start: 1, end: 2, speaker: 2, endsCue: true },
      { word: 'two', start: 1.5, end: 2, speaker: 3, endsCue: true, isDeleted: true },
    ])
    expect(words[0]?.word).toBe('one')
  })
})

describe('hidden words', () => {
  it('counts replacements that land on words the clip does not show', () => {
    const parsed = parseOperations([{ from: 'a', to: 'b' }])
    const done = applyOperations(transcript('a a a'), parsed.operations, (word) => word.start >= 1)
    expect([done.replaced, done.appliedToHiddenWords]).toEqual([3, 1])
  })
})

describe('operations that are not valid', () => {
  it.each<[string, unknown]>([
    ['missing', undefined],
    ['null', null],
    ['no list', { from: 'a', to: 'b' }],
    ['empty', []],
    ['no object', ['a']],
    ['no targeting mode', [{ to: 'x' }]],
    ['more than one targeting mode', [{ from: 'a', index: 0, to: 'x' }]],
    ['text and time', [{ from: 'a', start: 0, end: 1, to: 'x' }]],
    ['time and index', [{ start: 0, end: 1, index: 0, to: 'x' }]],
    ['to missing', [{ from: 'a' }]],
    ['to is no string', [{ from: 'a', to: 5 }]],
    ['from is no string', [{ from: 5, to: 'x' }]],
    ['from is empty', [{ from: ' ', to: 'x' }]],
    ['matchCase is no boolean', [{ from: 'a', to: 'x', matchCase: 'yes' }]],
    ['end missing', [{ start: 0, to: 'x' }]],
    ['start is no number', [{ start: '0', end: 1, to: 'x' }]],
    ['start after end', [{ start: 2, end: 1, to: 'x' }]],
    ['index is negative', [{ index: -1, to: 'x' }]],
    ['index is a fraction', [{ index: 0.5, to: 'x' }]],
  ])('%s: INVALID_OPERATIONS', (_name, operations) => {
    try {
      parseOperations(operations)
      expect.unreachable()
    } catch (error) {
      expect(error).toBeInstanceOf(AppError)
      expect((error as AppError).code).toBe('INVALID_OPERATIONS')
    }
  })

  it('one among valid ones is skipped with a warning; a field set to null counts as not sent', () => {
    const done = patch(transcript('a b'), [
      { from: 'a', index: 0, to: 'x' },
      { from: 'b', start: null, end: null, index: null, to: 'y' },
      { from: 'b', to: 'y', matchcase: true },
    ])
    expect([shown(done.words), done.applied, done.replaced]).toEqual(['a | y', 2, 1])
    expect(done.warnings).toEqual([
      'operations[0] was left out: it names words in more than one way: give "from", or "start" and "end", or "index".',
      'operations[2]: "matchcase" is not known and was ignored.',
      'operations[2] matched no words.',
    ])
  })
})

// An independent small model: words of one letter, maybe with a comma; a text operation is a scan over letters.
interface ModelWord {
  readonly text: string
  readonly deleted: boolean
  readonly from: number
  readonly to: number
}
type ModelOperation =
  | { from: string; to: string; matchCase: boolean }
  | { start: number; end: number; to: string }
  | { index: number; to: string }

function model(words: ModelWord[], operation: ModelOperation): ModelWord[] {
  const put = (list: ModelWord[], at: number[], text: string): ModelWord[] =>
    list.map((word, i) => {
      if (!at.includes(i)) return word
      if (text === '' || i !== at[0]) return { ...word, deleted: true }
      const span = list.filter((_, k) => at.includes(k))
      return { text, deleted: false, from: word.from, to: Math.max(...span.map((one) => one.to)) }
    })
  if ('index' in operation) {
    const word = words[operation.index]
    if (word === undefined || (word.deleted && operation.to === '')) return words
    return put(words, [operation.index], operation.to)
  }
  if ('start' in operation) {
    const at = words.flatMap((word, i) =>
      !word.deleted && word.from < operation.end && word.to > operation.start ? [i] : [],
    )
    return put(words, at, operation.to)
  }
  const bare = (text: string) => {
    const letter = text.replace(',', '')
    return operation.matchCase ? letter : letter.toLowerCase()
  }
  const wanted = operation.from.split(' ').map(bare)
  let done = words
  for (let i = 0; i < words.length;) {
    const at = wanted.map((_, k) => i + k)
    const hit = at.every((k, n) => {
      const word = done[k]
      return word !== undefined && !word.deleted && bare(word.text) === wanted[n]
    })
    if (hit) {
      const comma = done[i + wanted.length - 1]?.text.endsWith(',') === true ? ',' : ''
      done = put(done, at, operation.to === '' ? '' : operation.to + comma)
    }
    i += hit ? wanted.length : 1
  }
  return done
}

const letter = fc.constantFrom('a', 'b', 'A', 'c')
const modelWord = fc.record({ letter, comma: fc.boolean(), deleted: fc.boolean() })
const text = fc.oneof(letter, fc.constant(''))
const modelOperation: fc.Arbitrary<ModelOperation> = fc.oneof(
  fc.record({
    from: fc.array(letter, { minLength: 1, maxLength: 3 }).map((letters) => letters.join(' ')),
    to: text,
    matchCase: fc.boolean(),
  }),
  fc
    .record({ start: fc.nat(12), length: fc.nat(4), to: text })
    .map(({ start, length, to }) => ({ start, end: start + length, to })),
  fc.record({ index: fc.nat(12), to: text }),
)

describe('as properties', () => {
  it('does what the model does', () => {
    fc.assert(
      fc.property(
        fc.array(modelWord, { maxLength: 12 }),
        fc.array(modelOperation, { minLength: 1, maxLength: 5 }),
        (given, operations) => {
          const words = given.map((one, i): TranscriptWord => ({
            word: one.letter + (one.comma ? ',' : ''),
            start: i + 0.25,
            end: i + 0.75,
            ...(one.deleted ? { isDeleted: true } : {}),
          }))
          const start = words.map((word): ModelWord => ({
            text: word.word,
            deleted: word.isDeleted === true,
            from: word.start,
            to: word.end,
          }))
          const expected = operations.reduce(model, start)
          const { words: got, applied } = patch(words, operations)
          expect(applied).toBe(operations.length)
          expect(
            got.map((word) => ({
              text: word.word,
              deleted: word.isDeleted === true,
              from: word.start,
              to: word.end,
            })),
          ).toEqual(expected)
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('never adds, drops or reorders words, whatever is sent', () => {
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.double(),
      fc.constant(null),
      fc.boolean(),
      fc.nat(20),
    )
    const keys = ['from', 'to', 'replacement', 'start', 'end', 'index', 'matchCase', '__proto__', 'x']
    const anything = fc.array(
      fc
        .array(fc.tuple(fc.constantFrom(...keys), value), { maxLength: 6 })
        .map((entries) => Object.fromEntries(entries) as unknown),
      { minLength: 1, maxLength: 6 },
    )
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 8 }),
        anything,
        (texts, operations) => {
          const words = texts.map((word, i): TranscriptWord => ({ word, start: i, end: i + 1 }))
          let done
          try {
            done = patch(words, operations)
          } catch (error) {
            expect((error as AppError).code).toBe('INVALID_OPERATIONS')
            return
          }
          expect(done.words.length).toBe(words.length)
          done.words.forEach((word, i) => {
            expect(word.start).toBe(i)
            expect(word.end).toBeGreaterThanOrEqual(i + 1)
            expect(word.word.isWellFormed() || word.word === texts[i]).toBe(true)
          })
        },
      ),
      { numRuns: 1000 },
    )
  })
})
