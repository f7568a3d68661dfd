/** Sources whose words and times are known: pieces of the development recordings, changed, in another order, with pauses. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { randomFrom, type Random } from '../fuzz/random.ts'
import { alignedWords, media, parseAlignment, RATE, samplesOf, type AlignedWord } from '../bench/media.ts'
import { changeFilter, isHeldOut, makeMusic, makeNoise, type Change, type NoiseKind } from './changes.ts'

export interface KnownSource {
  readonly name: string
  readonly samples: Int16Array
  readonly words: readonly AlignedWord[]
  /** Where somebody speaks: words outside of it are invented. */
  readonly spoken: readonly { readonly start: number; readonly end: number }[]
}

export interface SourcePlan {
  readonly name: string
  readonly seed: number
  readonly changes: readonly Change[]
  readonly noise: NoiseKind
  /** How far the noise is below the speech. */
  readonly decibels: number
  /**
   * Where pieces begin and end: at pauses where the training cuts too; at all pauses where it never cuts and half of the
   * others; or amid phrases, where it never cuts either.
   */
  readonly cuts: 'trained' | 'pauses' | 'phrases'
  /** Share of the pieces that is used. */
  readonly share?: number
}

interface Recording {
  readonly file: string
  readonly map?: string
  readonly words: () => Promise<readonly AlignedWord[]>
}

/** The alignment of the narrator was made here, with pocketsphinx as the others, because it comes without one. */
const RECORDINGS: readonly Recording[] = [
  { file: 'flite_rms_gettysburg.wav', words: () => alignedWords('flite_rms_gettysburg') },
  { file: 'flite_slt_alice.wav', words: () => alignedWords('flite_slt_alice') },
  { file: 'jfk.flac', words: () => alignedWords('jfk') },
  {
    file: 'people/nasa_13013.mp4',
    map: '0:a:1',
    words: async () =>
      parseAlignment(await readFile(join(import.meta.dirname, 'nasa_13013.align.txt'), 'utf8')),
  },
]

/** A pause in which speech may be cut in training. */
const PAUSE_SECONDS = 0.03
const EDGE_SECONDS = 0.3
const FADE = 160

interface Piece {
  readonly recording: Recording
  readonly words: readonly AlignedWord[]
  /** Where the sound of the piece may begin and end at the most. */
  readonly earliest: number
  readonly latest: number
}

/** Every word of every recording once, in pieces of some seconds. */
export async function makeSource(plan: SourcePlan): Promise<KnownSource> {
  const random = randomFrom(plan.seed)
  const pieces: Piece[] = []
  for (const recording of RECORDINGS)
    pieces.push(...cutPieces(recording, await recording.words(), plan, random))
  const chosen = shuffle(pieces, random).slice(0, Math.ceil(pieces.length * (plan.share ?? 1)))
  const parts: { at: number; sound: Float32Array }[] = []
  const words: AlignedWord[] = []
  const spoken: { start: number; end: number }[] = []
  let at = 1
  for (const piece of chosen) {
    const change = random.pick(plan.changes)
    const { sound, timed } = await readPiece(piece, change, random)
    parts.push({ at, sound })
    words.push(...timed.map(({ word, start, end }) => ({ word, start: start + at, end: end + at })))
    const length = sound.length / RATE
    spoken.push({ start: at - 0.1, end: at + length + 0.1 })
    at += length
    const kind = random.next()
    if (kind > 0.7) {
      const music = makeMusic(random, 2 + 4 * random.next())
      parts.push({ at: at + 0.3, sound: music.map((value) => value * 0.25) })
      at += 0.6 + music.length / RATE
    } else at += kind < 0.35 ? 0.3 + 0.5 * random.next() : 1 + 4 * random.next()
  }
  return { name: plan.name, samples: mix(parts, at + 1, plan, random), words, spoken }
}

/** Half a minute each of silence, noise and music, in which nobody speaks. */
export function makeSpeechless(seed: number): Int16Array {
  const random = randomFrom(seed)
  const parts = [0, 7, 15, 22].map((offset) => ({
    at: 60 + offset,
    sound: makeMusic(random, 6).map((value) => value * 0.4),
  }))
  const noise = makeNoise(random, 30 * RATE, 'brown').map((value) => value * 0.02)
  const plan = { noise: 'none', decibels: 0 } as const
  return mix([...parts, { at: 30, sound: noise }], 90, plan, random)
}

function cutPieces(
  recording: Recording,
  words: readonly AlignedWord[],
  plan: SourcePlan,
  random: Random,
): Piece[] {
  const pauses = (at: number): boolean => (words[at]?.start ?? 0) - (words[at - 1]?.end ?? 0) > PAUSE_SECONDS
  const isCut = (at: number): boolean => {
    if (plan.cuts === 'phrases') return isHeldOut(at) && random.chance(0.4)
    return (
      pauses(at) && (isHeldOut(at) ? plan.cuts === 'pauses' : plan.cuts === 'trained' || random.chance(0.5))
    )
  }
  const cuts = words.flatMap((_, at) => (at > 1 && isCut(at) ? [at] : []))
  const pieces: Piece[] = []
  let first = 0
  while (first < words.length) {
    const next = cuts.find((cut) => cut > first + 1) ?? words.length
    const own = words.slice(first, next)
    const last = own.at(-1)
    if (last !== undefined) {
      const earliest = words[first - 1]?.end ?? 0
      pieces.push({ recording, words: own, earliest, latest: words[next]?.start ?? last.end + 0.1 })
    }
    first = next
  }
  return pieces
}

const changed = new Map<string, Promise<Int16Array>>()

/** The recording at another speed and pitch; each is made once. */
function readChanged({ file, map }: Recording, change: Change): Promise<Int16Array> {
  const key = JSON.stringify([file, change])
  const known = changed.get(key)
  if (known !== undefined) return known
  const chosen = map === undefined ? [] : ['-map', map]
  const made = samplesOf(media(file), false, [...chosen, '-af', changeFilter(change)])
  changed.set(key, made)
  return made
}

async function readPiece({ recording, words, earliest, latest }: Piece, change: Change, random: Random) {
  const first = words[0]?.start ?? 0
  const last = words.at(-1)?.end ?? 0
  const start = Math.max(earliest, first - EDGE_SECONDS * random.next())
  const end = Math.min(latest, last + EDGE_SECONDS * random.next())
  const samples = await readChanged(recording, change)
  const inside = (at: number): number => Math.round((at / change.tempo) * RATE)
  const sound = Float32Array.from(samples.subarray(inside(start), inside(end)), (value) => value / 32768)
  const fade = Math.min(FADE, sound.length >> 2)
  for (let at = 0; at < fade; at += 1) {
    sound[at] = ((sound[at] ?? 0) * at) / fade
    sound[sound.length - 1 - at] = ((sound.at(-1 - at) ?? 0) * at) / fade
  }
  const moved = (at: number): number => (at - start) / change.tempo
  return {
    sound,
    timed: words.map((word) => ({ word: word.word, start: moved(word.start), end: moved(word.end) })),
  }
}

function mix(
  parts: readonly { readonly at: number; readonly sound: Float32Array }[],
  seconds: number,
  { noise, decibels }: Pick<SourcePlan, 'noise' | 'decibels'>,
  random: Random,
): Int16Array {
  const sum = new Float32Array(Math.round(seconds * RATE))
  for (const { at, sound } of parts) {
    const first = Math.round(at * RATE)
    sound.forEach((value, index) => {
      if (first + index < sum.length) sum[first + index] = (sum[first + index] ?? 0) + value
    })
  }
  const level = Math.sqrt(sum.reduce((power, value) => power + value * value, 0) / sum.length)
  const around = makeNoise(random, sum.length, noise)
  const gain = level * 10 ** (-decibels / 20)
  const peak = sum.reduce(
    (most, value, at) => Math.max(most, Math.abs(value + gain * (around[at] ?? 0))),
    1e-9,
  )
  return Int16Array.from(sum, (value, at) => ((value + gain * (around[at] ?? 0)) / peak) * 26_000)
}

function shuffle<T>(list: readonly T[], random: Random): T[] {
  return list
    .map((item) => ({ item, place: random.next() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item)
}
