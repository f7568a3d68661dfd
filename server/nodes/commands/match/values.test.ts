/** Numbers, times and colours as people write them. */
import { describe, expect, it } from 'vitest'
import { LENGTH, NUMBER, readColour, readNumber, readTime, TIME } from './values.ts'

const NUMBERS: readonly (readonly [text: string, value: number | null])[] = [
  ['12', 12],
  ['0', 0],
  [' 12 ', 12],
  ['1.5', 1.5],
  ['1,5', 1.5],
  ['10.25', 10.25],
  ['1.', null],
  ['.5', null],
  ['1.2.3', null],
  ['x12', null],
  ['12x', null],
  ['-3', null],
  ['', null],
  ['   ', null],
  ['a', 1],
  ['an', 1],
  ['An', 1],
  ['and', 0],
  ['zero', 0],
  ['one', 1],
  ['two', 2],
  ['three', 3],
  ['four', 4],
  ['five', 5],
  ['six', 6],
  ['seven', 7],
  ['eight', 8],
  ['nine', 9],
  ['ten', 10],
  ['eleven', 11],
  ['twelve', 12],
  ['thirteen', 13],
  ['fourteen', 14],
  ['fifteen', 15],
  ['sixteen', 16],
  ['seventeen', 17],
  ['eighteen', 18],
  ['nineteen', 19],
  ['twenty', 20],
  ['thirty', 30],
  ['forty', 40],
  ['fifty', 50],
  ['sixty', 60],
  ['seventy', 70],
  ['eighty', 80],
  ['ninety', 90],
  ['Twenty Five', 25],
  ['twenty-five', 25],
  ['twenty  five', 25],
  ['hundred', 100],
  ['a hundred', 100],
  ['one hundred', 100],
  ['two hundred', 200],
  ['two hundred and fifty', 250],
  ['a hundred and one', 101],
  ['half', 0.5],
  ['half a', 0.5],
  ['half an', 0.5],
  ['a half', 0.5],
  ['one and a half', 1.5],
  ['two and a half', 2.5],
  ['a quarter', 0.25],
  ['a quarter of a', 0.25],
  ['couple', 2],
  ['a couple', 2],
  ['a couple of', 2],
  ['a few', 3],
  ['banana', null],
  ['two bananas', null],
  ['bandana', null],
  ['constructor', null],
]
describe('readNumber', () => {
  it.each(NUMBERS)('%j is %j', (text, value) => {
    expect(readNumber(text)).toBe(value)
  })
})

const TIMES: readonly (readonly [text: string, value: number | null])[] = [
  ['the start', 0],
  ['The Beginning', 0],
  ['the end', 90],
  ['THE END', 90],
  [' the end ', 90],
  ['the end of it', null],
  ['to the end', null],
  ['the start of it', null],
  ['from the start', null],
  ['start', null],
  ['0:12', 12],
  ['1:00', 60],
  ['1:02.5', 62.5],
  ['1:02,5', 62.5],
  ['1:02:03', 3723],
  ['1:02:03.5', 3723.5],
  [' 0:07 ', 7],
  ['12', 12],
  ['1.5', 1.5],
  ['12s', 12],
  ['12 s', 12],
  ['12 sec', 12],
  ['12 secs', 12],
  ['12sec', 12],
  ['12 second', 12],
  ['12 seconds', 12],
  ['12 Seconds', 12],
  ['two seconds', 2],
  ['half a second', 0.5],
  ['a second', 1],
  ['one and a half seconds', 1.5],
  ['a couple of seconds', 2],
  ['a few seconds', 3],
  ['second', 1],
  ['Second', 1],
  ['minute', 60],
  ['a minute', 60],
  ['half a minute', 30],
  ['2m', 120],
  ['2 m', 120],
  ['2 min', 120],
  ['2 mins', 120],
  ['2 minute', 120],
  ['2 minutes', 120],
  ['2 Minutes', 120],
  ['two minutes', 120],
  ['one and a half minutes', 90],
  ['two minutes 5 seconds', 125],
  ['2 min 5 s', 125],
  ['2 minutes and 5 seconds', 125],
  ['2 minutes and five', 125],
  ['1 minute and a half', 60.5],
  ['two minutes and', 120],
  ['some minutes', null],
  ['two minutes of bananas', null],
  ['some minutes and bananas', null],
  ['2 seconds later', null],
  ['secondly', null],
  ['seconds 3', null],
  ['nonsense', null],
  ['', null],
]
describe('readTime', () => {
  it.each(TIMES)('%j is %j of 90 seconds', (text, value) => {
    expect(readTime(text, 90)).toBe(value)
  })
})

const whole = (pattern: string, text: string): boolean => new RegExp(`^(?:${pattern})$`, 'iu').test(text)

describe('patterns', () => {
  it.each(['7', '12', '1.5', '1,25', 'a', 'an', 'two', 'a couple', 'a couple of', 'half a', 'an half'])(
    'a number: %j',
    (text) => {
      expect(whole(NUMBER, text)).toBe(true)
    },
  )
  it.each(['one and a half', 'twenty-five', 'two hundred and fifty', 'a quarter of a', 'few'])(
    'a number of several words: %j',
    (text) => {
      expect(whole(NUMBER, text)).toBe(true)
    },
  )
  it.each(['', 'x', '1.', '.5', 'twofold', "two's", 'apple', '1.x', 'and', 'of'])('no number: %j', (text) => {
    expect(whole(NUMBER, text)).toBe(false)
  })

  it.each(['2 s', '2s', '2 sec', '2 secs', '2 second', 'two seconds', 'half a second', 'second', 'minute'])(
    'a length: %j',
    (text) => {
      expect(whole(LENGTH, text)).toBe(true)
    },
  )
  it.each(['2 m', '2m', '2 min', '2 mins', 'one minute', '2 minutes', '2 minutes 5 s', '1 min and 5 secs'])(
    'a length of minutes: %j',
    (text) => {
      expect(whole(LENGTH, text)).toBe(true)
    },
  )
  it.each(['2', 'two', '0:12', 'the end', 'seconds', 'minutes', '2 sx', '2 months', '2 minutes 5'])(
    'no length: %j',
    (text) => {
      expect(whole(LENGTH, text)).toBe(false)
    },
  )

  it.each(['0:12', '1:02.5', '1:02,25', '123:45', '1:02:03', '1:02:03.5', '12', '12 s', 'two seconds'])(
    'a time: %j',
    (text) => {
      expect(whole(TIME, text)).toBe(true)
    },
  )
  it.each(['the start', 'the beginning', 'the end', '2 minutes', '2 minutes and 5 seconds', '2 min 5 s'])(
    'a time in words: %j',
    (text) => {
      expect(whole(TIME, text)).toBe(true)
    },
  )
  it.each(['', 'start', 'the middle', '0:1', '1:2:3', '1234:00', '0:12:3', 'later', 'the ending'])(
    'no time: %j',
    (text) => {
      expect(whole(TIME, text)).toBe(false)
    },
  )
})

const COLOURS: readonly (readonly [text: string, value: string | null])[] = [
  ['constructor', null],
  ['yellow', '#ffff00'],
  [' Yellow ', '#ffff00'],
  ['light blue', '#add8e6'],
  ['light-blue', '#add8e6'],
  ['lightblue', '#add8e6'],
  ['dark slate grey', '#2f4f4f'],
  ['hot pink', '#ff69b4'],
  ['hot-pink', '#ff69b4'],
  ['neon green', '#39ff14'],
  ['neon pink', '#ff2bd6'],
  ['neon yellow', '#f5ff1f'],
  ['Neon Blue', '#1f51ff'],
  ['bright yellow', '#fff200'],
  ['bright red', '#ff1a1a'],
  ['bright green', '#00e64d'],
  ['bright blue', '#1a6dff'],
  ['bright orange', '#ff8c1a'],
  ['bright pink', '#ff4fa3'],
  ['pale yellow', '#fff7b0'],
  ['light orange', '#ffc680'],
  ['dark yellow', '#c9a800'],
  ['off white', '#f5f2ea'],
  ['off-white', '#f5f2ea'],
  ['amber', '#ffbf00'],
  [' amber ', '#ffbf00'],
  ['mint', '#98f5c9'],
  ['cream', '#fff5d6'],
  ['lilac', '#c8a2c8'],
  ['sky blue', '#87ceeb'],
  ['navy blue', '#000080'],
  ['royal blue', '#4169e1'],
  ['#fd0', '#ffdd00'],
  ['#FFD60A', '#ffd60a'],
  ['#ffd60a80', '#ffd60a80'],
  ['#ff', null],
  ['#ggg', null],
  ['x#fd0', null],
  ['#fd0x', null],
  ['red!', null],
  ['1red', null],
  ['add', null],
  ['fd0', null],
  ['ffd60a', null],
  ['dad bee', null],
  ['banana', null],
  ['', null],
]
describe('readColour', () => {
  it.each(COLOURS)('%j is %j', (text, value) => {
    expect(readColour(text)).toBe(value)
  })
})
