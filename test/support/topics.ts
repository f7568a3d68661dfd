/** Talks whose topics are known, and prompts for them: how well a choice of clips can be steered. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FindClipsSettings } from '../../server/contract/clip-candidate.ts'
import type { TranscriptWord } from '../../server/contract/transcript.ts'

export interface Talk {
  readonly words: readonly TranscriptWord[]
  readonly speakers: readonly string[]
  readonly durationSeconds: number
}

/** A prompt, and words of which the best clip must hold one. */
export interface Wish {
  readonly prompt: string
  readonly holds: RegExp
}

export const PLAIN_SETTINGS: FindClipsSettings = {
  minLength: 8,
  maxLength: 30,
  prompt: '',
  promptAdjustment: '',
  keywords: [],
  pinned: [],
  pinnedOnly: false,
  pinnedMode: 'ranges',
  maxClips: 1,
  wholeSource: false,
}

/** The bundled talk with the true times of its words. */
export function sampleTalk(): Talk {
  const file = join(import.meta.dirname, '..', '..', 'resources', 'sample', 'words.json')
  const said = JSON.parse(readFileSync(file, 'utf8')) as (Omit<TranscriptWord, 'speaker'> & {
    speaker: string
  })[]
  const words = said.map(({ word, start, end, speaker }) => ({
    word,
    start,
    end,
    speaker: speaker === 'host' ? 0 : 1,
  }))
  return { words, speakers: ['Maya Lind', 'Ruben Hale'], durationSeconds: (words.at(-1)?.end ?? 0) + 2 }
}

/** Prompts in words of the talk, in other forms of them, and in words that are never spoken in it. */
export const SAMPLE_WISHES: readonly Wish[] = [
  { prompt: 'the price', holds: /price on the wall/ },
  { prompt: 'pricing', holds: /price on the wall/ },
  { prompt: 'bicycles that people discard', holds: /dump|throwing away/ },
  { prompt: 'waste and garbage', holds: /dump|throwing away/ },
  { prompt: 'quick repairs', holds: /twelve minutes/ },
  { prompt: 'family and children', holds: /daughter/ },
  { prompt: 'trains', holds: /railway/ },
  { prompt: 'fear', holds: /fear is not a number/ },
  { prompt: 'running out of money', holds: /running out of money/ },
  { prompt: 'the shopping bags', holds: /shopping bags/ },
  { prompt: 'working overtime', holds: /stayed late/ },
  { prompt: 'parking', holds: /parking/ },
  { prompt: 'the weather', holds: /rain/ },
  { prompt: 'lighthouses', holds: /lighthouse/ },
  { prompt: 'drinks', holds: /water/ },
]

const TOPICS: readonly (Wish & { readonly said: readonly string[] })[] = [
  {
    prompt: 'salaries',
    holds: /wage/,
    said: [
      'We raised every wage in the first spring.',
      'A fair wage keeps people longer than a speech does.',
      'Nobody left the year after that.',
    ],
  },
  {
    prompt: 'medicine',
    holds: /nurse|hospital/,
    said: [
      'The nurse on the late shift saw it first.',
      'Every hospital keeps a list of small signs.',
      'She read the list and saved his life.',
    ],
  },
  {
    prompt: 'space travel',
    holds: /rocket|moon/,
    said: [
      'The rocket stood on the field for nine days.',
      'To reach the moon you wait more than you fly.',
      'Then the wind turned and it was gone.',
    ],
  },
  {
    prompt: 'farming',
    holds: /harvest|crops/,
    said: [
      'The harvest came three weeks too early.',
      'Our crops were small and very sweet.',
      'We sold all of it at the gate.',
    ],
  },
  {
    prompt: 'education',
    holds: /teacher|classroom/,
    said: [
      'My teacher never raised her voice.',
      'In her classroom the quiet ones spoke first.',
      'I still do it that way with my own team.',
    ],
  },
  {
    prompt: 'cooking',
    holds: /soup|kitchen/,
    said: [
      'The kitchen was as small as a cupboard.',
      'One pot of soup fed the whole street.',
      'Salt it late and taste it twice.',
    ],
  },
]
export const GENERATED_WISHES: readonly Wish[] = TOPICS.map(({ prompt, holds }) => ({ prompt, holds }))

/** Numbers from 0 to 1 that are the same for the same seed. */
function chances(seed: number): () => number {
  let state = (seed * 2_654_435_761) % 4_294_967_296
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

const BETWEEN = [
  'Um, where was I?',
  'That was a long evening.',
  'We sat there until the lamps went out.',
  'He asked me to say it again.',
]

/** A talk of every topic in an order of its own, other sentences between them, at an uneven pace. */
export function generatedTalk(seed: number): Talk {
  const chance = chances(seed)
  const order = TOPICS.map((topic) => ({ topic, at: chance() })).toSorted((a, b) => a.at - b.at)
  const sentences = order.flatMap(({ topic }) => [...topic.said, ...BETWEEN.filter(() => chance() < 0.6)])
  const words: TranscriptWord[] = []
  let at = 0.5
  for (const word of sentences.join(' ').split(' ')) {
    const length = 0.12 + chance() * 0.35
    words.push({ word, start: Math.round(at * 1000) / 1000, end: Math.round((at + length) * 1000) / 1000 })
    at += length + 0.03 + (/[.?!]$/.test(word) ? 0.25 + chance() * 1.2 : /,$/.test(word) ? chance() * 0.4 : 0)
  }
  return { words, speakers: [], durationSeconds: at + 1 }
}
