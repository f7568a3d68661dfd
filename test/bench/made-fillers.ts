/**
 * Hesitations made of a speaker's own voice, for recordings whose truth is known: the periods of a vowel laid one after the
 * other at a pitch that falls slowly (TD-PSOLA, Moulines and Charpentier 1990), as they are or through the formants of "uh".
 */
import { RATE } from './media.ts'

export type Random = () => number

/** Numbers from 0 to 1, the same for the same seed. */
export function randomNumbers(seed: number): Random {
  let state = (seed * 7919) % 2_147_483_647
  const next = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
  for (let at = 0; at < 20; at += 1) next()
  return next
}

/** Formants of a man, Hertz; a woman's are higher. */
const FORMANTS = {
  uh: [610, 1190, 2450],
  um: [600, 1170, 2450],
  eh: [510, 1750, 2450],
  euh: [430, 1430, 2300],
} as const
export type Vowel = keyof typeof FORMANTS
export const VOWELS = Object.keys(FORMANTS) as Vowel[]
const NASAL = [270, 1050, 2200] as const
const WIDTHS = [70, 90, 140] as const
/** Speakers with a pitch above have formants higher by this factor. */
const HIGH_PITCH = 150
const HIGHER = 1.15

/** Periods of a vowel: where each begins in the samples, and how long they are. */
export interface Periods {
  readonly samples: Float64Array
  readonly marks: readonly number[]
  readonly length: number
}

/** The periods around the loudest place of a stretch; null where nothing repeats itself there. */
export function findPeriods(recording: Int16Array, from: number, to: number): Periods | null {
  const first = Math.round(from * RATE)
  const last = Math.min(recording.length, Math.round(to * RATE))
  let loudest = first
  let most = -1
  for (let at = first; at + 480 < last; at += 80) {
    const power = recording.subarray(at, at + 480).reduce((sum, sample) => sum + sample * sample, 0)
    if (power > most) [loudest, most] = [at, power]
  }
  const begin = Math.max(0, loudest - 800)
  const samples = Float64Array.from(recording.subarray(begin, loudest + 1280))
  const middle = loudest - begin + 240
  const length = periodAt(samples, middle)
  if (length === 0) return null
  // Marks a period apart, each where the sound is most like that around the mark before.
  let mark = greatest(samples, middle - length / 2, middle + length / 2)
  const marks = [mark]
  for (let turn = 0; turn < 2; turn += 1) {
    mark = mostAlike(samples, mark, -length)
    marks.unshift(mark)
  }
  mark = marks.at(-1) ?? mark
  for (let turn = 0; turn < 2; turn += 1) {
    mark = mostAlike(samples, mark, length)
    marks.push(mark)
  }
  const usable = marks.filter((at) => at >= length && at + length < samples.length)
  return usable.length < 3 ? null : { samples, marks: usable, length }
}

function greatest(samples: Float64Array, from: number, to: number): number {
  let best = Math.max(0, Math.round(from))
  for (let at = best; at < Math.min(samples.length, to); at += 1)
    if ((samples[at] ?? 0) > (samples[best] ?? 0)) best = at
  return best
}

/** The place about `step` further on that is most like this one. */
function mostAlike(samples: Float64Array, mark: number, step: number): number {
  const reach = Math.round(Math.abs(step) * 0.6)
  const likeness = (place: number): number => {
    let together = 0
    let own = 0
    for (let offset = -reach; offset <= reach; offset += 1) {
      together += (samples[mark + offset] ?? 0) * (samples[place + offset] ?? 0)
      own += (samples[place + offset] ?? 0) ** 2
    }
    return together / Math.sqrt(own + 1)
  }
  let best = Math.round(mark + step)
  for (let by = -0.1; by <= 0.1; by += 1 / Math.abs(step)) {
    const place = Math.round(mark + step * (1 + by))
    if (likeness(place) > likeness(best)) best = place
  }
  return best
}

/** Samples of one period by autocorrelation; 0 where it is no clear one. */
function periodAt(samples: Float64Array, middle: number): number {
  const size = 400
  const score = (lag: number): number => {
    let together = 0
    let one = 0
    let other = 0
    for (let at = middle - size / 2; at < middle + size / 2; at += 1) {
      const a = samples[at] ?? 0
      const b = samples[at + lag] ?? 0
      together += a * b
      one += a * a
      other += b * b
    }
    return together / Math.sqrt(one * other + 1)
  }
  let best = 0
  let most = 0.7
  for (let lag = 45; lag <= 220; lag += 1) {
    const value = score(lag)
    if (value > most + 0.02) [best, most] = [lag, value]
  }
  return best
}

export interface MadeSound {
  readonly seconds: number
  readonly vowel: Vowel | 'own'
  /** Against the source's own pitch. */
  readonly pitch: number
}

/** A hesitation of these periods, as loud as they are. */
export function makeFiller(
  periods: Periods,
  { seconds, vowel, pitch }: MadeSound,
  random: Random,
): Float64Array {
  const source = vowel === 'own' ? periods : { ...periods, samples: residualOf(periods.samples) }
  const count = Math.round(seconds * RATE)
  const laid = layPeriods(source, count, pitch, random)
  const shaped = vowel === 'own' ? laid : throughFormants(laid, vowel, RATE / periods.length)
  return withEnvelope(shaped, levelOf(periods.samples), random)
}

/** The periods one after the other, each a little different from the one before, falling by about a semitone. */
export function layPeriods(
  { samples, marks, length }: Periods,
  count: number,
  pitch: number,
  random: Random,
): Float64Array {
  const result = new Float64Array(count)
  let at = 0
  for (let turn = 0; at < count; turn += 1) {
    const step = (length / pitch) * (1 + (0.06 * at) / count + 0.012 * (random() - 0.5))
    // Forth and back through the periods, so that neighbours follow each other.
    const cycle = 2 * marks.length - 2
    const place = turn % cycle
    const mark = marks[place < marks.length ? place : cycle - place] ?? 0
    const loud = 1 + 0.08 * (random() - 0.5)
    for (let offset = -Math.floor(length); offset < length; offset += 1) {
      const to = Math.round(at) + offset
      if (to < 0 || to >= count) continue
      const weight = 0.5 + 0.5 * Math.cos((Math.PI * offset) / length)
      result[to] = (result[to] ?? 0) + loud * weight * (samples[mark + offset] ?? 0)
    }
    at += step
  }
  return result
}

/** What a linear prediction of order 18 does not predict: the voice's source without its formants. */
function residualOf(samples: Float64Array): Float64Array {
  const order = 18
  const size = samples.length
  const windowed = samples.map((value, at) => value * (0.5 - 0.5 * Math.cos((2 * Math.PI * at) / size)))
  const correlation = Array.from({ length: order + 1 }, (_, lag) =>
    windowed.reduce((sum, value, at) => sum + value * (windowed[at - lag] ?? 0), 0),
  )
  let error = (correlation[0] ?? 0) * 1.0001 + 1
  let solved = [1]
  for (let step = 1; step <= order; step += 1) {
    const sum = solved.reduce((total, value, at) => total + value * (correlation[step - at] ?? 0), 0)
    const reflection = -sum / error
    const padded = [...solved, 0]
    solved = padded.map((value, at) => value + reflection * (padded[step - at] ?? 0))
    error *= 1 - reflection * reflection
  }
  return samples.map((_, at) => solved.reduce((sum, value, lag) => sum + value * (samples[at - lag] ?? 0), 0))
}

function throughFormants(source: Float64Array, vowel: Vowel, pitchHz: number): Float64Array {
  const factor = pitchHz > HIGH_PITCH ? HIGHER : 1
  const oral = resonate(
    source,
    FORMANTS[vowel].map((hertz) => hertz * factor),
  )
  if (vowel !== 'um') return oral
  const nasal = resonate(
    source,
    NASAL.map((hertz) => hertz * factor),
  )
  const scale = 0.45 * (levelOf(oral) / Math.max(1e-9, levelOf(nasal)))
  // The lips close within 50 ms at six tenths of the sound.
  return oral.map((value, at) => {
    const closed = Math.min(1, Math.max(0, (at - 0.58 * oral.length) / (0.05 * RATE)))
    return (1 - closed) * value + closed * scale * (nasal[at] ?? 0)
  })
}

function resonate(source: Float64Array, formants: readonly number[]): Float64Array {
  let signal = source
  formants.forEach((hertz, at) => {
    const radius = Math.exp((-Math.PI * (WIDTHS[at] ?? 100)) / RATE)
    const one = 2 * radius * Math.cos((2 * Math.PI * hertz) / RATE)
    const two = -radius * radius
    const gain = 1 - one - two
    const next = new Float64Array(signal.length)
    for (let place = 0; place < signal.length; place += 1)
      next[place] = gain * (signal[place] ?? 0) + one * (next[place - 1] ?? 0) + two * (next[place - 2] ?? 0)
    signal = next
  })
  // A residual is bright: a mouth that is half open is not.
  let before = 0
  return signal.map((value) => (before = 0.6 * before + 0.4 * value))
}

export function levelOf(samples: Float64Array): number {
  return Math.sqrt(samples.reduce((sum, value) => sum + value * value, 0) / Math.max(1, samples.length))
}

/** Swells in 20 to 50 ms, fades in 40 to 100 ms, and is 2 to 8 dB below the vowel that it was made of. */
function withEnvelope(samples: Float64Array, level: number, random: Random): Float64Array {
  const swell = (0.02 + 0.03 * random()) * RATE
  const fade = (0.04 + 0.06 * random()) * RATE
  const gain = (level / Math.max(1e-9, levelOf(samples))) * 10 ** (-(2 + 6 * random()) / 20)
  return samples.map((value, at) => {
    const edge = Math.min(1, at / swell, (samples.length - at) / fade)
    return value * gain * (0.5 - 0.5 * Math.cos(Math.PI * edge)) * (1 - (0.25 * at) / samples.length)
  })
}
