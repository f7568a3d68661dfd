/** Messages to clauses, and one clause held against a command that is made for it. */
import { Type, type TProperties } from '@sinclair/typebox'
import { describe, expect, it } from 'vitest'
import type { Command, Phrasing } from '../declare.ts'
import {
  choice,
  colour,
  count,
  factor,
  flag,
  mark,
  moment,
  number,
  optional,
  text,
  where,
} from '../params.ts'
import { readAfterLabel, readCommand } from './read-command.ts'
import { understand, withPlainQuotes } from './understand.ts'
import { clauseOf, unmasked } from './ways.ts'

const LENGTH = 60

describe('withPlainQuotes', () => {
  it.each([
    ['cut “so”', 'cut "so"'],
    ['cut „so“', 'cut "so"'],
    ['cut «so»', 'cut "so"'],
    ['cut ‘so’', 'cut "so"'],
    ["cut 'so'", 'cut "so"'],
    ['cut `so`', 'cut "so"'],
    ["'so', 'then'", '"so", "then"'],
    ["('so')", '("so")'],
    ["say:'so'.", 'say:"so".'],
    ["'don't go' now", '"don\'t go" now'],
    ['don’t', "don't"],
    ["the dog's 'bone'", 'the dog\'s "bone"'],
    ["rock 'n roll", "rock 'n roll"],
    ['all the "um"s', 'all the ums'],
    ['the "ums"', 'the ums'],
    ["“Um”'s", 'Ums'],
    ['"umbrella"', '"umbrella"'],
    ['  a \t b  ', 'a b'],
    ['a\u00a0b', 'a b'],
    ['a\nb', 'a\nb'],
  ])('%j is %j', (written, plain) => {
    expect(withPlainQuotes(written)).toBe(plain)
  })
})

describe('clauseOf', () => {
  it('puts a letter for each quote, and unmasked puts them back', () => {
    const clause = clauseOf('cut "a" and " b c "', 9)
    expect(clause).toEqual({ rest: 'cut \ue000 and \ue001', quotes: ['a', 'b c'], length: 9 })
    expect(unmasked(clause.rest, clause.quotes)).toBe('cut a and b c')
    expect(unmasked(clause.rest, clause.quotes, '"')).toBe('cut "a" and "b c"')
    expect(clauseOf('nothing', 3)).toEqual({ rest: 'nothing', quotes: [], length: 3 })
  })
})

const partsOf = (message: string): string[] =>
  understand(message, LENGTH).map((part) => `${part.kind === 'call' ? part.call.name : '?'}: ${part.text}`)

const MUTE = 'caption_switch: captions off'
const FAST = 'speed: make it faster'
describe('politeness', () => {
  it.each([
    'captions off',
    ' captions off ',
    'Please captions off',
    'pls, captions off',
    'ok captions off',
    'okay, so now captions off',
    'hey, can you captions off',
    'could you would you captions off',
    "let's captions off",
    "I'd like you to captions off",
    'thank you, captions off',
    '- captions off',
    '• captions off',
    '... captions off',
    'captions off please',
    'captions off, thanks',
    'captions off, if you can',
    'captions off for me, would you',
    'captions off as well, cheers',
    'captions off too!',
    'captions off!?.',
    'please captions off, please, thank you!',
  ])('%j is one wish', (message) => {
    expect(partsOf(message)).toEqual([MUTE])
  })
  it.each(['', ' ', 'please', 'Thanks!', 'ok, thank you', 'hey', 'please, thanks.', '...', 'well then'])(
    '%j is no wish',
    (message) => {
      expect(partsOf(message)).toEqual([])
    },
  )
})

describe('separators', () => {
  it.each([
    ', ',
    '; ',
    '. ',
    '! ',
    '? ',
    '\n',
    '\n\n',
    ';',
    ' and ',
    ', and ',
    ' then ',
    ', then ',
    '; then ',
  ])('%j stands between wishes', (separator) => {
    expect(partsOf(`captions off${separator}make it faster`)).toEqual([MUTE, FAST])
  })
  it.each([
    ' and then ',
    ' and also ',
    ' plus ',
    ' but also ',
    ' but ',
    ' & ',
    ', and then ',
    '. Then ',
    '. Also, ',
  ])('%j stands between wishes too', (separator) => {
    expect(partsOf(`captions off${separator}make it faster`)).toEqual([MUTE, FAST])
  })
  it('says the same once in a row', () => {
    expect(partsOf('captions off, captions off')).toEqual([MUTE])
    expect(partsOf('captions off, make it faster, captions off')).toEqual([MUTE, FAST, MUTE])
  })
  it('keeps the words of what it does not understand', () => {
    expect(partsOf('bake a “nice” cake, captions off')).toEqual(['?: bake a "nice" cake', MUTE])
    expect(partsOf('captions off. Sing me a song!')).toEqual([MUTE, '?: Sing me a song'])
  })
})

const command = (
  fields: TProperties,
  says: readonly Phrasing[],
  more: { fillers?: string } = {},
): Command => ({
  name: 'test',
  label: 'Test',
  description: '',
  examples: ['test'],
  says,
  ...more,
  params: Type.Object(fields, { additionalProperties: false }),
  run: () => 'help',
})
const read = (
  fields: TProperties,
  says: Phrasing,
  words: string,
  how: 'exact' | 'open' | 'loose' = 'exact',
) => readCommand(command(fields, [says]), clauseOf(words, LENGTH), how)
const size = { size: number({ minimum: 10, maximum: 90 }) }

describe('words of a phrasing', () => {
  it.each<readonly [says: Phrasing, words: string, given: object | null]>([
    ['grow @size', 'grow 20', { size: 20 }],
    ['grow @size', '20 grow', { size: 20 }],
    ['grow  @size ', 'please make it grow to 20', { size: 20 }],
    ['grow @size', 'grow twenty', { size: 20 }],
    ['grow @size', 'grow', null],
    ['grow @size', 'grow 9', null],
    ['grow @size', 'grow 10', { size: 10 }],
    ['grow @size', 'grow 90', { size: 90 }],
    ['grow @size', 'grow 91', null],
    ['grow @size', 'grow 20 bananas', null],
    ['grow @size', 'grow 20 30', null],
    ['grow @size', 'grow 20 %', null],
    ['grow @size', 'regrow 20', null],
    ['grow @size', 'grows 20', null],
    ['grow|swell @size', 'swell 20', { size: 20 }],
    ['grow_up @size', 'grow up 20', { size: 20 }],
    ['grow_up @size', 'grow 20', null],
    ['grow', 'grow 20', { size: 20 }],
    ['grow', 'grow', null],
    [['grow', { size: 30 }], 'grow', { size: 30 }],
    [['grow', { size: 30 }], 'grow 40', { size: 40 }],
    [['grow', {}], 'grow', null],
  ])('%j reads %j as %j', (says, words, given) => {
    expect(read(size, says, words)).toEqual(given)
  })
  it('needs one of the parameters, unless the pair says that it does not', () => {
    const fields = optional(size)
    expect(read(fields, 'grow', 'grow')).toBeNull()
    expect(read(fields, 'grow', 'grow 20')).toEqual({ size: 20 })
    expect(read(fields, ['grow', {}], 'grow')).toEqual({})
    expect(read({}, 'grow', 'grow')).toEqual({})
    expect(read({}, 'grow', 'shrink')).toBeNull()
  })
  it('passes over fillers of the command', () => {
    const with_ = (fillers?: string) =>
      readCommand(
        command({}, ['grow'], fillers === undefined ? {} : { fillers }),
        clauseOf('grow like bananas', LENGTH),
        'exact',
      )
    expect(with_()).toBeNull()
    expect(with_('like bananas')).toEqual({})
  })
  it('takes the first phrasing that fits', () => {
    const both = command(size, [['grow', { size: 30 }], ['grow', { size: 40 }], 'swell @size'])
    expect(readCommand(both, clauseOf('grow', LENGTH), 'exact')).toEqual({ size: 30 })
    expect(readCommand(both, clauseOf('swell 50', LENGTH), 'exact')).toEqual({ size: 50 })
    expect(readCommand(both, clauseOf('swell 50', LENGTH), 'exact', ['grow'])).toBeNull()
  })
})

describe('parameters by kind', () => {
  const share = { v: number({ minimum: 0, maximum: 1 }, 'share') }
  const percent = { v: number({ minimum: 0, maximum: 100 }, 'percent') }
  const half = { v: number({}, 'number', { 7: 'lucky', 8: 'luckier' }) }
  const rate = { v: factor({ minimum: 0.1, maximum: 4 }, { 2: 'double' }) }
  const grown = { v: factor({ minimum: 0.1, maximum: 4 }, {}, true) }
  const lines = { v: count({ minimum: 1, maximum: 9 }, 'lines?') }
  const pick = { v: choice({ high: 'top|high', low: 'low' }) }
  it.each<readonly [fields: TProperties, words: string, value: unknown]>([
    [share, 'go 30%', 0.3],
    [share, 'go 0.3', 0.3],
    [share, 'go 30', 0.3],
    [share, 'go 1', 1],
    [share, 'go 100 percent', 1],
    [share, 'go 101%', undefined],
    [percent, 'go 30%', 30],
    [percent, 'go thirty per cent', 30],
    [percent, 'go 30', undefined],
    [half, 'go lucky', 7],
    [half, 'go luckier', 8],
    [half, 'go 1,5', 1.5],
    [rate, 'go 1.5x', 1.5],
    [rate, 'go 3 times faster', 3],
    [rate, 'go at 2 times', 2],
    [rate, 'go 150%', 1.5],
    [rate, 'go 50%', 0.5],
    [rate, 'go double', 2],
    [rate, 'go 5x', undefined],
    [grown, 'go 50%', 1.5],
    [grown, 'go 100%', 1],
    [grown, 'go 150%', 1.5],
    [lines, 'go 3 lines', 3],
    [lines, 'go one line', 1],
    [lines, 'go 3', undefined],
    [lines, 'go 1.5 lines', undefined],
    [lines, 'go 10 lines', undefined],
    [pick, 'go top', 'high'],
    [pick, 'go low', 'low'],
    [pick, 'go middle', undefined],
    [{ v: colour() }, 'go light blue', 'light blue'],
    [{ v: colour() }, 'go #fd0', '#fd0'],
    [{ v: colour() }, 'go banana', undefined],
    [{ v: flag('') }, 'go on', true],
    [{ v: flag('') }, 'go off', false],
    [{ v: flag('', 'shine') }, 'go shine', true],
    [{ v: mark('', 'everywhere') }, 'go everywhere', true],
    [{ v: moment('') }, 'go at 0:12', 12],
    [{ v: moment('') }, 'go at the end', LENGTH],
    [{ v: text('', 'called') }, 'go "so  be it"', 'so  be it'],
    [{ v: text('', 'called') }, 'go called so be it', undefined],
  ])('%# %j is %j', (fields, words, value) => {
    expect(read(fields, 'go @v', words)).toEqual(value === undefined ? null : { v: value })
  })
})

describe('where', () => {
  it.each<readonly [words: string, given: object | null]>([
    ['go from 0:03 to 0:05', { from: 3, to: 5 }],
    ['go between 3 and 5', { from: 3, to: 5 }],
    ['go 0:03-0:05', { from: 3, to: 5 }],
    ['go from 0:05 to 0:03', null],
    ['go from 0:05 to 0:05', null],
    ['go at 0:05 for 2 seconds', { from: 5, to: 7 }],
    ['go for 2 seconds from 0:05', { from: 5, to: 7 }],
    ['go for the first 4 seconds', { from: 0, to: 4 }],
    ['go over the last 4 seconds', { from: 56, to: 60 }],
    ['go over the last 2 minutes', { from: 0, to: 60 }],
    ['go everything after 0:20', { from: 20, to: 60 }],
    ['go everything before 0:20', { from: 0, to: 20 }],
    ['go at 0:20', { from: 20 }],
    ['go on "three times"', { phrase: 'three times' }],
  ])('%j is %j', (words, given) => {
    expect(read(where, 'go', words)).toEqual(given)
  })
  it('takes words without quotes only where it may', () => {
    expect(read(where, 'go', 'go when he says three times')).toBeNull()
    expect(read(where, 'go', 'go when he says three times', 'open')).toEqual({ phrase: 'three times' })
    expect(read(where, 'go', 'go at the words three times', 'open')).toEqual({ phrase: 'three times' })
    expect(read(where, 'go', 'go at 0:20', 'open')).toBeNull()
  })
})

describe('readAfterLabel', () => {
  it.each<readonly [fields: TProperties, typed: string, given: object | null]>([
    [size, '20', { size: 20 }],
    [size, '', null],
    [size, 'big', null],
    [optional(size), '', {}],
    [{ v: text('', 'called') }, ' any words ', { v: 'any words' }],
    [{ v: text('', 'called') }, '"quoted"', { v: 'quoted' }],
    [{ v: text('', 'called') }, ' ', null],
    [where, '0:03 to 0:05', { from: 3, to: 5 }],
    [where, 'three times', { phrase: 'three times' }],
  ])('%# %j is %j', (fields, typed, given) => {
    expect(readAfterLabel(command(fields, ['test']), typed, LENGTH)).toEqual(given)
  })
})
