/**
 * PURE. Short hesitations between two silences: "um" in a hurry is held too shortly to be told by that, but it is voiced from
 * end to end, begins with a middle vowel, and has at most a nasal after it. So have a few words ("on", "and").
 */
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
import { shapeDistance, type VoiceAnalyser } from './voice-analyser.ts'

/** Lengths of an island and of the silence on each side, frames. */
const ISLAND = { least: 12, most: 60 }
const SILENT_FRAMES = 5
/** Above the background by this share of the range of levels is sound. */
const SOUNDING = 0.3
/** A burst or a hiss is brighter, dB, for so many frames, where an island is loud: so far below its loudest place. */
const MAX_BRIGHTNESS = -6
const BRIGHT_FRAMES = 2
const LOUD_DB = 14
/** Its edges are left out of account. */
const EDGE_FRAMES = 3
/** Share of its frames that are voiced. */
const VOICED = 0.85
/** Its vowel: frames, formants in Hertz, how far the second may move, and how much the voice may rise, semitones. */
const VOWEL = { frames: 5, formant1: [420, 860], formant2: [1050, 1900], movement: 260, rise: 0.7 } as const
/** A lower first formant is a nasal's. */
const NASAL_BELOW_HZ = 340

/** Sounds with silence on both sides that are neither too short nor too long nor bright. */
export function islandsOf({ levelDb, brightnessDb }: SoundFeatures): Run[] {
  const top = percentile(levelDb, 0.95)
  const floor = Math.max(top - 50, percentile(levelDb, 0.06))
  const threshold = floor + SOUNDING * (top - floor)
  const sounds = runsOf(levelDb.length, 1, (frame) => (levelDb[frame] ?? 0) >= threshold)
  return sounds.filter(({ from, to }, at) => {
    const before = from - (sounds[at - 1]?.to ?? 0)
    const after = (sounds[at + 1]?.from ?? levelDb.length) - to
    const fits = to - from >= ISLAND.least && to - from <= ISLAND.most
    const loud = Math.max(...levelDb.subarray(from, to)) - LOUD_DB
    const bright = runsOf(to - from, BRIGHT_FRAMES, (frame) => {
      const isLoud = (levelDb[from + frame] ?? 0) >= loud
      return isLoud && (brightnessDb?.[from + frame] ?? -Infinity) >= MAX_BRIGHTNESS
    })
    return fits && before >= SILENT_FRAMES && after >= SILENT_FRAMES && bright.length === 0
  })
}

/** The hesitation that an island is; null where it is none. */
export function judgeIsland(
  { from, to }: Run,
  voice: VoiceAnalyser,
  { startSeconds, levelDb }: SoundFeatures,
): SustainedSound | null {
  const frames = Array.from({ length: to - from - 2 * EDGE_FRAMES }, (_, at) => {
    const moment = (from + EDGE_FRAMES + at + 0.5) * HOP_SECONDS
    return { pitch: voice.pitchAt(moment), shape: voice.shapeAt(moment) }
  })
  const voiced = frames.filter(({ pitch }) => pitch > 0)
  const close = frames.findIndex(({ shape }) => shape.formant1Hz < NASAL_BELOW_HZ)
  const vowel = close < 0 ? frames : frames.slice(0, close)
  const isNasalAfter = frames.slice(vowel.length).every(({ shape }) => shape.formant1Hz < NASAL_BELOW_HZ)
  const pitches = voiced.map(({ pitch }) => pitch)
  const half = Math.max(1, pitches.length >> 1)
  const rise = withoutOctaves(semitones(median(pitches.slice(half)), median(pitches.slice(0, half))))
  const seconds = vowel.map(({ shape }) => shape.formant2Hz)
  const formant1Hz = median(vowel.map(({ shape }) => shape.formant1Hz))
  const formant2Hz = median(seconds)
  const isVowel =
    isNasalAfter &&
    vowel.length >= VOWEL.frames &&
    isBetween(formant1Hz, VOWEL.formant1) &&
    isBetween(formant2Hz, VOWEL.formant2) &&
    quantile(seconds, 0.9) - quantile(seconds, 0.1) <= VOWEL.movement
  const wavering = semitones(quantile(pitches, 0.9), quantile(pitches, 0.1))
  const isVoice = voiced.length >= VOICED * frames.length && wavering >= MIN_WAVERING && rise <= VOWEL.rise
  if (!isVowel || !isVoice) return null
  const begin = vowel[0]
  const end = vowel.at(-1)
  return {
    start: startSeconds + from * HOP_SECONDS,
    end: startSeconds + to * HOP_SECONDS,
    pitchHz: median(pitches),
    riseSemitones: rise,
    wavering,
    formant1Hz,
    formant2Hz,
    levelDb: median([...levelDb.subarray(from, to)]),
    change: 0,
    drift: begin === undefined || end === undefined ? 0 : shapeDistance(begin.shape, end.shape),
    isIsland: true,
  }
}

const isBetween = (value: number, [least, most]: readonly [number, number]): boolean =>
  value >= least && value <= most
