import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { featuresOf, FLOOR_DB } from './sound-features.ts'
import { spellNumber, soundsOf, usualSeconds } from './spoken-sounds.ts'
import { shareOut, timeWords } from './time-words.ts'

const RATE = 16_000

/** A tone burst per word, each with a loud middle, over faint noise. */
function bursts(spans: readonly (readonly [number, number])[], seconds: number): Int16Array {
  const samples = new Int16Array(seconds * RATE)
  let noise = 12345
  for (let index = 0; index < samples.length; index += 1) {
    noise = (noise * 1103515245 + 12345) & 0x7fffffff
    samples[index] = (noise % 21) - 10
  }
  for (const [from, to] of spans) {
    for (let index = Math.round(from * RATE); index < to * RATE; index += 1) {
      const share = (index / RATE - from) / (to - from)
      samples[index] =
        9000 * Math.sin(Math.PI * Math.min(1, Math.max(0, share))) ** 0.3 * Math.sin(index * 0.08)
    }
  }
  return samples
}

describe('timeWords', () => {
  it('leaves room for a sustained sound that is no word, where it is known', () => {
    const spans = [
      [0.4, 0.7],
      [0.8, 1.1],
      [1.4, 2],
      [2.3, 2.6],
      [2.7, 3],
    ] as const
    const features = featuresOf(bursts(spans, 4), RATE, 0)
    const window = { start: 0.35, end: 3.05, earliest: 0.1, latest: 3.3 }
    const words = ['so', 'now', 'we', 'know']
    const plain = timeWords(words, window, features)
    const known = timeWords(words, window, { ...features, sustained: [{ start: 1.42, end: 1.98 }] })
    const middle = 1.7
    expect(plain.some(({ start, end }) => start < middle && middle < end)).toBe(true)
    expect(known.some(({ start, end }) => start < middle && middle < end)).toBe(false)
    // A cue that writes it has a word for it.
    const written = ['so', 'now', 'um,', 'we', 'know']
    expect(timeWords(written, window, { ...features, sustained: [{ start: 1.42, end: 1.98 }] })).toEqual(
      timeWords(written, window, features),
    )
  })

  it('puts each word on its burst, with pauses between, where even spacing would be far off', () => {
    const spans = [
      [0.4, 0.7],
      [0.75, 1.3],
      [2.6, 2.9],
      [2.95, 3.3],
      [4.4, 5.1],
    ] as const
    const words = ['One', 'banana.', 'Two', 'melons,', 'wonderfully']
    const features = featuresOf(bursts(spans, 6), RATE, 0)
    const timed = timeWords(words, { start: 0.3, end: 5.2, earliest: 0, latest: 6 }, features)
    const errors = timed.map((word, index) => Math.abs(word.start - (spans[index]?.[0] ?? 0)))
    expect(Math.max(...errors)).toBeLessThan(0.1)
    const even = spans.map((span, index) => Math.abs(0.3 + (4.9 * index) / 5 - span[0]))
    expect(Math.max(...even)).toBeGreaterThan(0.5)
    expect(timed[1]?.end).toBeLessThan(1.45)
  })

  it('finds speech a little outside a cue that is late, but not past the neighbours', () => {
    const features = featuresOf(
      bursts(
        [
          [1.0, 1.4],
          [1.5, 2.0],
        ],
        4,
      ),
      RATE,
      0,
    )
    const late = timeWords(['early', 'bird'], { start: 1.2, end: 2.2, earliest: 0.9, latest: 2.5 }, features)
    expect(Math.abs((late[0]?.start ?? 9) - 1.0)).toBeLessThan(0.08)
    const fenced = timeWords(
      ['early', 'bird'],
      { start: 1.2, end: 2.2, earliest: 1.2, latest: 2.5 },
      features,
    )
    expect(fenced[0]?.start).toBeGreaterThanOrEqual(1.19)
  })

  it('shares by spoken length where there is no sound', () => {
    const silent = { startSeconds: 0, levelDb: new Float32Array(500).fill(FLOOR_DB) }
    const timed = timeWords(['a', 'extraordinary'], { start: 1, end: 3, earliest: 1, latest: 3 }, silent)
    expect(timed).toEqual(shareOut(['a', 'extraordinary'], 1, 3))
    expect((timed[0]?.end ?? 9) - 1).toBeLessThan(0.5)
  })

  it('keeps words in order and inside the search range, whatever the words and the sound', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'Oh', 'question?', '1961', 'straße', '日本', 'это', '—x', 'rhythm'), {
          minLength: 1,
          maxLength: 40,
        }),
        fc.array(fc.float({ min: -100, max: 0, noNaN: true }), { minLength: 0, maxLength: 400 }),
        (words, level) => {
          const features = { startSeconds: 0, levelDb: Float32Array.from(level) }
          const timed = timeWords(words, { start: 0.5, end: 3, earliest: 0.2, latest: 3.3 }, features)
          expect(timed.map((word) => word.word)).toEqual(words)
          timed.forEach((word, index) => {
            expect(word.start).toBeGreaterThanOrEqual(0.19)
            expect(word.end).toBeLessThanOrEqual(3.31)
            expect(word.end).toBeGreaterThanOrEqual(word.start)
            expect(word.start).toBeGreaterThanOrEqual((timed[index - 1]?.end ?? 0) - 1e-9)
          })
        },
      ),
      { numRuns: 60 },
    )
  })

  it('splits a very long cue instead of failing or stalling', () => {
    const words = Array.from({ length: 160 }, (_, index) => (index % 9 === 8 ? 'stop.' : 'talking'))
    const spans = words.map((_, index) => [index * 0.5 + 0.1, index * 0.5 + 0.45] as const)
    const timed = timeWords(
      words,
      { start: 0, end: 80, earliest: 0, latest: 80 },
      featuresOf(bursts(spans, 80), RATE, 0),
    )
    expect(timed).toHaveLength(160)
    expect(Math.abs((timed[80]?.start ?? 0) - 40.1)).toBeLessThan(0.6)
  })
})

describe('spoken sounds', () => {
  it.each([
    ['7', 'seven'],
    ['42', 'forty two'],
    ['140', 'one hundred and forty'],
    ['1,250', 'one thousand two hundred and fifty'],
    ['1961', 'nineteen sixty one'],
    ['3.5', 'three point five'],
    ['007', 'zero zero seven'],
  ])('spells %s as %s', (digits, spelt) => expect(spellNumber(digits)).toBe(spelt))

  it('gives long words more time than short ones, and weak words less', () => {
    expect(usualSeconds('extraordinary')).toBeGreaterThan(2 * usualSeconds('dog'))
    expect(usualSeconds('the')).toBeLessThan(usualSeconds('go'))
    expect(usualSeconds('$1,000,000')).toBeGreaterThan(0.8)
  })

  it('never leaves a word without sounds', () => {
    for (const word of ['a', 'Øl', '日', 'ghgh', 'ъ', 'سلام', '5', 'e'])
      expect(soundsOf(word).length, word).toBeGreaterThan(0)
  })
})

describe('in a sound without pauses', () => {
  /** Half a second of silence, a second of speech, half a second of silence. */
  const level = new Float32Array(200).fill(-80).fill(-20, 50, 150)
  const lengths = (...words: string[]) => {
    const window = { start: 0.4, end: 1.6, earliest: 0, latest: 2 }
    const timed = timeWords(words, window, { startSeconds: 0, levelDb: level })
    expect([timed[0]?.start, timed.at(-1)?.end]).toEqual([0.5, 1.5])
    return timed.map(({ start, end }) => end - start)
  }

  it('the last word is drawn out, from its last vowel on', () => {
    const [first = 0, last = 0] = lengths('nananan', 'nananan')
    // Of 0.53 s its last vowel and n take 0.155, and 0.054 more where they are drawn out.
    expect(last / first).toBeGreaterThan(1.07)
    expect(last / first).toBeLessThan(1.2)
  })

  it.each(['dada,', 'dada.', 'dada—', 'dada!”'])(
    'a word before a pause is drawn out as the last is: %s',
    (word) => {
      const [first = 0, last = 0] = lengths(word, 'dada')
      expect(last - first).toBeCloseTo(0, 2)
    },
  )

  it('one without a vowel is drawn out as a whole, and one without sounds has a length too', () => {
    const [first = 0, last = 0] = lengths('shh', 'shh')
    expect(last).toBeGreaterThan(first)
    expect(lengths('da', '—')).toHaveLength(2)
    expect(lengths('—', 'da')).toHaveLength(2)
  })

  it('there are no words where there are none', () => {
    expect(
      timeWords([], { start: 0, end: 1, earliest: 0, latest: 1 }, { startSeconds: 0, levelDb: level }),
    ).toEqual([])
  })
})

describe('words that are shared out', () => {
  it('take parts of the time by their usual length, 80 ms at least, one after the other', () => {
    // Without a sound and with 0.15 s: 80 against 150 of 230 parts.
    const [none, gh] = shareOut(['…', 'gh'], 1, 3.3)
    expect(none).toMatchObject({ word: '…', start: 1 })
    expect(none?.end).toBeCloseTo(1.8, 9)
    expect(gh?.start).toBe(none?.end)
    expect(gh?.end).toBeCloseTo(3.3, 9)
  })

  it('are so where there is hardly any sound, and are followed where there is', () => {
    const window = { start: 0, end: 1, earliest: 0, latest: 1 }
    const shared = shareOut(['da', 'dadada'], 0, 1)
    const timed = (loud: number, frames = 100) => {
      const levelDb = new Float32Array(frames).fill(-90).fill(loud, 60)
      return timeWords(['da', 'dadada'], window, { startSeconds: 0, levelDb })
    }
    expect(timed(-65.5)).toEqual(shared)
    expect(timed(-20, 4)).toEqual(shared)
    expect(timed(-64.5)[0]?.start).toBeCloseTo(0.6, 1)
  })
})
