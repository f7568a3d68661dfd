/** Recorded voices and known noise for the bench of cleaned sound, at 16 kHz, each the same every time. */
import { media, RATE, samplesOf } from './media.ts'
import { listMeetings, listVoices, type Half } from './speaker-talks.ts'

export interface CleanVoice {
  readonly name: string
  /** Whether it was recorded across a room, so that room and noise are in it before any is added. */
  readonly isFar: boolean
  readonly samples: Float32Array
}

export interface Noise {
  readonly name: string
  /** As long as is asked for. `without`: the voice that it is put under. */
  readonly samples: (length: number, without: string) => Float32Array
}

/** Of a voice, seconds. */
const MOST_SECONDS = 6
/** So many of the people of the meetings, in the order of their names. */
const MOST_FAR = 3

/** The recordings of one person each, and the first people of the meetings, of one half. */
export async function cleanVoices(half: Half): Promise<CleanVoice[]> {
  const all = (await listVoices(half)).map(({ name, parts }) => {
    const spoken = joined(parts.map(({ samples }) => floatsOf(samples)))
    return { name, isFar: !isRecording(name), samples: spoken.subarray(0, MOST_SECONDS * RATE) }
  })
  const far = all.filter(({ isFar }) => isFar).toSorted((one, other) => (one.name < other.name ? -1 : 1))
  return [...all.filter(({ isFar }) => !isFar), ...far.slice(0, MOST_FAR)]
}

const isRecording = (name: string): boolean => /\.\w{3,4}$/.test(name)

/** Sources of ffmpeg. Those of the two halves are of other kinds. */
const DRAWN: Readonly<Record<Half, Readonly<Record<string, string>>>> = {
  tuned: {
    white: 'anoisesrc=color=white:r=16000:seed=1:a=0.3:d=10',
    pink: 'anoisesrc=color=pink:r=16000:seed=2:a=0.3:d=10',
    fan: 'anoisesrc=color=brown:r=16000:seed=3:a=0.3:d=10,lowpass=f=900,tremolo=f=11:d=0.2',
  },
  'held out': {
    blue: 'anoisesrc=color=blue:r=16000:seed=11:a=0.3:d=10',
    engine: `aevalsrc='${[1, 2, 3, 4, 5, 7, 9, 12].map((times) => `0.2/${times}*sin(2*PI*${times}*(41*t+0.9*sin(2*PI*0.3*t)))`).join('+')}+0.05*(random(0)-0.5)':s=16000:d=10`,
    typing: `aevalsrc='0.6*(random(0)-0.5)*(exp(-60*mod(t,0.19))+exp(-45*mod(t+0.07,0.31)))':s=16000:d=10`,
  },
}
/** Music on a stage, before an audience. */
const MUSIC = 'people/hamilton.mp4'

export async function noisesOf(half: Half): Promise<Noise[]> {
  const drawn = Object.entries(DRAWN[half]).map(async ([name, source]) =>
    repeated(name, floatsOf(await samplesOf(source, true))),
  )
  const recorded = half === 'tuned' ? [] : [repeated('music', floatsOf(await samplesOf(media(MUSIC))))]
  return [
    ...(await Promise.all(drawn)),
    repeated('room', await roomTone(half)),
    ...recorded,
    await babbleOf(half),
  ]
}

const repeated = (name: string, sound: Float32Array): Noise => ({
  name,
  samples: (length) => Float32Array.from({ length }, (_, at) => sound[at % sound.length] ?? 0),
})

/** Far from every turn, seconds. */
const CLEAR = 0.3

/** What meetings sound like while nobody speaks. */
async function roomTone(half: Half): Promise<Float32Array> {
  const parts: Float32Array[] = []
  for (const { file, seconds, turns } of await listMeetings(half)) {
    const samples = floatsOf(await samplesOf(file))
    const isQuiet = (second: number): boolean =>
      turns.every(({ start, end }) => second < start - CLEAR || second > end + CLEAR)
    const quiet = Array.from({ length: Math.floor(seconds * 10) }, (_, at) => at).filter((at) =>
      isQuiet((at + 0.5) / 10),
    )
    // All rooms are equally loud in it.
    const own = joined(quiet.map((at) => samples.subarray((at * RATE) / 10, ((at + 1) * RATE) / 10)))
    if (own.length > RATE) parts.push(scaled(own, 0.1 / Math.sqrt(powerOf(own))))
  }
  return joined(parts)
}

/** All others of the half at once, each beginning somewhere else. */
async function babbleOf(half: Half): Promise<Noise> {
  const voices = (await listVoices(half)).map(({ name, parts }) => {
    const sound = joined(parts.map(({ samples }) => floatsOf(samples)))
    return { name, sound: scaled(sound, 0.1 / Math.sqrt(powerOf(sound))) }
  })
  return {
    name: 'babble',
    samples: (length, without) => {
      const others = voices.filter(({ name }) => name !== without)
      return Float32Array.from({ length }, (_, at) =>
        others.reduce(
          (sum, { sound }, number) => sum + (sound[((at + number * 1.7 * RATE) % sound.length) | 0] ?? 0),
          0,
        ),
      )
    },
  }
}

const floatsOf = (samples: Int16Array): Float32Array => Float32Array.from(samples, (value) => value / 32_768)

export const powerOf = (samples: Float32Array): number =>
  samples.reduce((sum, value) => sum + value * value, 0) / Math.max(1, samples.length)

const scaled = (samples: Float32Array, factor: number): Float32Array => samples.map((value) => value * factor)

function joined(parts: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** A voice with noise that is so many decibels below it. */
export function mixedAt(voice: Float32Array, noise: Float32Array, decibels: number): Float32Array {
  const gain = Math.sqrt(powerOf(voice) / powerOf(noise)) * 10 ** (-decibels / 20)
  return voice.map((value, at) => value + gain * (noise[at] ?? 0))
}

/** The ratio of the two sample rates, and how far the filter between them reaches, in samples at 16 kHz. */
const TIMES = 3
const REACH = 12
const KERNEL = Float64Array.from({ length: 2 * REACH * TIMES + 1 }, (_, at) => {
  const place = at / TIMES - REACH
  const window = 0.5 + 0.5 * Math.cos((Math.PI * place) / REACH)
  return (place === 0 ? 1 : Math.sin(Math.PI * place) / (Math.PI * place)) * window
})

/** From 16 to 48 kHz. */
export function raised(samples: Float32Array): Float32Array {
  return Float32Array.from({ length: samples.length * TIMES }, (_, at) => {
    const first = Math.ceil(at / TIMES - REACH)
    let sum = 0
    for (let from = Math.max(0, first); from <= at / TIMES + REACH; from++)
      sum += (samples[from] ?? 0) * (KERNEL[at - from * TIMES + REACH * TIMES] ?? 0)
    return sum
  })
}

/** From 48 to 16 kHz. */
export function lowered(samples: Float32Array): Float32Array {
  return Float32Array.from({ length: Math.floor(samples.length / TIMES) }, (_, at) => {
    let sum = 0
    for (let tap = 0; tap < KERNEL.length; tap++)
      sum += (samples[at * TIMES + tap - REACH * TIMES] ?? 0) * (KERNEL[tap] ?? 0)
    return sum / TIMES
  })
}

/** By how many decibels what is like the voice is over all else, whatever its loudness. */
export function likeness(voice: Float32Array, judged: Float32Array): number {
  let both = 0
  let own = 0
  for (const [at, value] of voice.entries()) {
    both += value * (judged[at] ?? 0)
    own += value * value
  }
  let wanted = 0
  let rest = 0
  for (const [at, value] of voice.entries()) {
    const part = (both / own) * value
    wanted += part * part
    rest += ((judged[at] ?? 0) - part) ** 2
  }
  return 10 * Math.log10(wanted / Math.max(rest, 1e-20))
}
