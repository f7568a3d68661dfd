/** Recordings with hesitations that their captions leave out, and recordings with everything that could be taken for one. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { alignedWords, media, parseAlignment, RATE, samplesOf, type AlignedWord } from './media.ts'
import {
  findPeriods,
  layPeriods,
  levelOf,
  makeFiller,
  randomNumbers,
  VOWELS,
  type Periods,
  type Random,
} from './made-fillers.ts'
import type { Half } from './speaker-talks.ts'

interface Span {
  readonly start: number
  readonly end: number
}

export interface FillerTalk {
  readonly name: string
  readonly samples: Int16Array
  /** The words that the captions have. */
  readonly words: readonly AlignedWord[]
  /** Hesitations that are in the sound; none in a recording as it is. */
  readonly fillers: readonly (Span & { readonly joint: Joint })[]
}

/** What is beside a hesitation: a pause on both sides, or on one, or none. */
export const JOINTS = ['pauses', 'pause after', 'pause before', 'no pause'] as const
export type Joint = (typeof JOINTS)[number]

export interface Voice {
  readonly name: string
  readonly samples: Int16Array
  readonly words: readonly AlignedWord[]
  readonly periods: readonly Periods[]
  /** A quiet place, for pauses. */
  readonly tone: Float64Array
}

const ALIGNED: Readonly<Record<Half, readonly string[]>> = {
  tuned: ['jfk.flac', 'flite_slt_alice.wav'],
  'held out': ['people/nasa_13013.mp4', 'flite_rms_gettysburg.wav'],
}
/** One sentence each, of which only the text is known. */
const SENTENCES: Readonly<Record<Half, readonly string[]>> = {
  tuned: ['bbaf2n', 'lbax4n'],
  'held out': ['brbk7n', 'lbbc2a', 'sbia1a'],
}
/** Words with a vowel like that of a hesitation: a middle one. */
const MIDDLE = new Set('of was what us but come from nor for or her one world country were under'.split(' '))

/** People and two synthetic voices; nobody is in both halves. */
export async function listFillerVoices(half: Half): Promise<Voice[]> {
  const aligned = ALIGNED[half].map(async (name) =>
    voiceOf(name, await samplesOf(media(name)), await wordsOf(name)),
  )
  const sentences = SENTENCES[half].map(async (name) => {
    const samples = await samplesOf(media(`people/grid/${name}.mpg`))
    return voiceOf(name, samples, sentenceWords(samples, await textOf(name)))
  })
  return Promise.all([...aligned, ...sentences])
}

async function wordsOf(name: string): Promise<AlignedWord[]> {
  if (!name.includes('nasa')) return alignedWords(name.replace(/\.\w+$/, ''))
  const file = join(import.meta.dirname, '..', 'speech-model', 'nasa_13013.align.txt')
  return parseAlignment(await readFile(file, 'utf8'))
}

async function textOf(name: string): Promise<string> {
  const truth = JSON.parse(await readFile(media('people/grid/truth.json'), 'utf8')) as {
    clips: { file: string; text: string }[]
  }
  return truth.clips.find(({ file }) => file === `${name}.mpg`)?.text ?? ''
}

/** The words of a sentence shared out over where it is loud: only its beginning and its end are right. */
function sentenceWords(samples: Int16Array, text: string): AlignedWord[] {
  const hop = RATE / 100
  const levels = Array.from({ length: Math.floor(samples.length / hop) }, (_, at) =>
    levelOf(Float64Array.from(samples.subarray(at * hop, (at + 1) * hop))),
  )
  const loud = Math.max(...levels) / 16
  const first = levels.findIndex((level) => level > loud) / 100
  const last = (levels.findLastIndex((level) => level > loud) + 1) / 100
  const words = text.split(' ')
  const each = (last - first) / words.length
  return words.map((word, at) => ({ word, start: first + at * each, end: first + (at + 1) * each }))
}

function voiceOf(name: string, samples: Int16Array, words: readonly AlignedWord[]): Voice {
  const isSentence = !name.includes('.')
  const sources = isSentence ? words.slice(2, 5) : words.filter(({ word }) => MIDDLE.has(word))
  const periods = sources.flatMap(({ start, end }) => findPeriods(samples, start, end) ?? []).slice(0, 12)
  return { name, samples, words, periods, tone: quietest(samples) }
}

/** The quietest 80 ms, from which pauses are made. */
function quietest(samples: Int16Array): Float64Array {
  const size = 0.08 * RATE
  let best = new Float64Array(size)
  let least = Infinity
  for (let from = 0; from + size <= samples.length; from += size / 4) {
    const part = Float64Array.from(samples.subarray(from, from + size))
    const level = levelOf(part)
    // Digital silence is no tone of a room.
    if (level > 1 && level < least) [best, least] = [part, level]
  }
  return best
}

function toneOf({ tone }: Voice, seconds: number, random: Random): Float64Array {
  const half = tone.length / 2
  const result = new Float64Array(Math.round(seconds * RATE))
  for (let at = -half; at < result.length; at += half) {
    const backwards = random() < 0.5
    for (let place = 0; place < tone.length; place += 1) {
      const weight = 0.5 - 0.5 * Math.cos((2 * Math.PI * place) / tone.length)
      const to = at + place
      if (to >= 0 && to < result.length)
        result[to] = (result[to] ?? 0) + weight * (tone[backwards ? tone.length - 1 - place : place] ?? 0)
    }
  }
  return result
}

/** A recording that is made longer piece by piece, with its words at their new times. */
class Splice {
  readonly pieces: Float64Array[] = []
  readonly words: AlignedWord[] = []
  length = 0
  /** Adds a piece with a soft joint, 5 ms over each other; returns where it begins and ends, seconds. */
  add(piece: Float64Array): Span {
    const start = this.length / RATE
    this.pieces.push(piece)
    this.length += piece.length
    return { start, end: this.length / RATE }
  }
  samples(): Int16Array {
    const joined = new Float64Array(this.length)
    const soft = 0.005 * RATE
    let at = 0
    for (const piece of this.pieces) {
      for (let place = 0; place < piece.length; place += 1) {
        const edge = Math.min(1, (place + 1) / soft, (piece.length - place) / soft)
        joined[at + place] = edge * (piece[place] ?? 0)
      }
      at += piece.length
    }
    return Int16Array.from(joined, (value) => Math.max(-32_768, Math.min(32_767, Math.round(value))))
  }
}

type Insert = (splice: Splice, after: AlignedWord, number: number) => void

/** The recording with something put in after each word for which `wanted` holds; after a sentence only where it ends. */
function spliced(voice: Voice, wanted: (index: number) => boolean, insert: Insert, repeats = 1): Splice {
  const splice = new Splice()
  const isSentence = !voice.name.includes('.')
  let number = 0
  for (let turn = 0; turn < repeats; turn += 1) {
    let from = 0
    let moved = splice.length / RATE
    voice.words.forEach((word, index) => {
      const last = index === voice.words.length - 1
      const start = moved + word.start
      splice.words.push({ word: word.word, start, end: moved + word.end })
      if (isSentence ? !last : !wanted(index + turn) || last) return
      const to = Math.round(word.end * RATE)
      splice.add(Float64Array.from(voice.samples.subarray(from, to)))
      insert(splice, word, number)
      number += 1
      from = to
      moved = splice.length / RATE - word.end
    })
    splice.add(Float64Array.from(voice.samples.subarray(from)))
  }
  return splice
}

/** Every so many words. */
const EVERY = 5

/** The voice with a hesitation after every fifth word, the words and the hesitations drawn by `seed`. */
export function withFillers(voice: Voice, seed: number): FillerTalk {
  const random = randomNumbers(seed + voice.samples.length)
  const fillers: (Span & { joint: Joint })[] = []
  const splice = spliced(
    voice,
    (index) => index % EVERY === seed % EVERY,
    (made) => {
      const drawn = random()
      const joint: Joint =
        drawn < 0.5 ? 'pauses' : drawn < 0.7 ? 'pause after' : drawn < 0.9 ? 'pause before' : 'no pause'
      const pause = (): void => void made.add(toneOf(voice, 0.1 + 0.35 * random() ** 2, random))
      const periods = voice.periods[Math.floor(random() * voice.periods.length)]
      if (periods === undefined) return
      const own = random() < 0.4 && voice.name.includes('.')
      const vowel = own ? ('own' as const) : (VOWELS[Math.floor(random() * VOWELS.length)] ?? 'uh')
      const sound = { seconds: 0.22 + 0.4 * random(), vowel, pitch: 0.88 + 0.14 * random() }
      if (joint === 'pauses' || joint === 'pause before') pause()
      fillers.push({ ...made.add(makeFiller(periods, sound, random)), joint })
      if (joint === 'pauses' || joint === 'pause after') pause()
    },
    voice.name.includes('.') ? 1 : 4,
  )
  return { name: voice.name, samples: splice.samples(), words: splice.words, fillers }
}

/** The recording with its captions whole, or with every tenth word left out of them, from `first` on. */
export function withoutWords(voice: Voice, first: number | null): FillerTalk {
  const { name, samples } = voice
  const words = voice.words.filter((_, index) => first === null || index % 10 !== first)
  return { name, samples, words, fillers: [] }
}

/** The voice with the vowel of some words drawn out by 0.2 to 0.45 s, and a pause after them. */
export function withDrawnWords(voice: Voice, seed: number): FillerTalk {
  const random = randomNumbers(seed + 17)
  const splice = new Splice()
  let from = 0
  let moved = 0
  voice.words.forEach((word, index) => {
    const periods =
      index % 4 === seed % 4 ? findPeriods(voice.samples, (word.start + word.end) / 2, word.end) : null
    const start = word.start + moved
    if (periods === null) {
      splice.words.push({ word: word.word, start, end: word.end + moved })
      return
    }
    // The vowel is drawn out where it is; what follows it in the word comes after.
    const to = Math.round(((word.start + word.end) / 2) * RATE) + (periods.marks[1] ?? 0)
    splice.add(Float64Array.from(voice.samples.subarray(from, to)))
    splice.add(layPeriods(periods, Math.round((0.2 + 0.25 * random()) * RATE), 1, random))
    const end = Math.round(word.end * RATE)
    splice.add(Float64Array.from(voice.samples.subarray(to, end)))
    splice.words.push({ word: word.word, start, end: splice.length / RATE })
    splice.add(toneOf(voice, 0.2 * random(), random))
    from = end
    moved = splice.length / RATE - word.end
  })
  splice.add(Float64Array.from(voice.samples.subarray(from)))
  return { name: voice.name, samples: splice.samples(), words: splice.words, fillers: [] }
}

/** What is no hesitation. */
export const TRAPS = ['laughter', 'a melody', 'a single tone', 'a word of another'] as const
export type Trap = (typeof TRAPS)[number]

/** The voice with something in its pauses that is no hesitation: laughter, a melody, or a word of another voice. */
export function withTraps(voice: Voice, trap: Trap, others: readonly Voice[], seed: number): FillerTalk {
  const random = randomNumbers(seed + 31)
  const foreign = others
    .filter(({ name }) => name !== voice.name && name.includes('.'))
    .flatMap((other) =>
      other.words.map(({ start, end }) =>
        Float64Array.from(other.samples.subarray(Math.round(start * RATE), Math.round(end * RATE))),
      ),
    )
  const splice = spliced(
    voice,
    (index) => index % EVERY === seed % EVERY,
    (made, _, number) => {
      const periods = voice.periods[number % voice.periods.length]
      made.add(toneOf(voice, 0.15 + 0.2 * random(), random))
      if (trap === 'laughter' && periods !== undefined) made.add(laughterOf(periods, random))
      else if (trap === 'a melody') made.add(melodyOf(random, 3 + Math.floor(4 * random())))
      else if (trap === 'a single tone') made.add(melodyOf(random, 1))
      else made.add(foreign[Math.floor(random() * foreign.length)] ?? new Float64Array())
      made.add(toneOf(voice, 0.15 + 0.2 * random(), random))
    },
    voice.name.includes('.') ? 1 : 4,
  )
  return { name: voice.name, samples: splice.samples(), words: splice.words, fillers: [] }
}

/** Four to eight bursts of a voice with breath between them, five a second, falling. */
function laughterOf(periods: Periods, random: Random): Float64Array {
  const bursts = 4 + Math.floor(5 * random())
  const step = Math.round((0.17 + 0.06 * random()) * RATE)
  const result = new Float64Array(bursts * step)
  const level = levelOf(periods.samples)
  for (let burst = 0; burst < bursts; burst += 1) {
    const voiced = layPeriods(periods, Math.round(0.55 * step), 1.5 - 0.06 * burst, random)
    for (let at = 0; at < step; at += 1) {
      const swell = at < voiced.length ? Math.sin((Math.PI * at) / voiced.length) : 0
      const breath = 0.08 * level * (2 * random() - 1)
      result[burst * step + at] = swell * (voiced[at] ?? 0) + breath
    }
  }
  return result
}

/** Notes of an instrument, 0.2 to 0.8 s each. */
function melodyOf(random: Random, count: number): Float64Array {
  const notes = Array.from({ length: count }, () => {
    const hertz = 110 * 2 ** (Math.floor(24 * random()) / 12)
    const size = Math.round((0.2 + 0.6 * random()) * RATE)
    return Float64Array.from({ length: size }, (_, at) => {
      const phase = (2 * Math.PI * hertz * at) / RATE
      const tone =
        Math.sin(phase) + 0.6 * Math.sin(2 * phase) + 0.4 * Math.sin(3 * phase) + 0.2 * Math.sin(5 * phase)
      return 2500 * tone * Math.min(1, at / 300, (size - at) / 1200)
    })
  })
  return Float64Array.from(notes.flatMap((note) => [...note]))
}
