/**
 * What is done to a clip's own sound before anything else: hum is taken out, then noise and the tail of rooms, then the voices are
 * brought to one loudness. The same in preview and export. Sound is given twice: it is listened to as a whole, then it is cleaned.
 */
import type { SoundCleaning } from '../../../../../server/contract/composition.ts'
import { TICKS_PER_SECOND } from '../../../../../server/contract/time.ts'
import { SAMPLE_RATE } from '../../../../media/arguments/render-time.ts'
import type { Stereo } from '../mix/stereo.ts'
import { createHumFilter, createHumFinder } from './hum.ts'
import { createNoiseProfile, createNoiseTracker, createSpeechGains, type NoiseStrength } from './noise.ts'
import { createReverbTracker } from './reverb.ts'
import { BINS, createSpectralFilter, createSpectralListener, type SoundFilter } from './spectral-filter.ts'
import { createVoiceGains, createVoiceMeter, type SpokenTurn } from './voices.ts'

const STRENGTHS: Readonly<Record<'light' | 'strong', NoiseStrength>> = {
  light: { floorDb: 10, over: 1 },
  strong: { floorDb: 20, over: 1 },
}
/** Of rooms alone: what is lowered by so little is never heard to be missing. */
const ROOM_ALONE: NoiseStrength = { floorDb: 8, over: 1 }

/** What was heard in a whole sound. */
export interface Heard {
  /** Frequencies that hum, Hz. */
  readonly hum: readonly number[]
  /** Power of the noise by frequency; null: it is not needed. */
  readonly noise: Float64Array | null
}

const usesSpectrum = ({ noise, reverb }: SoundCleaning): boolean => noise !== 'off' || reverb

/** Listens to a sound, piece by piece. */
export function createListener(cleaning: SoundCleaning) {
  const hum = cleaning.hum ? createHumFinder() : null
  const profile = usesSpectrum(cleaning) ? createNoiseProfile() : null
  const spectra = profile === null ? null : createSpectralListener((power) => profile.add(power))
  return {
    push(sound: Stereo): void {
      hum?.push(sound)
      spectra?.(sound)
    },
    finish: (): Heard => ({ hum: hum?.finish() ?? [], noise: profile?.finish() ?? null }),
  }
}

/** Cleans a sound that was listened to, all but the loudness of its voices. */
export function createCleaner(cleaning: SoundCleaning, { hum, noise }: Heard): SoundFilter {
  const filters: SoundFilter[] = []
  if (hum.length > 0) filters.push(createHumFilter(hum))
  if (noise !== null) filters.push(createSpeechFilter(cleaning, Float64Array.from(noise)))
  return inARow(filters)
}

function createSpeechFilter({ noise, reverb }: SoundCleaning, level: Float64Array): SoundFilter {
  const follow = createNoiseTracker(level)
  const decide = createSpeechGains(noise === 'off' ? ROOM_ALONE : STRENGTHS[noise])
  const room = reverb ? createReverbTracker() : null
  const unwanted = new Float64Array(BINS)
  return createSpectralFilter((power, gains, whole) => {
    if (whole) follow(power)
    const late = room?.(power, level)
    for (let bin = 0; bin < BINS; bin++)
      unwanted[bin] = (noise === 'off' ? 0 : (level[bin] ?? 0)) + (late?.[bin] ?? 0) + 1e-12
    decide(power, unwanted, gains)
  })
}

function inARow(filters: readonly SoundFilter[]): SoundFilter {
  return {
    push: (sound) => filters.reduce((given, filter) => filter.push(given), sound),
    flush() {
      let rest: Stereo = { left: new Float32Array(0), right: new Float32Array(0) }
      for (const filter of filters) rest = joined(filter.push(rest), filter.flush())
      return rest
    },
  }
}

function joined(one: Stereo, other: Stereo): Stereo {
  const both = (a: Float32Array, b: Float32Array): Float32Array => {
    const all = new Float32Array(a.length + b.length)
    all.set(a)
    all.set(b, a.length)
    return all
  }
  return { left: both(one.left, other.left), right: both(one.right, other.right) }
}

/** Who speaks when, in samples; none: the voices are left as they are. */
export const spokenTurns = ({ turns = [] }: SoundCleaning): SpokenTurn[] =>
  turns.map(({ speaker, start, end }) => ({ speaker, from: sampleOf(start), to: sampleOf(end) }))

const sampleOf = (ticks: number): number => Math.round((ticks / TICKS_PER_SECOND) * SAMPLE_RATE)

export { createVoiceGains, createVoiceMeter }

/** So much is given at once, which bounds what is held besides the sound itself. */
const PIECE = 1 << 16

/** Of the work: listening, and then cleaning; the rest is the levelling of voices. */
const LISTENED = 0.25
const WITHOUT_VOICES = 0.95

/**
 * Cleans a sound that is there as a whole. Between pieces it says which share is done, so that whoever goes through the steps can
 * show it, let other work pass, or stop.
 */
export function* cleaningSteps(sound: Stereo, cleaning: SoundCleaning): Generator<number, Stereo> {
  const { length } = sound.left
  const listener = createListener(cleaning)
  for (const { piece, share } of piecesOf(sound)) {
    listener.push(piece)
    yield LISTENED * share
  }
  const cleaner = createCleaner(cleaning, listener.finish())
  const clean: Stereo = { left: new Float32Array(length), right: new Float32Array(length) }
  let at = 0
  const keep = ({ left, right }: Stereo): void => {
    clean.left.set(left, at)
    clean.right.set(right, at)
    at += left.length
  }
  for (const { piece, share } of piecesOf(sound)) {
    keep(cleaner.push(piece))
    yield LISTENED + (WITHOUT_VOICES - LISTENED) * share
  }
  keep(cleaner.flush())
  const turns = spokenTurns(cleaning)
  if (turns.length === 0) return clean
  const meter = createVoiceMeter(turns)
  for (const { piece, share } of piecesOf(clean)) {
    meter.push(piece)
    yield WITHOUT_VOICES + (1 - WITHOUT_VOICES) * share
  }
  createVoiceGains(meter.finish())(clean, 0)
  return clean
}

/** The same in one go. */
export function cleanSound(sound: Stereo, cleaning: SoundCleaning): Stereo {
  const steps = cleaningSteps(sound, cleaning)
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** Its pieces, and the share of it that ends with each. */
function* piecesOf({ left, right }: Stereo): Generator<{ readonly piece: Stereo; readonly share: number }> {
  for (let at = 0; at < left.length; at += PIECE) {
    const piece = { left: left.subarray(at, at + PIECE), right: right.subarray(at, at + PIECE) }
    yield { piece, share: Math.min(1, (at + PIECE) / left.length) }
  }
}
