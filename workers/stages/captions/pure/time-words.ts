/** PURE. Times the words of a caption cue by the sound, or by their usual lengths where the sound cannot be used. */
import { HABITS } from '../../../../server/nodes/speech/filler-lists.ts'
import { bare, undrawn } from '../../../../server/nodes/speech/spoken-text.ts'
import { alignWords, type PlacedWord, type WordToPlace } from './align-sounds.ts'
import { HOP_SECONDS, percentile, sliceFeatures, type SoundFeatures } from './sound-features.ts'
import { soundsOf, usualSeconds, type Sound } from './spoken-sounds.ts'

export interface TimedWord {
  readonly word: string
  readonly start: number
  readonly end: number
}

export interface CueWindow {
  /** Seconds in the source, as the captions give them. */
  readonly start: number
  readonly end: number
  /** How far outside of the cue speech may be searched for: the bounds of the neighbouring cues. */
  readonly earliest: number
  readonly latest: number
}

/** Longer ranges are split at their deepest pause, so that the cost of fitting stays linear. */
const MAX_FIT_SECONDS = 24
const PAUSE_PRICE = { sentence: 0.2, phrase: 0.8, none: 3.2 } as const
/** The last sounds before a pause are lengthened. */
const FINAL_STRETCH = 1.35

/** Times each word (with its punctuation) inside the window, in order and without overlap. */
export function timeWords(words: readonly string[], window: CueWindow, features: SoundFeatures): TimedWord[] {
  if (words.length === 0) return []
  const from = Math.min(window.earliest, window.start)
  const to = Math.max(window.latest, window.end)
  const part = sliceFeatures(features, from, to)
  if (part.levelDb.length < 5 || percentile(part.levelDb, 0.95) < -65)
    return shareOut(words, window.start, window.end)
  if (window.end - window.start > MAX_FIT_SECONDS && words.length > 3)
    return fitInParts(words, window, features)
  const bounds = {
    from: (window.start - part.startSeconds) / HOP_SECONDS,
    to: (window.end - part.startSeconds) / HOP_SECONDS,
  }
  const placeable = words.some(isHesitation) ? withoutSustained(part) : part
  const toPlace = words.map((word, index) => wordToPlace(word, index === words.length - 1))
  const usual = toPlace.reduce((sum, word) => sum + total(word.sounds), 0)
  const pace = clamp(voicedSeconds(sliceFeatures(features, window.start, window.end)) / usual, 0.45, 2.2)
  const placed = alignWords(placeable, toPlace, bounds, pace)
  if (placed === null) return shareOut(words, window.start, window.end)
  return placed.map((place, index) => ({ word: words[index] ?? '', ...toSeconds(place, part.startSeconds) }))
}

/** Hesitations of all languages: the list is short, and a word of the same form in another language does no harm here. */
const HESITATIONS = new Set(
  Object.values(HABITS).flatMap(({ sounds, soundsSetOff }) => [...sounds, ...soundsSetOff].map(undrawn)),
)

const isHesitation = (word: string): boolean => HESITATIONS.has(undrawn(bare(word)))

/** A cue that writes its hesitations has a word for each: none of them may be taken for a pause. */
const withoutSustained = ({ sustained: _, ...features }: SoundFeatures): SoundFeatures => features

/** Divides the window by usual spoken lengths; the fallback when the sound cannot be used. */
export function shareOut(words: readonly string[], start: number, end: number): TimedWord[] {
  const weights = words.map((word) => Math.max(0.08, usualSeconds(word)))
  const sum = weights.reduce((total, weight) => total + weight, 0)
  let at = start
  return words.map((word, index) => {
    const from = at
    at += ((end - start) * (weights[index] ?? 0)) / sum
    return { word, start: from, end: at }
  })
}

function wordToPlace(word: string, last: boolean): WordToPlace {
  const sounds = soundsOf(word)
  const pause = /[.!?…]["'”’)\]]*$/.test(word)
    ? 'sentence'
    : /[,;:—–-]["'”’)\]]*$/.test(word)
      ? 'phrase'
      : 'none'
  const drawn = last || pause !== 'none'
  return {
    sounds: drawn ? stretchEnd(sounds) : sounds.length > 0 ? sounds : [{ kind: 'unknown', seconds: 0.12 }],
    pausePrice: PAUSE_PRICE[pause],
  }
}

function stretchEnd(sounds: readonly Sound[]): readonly Sound[] {
  const lastVowel = sounds.findLastIndex((sound) => sound.kind === 'vowel')
  const stretched = sounds.map((sound, index) =>
    index >= lastVowel ? { ...sound, seconds: sound.seconds * FINAL_STRETCH } : sound,
  )
  return stretched.length > 0 ? stretched : [{ kind: 'unknown', seconds: 0.12 }]
}

/** Seconds of the part whose level is closer to speech than to the background. */
function voicedSeconds(part: SoundFeatures): number {
  const top = percentile(part.levelDb, 0.92)
  const floor = Math.max(top - 50, percentile(part.levelDb, 0.04))
  const threshold = floor + (top - floor) * 0.3
  let frames = 0
  for (const level of part.levelDb) if (level > threshold) frames += 1
  return Math.max(0.1, frames * HOP_SECONDS)
}

/** Splits a long cue at its deepest pause near the middle; words are divided by usual length over the voiced part. */
function fitInParts(words: readonly string[], window: CueWindow, features: SoundFeatures): TimedWord[] {
  const cut = deepestPause(window, features)
  const before = voicedSeconds(sliceFeatures(features, window.start, cut))
  const after = voicedSeconds(sliceFeatures(features, cut, window.end))
  const wanted = (before / (before + after)) * words.reduce((sum, word) => sum + usualSeconds(word), 0)
  let count = 0
  for (let sum = 0; count < words.length - 1 && sum < wanted; count += 1)
    sum += usualSeconds(words[count] ?? '')
  count = Math.max(1, nearPunctuation(words, count))
  return [
    ...timeWords(words.slice(0, count), { ...window, end: cut, latest: cut }, features),
    ...timeWords(words.slice(count), { ...window, start: cut, earliest: cut }, features),
  ]
}

function nearPunctuation(words: readonly string[], count: number): number {
  for (const offset of [0, -1, 1, -2, 2]) {
    const index = count + offset
    if (index > 0 && index < words.length && /[.!?,;:]["'”’)]*$/.test(words[index - 1] ?? '')) return index
  }
  return count
}

function deepestPause(window: CueWindow, features: SoundFeatures): number {
  const third = (window.end - window.start) / 3
  const middle = sliceFeatures(features, window.start + third, window.end - third)
  const width = 15
  let sum = 0
  let lowest = Infinity
  let at = middle.levelDb.length / 2
  for (let frame = 0; frame < middle.levelDb.length; frame += 1) {
    sum += middle.levelDb[frame] ?? 0
    if (frame >= width) sum -= middle.levelDb[frame - width] ?? 0
    if (frame >= width - 1 && sum < lowest) {
      lowest = sum
      at = frame - width / 2
    }
  }
  return middle.startSeconds + at * HOP_SECONDS
}

function toSeconds(place: PlacedWord, startSeconds: number): { start: number; end: number } {
  const round = (frame: number): number => Math.round((startSeconds + frame * HOP_SECONDS) * 1000) / 1000
  return { start: round(place.from), end: round(place.to) }
}

function total(sounds: readonly Sound[]): number {
  return sounds.reduce((sum, sound) => sum + sound.seconds, 0)
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value))
}
