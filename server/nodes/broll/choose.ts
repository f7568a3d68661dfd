/**
 * Which moments of a clip are covered, and by what. The figures, in seconds:
 *
 * | broll_frequency | one for each | at least between two |
 * |---|---|---|
 * | low | 20 | 8 |
 * | medium | 10 | 4 |
 * | high | 6 | 2 |
 *
 * The first 2 s (the hook: a face, a question) and the last second are never covered. An insert begins with the phrase
 * that names it, or with the word itself where that comes more than a second later, and ends with a phrase 2 to 4 s on.
 */
import type { BrollCandidate } from '../../contract/clip-broll.ts'
import type { PlacedWord } from '../compose/placed-words.ts'
import { isTelling, plainWords, stemOf, stemsOf } from './words.ts'

export type Frequency = 'low' | 'medium' | 'high'

/** Seconds. */
export const SPACING: Readonly<Record<Frequency, { readonly every: number; readonly apart: number }>> = {
  low: { every: 20, apart: 8 },
  medium: { every: 10, apart: 4 },
  high: { every: 6, apart: 2 },
}
export const HOOK_SECONDS = 2
export const TAIL_SECONDS = 1
export const SHORTEST = 2
export const LONGEST = 4
const USUAL = 3
/** Of the usual distance: talk does not come in even steps. */
const ROOMY = 0.7
/** A phrase that begins earlier than this before the word that is matched would show it too soon. */
const LEAD = 1

export interface ChoiceInput {
  readonly words: readonly PlacedWord[]
  readonly durationFrames: number
  readonly framesPerSecond: number
  readonly candidates: readonly BrollCandidate[]
  readonly frequency: Frequency
  readonly topics: Topics
}

/** A moment and what covers it; output frames. */
export interface Chosen {
  readonly startFrame: number
  readonly endFrame: number
  readonly candidate: BrollCandidate
  /** How often the same was chosen before, in order of time. */
  readonly use: number
  /** The spoken phrase; `prompt` when only the prompt names it. */
  readonly matched: string
}

interface Spot {
  readonly startFrame: number
  readonly endFrame: number
  readonly matched: string
  readonly fits: readonly Fit[]
}

interface Taken extends Spot {
  readonly index: number
}

/** In order of time. The same input gives the same choice. */
export function chooseBroll(input: ChoiceInput): Chosen[] {
  const { words, candidates, topics, framesPerSecond } = input
  const most = maxInserts(input)
  const bounds = boundsOf(words, framesPerSecond)
  const spots = findMentions(words, candidates, topics).flatMap(({ first, last, text, fits }) =>
    spotAt(input, bounds, { first, last, matched: text, fits }),
  )
  const fits = promptedFits(candidates, topics.prompt)
  const fillers = words.flatMap((_, at) =>
    bounds.sentence[at] === true
      ? spotAt(input, bounds, { first: at, last: at, matched: 'prompt', fits })
      : [],
  )
  const taken: Taken[] = []
  take(taken, spots, most, input, false)
  // Things that only the prompt names, once each. Items repeat only when nothing else is left.
  take(taken, fillers, most, input, false)
  const left = new Set(spots.flatMap((spot) => spot.fits.map(({ candidate }) => candidate)))
  for (const { index } of taken) left.delete(index)
  if (left.size === 0) take(taken, spots, most, input, true)
  return inOrder(taken, candidates)
}

/** Inserts that a clip of this length may have. */
export function maxInserts({
  durationFrames,
  framesPerSecond,
  frequency,
}: Pick<ChoiceInput, 'durationFrames' | 'framesPerSecond' | 'frequency'>): number {
  const room = durationFrames / framesPerSecond - HOOK_SECONDS - TAIL_SECONDS
  return room < SHORTEST ? 0 : Math.max(1, Math.floor(room / SPACING[frequency].every))
}

/** The stretch for words `first` to `last`; none where it would reach into the hook or the end. */
function spotAt(
  { words, framesPerSecond: rate, durationFrames }: ChoiceInput,
  bounds: Bounds,
  at: { first: number; last: number; matched: string; fits: readonly Fit[] },
): Spot[] {
  const first = words[at.first]
  const last = words[at.last]
  if (first === undefined || last === undefined) return []
  const earliest = Math.ceil(HOOK_SECONDS * rate)
  const latest = durationFrames - Math.ceil(TAIL_SECONDS * rate)
  const opening = words[bounds.phrase.lastIndexOf(true, at.first)] ?? first
  const early = opening.startFrame >= earliest && first.startFrame - opening.startFrame <= LEAD * rate
  const startFrame = early ? opening.startFrame : first.startFrame
  const least = startFrame + Math.ceil(SHORTEST * rate)
  const most = Math.min(latest, startFrame + Math.floor(LONGEST * rate))
  if (startFrame < earliest || least > most) return []
  const wanted = startFrame + USUAL * rate
  const endsOf = (phrases: boolean): number[] =>
    words.flatMap(({ endFrame }, place) =>
      place >= at.last && endFrame >= least && endFrame <= most && (!phrases || ends(bounds, place))
        ? [endFrame]
        : [],
    )
  const nearest = (frames: readonly number[]): number | undefined =>
    frames.toSorted((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted) || a - b)[0]
  const endFrame =
    nearest(endsOf(true)) ?? nearest(endsOf(false)) ?? Math.min(most, Math.max(least, Math.round(wanted)))
  return [{ startFrame, endFrame, matched: at.matched, fits: at.fits }]
}

const ends = (bounds: Bounds, place: number): boolean => bounds.phrase[place + 1] ?? true

/**
 * The best spots up to the maximum: by match, then by distance to other inserts, then by time. `again`: items may
 * repeat.
 */
function take(
  taken: Taken[],
  spots: readonly Spot[],
  most: number,
  { framesPerSecond, frequency }: ChoiceInput,
  again: boolean,
): void {
  const apart = SPACING[frequency].apart * framesPerSecond
  const enough = Math.max(apart, ROOMY * (SPACING[frequency].every - USUAL) * framesPerSecond)
  const uses = new Map<number, number>()
  for (const { index } of taken) uses.set(index, (uses.get(index) ?? 0) + 1)
  const used = (index: number): number => uses.get(index) ?? 0
  while (taken.length < most) {
    let winner: (Taken & Offer) | null = null
    for (const spot of spots) {
      const distance = distanceTo(taken, spot)
      const fit = spot.fits.reduce<Fit | null>(
        (best, one) => (best === null || used(one.candidate) < used(best.candidate) ? one : best),
        null,
      )
      if (distance < apart || fit === null || (!again && used(fit.candidate) > 0)) continue
      const offer = { ...spot, index: fit.candidate, score: fit.score, room: Math.min(enough, distance) }
      if (winner === null || isBetter(offer, winner)) winner = offer
    }
    if (winner === null) return
    uses.set(winner.index, used(winner.index) + 1)
    taken.push(winner)
  }
}

type Offer = { readonly score: number; readonly room: number; readonly startFrame: number }

function isBetter(one: Offer, than: Offer): boolean {
  if (one.score !== than.score) return one.score > than.score
  if (one.room !== than.room) return one.room > than.room
  return one.startFrame < than.startFrame
}

/** Frames between a spot and the nearest that is taken; less than 0 when they overlap, without end when none is. */
function distanceTo(taken: readonly Taken[], spot: Spot): number {
  return taken.reduce(
    (least, one) => Math.min(least, Math.max(one.startFrame - spot.endFrame, spot.startFrame - one.endFrame)),
    Infinity,
  )
}

function inOrder(taken: readonly Taken[], candidates: readonly BrollCandidate[]): Chosen[] {
  const uses = new Map<number, number>()
  return taken
    .toSorted((a, b) => a.startFrame - b.startFrame)
    .flatMap(({ startFrame, endFrame, matched, index }) => {
      const candidate = candidates[index]
      if (candidate === undefined) return []
      const use = uses.get(index) ?? 0
      uses.set(index, use + 1)
      return [{ startFrame, endFrame, candidate, use, matched }]
    })
}

/** A silence of this many seconds parts phrases. */
const PAUSE = 0.35
const SENTENCE_END = /[.!?\u2026\u3002\uff01\uff1f]["'\u201d\u2019)\]]*$/u
const PHRASE_END = /[,;:\u2013\u2014\u3001\uff0c]["'\u201d\u2019)\]]*$/u

/** By the word's place in the list: whether a phrase, or a sentence, begins with it. */
export interface Bounds {
  readonly phrase: readonly boolean[]
  readonly sentence: readonly boolean[]
}

/** A phrase begins after a comma or similar mark, a pause, the end of a caption, or a change of speaker. */
export function boundsOf(words: readonly PlacedWord[], framesPerSecond: number): Bounds {
  const sentence = words.map((word, at) => {
    const before = words[at - 1]
    return before === undefined || SENTENCE_END.test(before.text) || before.speaker !== word.speaker
  })
  const phrase = words.map((word, at) => {
    const before = words[at - 1]
    if (before === undefined || sentence[at] === true || before.endsCue || PHRASE_END.test(before.text))
      return true
    return word.startFrame - before.endFrame >= PAUSE * framesPerSecond
  })
  return { phrase, sentence }
}

/** Score of a spoken tag, plus one for each further word of it. */
const TAG = 3
/** A word of the picture's name alone. */
const NAME = 1
/** What the node's prompt asks for, and the clip's keywords. */
const PROMPTED = 2
const KEYWORD = 1

/** A picture, by its place among the candidates, and how well it fits. */
export interface Fit {
  readonly candidate: number
  readonly score: number
}

/** A stretch of words that names pictures; places in the list of words, both inclusive. */
export interface Mention {
  readonly first: number
  readonly last: number
  /** As spoken. */
  readonly text: string
  /** The best first. */
  readonly fits: readonly Fit[]
}

export interface Topics {
  readonly prompt: string
  readonly keywords: readonly string[]
}

interface Term {
  readonly candidate: number
  readonly stems: readonly string[]
  readonly weight: number
}

/** Every mention, in order of time. A word may begin several mentions, of different lengths. */
export function findMentions(
  words: readonly PlacedWord[],
  candidates: readonly BrollCandidate[],
  topics: Topics,
): Mention[] {
  const terms = Map.groupBy(candidates.flatMap(termsOf), (term) => term.stems[0] ?? '')
  const bonus = bonuses(candidates, topics)
  const spoken = words.flatMap((word, at) => stemsOf(word.text).map((stem) => ({ stem, at })))
  const found = new Map<string, { first: number; last: number; scores: Map<number, number> }>()
  spoken.forEach(({ stem, at: first }, from) => {
    for (const { candidate, stems, weight } of terms.get(stem) ?? []) {
      if (!stems.every((one, offset) => spoken[from + offset]?.stem === one)) continue
      const last = spoken[from + stems.length - 1]?.at ?? first
      const key = `${first}:${last}`
      const mention = found.get(key) ?? { first, last, scores: new Map<number, number>() }
      const score = weight + (bonus[candidate] ?? 0)
      mention.scores.set(candidate, Math.max(score, mention.scores.get(candidate) ?? 0))
      found.set(key, mention)
    }
  })
  return [...found.values()].map(({ first, last, scores }) => ({
    first,
    last,
    text: words
      .slice(first, last + 1)
      .map(({ text }) => text)
      .join(' '),
    fits: best(scores),
  }))
}

/** The pictures that the prompt itself names, the best first. */
function promptedFits(candidates: readonly BrollCandidate[], prompt: string): Fit[] {
  const wanted = stemsOf(prompt)
  const scores = new Map<number, number>()
  for (const { candidate, stems, weight } of candidates.flatMap(termsOf)) {
    if (contains(wanted, stems)) scores.set(candidate, Math.max(weight, scores.get(candidate) ?? 0))
  }
  return best(scores)
}

function best(scores: ReadonlyMap<number, number>): Fit[] {
  return [...scores]
    .map(([candidate, score]) => ({ candidate, score }))
    .toSorted((a, b) => b.score - a.score || a.candidate - b.candidate)
}

/** What a picture can be named by: its tags, and in the library the telling words of its name. */
function termsOf(candidate: BrollCandidate, index: number): Term[] {
  const tags = candidate.tags.map(stemsOf).filter((stems) => stems.length > 0)
  const called = candidate.provider === 'library' ? plainWords(candidate.name) : []
  const names = called.filter(isTelling).map(stemOf)
  return [
    ...tags.map((stems) => ({ candidate: index, stems, weight: TAG + stems.length - 1 })),
    ...names.map((stem) => ({ candidate: index, stems: [stem], weight: NAME })),
  ]
}

function bonuses(candidates: readonly BrollCandidate[], topics: Topics): number[] {
  const prompt = stemsOf(topics.prompt)
  const keywords = topics.keywords.map(stemsOf)
  return candidates.map((candidate) => {
    const tags = candidate.tags.map(stemsOf).filter((stems) => stems.length > 0)
    const prompted = tags.some((stems) => contains(prompt, stems))
    const key = tags.some((stems) => keywords.some((keyword) => contains(keyword, stems)))
    return (prompted ? PROMPTED : 0) + (key ? KEYWORD : 0)
  })
}

function contains(text: readonly string[], stems: readonly string[]): boolean {
  return text.some((_, from) => stems.every((stem, offset) => text[from + offset] === stem))
}
