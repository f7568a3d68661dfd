import { describe, expect, it } from 'vitest'
import { contextOf } from '../../../test/support/node-context.ts'
import { factsOf } from '../../../test/support/node-values.ts'
import type { ClipLogos, ClipSound } from '../../contract/clip-measurements.ts'
import type { TranscriptWord } from '../../contract/transcript.ts'
import type { SpeechContext } from '../declare.ts'
import { fillerWords, findStutters } from './filler-words.ts'
import { findClips } from './find-clips.ts'
import { removeCurseWords } from './remove-curse-words.ts'
import { removeWatermark } from './remove-watermark.ts'
import { inSentences } from '../../../test/support/sentences.ts'

/** `|` is a pause of 1.2 s, `/` one of 1.3 s; otherwise words touch, 0.25 s each. */
function speak(text: string): TranscriptWord[] {
  let at = 0
  return text.split(' ').flatMap((word) => {
    if (word === '|' || word === '/') {
      at += word === '|' ? 1.2 : 1.3
      return []
    }
    const one = { word, start: at, end: at + 0.25 }
    at += 0.25
    return [one]
  })
}
const sound: ClipSound = { start: 0, hopSeconds: 0.1, levels: '', speechLevelDb: -20, noiseLevelDb: -60 }
const contextFor = (text: string, over: Partial<SpeechContext> = {}): SpeechContext => ({
  words: text === '' ? [] : speak(text),
  language: 'en',
  sound,
  hasSound: true,
  ...over,
})

describe('filler words', () => {
  type Wanted = NonNullable<Parameters<typeof fillerWords.compile>[0]['filler_words_config']>
  const clean = (text: string, wanted: Wanted = {}, over: Partial<SpeechContext> = {}) =>
    inSentences(fillerWords.speech?.({ filler_words_config: wanted }, contextFor(text, over)) ?? {})
  const drops = (...given: Parameters<typeof clean>) => clean(...given)?.drop?.map(({ index }) => index)

  it('are cut, and nothing else, where nothing is set', () =>
    expect(fillerWords.speech?.({}, contextFor('um we we go'))).toEqual({
      drop: [{ index: 0, must: false }],
      shortenPauses: false,
      warnings: [],
    }))

  it.each([
    ['stutters too', { stutteredWordsEnabled: true }, [0, 1]],
    ['stutters alone', { enabled: false, stutteredWordsEnabled: true }, [1]],
    ['a word once', { enabled: true }, [0]],
    ['pauses alone', { enabled: false, silencesEnabled: true }, []],
    ['nothing', { enabled: false }, undefined],
  ])('%s', (_, wanted, expected) => expect(drops('um we we go', wanted)).toEqual(expected))

  it('those without a word are cut where they are sure', () => {
    const sure = { start: 5, end: 5.4, sure: true }
    const fillers = [sure, { start: 6, end: 6.4, sure: false }]
    expect(clean('we go', {}, { sound: { ...sound, fillers } })?.cut).toEqual([sure])
    expect(
      clean('we go', { enabled: false, silencesEnabled: true }, { sound: { ...sound, fillers } })?.cut,
    ).toBe(undefined)
  })

  it('nothing at all is done where all is off', () => expect(clean('um', { enabled: false })).toEqual({}))

  it('pauses are shortened where that is on', () =>
    expect(clean('um', { silencesEnabled: true })).toMatchObject({ shortenPauses: true, warnings: [] }))

  const UNMEASURED =
    'filler_words worked by the times of the words alone and left the silences: the sound of this clip was not measured when it was made. A new run measures it.'
  const noisy = { ...sound, noiseLevelDb: -22 }
  it.each([
    ['no words', '', {}, {}, ['filler_words found no words to clean up.']],
    ['no sound', 'um', {}, { hasSound: false, sound: null }, []],
    [
      'no sound, for pauses',
      'um',
      { silencesEnabled: true },
      { hasSound: false, sound: null },
      ['filler_words left the silences: the source has no sound.'],
    ],
    ['unmeasured sound', 'um', {}, { sound: null }, [UNMEASURED]],
    ['a loud background', 'um', {}, { sound: noisy }, []],
    [
      'a loud background, for pauses',
      'um',
      { silencesEnabled: true },
      { sound: noisy },
      ['filler_words left the silences: the background is about as loud as the speech.'],
    ],
  ])('warn of %s', (_, text, wanted, over, warnings) =>
    expect(clean(text, wanted, over)?.warnings).toEqual(warnings),
  )
})

describe('stutters', () => {
  const found = (words: TranscriptWord[], fillers: number[] = [], language = 'en') =>
    [...findStutters(words, new Set(fillers), language)].join(' ')

  it.each([
    ['a word twice', 'we we go', '0'],
    ['a word thrice', 'we we we go', '0 1'],
    ['two words twice', 'we are we are here', '0 1'],
    ['three words twice', 'we are so we are so late', '0 1 2'],
    ['not four', 'we are so very we are so very late', ''],
    ['at the end', 'so we we', '1'],
    ['after a pause of 1.2 s', 'we | we go', '0'],
    ['not after a longer one', 'we / we go', ''],
    ['not after a longer one within', 'we are / we are here', ''],
    ['not over a comma within', 'we, are we, are here', ''],
    ['not over the end of a sentence', 'we. We go', ''],
    ['over a comma, of an opener', 'we, we go', '0'],
    ['not over a comma, of another small word', 'it, it is', ''],
    ['not of a number', 'go 4 4 times', ''],
    ['not of emphasis', 'very very good', ''],
    ['of a larger word', 'the shop shop is', '1'],
    ['not of a name', 'in Baden Baden we', ''],
    ['of a word that is a name only the first time', 'Shop shop is', '0'],
    ['not of a letter', 'x x is', ''],
    ['not of phrases that begin with a larger word', 'shop is shop is here', ''],
    ['of phrases that break off at an opener after a comma', 'it was the, it was the end', '0 1 2'],
    ['not of phrases after a comma', 'it was fun, it was fun there', ''],
    ['not of idioms', 'we go by and by and', ''],
    ['not of "and on and on"', 'on and on and on', ''],
    ['of "and so" twice', 'you and so and so we', '1 2'],
    ['past empty words', 'we - we go', '0'],
    ['of words broken off', 'th- there w— we go', '0 2'],
    ['of words broken off with a mark', 'a wo-, word', '1'],
    ['not of a whole word of five letters', 'there- thereby', ''],
    ['not of another beginning', 'th- we go', ''],
    ['not broken off at the end', 'we th-', ''],
    ['not broken off before a long pause', 'th- / there', ''],
    ['of none', '', ''],
  ])('%s: %s', (_, text, expected) => expect(found(text === '' ? [] : speak(text))).toBe(expected))

  it('are passed over fillers', () => expect(found(speak('we um we go'), [1])).toBe('0'))

  it('are small words only where the language is not known', () => {
    expect(found(speak('shop shop is'), [], 'xx')).toBe('')
    expect(found(speak('we we go'), [], 'xx')).toBe('')
  })

  it('drop the second word where the first is too short to be cut', () => {
    const words = (first: number, second: number, text = 'we'): TranscriptWord[] => [
      { word: 'we', start: 1, end: 1 + first },
      { word: text, start: 2, end: 2 + second },
      { word: 'go', start: 3, end: 4 },
    ]
    expect(found(words(0.0625, 0.25))).toBe('1')
    expect(found(words(0.125, 0.25))).toBe('0')
    expect(found(words(0.0625, 0.0625))).toBe('0')
    expect(found(words(0.0625, 0.03125))).toBe('0')
    const broken = words(0.0625, 0.25, 'well')
    expect(found([{ ...broken[0]!, word: 'we-' }, ...broken.slice(1)])).toBe('0')
    const phrase = speak('we are we are here').map((word, at) => (at === 0 ? { ...word, end: 0.05 } : word))
    expect(found(phrase)).toBe('0 1')
  })
})

describe('curse words', () => {
  type Wanted = NonNullable<Parameters<typeof removeCurseWords.compile>[0]['remove_curse_words_config']>
  const clean = (text: string, remove_curse_words_config?: Wanted) => {
    const edits = removeCurseWords.speech?.(
      remove_curse_words_config === undefined ? {} : { remove_curse_words_config },
      contextFor(text),
    )
    return edits && { ...edits, rewrite: edits.rewrite?.('oh shit') }
  }

  it.each([
    [
      'silenced, and masked in captions',
      undefined,
      { shownAs: new Map([[1, 's***']]), rewrite: 'oh s***', mute: [{ index: 1, kind: 'silence' }] },
    ],
    [
      'beeped over',
      { mode: 'beep' },
      { shownAs: new Map([[1, 's***']]), rewrite: 'oh s***', mute: [{ index: 1, kind: 'beep' }] },
    ],
    [
      'removed',
      { mode: 'remove' },
      { shownAs: new Map([[1, 's***']]), rewrite: 'oh s***', drop: [{ index: 1, must: true }] },
    ],
    [
      'also mild',
      { includeMild: true },
      {
        shownAs: new Map([
          [0, 'd***'],
          [1, 's***'],
        ]),
        rewrite: 'oh s***',
        mute: [
          { index: 0, kind: 'silence' },
          { index: 1, kind: 'silence' },
        ],
      },
    ],
    [
      'also one’s own',
      { words: ['go'] },
      {
        shownAs: new Map([
          [1, 's***'],
          [2, 'g*'],
        ]),
        rewrite: 'oh s***',
        mute: [
          { index: 1, kind: 'silence' },
          { index: 2, kind: 'silence' },
        ],
      },
    ],
  ] as [string, Wanted | undefined, unknown][])('are %s', (_, wanted, expected) =>
    expect(clean('damn shit go', wanted)).toEqual(expected),
  )

  it('need the levels of the sound only where they are removed', () => {
    expect(removeCurseWords.measures?.({})).toEqual([])
    expect(removeCurseWords.measures?.({ remove_curse_words_config: { mode: 'beep' } })).toEqual([])
    expect(removeCurseWords.measures?.({ remove_curse_words_config: { mode: 'remove' } })).toEqual([
      'sound-levels',
    ])
  })
})

describe('logos', () => {
  type Wanted = NonNullable<Parameters<typeof removeWatermark.compile>[0]['remove_watermark_config']>
  const clean = (remove_watermark_config: Wanted, logos?: ClipLogos) =>
    inSentences(
      removeWatermark.compile(
        { remove_watermark_config },
        contextOf({ document: logos === undefined ? {} : { logos } }),
      ),
    )
  const corner = { x: 10, y: 20, width: 20, height: 10 }
  const place = { x: 192, y: 216, width: 384, height: 108 }

  it('are blended away throughout the clip', () =>
    expect(clean({ regions: [corner] })).toEqual({
      patches: [{ rect: place, startFrame: 0, endFrame: 100 }],
      warnings: [],
    }))

  it.each([
    ['for a while', { ...corner, start: 2, end: 5 }, '20-50 192,216 384x108'],
    ['to the end of the clip', { ...corner, start: 2, end: 50 }, '20-100 192,216 384x108'],
    ['up to the edges of the picture', { x: 90, y: 95, width: 50, height: 50 }, '0-100 1728,1026 192x54'],
    ['of a quarter of the picture', { x: 0, y: 0, width: 50, height: 50 }, '0-100 0,0 960x540'],
    [
      'not of more',
      { x: 0, y: 0, width: 50, height: 50.1 },
      'remove_watermark: region 1 was left out: it covers more than 25 % of the picture.',
    ],
    ['of two pixels', { x: 0, y: 0, width: 0.1041, height: 0.185 }, '0-100 0,0 2x2'],
    [
      'not of one across',
      { x: 0, y: 0, width: 0.05, height: 1 },
      'remove_watermark: region 1 was left out: nothing of it lies in the picture.',
    ],
    [
      'not of one down',
      { x: 0, y: 20, width: 1, height: 0.09 },
      'remove_watermark: region 1 was left out: nothing of it lies in the picture.',
    ],
    [
      'not after the clip',
      { ...corner, start: 10 },
      'remove_watermark: region 1 was left out: its time lies outside the clip.',
    ],
    [
      'not backwards',
      { ...corner, start: 5, end: 2 },
      'remove_watermark: region 1 was left out: its time lies outside the clip.',
    ],
  ])('%s', (_, region, expected) => {
    const { patches = [], warnings = [] } = clean({ regions: [region] })
    const shown = patches.map(
      ({ rect, startFrame, endFrame }) =>
        `${startFrame}-${endFrame} ${rect.x},${rect.y} ${rect.width}x${rect.height}`,
    )
    expect([...shown, ...warnings].join(' ')).toBe(expected)
  })

  it('are numbered where they are left out', () =>
    expect(clean({ regions: [corner, { ...corner, width: 0 }] }).warnings).toEqual([
      'remove_watermark: region 2 was left out: nothing of it lies in the picture.',
    ]))

  const found = { places: [corner, { x: 0, y: 0, width: 99, height: 99 }], unsure: false }
  const LOOKED = 'remove_watermark: nobody looked for a logo (`auto`) when this clip was made.'
  const UNSURE =
    'remove_watermark: too little of the picture changes to tell a logo (`auto`) from what stands still behind it.'
  const NOT_FOUND =
    'remove_watermark: no logo was found that stands still near an edge of the picture (`auto`).'
  it.each([
    ['that were found', { auto: true }, found, 1, []],
    ['that were found, beside those that are named', { auto: true, regions: [corner] }, found, 2, []],
    [
      'not those that were found where that is off',
      {},
      found,
      0,
      ['remove_watermark has no regions: nothing was removed.'],
    ],
    [
      'not where nobody looked',
      { auto: true },
      undefined,
      0,
      [`${LOOKED} Name the places of logos in \`regions\`.`],
    ],
    [
      'only the named ones where nobody looked',
      { auto: true, regions: [corner] },
      undefined,
      1,
      [`${LOOKED} Only the named regions were removed.`],
    ],
    [
      'not where nothing moves',
      { auto: true },
      { places: [], unsure: true },
      0,
      [`${UNSURE} Name the places of logos in \`regions\`.`],
    ],
    [
      'not where there is none',
      { auto: true },
      { places: [], unsure: false },
      0,
      [`${NOT_FOUND} Name the places of logos in \`regions\`.`],
    ],
  ] as [string, Wanted, ClipLogos | undefined, number, string[]][])(
    '%s',
    (_, wanted, logos, count, warnings) => {
      const edits = clean(wanted, logos)
      expect(edits.patches).toEqual(
        Array.from({ length: count }, () => ({ rect: place, startFrame: 0, endFrame: 100 })),
      )
      expect(edits.warnings).toEqual(warnings)
    },
  )

  it('are none without a picture', () => {
    const facts = factsOf({ video: null })
    expect(
      inSentences(
        removeWatermark.compile({ remove_watermark_config: { regions: [corner] } }, contextOf({ facts })),
      ),
    ).toEqual({
      warnings: ['remove_watermark found no picture: the source has only sound.'],
    })
  })

  it('are looked for where that is on', () => {
    expect(removeWatermark.measures?.({})).toEqual([])
    expect(removeWatermark.measures?.({ remove_watermark_config: { auto: false } })).toEqual([])
    expect(removeWatermark.measures?.({ remove_watermark_config: { auto: true } })).toEqual(['logos'])
  })
})

describe('the lengths of clips', () => {
  function settle(base: object, layer: object) {
    const warnings: string[] = []
    const merged = findClips.settle?.({
      base: { ...base },
      layer: { ...layer },
      merged: { ...base, ...layer },
      warn: (message) => void warnings.push(message),
    })
    return { merged, warnings }
  }
  const template = { min_length: 20, max_length: 60, prompt: 'a' }

  it('the shortest moves the template’s longest', () =>
    expect(settle(template, { min_length: 90 })).toEqual({
      merged: { min_length: 90, max_length: 90, prompt: 'a' },
      warnings: [
        "The shortest clip of 90 s is above the template's longest of 60 s; clips of 90 s are looked for.",
      ],
    }))
  it('the longest moves the template’s shortest', () =>
    expect(settle(template, { max_length: 10 })).toEqual({
      merged: { min_length: 10, max_length: 10, prompt: 'a' },
      warnings: [
        "The longest clip of 10 s is below the template's shortest of 20 s; clips of 10 s are looked for.",
      ],
    }))
  it.each([
    ['they agree', template, { min_length: 30 }],
    ['they are equal', template, { min_length: 60 }],
    ['both are set at once', template, { min_length: 90, max_length: 10 }],
    ['neither is set', { min_length: 90, max_length: 10 }, { prompt: 'b' }],
    ['there is no shortest', { max_length: 60 }, { max_length: 10 }],
    ['there is no longest', { min_length: 60 }, { min_length: 90 }],
  ])('stay where %s', (_, base, layer) =>
    expect(settle(base, layer)).toEqual({ merged: { ...base, ...layer }, warnings: [] }),
  )

  it.each([
    ['nothing', {}, null],
    ['one that is longer', { min_length: 20, max_length: 60 }, null],
    ['one that is as long', { min_length: 60, max_length: 60 }, null],
    ['one alone', { min_length: 60 }, null],
    ['the other alone', { max_length: 60 }, null],
    [
      'one that is shorter',
      { min_length: 61, max_length: 60 },
      { path: 'min_length', expected: 'at most max_length (60)' },
    ],
    ['ranges', { pinnedTimestamps: [{ start: 1, end: 2 }] }, null],
    [
      'a range without length',
      {
        pinnedTimestamps: [
          { start: 1, end: 2 },
          { start: 3, end: 3 },
        ],
      },
      { path: 'pinnedTimestamps.1.end', expected: 'a number above the start of the range' },
    ],
  ])('are checked: %s', (_, config, expected) => expect(findClips.check?.(config)).toEqual(expected))
})
