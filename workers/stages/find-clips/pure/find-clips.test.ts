import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FindClipsSettings } from '../../../../server/contract/clip-candidate.ts'
import type { TranscriptWord } from '../../../../server/contract/transcript.ts'
import { findClips, type FoundClips } from './find-clips.ts'
import { splitSentences } from './sentences.ts'
import { measureSlowness } from '../../../../test/support/pace.ts'

const BASE: FindClipsSettings = {
  minLength: 8,
  maxLength: 30,
  prompt: '',
  promptAdjustment: '',
  keywords: [],
  pinned: [],
  pinnedOnly: false,
  pinnedMode: 'ranges',
  maxClips: 3,
  wholeSource: false,
}

/** Words at a talking pace: 0.3 s each, a pause after each sentence; `|n` sets the pause in seconds. */
function speak(text: string, pause = 0.5): TranscriptWord[] {
  const words: TranscriptWord[] = []
  let at = 0.5
  for (const token of text.trim().split(/\s+/)) {
    if (token.startsWith('|')) {
      at += Number(token.slice(1))
      continue
    }
    words.push({ word: token, start: round(at), end: round(at + 0.28) })
    at += 0.3 + (/[.!?]$/.test(token) ? pause : 0)
  }
  return words
}
const round = (value: number): number => Math.round(value * 1000) / 1000

function find(
  words: TranscriptWord[],
  settings: Partial<FindClipsSettings> = {},
  speakers: string[] = [],
): FoundClips {
  const durationSeconds = (words.at(-1)?.end ?? 0) + 1
  return findClips({ words, speakers, language: 'en', settings: { ...BASE, ...settings }, durationSeconds })
}

const TALK = `
  Um, okay. Are we rolling? Good. |1 Welcome back to the show, everybody. Before we start, a bit of housekeeping.
  The newsletter is back and the notes are on our website. |1.2
  What would you do with one week left to live? I asked that question to forty nurses. Nine of them laughed. The others
  cried, because they had heard the answer before. Nobody ever asks for more money. They ask for one more breakfast. |1.5
  Um, let me just find my notes here. Uh, where was I? Yeah, the coffee is over there. |1.3
  So how does a bakery survive the winter? You bake half as much bread. You raise the price on the wall. You tell every
  customer why you did it. Two years later the bakery had a queue around the corner. Honest bread needs no discount. |1.4
  Thank you so much for coming. Next week we visit a lighthouse.
`

describe('findClips', () => {
  it('picks the two moments, whole, and leaves the housekeeping out', () => {
    const { candidates } = find(speak(TALK), { maxClips: 2 })
    expect(candidates.map((clip) => clip.text.split(' ').slice(0, 3).join(' ')).sort()).toEqual([
      'So how does',
      'What would you',
    ])
    expect(candidates.map((clip) => clip.text.split(' ').slice(-3).join(' ')).sort()).toEqual([
      'needs no discount.',
      'one more breakfast.',
    ])
  })

  it('says why: whether it is whole and five named sub-scores with a sentence each that points to the words', () => {
    const [clip] = find(speak(TALK), { keywords: ['nurses'], maxClips: 1 }).candidates
    expect(clip?.scoreReasons.map((reason) => reason.name)).toEqual([
      'completeness',
      'hook',
      'flow',
      'value',
      'emotion',
      'ending',
    ])
    expect(clip?.scoreReasons[1]?.reason).toContain('Opens with a question: "What would you do')
    expect(clip?.whyPicked).toContain('Speaks of "nurses" as asked')
    expect(clip?.startBoundary).toMatchObject({ sentenceEdge: true })
    expect(clip?.startBoundary.pauseSeconds).toBeGreaterThan(1)
  })

  it.each([
    [{ prompt: 'Find the moments about bread and bakeries' }, 'bakery'],
    [{ promptAdjustment: 'prefer nurses' }, 'nurses'],
    [{ keywords: ['breakfast'] }, 'breakfast'],
    [{ keywords: ['customer price'] }, 'price'],
    [{ prompt: 'Avoid nurses' }, 'bakery'],
    [{ prompt: 'Show the coffee', minLength: 4 }, 'coffee'],
  ])('%o steers to %s', (settings, word) => {
    const [clip] = find(speak(TALK), { ...settings, maxClips: 1 }).candidates
    expect(clip?.text).toContain(word)
  })

  it('gives the relevance of a clip beside its score, where something was requested', () => {
    const plain = find(speak(TALK), { maxClips: 2 }).candidates
    const [best, other] = find(speak(TALK), { prompt: 'nurses', maxClips: 2 }).candidates
    expect([best?.relevance, best?.text.includes('nurses'), other?.relevance]).toEqual([100, true, 0])
    expect(plain.map(({ relevance }) => relevance)).toEqual([undefined, undefined])
    const half = find(speak(TALK), { prompt: 'nurses and queues', maxClips: 1 }).candidates
    expect(half.map(({ relevance }) => relevance)).toEqual([50])
  })

  it('tells what is relevant by meaning, where vectors are given', () => {
    const words = speak(TALK)
    const durationSeconds = (words.at(-1)?.end ?? 0) + 1
    const sentences = splitSentences(words, durationSeconds)
    // The bakery is spoken of from the fortieth second on.
    const vectors = sentences.map(({ start }, index) =>
      start > 40 ? Float32Array.of(1, 0) : Float32Array.of(0, index % 2 === 0 ? 1 : -1),
    )
    const search = (vector: Float32Array) =>
      findClips({
        words,
        speakers: [],
        language: 'en',
        settings: { ...BASE, maxClips: 2 },
        durationSeconds,
        vectors,
        meaning: sentences.map(({ start, end }) => ({ start, end, near: 0, preference: null })),
        aims: [{ weight: 1, vector }],
      })
    const found = search(Float32Array.of(1, 0))
    expect(found.candidates[0]?.text).toContain('bakery')
    expect(found.candidates[0]?.relevance).toBe(100)
    expect(found.warnings).toEqual([])
    const none = search(Float32Array.of(-1, 0))
    expect(none.candidates.every(({ relevance }) => relevance === 0)).toBe(true)
    expect(none.warnings.join()).toContain('Nothing that is said matches')
  })

  it('measures relevance by words where the language is foreign to the model, and says so', () => {
    const words = speak(TALK)
    const durationSeconds = (words.at(-1)?.end ?? 0) + 1
    const sentences = splitSentences(words, durationSeconds)
    const { candidates, warnings } = findClips({
      words,
      speakers: [],
      language: 'en',
      settings: { ...BASE, prompt: 'nurses', maxClips: 1 },
      durationSeconds,
      vectors: sentences.map(() => Float32Array.of(1, 0)),
      meaning: sentences.map(({ start, end }) => ({ start, end, near: 0, preference: null })),
      aims: [{ weight: 1, vector: Float32Array.of(1, 0) }],
    })
    expect(candidates.map(({ relevance, text }) => [relevance, text.includes('nurses')])).toEqual([
      [100, true],
    ])
    expect(warnings.join()).toContain('was not made for this language')
  })

  it('leaves value and emotion open where neither words nor a model know the language', () => {
    const words = speak(
      'Ayer llegué tarde a casa. Mi vecino estaba sentado en la puerta. No dijo nada en toda la noche. | Al final me dio las llaves del coche.',
    )
    const search = (likeness?: number) =>
      findClips({
        words,
        speakers: [],
        language: 'es',
        settings: { ...BASE, minLength: 3, maxClips: 1 },
        durationSeconds: 30,
        ...(likeness === undefined
          ? {}
          : { likeness: splitSentences(words, 30).map(() => ({ hook: 0, value: 0, emotion: likeness })) }),
      }).candidates[0]?.scoreReasons.find(({ name }) => name === 'emotion')
    expect(search()).toMatchObject({ score: 50, reason: expect.stringContaining('Not judged') as string })
    expect(search(0)).toMatchObject({ score: 22, reason: 'Stays matter-of-fact.' })
    expect(search(1)?.reason).toContain('Is moving')
  })

  it('says when nothing matches what was asked for', () => {
    const found = find(speak(TALK), { keywords: ['submarines'] })
    expect(found.candidates.length).toBeGreaterThan(0)
    expect(found.warnings.join()).toContain('matches the prompt')
  })

  it('places edges inside the pauses: a little before the first word, a little after the last', () => {
    const words = speak(TALK)
    for (const clip of find(words).candidates) {
      const first = words.find((word) => word.start >= clip.start)
      const last = words.findLast((word) => word.end <= clip.end)
      expect((first?.start ?? 0) - clip.start).toBeGreaterThan(0.09)
      expect(clip.end - (last?.end ?? 0)).toBeGreaterThan(0.2)
    }
  })

  it('has three ways with pinned ranges', () => {
    const words = speak(TALK)
    const duration = (words.at(-1)?.end ?? 0) + 1
    const pinned = [
      { start: 3, end: 4.5 },
      { start: duration - 5, end: duration + 50 },
      { start: 900, end: 950 },
    ]
    const only = find(words, { pinned, pinnedOnly: true })
    expect(only.candidates.map((clip) => [clip.start, clip.origin]).sort()).toEqual(
      [
        [3, 'pinned'],
        [duration - 5, 'pinned'],
      ].sort(),
    )
    expect(only.candidates.every((clip) => clip.end <= duration)).toBe(true)
    expect(only.warnings).toHaveLength(2)
    const both = find(words, { pinned, maxClips: 4 })
    expect(both.candidates.filter((clip) => clip.origin === 'pinned')).toHaveLength(2)
    expect(both.candidates.filter((clip) => clip.origin === 'found')).toHaveLength(2)
    const start = words.find((word) => word.word === 'bakery')?.start ?? 0
    const within = find(words, {
      pinned: [{ start: start - 4, end: start + 20 }],
      pinnedMode: 'search_within',
    })
    expect(within.candidates.length).toBeGreaterThan(0)
    for (const clip of within.candidates) {
      expect(clip.origin).toBe('found')
      expect(clip.start).toBeGreaterThanOrEqual(start - 4)
      expect(clip.end).toBeLessThanOrEqual(start + 20)
    }
    const nowhere = find(words, { pinned: [{ start: 900, end: 950 }], pinnedMode: 'search_within' })
    expect(nowhere.candidates).toEqual([])
    expect(nowhere.summary).toContain('None of the pinned ranges lies inside the video')
  })

  it('makes one clip of the whole source when asked, speech or not', () => {
    expect(find(speak(TALK), { wholeSource: true }).candidates).toMatchObject([{ start: 0, origin: 'whole' }])
    const silent = findClips({
      words: [],
      speakers: [],
      language: 'und',
      settings: { ...BASE, wholeSource: true },
      durationSeconds: 9,
    })
    expect(silent.candidates).toMatchObject([{ start: 0, end: 9, text: '' }])
  })

  it('relaxes in named steps when whole sentences cannot meet the bounds', () => {
    const endless = speak(
      Array.from({ length: 200 }, (_, index) => (index % 7 === 6 ? 'and,' : 'words')).join(' '),
    )
    const cut = find(endless, { maxLength: 12 })
    expect(cut.candidates.length).toBeGreaterThan(0)
    expect(cut.warnings.join()).toContain('inside a sentence')
    expect(
      cut.candidates.every((clip) => !(clip.startBoundary.sentenceEdge && clip.endBoundary.sentenceEdge)),
    ).toBe(true)
    const few = find(speak('Nothing beats a short true line. |30 That is all.'), { minLength: 20 })
    expect(few.candidates.length).toBeGreaterThan(0)
    expect(few.warnings.join()).toContain('shorter than was asked for')
  })

  it('works on words without punctuation, by the pauses, and says so', () => {
    const bare = speak(TALK).map((word) => ({
      ...word,
      word: word.word.replace(/[.,!?]/g, '').toLowerCase(),
    }))
    const found = find(bare, { maxClips: 2 })
    expect(found.candidates).toHaveLength(2)
    expect(found.warnings.join()).toContain('no punctuation')
  })

  it('explains an empty result', () => {
    expect(find([]).summary).toContain('No words were found')
  })

  it('names people with care and writes a headline that fits', () => {
    const words = speak(
      'My guest is Ruben Hale from Lantern Street. He fixes bikes in New York. Ruben tells every customer the price. Dr. Okafor taught Ruben how to weld a frame by hand. The whole workshop of Monday mornings smells of oil and of',
    )
    const [clip] = find(words, { minLength: 10, maxLength: 60, maxClips: 1 }).candidates
    expect(clip?.people).toEqual(['Ruben Hale', 'Dr. Okafor'])
    expect(clip?.title.length).toBeLessThanOrEqual(60)
    expect(clip?.title).not.toMatch(/\b(of|the|and|a)$/i)
    expect(clip?.keywords.length).toBeGreaterThan(0)
    expect(clip?.keywords.join(' ')).not.toContain('ruben')
  })
})

const vocabulary = [
  'bread',
  'money.',
  'um',
  'And',
  'nine',
  'you',
  'love.',
  'why?',
  'because',
  'price,',
  'Dr.',
  'so',
  'fear',
  'never.',
  'bike',
  'the',
  'shop!',
]
const transcript = fc
  .array(
    fc.tuple(
      fc.constantFrom(...vocabulary),
      fc.integer({ min: 5, max: 60 }),
      fc.integer({ min: 0, max: 160 }),
    ),
    { minLength: 1, maxLength: 250 },
  )
  .map((items) => {
    let at = 0
    return items.map(([word, length, gap]): TranscriptWord => {
      const start = at
      at = round(at + length / 100)
      const spoken = { word, start, end: at }
      at = round(at + gap / 100)
      return spoken
    })
  })

describe('findClips, whatever the words', () => {
  it('keeps to sentence edges, out of words, inside the bounds, without overlap, the same every time', () => {
    fc.assert(
      fc.property(
        transcript,
        fc.integer({ min: 2, max: 20 }),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 8 }),
        (words, minLength, more, maxClips) => {
          const settings = { minLength, maxLength: minLength + more, maxClips }
          const found = find(words, settings)
          expect(find(words, settings)).toEqual(found)
          expect(found.candidates.length).toBeGreaterThan(0)
          expect(found.candidates.length).toBeLessThanOrEqual(maxClips)
          const relaxed = found.warnings.some((warning) => /inside a sentence|shorter than/.test(warning))
          const sentences = splitSentences(words, (words.at(-1)?.end ?? 0) + 1)
          const inTime = [...found.candidates].sort((a, b) => a.start - b.start)
          inTime.forEach((clip, index) => {
            expect(
              words.every((word) => clip.start <= word.start || clip.start >= word.end),
              'start inside a word',
            ).toBe(true)
            expect(
              words.every((word) => clip.end <= word.start || clip.end >= word.end),
              'end inside a word',
            ).toBe(true)
            expect(clip.start).toBeGreaterThanOrEqual(inTime[index - 1]?.end ?? 0)
            expect(clip.score).toBeGreaterThanOrEqual(0)
            expect(clip.score).toBeLessThanOrEqual(100)
            expect(clip.end - clip.start).toBeLessThanOrEqual(settings.maxLength + 1e-6)
            expect(clip.title.length).toBeLessThanOrEqual(60)
            if (relaxed) return
            expect(clip.end - clip.start).toBeGreaterThanOrEqual(minLength - 1e-6)
            expect(clip.startBoundary.sentenceEdge && clip.endBoundary.sentenceEdge).toBe(true)
            expect(
              sentences.some(
                (sentence) => sentence.start >= clip.start && sentence.start - clip.start < 0.13,
              ),
            ).toBe(true)
            expect(
              sentences.some((sentence) => sentence.end <= clip.end && clip.end - sentence.end < 0.26),
            ).toBe(true)
          })
        },
      ),
      { numRuns: 120 },
    )
  })

  it('takes three hours of words in a few seconds', () => {
    const words = speak(Array.from({ length: 40 }, () => TALK.replace(/\|[\d.]+/g, '')).join(' '), 0.5)
    const long = Array.from({ length: 6 }, (_, round) =>
      words.map((word) => ({ ...word, start: word.start + round * 2400, end: word.end + round * 2400 })),
    ).flat()
    expect(long.length).toBeGreaterThan(30_000)
    const started = performance.now()
    const found = find(long, { minLength: 15, maxLength: 90, maxClips: 20 })
    expect(found.candidates).toHaveLength(20)
    expect(performance.now() - started).toBeLessThan(6000 * measureSlowness())
  })
})
