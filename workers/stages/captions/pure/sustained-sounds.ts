/**
 * PURE. Finds where a voice holds one sound: level, pitch and spectrum stay the same for longer than in spoken words. "Um",
 * "uh", "euh", "äh" and "eh" are such sounds (Audhkhasi et al. 2009: filled pauses by the stability of formants and pitch).
 */
import {
  type VoiceAnalyser,
  createVoiceAnalyser,
  shapeDistance,
  type SpectrumShape,
} from './voice-analyser.ts'
import { HOP_SECONDS, percentile, type SoundFeatures } from './sound-features.ts'

export interface SustainedSound {
  /** Seconds in the source. */
  readonly start: number
  readonly end: number
  /** Median of its pitch, and how far that rises (negative: falls) from its first to its last third, semitones. */
  readonly pitchHz: number
  readonly riseSemitones: number
  /** Between the lowest and the highest tenth of its pitch, semitones: an instrument's tone has none. */
  readonly wavering: number
  /** Medians of its lowest two formants, Hertz. */
  readonly formant1Hz: number
  readonly formant2Hz: number
  /** Median level, dBFS. */
  readonly levelDb: number
  /** Mean change of the spectrum over 40 ms; about 0.3 in a vowel that is held. */
  readonly change: number
  /** Difference of the spectrum between its beginning and its end. */
  readonly drift: number
}

/** Shorter ones are vowels of words; a vowel that ends in a nasal is found in two parts. Seconds. */
const MIN_SECONDS = 0.14
const MIN_PART_SECONDS = 0.08
const MIN_TWO_PARTS_SECONDS = 0.24
/** From a vowel to its nasal the lips take so long at most, seconds, and the voice loses so many decibels. */
const CLOSING_SECONDS = 0.09
const NASAL_BELOW = { least: 1, most: 15 }
/** Frames on each side that a frame is compared over: 40 ms in all. */
const SIDE = 2
const MAX_CHANGE = 0.6
/** A change of the level over 40 ms that ends a sound, dB. */
const MAX_LEVEL_CHANGE = 5
/** Quieter than the loud parts by more than this is no voice that speaks, dB. */
const MAX_BELOW = 24
/** Vowels and nasals are darker than this, dB; see SoundFeatures. */
const MAX_BRIGHTNESS = -5
/** An instrument's pitch wavers by less, semitones. */
const MIN_WAVERING = 0.15
/** A pitch that leaps by more over 40 ms ends a sound, semitones. */
const MAX_LEAP = 2.5

/** The sounds in mono PCM at 16 kHz whose features these are, in order. */
export function findSustained(samples: Int16Array, features: SoundFeatures): SustainedSound[] {
  const runs = steadyLevels(features)
  if (runs.length === 0) return []
  const voice = createVoiceAnalyser(samples)
  const parts = runs.flatMap((run) => partsIn(run, voice, features))
  return joinNasals(parts).filter(
    ({ start, end, wavering }) => end - start >= MIN_SECONDS && wavering >= MIN_WAVERING,
  )
}

/** "U" and "m" become "um". */
function joinNasals(parts: readonly SustainedSound[]): SustainedSound[] {
  const joined: SustainedSound[] = []
  for (const part of parts) {
    const before = joined.at(-1)
    if (before === undefined || !closesInto(before, part)) {
      joined.push(part)
      continue
    }
    const long = before.end - before.start
    const short = part.end - part.start
    joined[joined.length - 1] = {
      ...before,
      end: part.end,
      riseSemitones: withoutOctaves(semitones(part.pitchHz, before.pitchHz)),
      change: (before.change * long + part.change * short) / (long + short),
      drift: Math.max(before.drift, part.drift),
    }
  }
  return joined
}

function closesInto(vowel: SustainedSound, nasal: SustainedSound): boolean {
  const below = vowel.levelDb - nasal.levelDb
  return (
    nasal.start - vowel.end <= CLOSING_SECONDS &&
    nasal.end - vowel.start >= MIN_TWO_PARTS_SECONDS &&
    below >= NASAL_BELOW.least &&
    below <= NASAL_BELOW.most &&
    Math.abs(withoutOctaves(semitones(nasal.pitchHz, vowel.pitchHz))) <= MAX_LEAP
  )
}

/** Frames, the last not included. */
interface Run {
  readonly from: number
  readonly to: number
}

/** Stretches that are loud and dark enough, and even in level, to hold a sound: cheap to find. */
function steadyLevels({ levelDb, brightnessDb }: SoundFeatures): Run[] {
  const least = percentile(levelDb, 0.95) - MAX_BELOW
  const smooth = levelDb.map(
    (level, at) => (level + (levelDb[at - 1] ?? level) + (levelDb[at + 1] ?? level)) / 3,
  )
  return runsOf(levelDb.length, (frame) => {
    const change = Math.abs((smooth[frame + SIDE] ?? -100) - (smooth[frame - SIDE] ?? -100))
    const dark = brightnessDb === undefined || (brightnessDb[frame] ?? 0) < MAX_BRIGHTNESS
    return dark && (smooth[frame] ?? -100) > least && change < MAX_LEVEL_CHANGE
  })
}

function runsOf(frames: number, isIn: (frame: number) => boolean): Run[] {
  const runs: Run[] = []
  let open = -1
  for (let frame = 0; frame <= frames; frame += 1) {
    const inside = frame < frames && isIn(frame)
    if (inside && open < 0) open = frame
    if (inside || open < 0) continue
    // A frame on each side is as steady as its neighbour.
    if ((frame - open + 2) * HOP_SECONDS >= MIN_PART_SECONDS - 1e-9) runs.push({ from: open, to: frame })
    open = -1
  }
  return runs
}

function partsIn(run: Run, voice: VoiceAnalyser, features: SoundFeatures): SustainedSound[] {
  const first = Math.max(0, run.from - SIDE)
  const count = run.to + SIDE - first
  const moments = Array.from({ length: count }, (_, at) => (first + at + 0.5) * HOP_SECONDS)
  const pitches = moments.map((moment) => voice.pitchAt(moment))
  const shapes = moments.map((moment, at) => (pitches[at] === 0 ? null : voice.shapeAt(moment)))
  const changes = moments.map((_, at) => changeAt(at, pitches, shapes))
  return runsOf(count, (at) => (changes[at] ?? Infinity) < MAX_CHANGE).flatMap(({ from, to }) => {
    const own = shapes.slice(from, to).filter((shape) => shape !== null)
    const tones = pitches.slice(from, to).filter((pitch) => pitch > 0)
    const third = Math.max(1, Math.floor(tones.length / 3))
    const begin = own[0]
    const end = own.at(-1)
    if (begin === undefined || end === undefined) return []
    const sound: SustainedSound = {
      start: features.startSeconds + (first + from - 1) * HOP_SECONDS,
      end: features.startSeconds + (first + to + 1) * HOP_SECONDS,
      pitchHz: median(tones),
      riseSemitones: withoutOctaves(semitones(median(tones.slice(-third)), median(tones.slice(0, third)))),
      wavering: semitones(quantile(tones, 0.9), quantile(tones, 0.1)),
      formant1Hz: median(own.map(({ formant1Hz }) => formant1Hz)),
      formant2Hz: median(own.map(({ formant2Hz }) => formant2Hz)),
      levelDb: median([...features.levelDb.subarray(first + from, first + to)]),
      change: changes.slice(from, to).reduce((sum, change) => sum + change, 0) / (to - from),
      drift: shapeDistance(begin, end),
    }
    return [sound]
  })
}

function changeAt(at: number, pitches: readonly number[], shapes: readonly (SpectrumShape | null)[]): number {
  const before = shapes[at - SIDE] ?? null
  const after = shapes[at + SIDE] ?? null
  if (before === null || after === null) return Infinity
  const leap = Math.abs(withoutOctaves(semitones(pitches[at + SIDE] ?? 1, pitches[at - SIDE] ?? 1)))
  return leap > MAX_LEAP ? Infinity : shapeDistance(before, after)
}

/** An octave is an error of measuring, not a leap of the voice. */
const withoutOctaves = (interval: number): number => interval - 12 * Math.round(interval / 12)

const semitones = (one: number, other: number): number => 12 * Math.log2(one / other)

const median = (values: readonly number[]): number => quantile(values, 0.5)

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(share * values.length)] ?? 0
