import { describe, expect, it } from 'vitest'
import { spellNumber, soundsOf, usualSeconds } from './spoken-sounds.ts'

const kinds = (word: string) => soundsOf(word).map(({ kind }) => kind)
const V = 'vowel'
const N = 'sonorant'
const D = 'voicedStop'
const T = 'stop'
const S = 'hiss'
const H = 'breath'
const Z = 'buzz'
const U = 'unknown'

describe('the sounds of a written word', () => {
  it.each([
    ['nation', [N, V, S, V, N]],
    ['spacious', [S, T, V, S, V, S]],
    ['match', [N, V, S]],
    ['phone', [H, V, N]],
    ['make', [N, V, T]],
    ['makes', [N, V, T, S]],
    ['cage', [T, V, Z]],
    ['cages', [T, V, Z, V, S]],
    ['race', [N, V, S]],
    ['houses', [H, V, S, V, S]],
    ['box', [D, V, T, S]],
    ['queen', [T, N, V, N]],
    ['night', [N, V, T]],
    ['ghost', [D, V, S, T]],
    ['city', [S, V, T, V]],
    ['gem', [Z, V, N]],
    ['yes', [N, V, S]],
    ['edge', [V, Z]],
    ['sing', [S, V, N]],
    ['back', [D, V, T]],
    ['ladder', [N, V, D, V, N]],
    ['vez', [Z, V, Z]],
    ['radio', [N, V, D, V, V]],
    ['beauty', [D, V, V, T, V]],
    ['шум', [S, V, N]],
    ['баба', [D, V, D, V]],
    ['тон', [T, V, N]],
    ['зонт', [Z, V, N, T]],
    ['φως', [H, V, S]],
    ['日本', [U, V, U, V]],
    ['سلام', [U, U, U, U]],
    ["don't", [D, V, N, T]],
    ['****', [V, T]],
    ['sh**', [S, V, T]],
  ])('%s', (word, expected) => {
    expect(kinds(word)).toEqual(expected)
  })

  it('of figures and signs are those of the words that are said for them', () => {
    expect(soundsOf('50%')).toEqual(soundsOf('fifty percent'))
    expect(soundsOf('R&D')).toEqual(soundsOf('r and d'))
    expect(soundsOf('$5')).toEqual(soundsOf('five dollars'))
    expect(soundsOf('$1,250.50')).toEqual(
      soundsOf('one thousand two hundred and fifty point five zero dollars'),
    )
    expect(soundsOf('B2B')).toEqual(soundsOf('b two b'))
    expect(soundsOf('WELL-known!')).toEqual(soundsOf('well known'))
  })

  it('are shorter in words that are said in passing, longer for two vowels that are one', () => {
    expect(usualSeconds('the')).toBeCloseTo(0.62 * (0.075 + 0.09), 9)
    expect(usualSeconds('go')).toBeCloseTo(0.06 + 0.09, 9)
    expect(usualSeconds('boat')).toBeCloseTo(0.06 + 0.13 + 0.085, 9)
    expect(usualSeconds('日')).toBeCloseTo(0.06 + 0.11, 9)
    expect(usualSeconds('gh')).toBeCloseTo(0.15, 9)
    expect(soundsOf('…')).toEqual([])
  })
})

describe('a number', () => {
  it.each([
    ['0', 'zero'],
    ['13', 'thirteen'],
    ['20', 'twenty'],
    ['99', 'ninety nine'],
    ['100', 'one hundred'],
    ['101', 'one hundred and one'],
    ['999', 'nine hundred and ninety nine'],
    ['1000', 'one thousand'],
    ['1100', 'eleven hundred'],
    ['1905', 'nineteen oh five'],
    ['1910', 'nineteen ten'],
    ['2000', 'two thousand'],
    ['2009', 'two thousand nine'],
    ['2010', 'twenty ten'],
    ['2100', 'two thousand one hundred'],
    ['1,905', 'one thousand nine hundred and five'],
    ['12000', 'twelve thousand'],
    ['1000000', 'one million'],
    ['2,000,000,000', 'two billion'],
    ['3000000000000', 'three trillion'],
    [
      '999999999999999',
      'nine hundred and ninety nine trillion nine hundred and ninety nine billion nine hundred and ninety nine million nine hundred and ninety nine thousand nine hundred and ninety nine',
    ],
    ['1234567890123456', 'one two three four five six seven eight nine zero one two three four five six'],
    ['0.25', 'zero point two five'],
    ['.5', 'point five'],
    ['42.', 'forty two'],
    ['42,.', 'forty two'],
    ['1961,', 'nineteen sixty one'],
    ['05', 'zero five'],
    ['1.2.3', 'one point two point three'],
  ])('%s is “%s”', (digits, spelt) => {
    expect(spellNumber(digits)).toBe(spelt)
  })
})
