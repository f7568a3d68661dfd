/** Recordings of real voices whose turns are known: meetings as they are, and conversations made of people who speak alone. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { wavFile } from '../support/wav.ts'
import type { SpokenTurn } from './measure/diarization.ts'
import { runTool } from '../../workers/media/run-tool.ts'
import { bundledTools } from '../support/stage-harness.ts'
import { alignedWords, media, RATE, samplesOf } from './media.ts'

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
/** Clips of one sentence of GRID, a speech of 1961 and a narrated film. */
const RECORDINGS: Readonly<Record<Half, readonly string[]>> = {
  tuned: ['people/grid/bbaf2n.mpg', 'people/grid/lbax4n.mpg', 'jfk.flac', 'people/nasa_13013.mp4'],
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

export interface Voice {
  readonly name: string
  readonly parts: readonly Part[]
}

/** A solo stretch is this far from the speech of others, and is at least so long; a voice has so much of it in all; seconds. */
const CLEAR = 0.1
const MIN_PART = 1
const MIN_VOICE = 5
/** A pause of a speaker that is longer is not speech, seconds. */
const PAUSE = 0.5

/** Who of a half speaks alone for long enough, and the recordings of one person each. */
export async function listVoices(half: Half): Promise<Voice[]> {
  const parts = new Map<string, Int16Array[]>()
  for (const { file, turns } of await listMeetings(half)) {
    const samples = await samplesOf(file)
    for (const turn of turns)
      for (const { start, end } of findSolo(turn, turns)) {
        const own = samples.subarray(Math.round(start * RATE), Math.round(end * RATE))
        parts.set(turn.speaker, [...(parts.get(turn.speaker) ?? []), own])
      }
  }
  const lengthOf = (own: readonly Int16Array[]): number => own.reduce((sum, { length }) => sum + length, 0)
  const voices = [...parts].filter(([, own]) => lengthOf(own) >= MIN_VOICE * RATE)
  for (const name of RECORDINGS[half]) voices.push([name, [await samplesOf(media(name))]])
  return Promise.all(voices.map(async ([name, own]) => ({ name, parts: await findSpeech(name, own) })))
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

/** The parts of a voice with their speech: by the alignment of its words where there is one, else by level. */
async function findSpeech(name: string, parts: readonly Int16Array[]): Promise<Part[]> {
  if (name === 'jfk.flac') {
    const spoken = joinSpans(await alignedWords('jfk'))
    return parts.map((samples) => ({ samples, spoken }))
  }
  const powers = parts.map(smoothPowers)
  const sorted = powers.flatMap((own) => [...own]).toSorted((a, b) => a - b)
  const loud = sorted[sorted.length - (sorted.length >> 4) - 1] ?? 0
  const noise = sorted[Math.floor(sorted.length / 10)] ?? 0
  const least = Math.max(loud / LOUDER, QUIETER * noise)
  return parts
    .map((samples, part) => ({ samples, spoken: findLoud(powers[part] ?? new Float64Array(), least) }))
    .filter(({ spoken }) => spoken.length > 0)
}

/** Speech is at most this factor of power below the loud parts of a voice (17 dB) and so far above its noise (6 dB). */
const LOUDER = 50
const QUIETER = 4
/** Shorter sounds are no speech, seconds. */
const MIN_SOUND = 0.06

/** Power of each hundredth of a second, as a mean over five of them. */
function smoothPowers(samples: Int16Array): Float64Array {
  const size = RATE / 100
  const powers = Float64Array.from({ length: Math.floor(samples.length / size) }, (_, at) =>
    samples.subarray(at * size, (at + 1) * size).reduce((sum, sample) => sum + sample * sample, 0),
  )
  return powers.map((_, at) =>
    powers.subarray(Math.max(0, at - 2), at + 3).reduce((sum, x) => sum + x / 5, 0),
  )
}

function findLoud(powers: Float64Array, least: number): Span[] {
  const loud = [...powers].flatMap((power, at) =>
    power > least ? [{ start: at / 100, end: (at + 1) / 100 }] : [],
  )
  return joinSpans(joinSpans(loud, 0.02).filter(({ start, end }) => end - start >= MIN_SOUND))
}

/** Joins spans, in order, over pauses that count as speech. */
export function joinSpans(spans: readonly Span[], pause = PAUSE): Span[] {
  const joined: { start: number; end: number }[] = []
  for (const { start, end } of spans) {
    const last = joined.at(-1)
    if (last !== undefined && start - last.end <= pause) last.end = end
    else joined.push({ start, end })
  }
  return joined
}

const MIX_SECONDS = 60
/** The lengths of turns, by mix in turn, and the pauses between them; seconds. */
const TURNS = [
  { least: 1, most: 8 },
  { least: 2, most: 10 },
  { least: 1, most: 4 },
] as const
const LONGEST_TURN = 10
const GAP = { least: 0.1, most: 1 }
/** In every third mix a fifth of the turns begin so long before the one before them has ended, seconds. */
const TALKED_OVER = { least: 0.3, most: 1.2 }
/** Where levels are made equal, this is the root mean square of a voice; uneven ones are within so many decibels of it. */
const LEVEL = 1500
const UNEVEN_DB = 6
const LEVELS = ['equal levels', 'levels as they are', 'uneven levels'] as const

/** What a conversation sounds as if it came through. */
type Channel = 'clean' | 'noise at 20 dB' | 'telephone'

/** Conversations of 2 to 5 people of one half, in random order, the same each time. Leaves its files in `folder`. */
export async function mixVoices(
  folder: string,
  half: Half,
  mixes: number,
  channelOf: (mix: number) => Channel,
): Promise<Talk[]> {
  const voices = await listVoices(half)
  const talks: Talk[] = []
  for (let at = 0; at < mixes; at += 1) {
    const channel = channelOf(at)
    const count = 2 + (at % 4)
    const random = randomNumbers(at + (half === 'tuned' ? 1 : 101) + (channel === 'clean' ? 0 : 300))
    const people = voices
      .map((voice) => ({ voice, place: random() }))
      .toSorted((a, b) => a.place - b.place)
      .slice(0, count)
      .map(({ voice }) => voice)
    const turn = TURNS[at % TURNS.length] ?? TURNS[0]
    const levels = LEVELS[Math.floor(at / 2) % LEVELS.length] ?? LEVELS[0]
    const mix = mixPeople(people, random, { turn, levels, talkedOver: at % 3 === 1 ? 0.2 : 0 })
    const overlap = at % 3 === 1 ? ', some overlap' : ''
    const name = `${half} ${at + 1}: ${count} voices, turns of ${turn.least} to ${turn.most} s, ${levels}${overlap}${channel === 'clean' ? '' : `, ${channel}`}`
    const file = join(folder, `real-${half}-${channel}-${at}.wav`.replaceAll(' ', '-'))
    await writeFile(file, wavFile(channel === 'noise at 20 dB' ? withNoise(mix.samples, 20) : mix.samples))
    const played = channel === 'telephone' ? await overTelephone(file) : file
    talks.push({ name, file: played, seconds: mix.samples.length / RATE, turns: mix.turns })
  }
  return talks
}

/** The sound in the band of a telephone. */
async function overTelephone(file: string): Promise<string> {
  const band = 'highpass=f=300:p=2,highpass=f=300:p=2,lowpass=f=3400:p=2,lowpass=f=3400:p=2'
  const result = file.replace(/\.wav$/, '-band.wav')
  await runTool({
    executable: bundledTools().ffmpeg,
    args: ['-v', 'error', '-y', '-i', file, '-af', band, result],
  })
  return result
}

/** The samples with white noise so far below the speech, the same each time. */
export function withNoise(samples: Int16Array, belowDb: number): Int16Array {
  const loud = samples.filter((sample) => Math.abs(sample) > 200)
  const level = Math.sqrt(loud.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, loud.length))
  let seed = 1
  const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647 - 0.5
  // Four even numbers between -0.5 and 0.5 spread by the root of a third.
  const scale = (level / 10 ** (belowDb / 20)) * Math.sqrt(3)
  return samples.map((sample) => {
    const noisy = sample + scale * (random() + random() + random() + random())
    return Math.max(-32_768, Math.min(32_767, noisy))
  })
}

/** Each person of one half alone for a minute, with pauses; once as it is and once in noise. Leaves its files in `folder`. */
export async function listSolos(folder: string, half: Half): Promise<Talk[]> {
  const talks: Talk[] = []
  for (const [at, voice] of (await listVoices(half)).entries())
    for (const noisy of [false, true]) {
      const levels = noisy ? 'equal levels' : 'levels as they are'
      const mix = mixPeople([voice], randomNumbers(at + 201), { turn: TURNS[0], levels, talkedOver: 0 })
      const file = join(folder, `solo-${half.replace(' ', '-')}-${at}-${noisy}.wav`)
      await writeFile(file, wavFile(noisy ? withNoise(mix.samples, 20) : mix.samples))
      const name = `${voice.name} alone${noisy ? ', noise at 20 dB' : ''}`
      talks.push({ name, file, seconds: mix.samples.length / RATE, turns: mix.turns })
    }
  return talks
}

/** Numbers from 0 to 1, the same for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed * 7919
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
}

interface MixOptions {
  readonly turn: { readonly least: number; readonly most: number }
  readonly levels: (typeof LEVELS)[number]
  /** Share of turns that begin before the one before them has ended. */
  readonly talkedOver: number
}

function mixPeople(people: readonly Voice[], random: () => number, { turn, levels, talkedOver }: MixOptions) {
  const between = ({ least, most }: { least: number; most: number }): number =>
    least + random() * (most - least)
  const gains = people.map(({ parts }) => {
    if (levels === 'levels as they are') return 1
    const even = LEVEL / levelOf(parts)
    return levels === 'equal levels' ? even : even * 10 ** ((UNEVEN_DB * (2 * random() - 1)) / 20)
  })
  const readers = people.map(({ parts }) => readInTurn(parts))
  const sum = new Float64Array((MIX_SECONDS + 2 * LONGEST_TURN) * RATE)
  const turns: SpokenTurn<string>[] = []
  let at = GAP.most
  let last = -1
  for (let number = 0; at < MIX_SECONDS; number += 1) {
    const drawn = number < people.length ? number : Math.floor(random() * people.length)
    const who = drawn === last ? (drawn + 1) % people.length : drawn
    const { samples, spoken } = readers[who]?.(Math.round(between(turn) * RATE)) ?? {
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
