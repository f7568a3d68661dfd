import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BrollCandidate } from '../../contract/clip-broll.ts'
import type { PlacedWord } from '../compose/placed-words.ts'
import {
  boundsOf,
  chooseBroll,
  LONGEST,
  maxInserts,
  SHORTEST,
  SPACING,
  type ChoiceInput,
  findMentions,
} from './choose.ts'
import { cleanTags, stemOf, tagsOfName } from './words.ts'

const RATE = 30

function candidate(id: string, tags: readonly string[], name = ''): BrollCandidate {
  const url = `https://example.com/${id}`
  return {
    id,
    provider: 'library',
    kind: 'image',
    url,
    name,
    tags: [...tags],
    durationSeconds: null,
    credit: '',
  }
}

/** Words of half a second each, one after the other. */
function spoken(text: string, secondsEach = 0.5): PlacedWord[] {
  return text.split(' ').map((word, index) => ({
    text: word,
    startFrame: Math.round(index * secondsEach * RATE),
    endFrame: Math.round((index + 1) * secondsEach * RATE),
    speaker: 0,
    endsCue: false,
    joinsNext: false,
    index,
  }))
}

const choose = (
  words: PlacedWord[],
  candidates: BrollCandidate[],
  more: Partial<Pick<ChoiceInput, 'frequency' | 'topics' | 'durationFrames'>> = {},
) =>
  chooseBroll({
    words,
    durationFrames: words.at(-1)?.endFrame ?? 0,
    framesPerSecond: RATE,
    candidates,
    frequency: 'high',
    topics: { prompt: '', keywords: [] },
    ...more,
  })

describe('words', () => {
  it.each([
    ['cats', 'cat'],
    ['racing', 'race'],
    ['raced', 'races'],
    ['running', 'run'],
    ['cities', 'city'],
    ['boxes', 'box'],
    ['churches', 'church'],
    ['planning', 'planned'],
  ])('%s meets %s', (one, other) => expect(stemOf(one)).toBe(stemOf(other)))

  it.each([
    ['bus', 'bu'],
    ['glass', 'glas'],
    ['sing', 's'],
    ['news', 'new york'],
    ['thing', 'th'],
    ['猫', '犬'],
  ])('%s does not meet %s', (one, other) => expect(stemOf(one)).not.toBe(stemOf(other)))

  it('makes tags of names of files and folders, and keeps tags clean', () => {
    expect(tagsOfName('IMG_2041-GoldenGate bridge (final).JPG')).toEqual([
      'bridge',
      'gate',
      'golden',
      'golden gate bridge',
    ])
    expect(tagsOfName('new-york-01.jpg')).toEqual(['new york', 'york'])
    expect(tagsOfName('DSC0001.mov')).toEqual([])
    expect(cleanTags([' New York! ', 'new  york', '', '???', 'Zoo'])).toEqual(['new york', 'zoo'])
  })
})

describe('mentions', () => {
  it('finds tags of several words, and prefers them', () => {
    const candidates = [candidate('a', ['york']), candidate('b', ['new york'])]
    const found = findMentions(spoken('I love New York, really'), candidates, { prompt: '', keywords: [] })
    expect(found.map(({ first, last, text, fits }) => [first, last, text, fits[0]?.candidate])).toEqual([
      [2, 3, 'New York,', 1],
      [3, 3, 'York,', 0],
    ])
    expect(found[0]?.fits[0]?.score).toBeGreaterThan(found[1]?.fits[0]?.score ?? 0)
  })

  it('ranks by the prompt and the keywords, and takes a name only for want of a tag', () => {
    const candidates = [
      candidate('a', ['car']),
      candidate('b', ['car', 'red']),
      candidate('c', [], 'my car.jpg'),
    ]
    const fits = (prompt: string, keywords: string[]) =>
      findMentions(spoken('the cars'), candidates, { prompt, keywords })[0]?.fits.map((fit) => fit.candidate)
    expect(fits('', [])).toEqual([0, 1, 2])
    expect(fits('Show red things', [])).toEqual([1, 0, 2])
    expect(fits('', ['red roses'])).toEqual([1, 0, 2])
  })

  it('knows where phrases begin', () => {
    const words = spoken('Well, this is it. And now more')
    const { phrase, sentence } = boundsOf(words, RATE)
    expect(phrase.flatMap((is, at) => (is ? [at] : []))).toEqual([0, 1, 4])
    expect(sentence.flatMap((is, at) => (is ? [at] : []))).toEqual([0, 4])
  })
})

describe('the choice', () => {
  it('covers the phrase that says it, from its first word to the end of a phrase', () => {
    const words = spoken(
      'one two three four five. We saw whales there today. Then we went home again and slept well.',
    )
    const [only, ...more] = choose(words, [candidate('w', ['whale'])])
    expect(more).toEqual([])
    expect(only).toMatchObject({
      startFrame: 5 * 15,
      endFrame: 10 * 15,
      matched: 'whales',
      candidate: { id: 'w' },
    })
  })

  it('begins with the word where its phrase began long before', () => {
    const words = spoken('a b c d e f g h i j whale k l m n o p q r s t u')
    expect(choose(words, [candidate('w', ['whale'])])[0]?.startFrame).toBe(10 * 15)
  })

  it('never covers what is said in the first two seconds or the last', () => {
    const filler = 'a b c d e f g h i j k l m n o p q r s t'
    expect(choose(spoken(`whale ${filler}`), [candidate('w', ['whale'])])).toEqual([])
    expect(choose(spoken(`${filler} whale`), [candidate('w', ['whale'])])).toEqual([])
  })

  it('places what only the prompt asks for at the beginning of a sentence, once', () => {
    const words = spoken('one two three four five. Six seven eight nine ten. And so on and so on it goes on.')
    const chosen = choose(words, [candidate('f', ['football'])], {
      topics: { prompt: 'Cover it with football', keywords: [] },
    })
    expect(chosen).toMatchObject([{ startFrame: 75, matched: 'prompt' }])
  })

  it('shows something again only when nothing else is left', () => {
    const said = Array.from({ length: 12 }, () => 'the whale swims over the sea, so they say here.').join(' ')
    const ids = (candidates: BrollCandidate[]) =>
      choose(spoken(said), candidates).map((one) => `${one.candidate.id}${one.use}`)
    const three = ids(['a', 'b', 'c'].map((id) => candidate(id, ['whale'])))
    expect(new Set(three.slice(0, 3)).size).toBe(3)
    expect(three.filter((id) => id.endsWith('1')).length).toBeGreaterThan(0)
    const counts = ['a', 'b', 'c'].map((id) => three.filter((one) => one.startsWith(id)).length)
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
    expect(ids(Array.from({ length: 20 }, (_, at) => candidate(`x${at}-`, ['whale'])))).toSatisfy(
      (all: string[]) => all.every((id) => id.endsWith('-0')),
    )
  })

  it('takes more the more often it is asked to', () => {
    const said = Array.from({ length: 14 }, () => 'the whale swims over the wide sea, so they say.').join(' ')
    const candidates = Array.from({ length: 30 }, (_, at) => candidate(`${at}`, ['whale']))
    const count = (frequency: 'low' | 'medium' | 'high') =>
      choose(spoken(said), candidates, { frequency }).length
    expect([count('low'), count('medium'), count('high')]).toEqual([3, 6, 7])
  })

  const vocabulary = [
    'cat',
    'cats',
    'dog',
    'big',
    'dog.',
    'house,',
    'tree',
    'the',
    'a',
    'car',
    'cars.',
    'sea',
  ]
  const tag = fc.constantFrom('cat', 'dog', 'big dog', 'house', 'tree', 'car', 'sea', 'moon')
  const talks = fc
    .array(
      fc.record({
        text: fc.constantFrom(...vocabulary),
        length: fc.integer({ min: 1, max: 40 }),
        pause: fc.integer({ min: 0, max: 60 }),
        speaker: fc.integer({ min: 0, max: 1 }),
      }),
      { maxLength: 150 },
    )
    .map((parts) => {
      let frame = 0
      return parts.map(({ text, length, pause, speaker }, index): PlacedWord => {
        const startFrame = frame + pause
        frame = startFrame + length
        return { text, startFrame, endFrame: frame, speaker, endsCue: false, joinsNext: false, index }
      })
    })
  const inputs = fc.record({
    words: talks,
    candidates: fc
      .array(fc.uniqueArray(tag, { maxLength: 3 }), { maxLength: 8 })
      .map((all) => all.map((tags, at) => candidate(`c${at}`, tags))),
    frequency: fc.constantFrom('low', 'medium', 'high'),
    prompt: fc.constantFrom('', 'show the moon', 'cats and the sea'),
    after: fc.integer({ min: 0, max: 100 }),
    rate: fc.constantFrom(24, 25, 29.97, 30, 60),
  })

  it('keeps its promises whatever is said', () => {
    fc.assert(
      fc.property(inputs, ({ words, candidates, frequency, prompt, after, rate }) => {
        const input: ChoiceInput = {
          words,
          candidates,
          frequency,
          framesPerSecond: rate,
          durationFrames: (words.at(-1)?.endFrame ?? 0) + after,
          topics: { prompt, keywords: [] },
        }
        const chosen = chooseBroll(input)
        expect(chooseBroll(structuredClone(input))).toEqual(chosen)
        expect(chosen.length).toBeLessThanOrEqual(maxInserts(input))
        const starts = new Set(words.map(({ startFrame }) => startFrame))
        chosen.forEach((one, at) => {
          const length = one.endFrame - one.startFrame
          expect(one.startFrame).toBeGreaterThanOrEqual(2 * rate)
          expect(one.endFrame).toBeLessThanOrEqual(input.durationFrames - rate)
          expect(length).toBeGreaterThanOrEqual(SHORTEST * rate)
          expect(length).toBeLessThanOrEqual(LONGEST * rate)
          expect(starts.has(one.startFrame)).toBe(true)
          const before = chosen[at - 1]
          if (before !== undefined) {
            expect(one.startFrame - before.endFrame).toBeGreaterThanOrEqual(SPACING[frequency].apart * rate)
          }
          const earlier = chosen.slice(0, at).filter(({ candidate: { id } }) => id === one.candidate.id)
          expect(one.use).toBe(earlier.length)
        })
        // Something comes again only when all that could be shown at words of the clip was shown.
        if (chosen.some(({ use }) => use > 0)) {
          const shown = new Set(chosen.map((one) => one.candidate.id))
          for (const one of candidates) {
            const alone = chooseBroll({ ...input, candidates: [one] }).some(
              ({ matched }) => matched !== 'prompt',
            )
            expect(!alone || shown.has(one.id)).toBe(true)
          }
        }
      }),
      { numRuns: 400 },
    )
  })
})
