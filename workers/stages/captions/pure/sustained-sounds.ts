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
import {
  median,
  MIN_WAVERING,
  quantile,
  runsOf,
  semitones,
  withoutOctaves,
  type Run,
  type SustainedSound,
} from './sustained-sound.ts'
import { islandsOf, judgeIsland } from './voiced-islands.ts'

/** Shorter ones are vowels of words; a vowel that ends in a nasal is found in two parts. Seconds. */
const MIN_SECONDS = 0.14
const MIN_PART_FRAMES = 6
const MIN_TWO_PARTS_SECONDS = 0.24
/** From a vowel to its nasal the lips take so long at most, seconds, and the voice loses so many decibels. */
const CLOSING_SECONDS = 0.09
const NASAL_BELOW = { least: 1, most: 15 }
/** Frames on each side that a frame is compared over: 40 ms in all. */
const SIDE = 2
const MAX_CHANGE = 0.6
/** Distance of the frames that are looked at first, and how much may change between them. */
const STRIDE = 3
const MAX_COARSE_CHANGE = 0.8
/** A change of the level over 40 ms that ends a sound, dB. */
const MAX_LEVEL_CHANGE = 5
/** Quieter than the loud parts by more than this is no voice that speaks, dB. */
const MAX_BELOW = 24
/** Vowels and nasals are darker than this, dB; see SoundFeatures. */
const MAX_BRIGHTNESS = -5
/** A pitch that leaps by more over 40 ms ends a sound, semitones. */
const MAX_LEAP = 2.5

/** The sounds in mono PCM at 16 kHz whose features these are, in order. */
export function findSustained(samples: Int16Array, features: SoundFeatures): SustainedSound[] {
  const runs = steadyLevels(features)
  const alone = islandsOf(features)
  if (runs.length === 0 && alone.length === 0) return []
  const voice = createVoiceAnalyser(samples)
  const parts = runs.flatMap((run) => partsIn(run, voice, features))
  const sustained = joinNasals(parts).filter(
    ({ start, end, wavering }) => end - start >= MIN_SECONDS && wavering >= MIN_WAVERING,
  )
  const islands = alone.flatMap((run) => judgeIsland(run, voice, features) ?? [])
  const isApart = (island: SustainedSound): boolean =>
    sustained.every(({ start, end }) => end <= island.start || start >= island.end)
  return [...sustained, ...islands.filter(isApart)].sort((a, b) => a.start - b.start)
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

/** Stretches that are loud and dark enough, and even in level, to hold a sound: cheap to find. */
function steadyLevels({ levelDb, brightnessDb }: SoundFeatures): Run[] {
  const least = percentile(levelDb, 0.95) - MAX_BELOW
  const smooth = levelDb.map(
    (level, at) => (level + (levelDb[at - 1] ?? level) + (levelDb[at + 1] ?? level)) / 3,
  )
  return runsOf(levelDb.length, MIN_PART_FRAMES, (frame) => {
    const change = Math.abs((smooth[frame + SIDE] ?? -100) - (smooth[frame - SIDE] ?? -100))
    const dark = brightnessDb === undefined || (brightnessDb[frame] ?? 0) < MAX_BRIGHTNESS
    return dark && (smooth[frame] ?? -100) > least && change < MAX_LEVEL_CHANGE
  })
}

function partsIn(run: Run, voice: VoiceAnalyser, features: SoundFeatures): SustainedSound[] {
  const first = Math.max(0, run.from - SIDE)
  const count = run.to + SIDE - first
  const looks: (Look | undefined)[] = []
  const look = (at: number): Look => (looks[at] ??= lookAt(voice, (first + at + 0.5) * HOP_SECONDS))
  // Every third frame first: only what changes little from one to the next is looked at frame by frame.
  const worth = new Set<number>()
  for (let at = 0; at + STRIDE < count; at += STRIDE)
    if (changeBetween(look(at), look(at + STRIDE)) < MAX_COARSE_CHANGE)
      for (let near = at - STRIDE; near <= at + 2 * STRIDE; near += 1) worth.add(near)
  const changes = Array.from({ length: count }, (_, at) =>
    worth.has(at) && at >= SIDE && at + SIDE < count
      ? changeBetween(look(at - SIDE), look(at + SIDE))
      : Infinity,
  )
  return runsOf(count, MIN_PART_FRAMES, (at) => (changes[at] ?? Infinity) < MAX_CHANGE).flatMap(
    ({ from, to }) => {
      const inside = Array.from({ length: to - from }, (_, at) => look(from + at))
      const change = changes.slice(from, to).reduce((sum, one) => sum + one, 0) / (to - from)
      return describe(inside, change, { from: first + from, to: first + to }, features) ?? []
    },
  )
}

/** One sound of these frames; null where none of them is voiced. */
function describe(
  looks: readonly Look[],
  change: number,
  { from, to }: Run,
  { startSeconds, levelDb }: SoundFeatures,
): SustainedSound | null {
  const shapes = looks.flatMap(({ shape }) => shape ?? [])
  const tones = looks.flatMap(({ pitch }) => (pitch > 0 ? [pitch] : []))
  const third = Math.max(1, Math.floor(tones.length / 3))
  const begin = shapes[0]
  const end = shapes.at(-1)
  if (begin === undefined || end === undefined) return null
  return {
    // A frame on each side is as steady as its neighbour.
    start: startSeconds + (from - 1) * HOP_SECONDS,
    end: startSeconds + (to + 1) * HOP_SECONDS,
    pitchHz: median(tones),
    riseSemitones: withoutOctaves(semitones(median(tones.slice(-third)), median(tones.slice(0, third)))),
    wavering: semitones(quantile(tones, 0.9), quantile(tones, 0.1)),
    formant1Hz: median(shapes.map(({ formant1Hz }) => formant1Hz)),
    formant2Hz: median(shapes.map(({ formant2Hz }) => formant2Hz)),
    levelDb: median([...levelDb.subarray(from, to)]),
    change,
    drift: shapeDistance(begin, end),
  }
}

interface Look {
  /** Hertz; 0: not voiced. */
  readonly pitch: number
  readonly shape: SpectrumShape | null
}

function lookAt(voice: VoiceAnalyser, seconds: number): Look {
  const pitch = voice.pitchAt(seconds)
  return { pitch, shape: pitch === 0 ? null : voice.shapeAt(seconds) }
}

function changeBetween(before: Look, after: Look): number {
  if (before.shape === null || after.shape === null) return Infinity
  const leap = Math.abs(withoutOctaves(semitones(after.pitch, before.pitch)))
  return leap > MAX_LEAP ? Infinity : shapeDistance(before.shape, after.shape)
}
