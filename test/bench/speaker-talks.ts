/** Recordings of real voices whose turns are known: meetings as they are, and conversations made of people who speak alone. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { wavFile } from '../support/wav.ts'
import type { SpokenTurn } from './measure/diarization.ts'
import { media, RATE, samplesOf } from './media.ts'

export interface Talk {
  readonly name: string
  readonly file: string
  readonly seconds: number
  readonly turns: readonly SpokenTurn<string>[]
}

/** Thresholds are set on the first half and reported on the second; nobody is in both. */
export type Half = 'tuned' | 'held out'

const MEETINGS: Readonly<Record<Half, readonly string[]>> = {
  tuned: ['trn01', 'trn02', 'trn03', 'trn04', 'trn05'],
  'held out': ['trn06', 'trn07', 'trn08', 'trn09', 'dev00', 'dev01'],
}
/** Clips of one sentence of GRID, and a speech of 1961. */
const RECORDINGS: Readonly<Record<Half, readonly string[]>> = {
  tuned: ['people/grid/bbaf2n.mpg', 'people/grid/lbax4n.mpg', 'jfk.flac'],
  'held out': ['people/grid/brbk7n.mpg', 'people/grid/lbbc2a.mpg', 'people/grid/sbia1a.mpg'],
}

/** The excerpts of AMI meetings of one half. */
export async function listMeetings(half: Half): Promise<Talk[]> {
  return Promise.all(
    MEETINGS[half].map(async (name) => {
      const file = media(`ami-dev/${name}.flac`)
      return { name, file, seconds: (await samplesOf(file)).length / RATE, turns: await readTurns(name) }
    }),
  )
}

export async function readTurns(name: string): Promise<SpokenTurn<string>[]> {
  const text = await readFile(media(`ami-dev/${name}.rttm`), 'utf8')
  return text.split('\n').flatMap((line) => {
    const [, , , from, length, , , speaker] = line.split(/\s+/)
    if (speaker === undefined) return []
    return [{ speaker, start: Number(from), end: Number(from) + Number(length) }]
  })
}

interface Span {
  readonly start: number
  readonly end: number
}

/** What one person says alone without a break, and where in it there is speech, in seconds from its beginning. */
interface Part {
  readonly samples: Int16Array
  readonly spoken: readonly Span[]
}

interface Voice {
  readonly name: string
  readonly parts: readonly Part[]
}

/** A solo stretch is this far from the speech of others, and is at least so long; a voice has so much of it in all; seconds. */
const CLEAR = 0.1
const MIN_PART = 1
const MIN_VOICE = 5
/** A pause of a speaker that is longer is not speech, seconds. */
const PAUSE = 0.5

async function listVoices(half: Half): Promise<Voice[]> {
  const parts = new Map<string, Part[]>()
  for (const { file, turns } of await listMeetings(half)) {
    const samples = await samplesOf(file)
    for (const turn of turns)
      for (const { start, end } of findSolo(turn, turns)) {
        const own = samples.subarray(Math.round(start * RATE), Math.round(end * RATE))
        const part = { samples: own, spoken: [{ start: 0, end: end - start }] }
        parts.set(turn.speaker, [...(parts.get(turn.speaker) ?? []), part])
      }
  }
  const meeting = [...parts].map(([name, own]) => ({ name, parts: own }))
  const lengths = meeting.map((voice) => voice.parts.reduce((sum, part) => sum + part.samples.length, 0))
  const voices = meeting.filter((_, at) => (lengths[at] ?? 0) >= MIN_VOICE * RATE)
  for (const name of RECORDINGS[half]) {
    const samples = await samplesOf(media(name))
    voices.push({ name, parts: [{ samples, spoken: findLoud(samples) }] })
  }
  return voices
}

/** The stretches of a turn in which nobody else speaks. */
function findSolo(turn: SpokenTurn<string>, turns: readonly SpokenTurn<string>[]): Span[] {
  let open: Span[] = [turn]
  for (const other of turns)
    if (other.speaker !== turn.speaker)
      open = open.flatMap(({ start, end }) => [
        { start, end: Math.min(end, other.start - CLEAR) },
        { start: Math.max(start, other.end + CLEAR), end },
      ])
  return open.filter(({ start, end }) => end - start >= MIN_PART)
}

/** Where a recording of one voice is at most 17 dB below its loud parts: the noise of these is 20 to 35 dB below. */
function findLoud(samples: Int16Array): Span[] {
  const size = RATE / 100
  const levels = Array.from({ length: Math.floor(samples.length / size) }, (_, at) =>
    samples.subarray(at * size, (at + 1) * size).reduce((sum, sample) => sum + sample * sample, 0),
  )
  const loud = levels.toSorted((a, b) => b - a)[levels.length >> 4] ?? 0
  return joinSpans(
    levels.flatMap((level, at) => (level > loud / 50 ? [{ start: at / 100, end: (at + 1) / 100 }] : [])),
  )
}

/** Joins spans, in order, over pauses that count as speech. */
export function joinSpans(spans: readonly Span[]): Span[] {
  const joined: { start: number; end: number }[] = []
  for (const { start, end } of spans) {
    const last = joined.at(-1)
    if (last !== undefined && start - last.end <= PAUSE) last.end = end
    else joined.push({ start, end })
  }
  return joined
}

/** People of each mix. */
const COUNTS = [2, 3, 4, 5, 2, 3, 4, 5, 2, 3]
const MIX_SECONDS = 60
/** Turns are between these lengths, and the pauses between them too; seconds. */
const TURN = { least: 1, most: 8 }
const GAP = { least: 0.1, most: 1 }
/** In every third mix a fifth of the turns begin so long before the one before them has ended, seconds. */
const TALKED_OVER = { least: 0.3, most: 1.2 }
/** Where levels are made equal, this is the root mean square of a voice. */
const LEVEL = 1500

/** Ten conversations of people of one half, in random order, the same each time. Leaves its files in `folder`. */
export async function mixVoices(folder: string, half: Half): Promise<Talk[]> {
  const voices = await listVoices(half)
  const talks: Talk[] = []
  for (const [at, count] of COUNTS.entries()) {
    const random = randomNumbers(at + (half === 'tuned' ? 1 : 101))
    const people = voices
      .map((voice) => ({ voice, place: random() }))
      .toSorted((a, b) => a.place - b.place)
      .slice(0, count)
      .map(({ voice }) => voice)
    const mix = mixPeople(people, random, {
      equal: at % 2 === 0,
      talkedOver: at % 3 === 1 ? 0.2 : 0,
    })
    const levels = at % 2 === 0 ? 'equal levels' : 'levels as they are'
    const name = `${half} ${at + 1}: ${count} voices, ${levels}${at % 3 === 1 ? ', some overlap' : ''}`
    const file = join(folder, `real-${half.replace(' ', '-')}-${at}.wav`)
    await writeFile(file, wavFile(mix.samples))
    talks.push({ name, file, seconds: mix.samples.length / RATE, turns: mix.turns })
  }
  return talks
}

/** Each person of one half alone for a minute, with pauses. Leaves its files in `folder`. */
export async function listSolos(folder: string, half: Half): Promise<Talk[]> {
  const talks: Talk[] = []
  for (const [at, voice] of (await listVoices(half)).entries()) {
    const mix = mixPeople([voice], randomNumbers(at + 201), { equal: false, talkedOver: 0 })
    const file = join(folder, `solo-${half.replace(' ', '-')}-${at}.wav`)
    await writeFile(file, wavFile(mix.samples))
    talks.push({ name: `${voice.name} alone`, file, seconds: mix.samples.length / RATE, turns: mix.turns })
  }
  return talks
}

/** Numbers from 0 to 1, the same for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed * 7919
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
}

interface MixOptions {
  readonly equal: boolean
  /** Share of turns that begin before the one before them has ended. */
  readonly talkedOver: number
}

function mixPeople(people: readonly Voice[], random: () => number, { equal, talkedOver }: MixOptions) {
  const between = ({ least, most }: { least: number; most: number }): number =>
    least + random() * (most - least)
  const gains = people.map(({ parts }) => (equal ? LEVEL / levelOf(parts) : 1))
  const readers = people.map(({ parts }) => readInTurn(parts))
  const sum = new Float64Array((MIX_SECONDS + 2 * TURN.most) * RATE)
  const turns: SpokenTurn<string>[] = []
  let at = GAP.most
  let last = -1
  for (let turn = 0; at < MIX_SECONDS; turn += 1) {
    const drawn = turn < people.length ? turn : Math.floor(random() * people.length)
    const who = drawn === last ? (drawn + 1) % people.length : drawn
    const { samples, spoken } = readers[who]?.(Math.round(between(TURN) * RATE)) ?? {
      samples: [],
      spoken: [],
    }
    const first = Math.round(at * RATE)
    for (const [place, sample] of samples.entries())
      sum[first + place] = (sum[first + place] ?? 0) + (gains[who] ?? 1) * sample
    const speaker = people[who]?.name ?? ''
    for (const { start, end } of spoken) turns.push({ speaker, start: at + start, end: at + end })
    const length = samples.length / RATE
    at += length + (random() < talkedOver ? -Math.min(between(TALKED_OVER), length / 2) : between(GAP))
    last = who
  }
  const length = Math.ceil((at + GAP.most) * RATE)
  // A little noise, as every recording has it.
  const samples = Int16Array.from(sum.subarray(0, length), (sample) =>
    Math.max(-32_768, Math.min(32_767, Math.round(sample + 4 * (random() - 0.5)))),
  )
  return { samples, turns: turns.toSorted((a, b) => a.start - b.start) }
}

function levelOf(parts: readonly Part[]): number {
  const power = parts.reduce((sum, { samples }) => sum + samples.reduce((own, x) => own + x * x, 0), 0)
  return Math.sqrt(power / parts.reduce((sum, { samples }) => sum + samples.length, 0))
}

/** Reads the parts one after the other, from the first again after the last; a rest under a second is left out. */
function readInTurn(parts: readonly Part[]): (length: number) => Part {
  let part = 0
  let from = 0
  return (length) => {
    const { samples, spoken } = parts[part % parts.length] ?? { samples: new Int16Array(), spoken: [] }
    const to = Math.min(samples.length, from + length)
    const begin = from / RATE
    const cut = spoken.map(({ start, end }) => ({
      start: Math.max(0, start - begin),
      end: Math.min(to / RATE, end) - begin,
    }))
    const result = { samples: samples.slice(from, to), spoken: cut.filter(({ start, end }) => end > start) }
    const rest = samples.length - to < RATE
    part += rest ? 1 : 0
    from = rest ? 0 : to
    return result
  }
}
