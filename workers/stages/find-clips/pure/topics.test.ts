import { describe, expect, it } from 'vitest'
import type { TranscriptWord } from '../../../../server/contract/transcript.ts'
import { findClips } from './find-clips.ts'

const SETTINGS = {
  minLength: 20,
  maxLength: 60,
  maxClips: 3,
  prompt: '',
  promptAdjustment: '',
  keywords: [],
  wholeSource: false,
  pinned: [],
  pinnedMode: 'ranges' as const,
  pinnedOnly: false,
}

const KITCHEN = ['oven', 'bread', 'flour', 'dough', 'baker', 'crust', 'yeast', 'kitchen', 'recipe', 'loaf']
const SEA = [
  'harbour',
  'ferry',
  'storm',
  'captain',
  'lighthouse',
  'sailor',
  'anchor',
  'island',
  'rope',
  'tide',
]
const SENTENCES = 50

/** Sentences of four seconds about each of the subjects in turn, in words of one grammar: `the` stands before each thing. */
function spoken(subjects: readonly (readonly string[])[], count = SENTENCES, the = 'the'): TranscriptWord[] {
  const sentences = subjects.flatMap((things) =>
    Array.from({ length: count }, (_, index) => {
      const thing = (step: number): string => things[(index * step + step) % things.length] ?? ''
      return `${the} ${thing(3)} was there before ${the} ${thing(7)} came back.`
    }),
  )
  return sentences.flatMap((sentence, index) => {
    const words = sentence.split(' ')
    const each = 3.4 / words.length
    return words.map((word, at) => ({
      word,
      start: index * 4 + at * each,
      end: index * 4 + (at + 1) * each,
      confidence: 1,
    }))
  })
}

const topicsOf = (words: readonly TranscriptWord[], language = 'en') =>
  findClips({
    words,
    speakers: [],
    language,
    settings: SETTINGS,
    durationSeconds: (words.at(-1)?.end ?? 0) + 1,
  }).topics ?? []

describe('topics', () => {
  it('change where the words do, and are called by what is named in them', () => {
    const topics = topicsOf(spoken([KITCHEN, SEA]))
    expect(topics).toHaveLength(2)
    const [kitchen, sea] = topics
    expect(sea?.start).toBeCloseTo(SENTENCES * 4, 3)
    expect(kitchen?.start).toBe(0)
    expect(kitchen?.end).toBe(sea?.start)
    expect(kitchen?.label.toLowerCase()).toMatch(new RegExp(KITCHEN.join('|'), 'u'))
    expect(sea?.label.toLowerCase()).toMatch(new RegExp(SEA.join('|'), 'u'))
    // Topic words, never a line of the talk.
    for (const { label } of topics) expect(label.split(/,? /u).length).toBeLessThanOrEqual(3)
  })

  it('are none in a short talk, and none where nothing is spoken', () => {
    expect(topicsOf(spoken([KITCHEN, SEA], 15))).toEqual([])
    expect(topicsOf([])).toEqual([])
  })

  it('are found in a language of which no grammar is known', () => {
    const words = spoken([KITCHEN, SEA], SENTENCES, 'den')
    expect(topicsOf(words, 'sv').map(({ start }) => Math.round(start))).toEqual([0, SENTENCES * 4])
  })
})
