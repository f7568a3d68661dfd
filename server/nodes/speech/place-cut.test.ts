import { describe, expect, it } from 'vitest'
import { encodeLevels, type ClipSound } from '../../contract/clip-measurements.ts'
import { frameGrid } from './frame-grid.ts'
import { canBeCut, placePauseCuts, placeWordCut, type CutRules, type Zone } from './place-cut.ts'

const HOP = 0.02
const QUIET = -70
const LOUD = -20

/** Five seconds that are quiet but for some stretches: `[from, to, dB]`. */
function soundOf(loud: readonly (readonly [number, number, number?])[]): ClipSound {
  const levels = Array.from({ length: 250 }, (_, hop) => {
    const middle = (hop + 0.5) * HOP
    const [, , level = LOUD] = loud.find(([from, to]) => from < middle && middle < to) ?? [0, 0, QUIET]
    return level
  })
  return { start: 0, hopSeconds: HOP, levels: encodeLevels(levels), speechLevelDb: LOUD, noiseLevelDb: QUIET }
}

const fine = frameGrid({ numerator: 100, denominator: 1 })
const coarse = frameGrid({ numerator: 25, denominator: 1 })
const zone = (start: number, end: number, over: Partial<Zone> = {}): Zone => ({
  start,
  end,
  opens: false,
  closes: false,
  afterSentence: false,
  ...over,
})
const rules = (over: Partial<CutRules> = {}): CutRules => ({
  grid: fine,
  sound: null,
  shortenPauses: false,
  ...over,
})
/** To the hundredth of a second: frames are no shorter here. */
const rounded = <Cut extends { start: number; end: number } | null>(cut: Cut) =>
  cut && [Math.round(cut.start * 100) / 100, Math.round(cut.end * 100) / 100]

describe('where a word is cut, by its times alone', () => {
  it.each([
    ['leaves a breath on both sides', zone(0.8, 1.6), [0.9, 1.5]],
    ['leaves a longer breath after a sentence', zone(0.8, 1.6, { afterSentence: true }), [0.96, 1.5]],
    ['reaches a quarter of a second into a long pause', zone(0, 3), [0.75, 1.55]],
    ['cuts the word alone where its neighbours touch it', zone(1, 1.3), [1, 1.3]],
    ['keeps a margin where there is little room', zone(0.97, 1.33), [1, 1.3]],
    ['takes all of an opening that is quiet', zone(0.8, 1.6, { opens: true }), [0.8, 1.5]],
    ['takes all of an ending that is quiet', zone(0.8, 1.5, { closes: true }), [0.9, 1.5]],
    ['takes the whole zone of a clip of one word', zone(0.9, 1.4, { opens: true, closes: true }), [0.9, 1.4]],
    ['takes an opening that is 0.33 s long', zone(0.67, 3, { opens: true }), [0.67, 1.55]],
    ['leaves the start of an opening that is longer', zone(0.66, 3, { opens: true }), [0.76, 1.55]],
    ['takes an ending that is 0.33 s long', zone(0, 1.63, { closes: true }), [0.75, 1.63]],
    ['leaves the end of an ending that is longer', zone(0, 1.64, { closes: true }), [0.75, 1.54]],
    ['cuts a word that begins before its zone from there', zone(1.1, 2), [1.1, 1.55]],
    ['cuts a word that ends after its zone up to there', zone(0, 1.2), [0.75, 1.2]],
    ['cuts nothing outside of its zone', zone(1.3, 2), null],
    ['cuts nothing before its zone', zone(0, 1), null],
  ])('%s', (_, within, expected) =>
    expect(rounded(placeWordCut({ start: 1, end: 1.3 }, within, rules()))).toEqual(expected),
  )

  it.each([
    ['a word of 0.07 s goes', 1.07, [1, 1.07]],
    ['a word of 0.06 s stays', 1.06, null],
  ])('%s', (_, end, expected) =>
    expect(rounded(placeWordCut({ start: 1, end }, zone(1, end), rules()))).toEqual(expected),
  )

  it.each([
    ['leaves a breath on both sides', zone(0.8, 1.6), [0.88, 1.48]],
    ['stays inside a zone off the grid', zone(0.99, 1.31), [1, 1.28]],
    ['stays inside a zone on the grid', zone(1, 1.32), [1, 1.28]],
  ])('on the frames of 25 a second, %s', (_, within, expected) =>
    expect(rounded(placeWordCut({ start: 1, end: 1.3 }, within, rules({ grid: coarse })))).toEqual(expected),
  )
})

describe('where a word is cut, by its sound', () => {
  const place = (
    within: Zone,
    loud: readonly (readonly [number, number, number?])[],
    over: Partial<CutRules> = {},
  ) => rounded(placeWordCut({ start: 2, end: 2.4 }, within, rules({ sound: soundOf(loud), ...over })))
  const word = [2, 2.4] as const

  it.each([
    ['reaches into the silence around it', zone(1, 3.4), [word], [1.75, 2.65]],
    ['stops at what sounds before it', zone(1, 3.4), [word, [1.7, 1.9]], [1.91, 2.65]],
    ['stops at what sounds after it', zone(1, 3.4), [word, [2.5, 2.8]], [1.75, 2.48]],
    ['stays at the word where it sounds on', zone(1, 3.4), [[1.5, 2.9]], [2, 2.4]],
    ['counts a silence that ends two hops before the word', zone(1, 3.4), [[1.96, 2.44]], [1.75, 2.65]],
    ['counts none that ends three hops before it', zone(1, 3.4), [[1.94, 2.46]], [2, 2.4]],
    [
      'moves to a quieter frame nearby',
      zone(1.7, 2.7),
      [word, [1.78, 1.82, -60], [2.58, 2.62, -60]],
      [1.83, 2.63],
    ],
    [
      'does not move for a little',
      zone(1.7, 2.7),
      [word, [1.78, 1.82, -68.5], [2.58, 2.62, -68.5]],
      [1.8, 2.6],
    ],
  ] as [string, Zone, [number, number, number?][], unknown][])('%s', (_, within, loud, expected) =>
    expect(place(within, loud)).toEqual(expected),
  )

  it.each([
    ['takes the whole pause but for a breath', zone(1, 3.4), [word], [1.1, 3.3]],
    ['leaves more after a sentence', zone(1, 3.4, { afterSentence: true }), [word], [1.16, 3.3]],
    ['stops at what sounds before it', zone(1, 3.4), [word, [1.3, 1.5]], [1.51, 3.3]],
    ['stops at what sounds after it', zone(1, 3.4), [word, [2.9, 3]], [1.1, 2.88]],
    ['takes all of a silent opening', zone(0.3, 3.4, { opens: true }), [word], [0.3, 3.3]],
    ['takes an opening with 0.08 s of sound', zone(1, 3.4, { opens: true }), [word, [1, 1.08]], [1, 3.3]],
    ['leaves an opening with 0.1 s of sound', zone(1, 3.4, { opens: true }), [word, [1, 1.1]], [1.11, 3.3]],
    ['takes all of a silent ending', zone(1, 4.2, { closes: true }), [word], [1.1, 4.2]],
    ['takes an ending with 0.08 s of sound', zone(1, 3.4, { closes: true }), [word, [3.32, 3.4]], [1.1, 3.4]],
    ['leaves an ending with 0.1 s of sound', zone(1, 3.4, { closes: true }), [word, [3.3, 3.4]], [1.1, 3.28]],
  ] as [string, Zone, [number, number, number?][], unknown][])(
    'with short pauses, %s',
    (_, within, loud, expected) => expect(place(within, loud, { shortenPauses: true })).toEqual(expected),
  )
})

describe('pauses that are shortened', () => {
  const place = (within: Zone, loud: readonly (readonly [number, number])[] = []) =>
    placePauseCuts(within, rules({ sound: soundOf(loud), shortenPauses: true })).map(rounded)

  it.each([
    ['0.14 s stay on each side', zone(1, 2), [], [[1.14, 1.86]]],
    ['0.18 s stay after a sentence', zone(1, 2, { afterSentence: true }), [], [[1.18, 1.86]]],
    ['a pause of half a second stays', zone(1, 1.5), [], []],
    ['a longer one does not', zone(1, 1.51), [], [[1.14, 1.37]]],
    ['a cut is 0.2 s at least', zone(1, 1.52, { afterSentence: true }), [], [[1.18, 1.38]]],
    ['a shorter one is none', zone(1, 1.51, { afterSentence: true }), [], []],
    [
      '0.08 s stay beside a sound that is no word',
      zone(1, 3),
      [[1.8, 2.2]],
      [
        [1.14, 1.72],
        [2.28, 2.86],
      ],
    ],
    [
      'a silence of 0.34 s between two sounds is too short to count',
      zone(1, 3),
      [
        [1, 1.5],
        [1.84, 3],
      ],
      [],
    ],
    [
      'one of 0.38 s is not',
      zone(1, 3),
      [
        [1, 1.5],
        [1.88, 3],
      ],
      [[1.58, 1.8]],
    ],
    ['nothing is cut from a stretch that sounds', zone(1, 3), [[1, 3]], []],
  ] as [string, Zone, [number, number][], unknown][])('%s', (_, within, loud, expected) =>
    expect(place(within, loud)).toEqual(expected),
  )

  it('stay where the sound was not measured', () => expect(placePauseCuts(zone(1, 3), rules())).toEqual([]))

  it('are cut on frames of the output', () =>
    expect(
      placePauseCuts(zone(1.01, 2.01), rules({ grid: coarse, sound: soundOf([]) })).map(rounded),
    ).toEqual([[1.16, 1.88]]))
})

it('whatever was not measured may be cut, and otherwise only what is silent', () => {
  expect(canBeCut({ start: 1, end: 2 }, null)).toBe(true)
  expect(canBeCut({ start: 1, end: 2 }, soundOf([]))).toBe(true)
  expect(canBeCut({ start: 1, end: 2 }, soundOf([[1.5, 1.6]]))).toBe(false)
})
