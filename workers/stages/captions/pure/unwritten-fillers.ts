/**
 * PURE. Which sustained sounds are fillers that nobody wrote down: "um", "uh", "euh", "eh". Words that captions leave out are
 * none, nor are lengthened ends of words, replies of others and laughter: what is not sure is only offered.
 */
import type { UnwrittenFiller, TranscriptWord } from '../../../../server/contract/transcript.ts'
import { FLOOR_DB, HOP_SECONDS, percentile, sliceFeatures, type SoundFeatures } from './sound-features.ts'
import type { SustainedSound } from './sustained-sound.ts'

/** What of a filler must be so that it is sure, or at least likely. */
interface Limits {
  readonly leastSeconds: number
  readonly change: number
  readonly drift: number
  /** Rising at its end: a question, or agreement. Semitones. */
  readonly rise: number
  /** Share of it that lies within words. */
  readonly within: number
  /** Other sound between the words around it: of a word that was left out. Seconds. */
  readonly other: number
  readonly formant1: readonly [number, number]
  readonly formant2: readonly [number, number]
  /** Silence before and after it, seconds. */
  readonly before: number
  readonly after: number
}

const SURE: Limits = {
  leastSeconds: 0.2,
  change: 0.48,
  drift: 1.2,
  rise: 1.2,
  within: 0.2,
  other: 0.1,
  formant1: [320, 800],
  formant2: [950, 2050],
  before: 0.04,
  after: 0.04,
}
/** An island has a nasal at its end, which differs from its vowel; the silence around it was looked for. */
const SURE_ISLAND: Limits = {
  ...SURE,
  leastSeconds: 0.24,
  drift: 1.6,
  other: 0.05,
  formant1: [450, 800],
  formant2: [1050, 1850],
}
const LIKELY: Limits = {
  leastSeconds: 0.16,
  change: 0.6,
  drift: 1.5,
  rise: 2,
  within: 0.5,
  other: 0.25,
  formant1: [200, 900],
  formant2: [800, 2300],
  before: 0,
  after: 0,
}
const LONGEST = 1.5
/** How far the beginning and the end of a sustained sound reach beyond the part that is steady, seconds. */
const FLANK = 0.09
/** As much quieter than its middle is the edge of a sound, dB. */
const EDGE_DB = 14
/** Above the background by this share of the range of levels is sound. */
const SOUNDING = 0.3
/** Frames of fading between a sound and the silence beside it. */
const FADING_FRAMES = 5
/** Quieter than the speech around it by more than this is no hesitation but the hum of a machine, dB. */
const MAX_BELOW = 18
/** How far around a sound levels are compared, seconds. */
const AROUND = 6
/** Two parts of one filler are at most so far apart: "u" and "m". Seconds. */
const ONE_FILLER = 0.09

/** In order. `words` in order, with times that leave room where the sustained sounds are no words. */
export function findUnwrittenFillers(
  words: readonly Pick<TranscriptWord, 'start' | 'end'>[],
  sustained: readonly SustainedSound[],
  features: SoundFeatures,
): UnwrittenFiller[] {
  const found: UnwrittenFiller[] = []
  for (const sound of sustained) {
    const filler = judge(sound, words, features)
    const last = found.at(-1)
    if (filler === null) continue
    if (last !== undefined && filler.start - last.end < ONE_FILLER)
      found[found.length - 1] = { start: last.start, end: filler.end, sure: last.sure && filler.sure }
    else found.push(filler)
  }
  return found
}

function judge(
  sound: SustainedSound,
  words: readonly Pick<TranscriptWord, 'start' | 'end'>[],
  features: SoundFeatures,
): UnwrittenFiller | null {
  const middle = (sound.start + sound.end) / 2
  const gap = gapAround(words, middle)
  const level = levelsAround(features, middle)
  const whole = withFlanks(sound, level)
  const seconds = whole.end - whole.start
  const inside = Math.max(0, gap.start - sound.start) + Math.max(0, sound.end - gap.end)
  const facts = {
    sound,
    seconds,
    within: inside / (sound.end - sound.start),
    before: level.silentBefore(whole.start),
    after: level.silentAfter(whole.end),
    other: level.sounding(gap.start + 0.03, whole.start) + level.sounding(whole.end, gap.end - 0.03),
  }
  if (seconds > LONGEST || sound.levelDb < level.top - MAX_BELOW || !meets(LIKELY, facts)) return null
  const from = Math.max(whole.start, gap.start)
  const to = Math.min(whole.end, gap.end)
  return to - from < LIKELY.leastSeconds
    ? null
    : { start: round(from), end: round(to), sure: meets(sound.isIsland === true ? SURE_ISLAND : SURE, facts) }
}

interface Facts {
  readonly sound: SustainedSound
  readonly seconds: number
  readonly within: number
  readonly before: number
  readonly after: number
  readonly other: number
}

function meets(limits: Limits, facts: Facts): boolean {
  const { sound } = facts
  return (
    facts.seconds >= limits.leastSeconds &&
    sound.change <= limits.change &&
    sound.drift <= limits.drift &&
    sound.riseSemitones <= limits.rise &&
    facts.within <= limits.within &&
    facts.other <= limits.other &&
    (sound.formant1Hz === 0 || isBetween(sound.formant1Hz, limits.formant1)) &&
    isBetween(sound.formant2Hz, limits.formant2) &&
    facts.before >= limits.before &&
    facts.after >= limits.after
  )
}

const isBetween = (value: number, [least, most]: readonly [number, number]): boolean =>
  value >= least && value <= most

/** From the end of the word before a moment to the start of the word after it, by the middles of the words. */
function gapAround(words: readonly Pick<TranscriptWord, 'start' | 'end'>[], moment: number) {
  const after = words.findIndex(({ start, end }) => (start + end) / 2 > moment)
  const next = after < 0 ? words.length : after
  return { start: words[next - 1]?.end ?? -Infinity, end: words[next]?.start ?? Infinity }
}

function levelsAround(features: SoundFeatures, moment: number) {
  const part = sliceFeatures(features, moment - AROUND, moment + AROUND)
  const top = percentile(part.levelDb, 0.92)
  const floor = Math.max(top - 50, percentile(part.levelDb, 0.06))
  const threshold = floor + SOUNDING * (top - floor)
  const frameOf = (seconds: number): number => Math.round((seconds - part.startSeconds) / HOP_SECONDS)
  const at = (frame: number): number => part.levelDb[frame] ?? FLOOR_DB
  const run = (edge: number, step: number): number => {
    let from = edge
    while (Math.abs(from - edge) < FADING_FRAMES && at(from) >= threshold) from += step
    let frames = 0
    while (frames < 30 && at(from + step * frames) < threshold) frames += 1
    return frames * HOP_SECONDS
  }
  return {
    top,
    threshold,
    levelAt: (seconds: number): number => at(frameOf(seconds)),
    silentBefore: (seconds: number): number => run(frameOf(seconds) - 1, -1),
    silentAfter: (seconds: number): number => run(frameOf(seconds), 1),
    /** Seconds of sound in a stretch. */
    sounding(from: number, to: number): number {
      let frames = 0
      for (
        let frame = Math.max(0, frameOf(from));
        frame < Math.min(frameOf(to), part.levelDb.length);
        frame += 1
      )
        if (at(frame) >= threshold) frames += 1
      return frames * HOP_SECONDS
    },
  }
}

/** The sound with where it swells and fades. */
function withFlanks({ start, end, levelDb }: SustainedSound, level: ReturnType<typeof levelsAround>) {
  const least = Math.max(level.threshold, levelDb - EDGE_DB)
  let from = start
  let to = end
  while (start - from < FLANK && level.levelAt(from - HOP_SECONDS) >= least) from -= HOP_SECONDS
  while (to - end < FLANK && level.levelAt(to) >= least) to += HOP_SECONDS
  return { start: from, end: to }
}

const round = (seconds: number): number => Math.round(seconds * 1000) / 1000
