import { describe, expect, it } from 'vitest'
import type { BrollCandidate } from '../../contract/clip-broll.ts'
import type { PlacedWord } from '../compose/placed-words.ts'
import { boundsOf, chooseBroll, findMentions, maxInserts, type ChoiceInput } from './choose.ts'

/** Frames per second: a word is half a second, five frames. */
const RATE = 10

const picture = (
  id: string,
  tags: readonly string[],
  over: Partial<BrollCandidate> = {},
): BrollCandidate => ({
  id,
  provider: 'library',
  kind: 'image',
  url: `https://example.com/${id}`,
  name: '',
  tags: [...tags],
  durationSeconds: null,
  credit: '',
  ...over,
})

/** Words one after the other; those at the given places say what is given, the others `x`. */
function talk(count: number, said: Record<number, string> = {}): PlacedWord[] {
  return Array.from({ length: count }, (_, index) => ({
    text: said[index] ?? 'x',
    startFrame: index * 5,
    endFrame: index * 5 + 5,
    speaker: 0,
    endsCue: false,
    joinsNext: false,
    index,
  }))
}
const speak = (text: string) => {
  const parts = text.split(' ')
  return talk(parts.length, Object.fromEntries(parts.entries()))
}

/** `20-50 whale: a`, and `a+1` where it comes the second time. */
const choose = (
  words: readonly PlacedWord[],
  candidates: readonly BrollCandidate[],
  over: Partial<ChoiceInput> = {},
) =>
  chooseBroll({
    words,
    durationFrames: words.length * 5,
    framesPerSecond: RATE,
    candidates,
    frequency: 'high',
    topics: { prompt: '', keywords: [] },
    ...over,
  }).map(
    ({ startFrame, endFrame, matched, candidate, use }) =>
      `${startFrame}-${endFrame} ${matched}: ${candidate.id}${use === 0 ? '' : `+${use}`}`,
  )

describe('how many a clip may have', () => {
  it.each([
    ['none under 5 s', 49, 'high', 0],
    ['one from 5 s on', 50, 'high', 1],
    ['one of nearly 12 s and the edges', 149, 'high', 1],
    ['two of 12 s', 150, 'high', 2],
    ['three of 18 s', 210, 'high', 3],
    ['one of 10 s', 210, 'medium', 1],
    ['two of 20 s', 230, 'medium', 2],
    ['one of 20 s, and never none', 100, 'low', 1],
    ['two of 40 s', 430, 'low', 2],
    ['not two of a little less', 429, 'low', 1],
  ] as const)('%s: %i frames at %s', (_, durationFrames, frequency, expected) =>
    expect(maxInserts({ durationFrames, framesPerSecond: RATE, frequency })).toBe(expected),
  )
})

describe('an insert', () => {
  const whale = [picture('w', ['whale'])]
  it.each([
    ['begins with the phrase of its word', 'x x x x, x whale x x x x x x x x x x x x', ['20-50 whale: w']],
    [
      'begins with a phrase one second before',
      'x x x x, x x whale x x x x x x x x x x x',
      ['20-50 whale: w'],
    ],
    [
      'begins with the word when its phrase began earlier',
      'x x x x, x x x whale x x x x x x x x x x x',
      ['35-65 whale: w'],
    ],
    [
      'begins with the word when its phrase began in the hook',
      'x x x, x whale x x x x x x x x x x x x',
      ['20-50 whale: w'],
    ],
    ['is not for a word in the hook', 'x x x whale x x x x x x x x x x x x', []],
    ['ends with the phrase, at two seconds', 'x x x x, whale x x x, x x x x x x x x', ['20-40 whale: w']],
    ['ends with the phrase, at four seconds', 'x x x x, whale x x x x x x x, x x x x x', ['20-60 whale: w']],
    ['does not end with one sooner or later', 'x x x x, whale x x, x x x x x x, x x x', ['20-50 whale: w']],
    ['ends nearest to three seconds', 'x x x x, whale x x x x, x x x, x x x x', ['20-45 whale: w']],
    ['ends nearest to three seconds, later', 'x x x x, whale x x x, x x x, x x x x x', ['20-55 whale: w']],
    ['ends sooner where both are as near', 'x x x x, whale x x x, x x x x, x x x x', ['20-40 whale: w']],
    ['ends with the clip but for its last second', 'x x x x, whale x x x x x', ['20-40 whale: w']],
    ['is not for what comes too late', 'x x x x, whale x x x x', []],
  ])('%s', (_, text, expected) => expect(choose(speak(text), whale)).toEqual(expected))

  it('covers all the words that name it', () => {
    const words = speak('x x x x, big, old, grey, whale, x x x x x x x x x x x x').map((word, at) => ({
      ...word,
      startFrame: at < 4 ? at * 5 : 20 + (at - 4) * 10,
      endFrame: at < 4 ? at * 5 + 5 : 30 + (at - 4) * 10,
    }))
    expect(choose(words, [picture('w', ['big old grey whale'])], { durationFrames: 180 })).toEqual([
      '20-60 big, old, grey, whale,: w',
    ])
  })

  it('is three seconds long where no word ends in time', () => {
    const words = speak('x x x x, whale').map((word) =>
      word.text === 'whale' ? { ...word, endFrame: 100 } : word,
    )
    expect(choose(words, whale, { durationFrames: 110 })).toEqual(['20-50 whale: w'])
    expect(choose(words, whale, { durationFrames: 55 })).toEqual(['20-45 whale: w'])
  })

  it('is none in a clip without words or without pictures', () => {
    expect(choose([], whale, { durationFrames: 300 })).toEqual([])
    expect(choose(talk(60, { 20: 'whale' }), [])).toEqual([])
  })
})

describe('where there are more moments than inserts', () => {
  const places = [picture('town', ['york']), picture('city', ['new york'])]
  it('the one that fits best is shown, early or late', () => {
    const low = { frequency: 'low' } as const
    expect(choose(talk(60, { 10: 'york', 30: 'new', 31: 'york' }), places, low)).toEqual([
      '150-180 new york: city',
    ])
    expect(choose(talk(60, { 10: 'new', 11: 'york', 40: 'york' }), places, low)).toEqual([
      '50-80 new york: city',
    ])
    expect(choose(talk(60, { 10: 'york', 40: 'york' }), places, low)).toEqual(['50-80 york: town'])
  })

  /** Two inserts in 50 s: the whale, which fits best, and the sea or the lake. */
  it.each([
    [
      'the one further from others is next',
      { 28: 'sea', 76: 'lake' },
      ['250-280 grey whale: w', '380-410 lake: l'],
    ],
    ['also when it is the earlier', { 24: 'sea', 72: 'lake' }, ['120-150 sea: s', '250-280 grey whale: w']],
    [
      'the earlier when both are as far',
      { 28: 'sea', 72: 'lake' },
      ['140-170 sea: s', '250-280 grey whale: w'],
    ],
    [
      'the earlier when both are far enough',
      { 10: 'sea', 82: 'lake' },
      ['50-80 sea: s', '250-280 grey whale: w'],
    ],
    ['none when both are too near', { 29: 'sea', 71: 'lake' }, ['250-280 grey whale: w']],
  ])('%s', (_, said, expected) => {
    const candidates = [picture('w', ['grey whale']), picture('s', ['sea']), picture('l', ['lake'])]
    const words = talk(100, { 50: 'grey', 51: 'whale', ...said })
    expect(choose(words, candidates, { frequency: 'low' })).toEqual(expected)
  })
})

describe('what is shown again', () => {
  it('is nothing while there is something else for the same words', () => {
    const both = [picture('a', ['whale']), picture('b', ['whale'])]
    expect(choose(talk(100, { 10: 'whale', 30: 'whale', 50: 'whale', 70: 'whale' }), both)).toEqual([
      '50-80 whale: a',
      '150-180 whale: b',
      '250-280 whale: a+1',
      '350-380 whale: b+1',
    ])
  })

  it('is nothing while something named was not shown', () => {
    const both = [picture('a', ['whale']), picture('b', ['sea'])]
    expect(choose(talk(100, { 20: 'whale', 22: 'sea', 60: 'whale' }), both)).toEqual(['100-130 whale: a'])
    expect(choose(talk(100, { 20: 'whale', 40: 'sea', 60: 'whale' }), both)).toEqual([
      '100-130 whale: a',
      '200-230 sea: b',
      '300-330 whale: a+1',
    ])
  })

  it('is nothing that only the prompt names', () => {
    const words = talk(100, { 19: 'x.', 39: 'x.', 59: 'x.' })
    const topics = { prompt: 'Show american football', keywords: [] }
    const candidates = [picture('f', ['football']), picture('a', ['american football', 'football'])]
    expect(choose(words, candidates, { topics })).toEqual(['100-130 prompt: a', '200-230 prompt: f'])
    expect(choose(words, candidates.slice(0, 1), { topics })).toEqual(['100-130 prompt: f'])
    expect(choose(words, [picture('t', ['tennis'])], { topics })).toEqual([])
  })
})

describe('phrases and sentences', () => {
  const bounds = (words: readonly PlacedWord[], rate = RATE) => {
    const { phrase, sentence } = boundsOf(words, rate)
    return words.map(({ text }, at) => `${sentence[at] ? '§' : phrase[at] ? '|' : ''}${text}`).join(' ')
  }
  it('begin after marks', () =>
    expect(bounds(speak('a. b, c; d: e – f — g! h? i… j。 k、 l." m,” n o'))).toBe(
      '§a. §b, |c; |d: |e – |f — |g! §h? §i… §j。 §k、 |l." §m,” |n o',
    ))

  it('begin with another speaker, and phrases after captions', () => {
    const words = speak('a b c d')
    const at = (index: number, over: Partial<PlacedWord>) => words.with(index, { ...words[index]!, ...over })
    expect(bounds(at(2, { speaker: 1 }))).toBe('§a b §c §d')
    expect(bounds(at(1, { endsCue: true }))).toBe('§a b |c d')
  })

  it('begin after a pause of 0.35 s, not of less', () => {
    const apart = (frames: number) => [
      ...talk(1),
      ...talk(1).map((word) => ({ ...word, startFrame: 5 + frames, endFrame: 10 + frames })),
    ]
    expect(bounds(apart(7), 20)).toBe('§x |x')
    expect(bounds(apart(6), 20)).toBe('§x x')
    expect(bounds([])).toBe('')
  })
})

describe('mentions', () => {
  const mentions = (
    text: string,
    candidates: readonly BrollCandidate[],
    topics: Partial<ChoiceInput['topics']> = {},
  ) =>
    findMentions(speak(text), candidates, { prompt: '', keywords: [], ...topics }).map(
      ({ first, last, text: said, fits }) =>
        `${first}-${last} ${said}: ${fits.map(({ candidate, score }) => `${candidate}=${score}`).join(' ')}`,
    )

  it.each([
    [
      'score by the length of the tag',
      'the old New York Zoo',
      ['new york zoo', 'york', 'zoo'],
      ['2-4 New York Zoo: 0=5', '3-3 York: 1=3', '4-4 Zoo: 2=3'],
    ],
    ['are the same word for word', 'new zoo york', ['new york zoo'], []],
    ['are of whole tags, also at the end', 'in new york', ['new york zoo'], []],
    ['may lie in a word of two', "rock'n'roll new-york now", ['new york'], ['1-1 new-york: 0=4']],
    ['are none of empty tags', '? ! the', ['?', ''], []],
  ])('%s', (_, text, tags, expected) =>
    expect(
      mentions(
        text,
        tags.map((tag) => picture(tag, [tag])),
      ),
    ).toEqual(expected),
  )

  it('are by the best of several tags', () =>
    expect(mentions('a cat', [picture('a', ['cat', 'cats']), picture('b', ['cat'])])).toEqual([
      '1-1 cat: 0=3 1=3',
    ]))

  it('are by telling words of names, in the library only', () => {
    const named = (provider: BrollCandidate['provider']) =>
      picture('a', [], { provider, name: 'the Cat 1.jpg' })
    expect(mentions('the cat 1 jpg', [named('library')])).toEqual(['1-1 cat: 0=1'])
    expect(mentions('the cat 1 jpg', [named('getty')])).toEqual([])
  })

  it('score more by the prompt and by keywords', () => {
    const candidates = [
      picture('a', ['cat', '?']),
      picture('b', ['cat', 'new york']),
      picture('c', ['cat', 'red']),
    ]
    expect(mentions('cat', candidates)).toEqual(['0-0 cat: 0=3 1=3 2=3'])
    expect(mentions('cat', candidates, { prompt: 'all of New York' })).toEqual(['0-0 cat: 1=5 0=3 2=3'])
    expect(mentions('cat', candidates, { prompt: 'york new' })).toEqual(['0-0 cat: 0=3 1=3 2=3'])
    expect(mentions('cat', candidates, { keywords: ['blue', 'bright red'] })).toEqual([
      '0-0 cat: 2=4 0=3 1=3',
    ])
    expect(mentions('cat', candidates, { prompt: 'red', keywords: ['red'] })).toEqual([
      '0-0 cat: 2=6 0=3 1=3',
    ])
  })
})
