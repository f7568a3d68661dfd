/** PURE. Compares sentences with requests by meaning: one about fees matches a prompt about pricing. */
import type { FindClipsSettings } from '../../../../server/contract/clip-candidate.ts'
import type { Aim } from './aims.ts'
import { EXEMPLAR_TEXTS, measureLikeness, type Likeness } from './exemplars.ts'
import { PREFERENCE_WEIGHTS, clausesOf } from './steering.ts'
import { bare } from './text-tools.ts'
import { QUESTION_WORDS, INTENTS } from './word-lists.ts'

/** Something that was requested, or rejected (weight below 0). */
export interface PreferenceText {
  readonly text: string
  readonly weight: number
}

/** How near a stretch of speech comes to the preferences. */
export interface NearStretch {
  readonly start: number
  readonly end: number
  /** In the unit of matching words: about 2 for a sentence about it, below 0 for something rejected. */
  readonly near: number
  /** The nearest preference; null when none is near. */
  readonly preference: string | null
}

const MAX_PREFERENCES = 12
/** Lower cosines are chance in every model that we know. */
const MIN_COSINE = 0.25
/** In standard deviations above the median of all sentences, because some models find everything similar. */
const STANDS_OUT = 2
/** From there, this share of the way to 1 counts as fully similar. */
const FULL = 0.4
/** Points of a sentence that is clearly about a preference, as if its words had occurred. */
const ADDED = 3

/** The requests in the settings as short texts, without words such as "find". */
export function listPreferences(settings: FindClipsSettings): PreferenceText[] {
  const preferences: PreferenceText[] = []
  const add = (text: string, weight: number): void => {
    const topic = removeRequestWords(text)
    if (topic !== '' && preferences.length < MAX_PREFERENCES) preferences.push({ text: topic, weight })
  }
  for (const keyword of settings.keywords) add(keyword, PREFERENCE_WEIGHTS.keywords)
  for (const { text, weight } of clausesOf(settings.promptAdjustment, PREFERENCE_WEIGHTS.adjustment))
    add(text, weight)
  for (const { text, weight } of clausesOf(settings.prompt, PREFERENCE_WEIGHTS.prompt)) add(text, weight)
  return preferences
}

/** The remaining words stay in order, because models read sentences. Empty if only a kind of moment was requested. */
function removeRequestWords(clause: string): string {
  const words = clause.split(/\s+/).filter((word) => word !== '' && !QUESTION_WORDS.has(bare(word)))
  const bareWords = words.map(bare)
  const topic = bareWords.some(
    (word) => word.length > 2 && !INTENTS.some(([pattern]) => pattern.test(word)) && !LITTLE.test(word),
  )
  return topic
    ? words
        .join(' ')
        .replace(/^((about|of|on|the|a|an|and|or)\s+)+/i, '')
        .trim()
    : ''
}

const LITTLE =
  /^(the|and|with|that|this|from|for|about|when|who|what|how|are|was|has|have|people|they|them|someone|somebody)$/

/** What a model of meaning says of a talk and of what was requested. */
export interface Understood {
  /** Of each sentence. */
  readonly vectors: readonly Float32Array[]
  /** Of each sentence; absent where the language is foreign to the model. */
  readonly likeness?: readonly Likeness[]
  /** Both absent where nothing was requested. */
  readonly meaning?: readonly NearStretch[]
  readonly aims?: readonly Aim[]
}

/** The texts whose vectors compareMeaning takes. */
export const textsToCompare = (
  preferences: readonly PreferenceText[],
  sentences: readonly { readonly text: string }[],
): string[] => [
  ...preferences.map(({ text }) => text),
  ...EXEMPLAR_TEXTS,
  ...sentences.map(({ text }) => text),
]

/** `vectors`: of the texts of `textsToCompare`. */
export function compareMeaning(
  sentences: readonly { readonly start: number; readonly end: number; readonly text: string }[],
  preferences: readonly PreferenceText[],
  vectors: readonly Float32Array[],
): Understood {
  const requested = vectors.slice(0, preferences.length)
  const exemplars = vectors.slice(preferences.length, preferences.length + EXEMPLAR_TEXTS.length)
  const spoken = vectors.slice(preferences.length + EXEMPLAR_TEXTS.length)
  const understood: Understood = isForeign(sentences, spoken)
    ? { vectors: spoken }
    : { vectors: spoken, likeness: measureLikeness(spoken, exemplars) }
  if (preferences.length === 0) return understood
  const aims = requested.map((vector, index) => ({ weight: preferences[index]?.weight ?? 0, vector }))
  return { ...understood, meaning: nearStretches(sentences, spoken, preferences, requested), aims }
}

/** How near each sentence comes to the preferences. Vectors have length 1 and correspond to texts by index. */
export function nearStretches(
  sentences: readonly { readonly start: number; readonly end: number }[],
  vectors: readonly Float32Array[],
  preferences: readonly PreferenceText[],
  preferenceVectors: readonly Float32Array[],
): NearStretch[] {
  const strengths = preferenceVectors.map((preference) =>
    measureStrengths(vectors.map((vector) => computeCosine(vector, preference))),
  )
  return sentences.map(({ start, end }, index) => {
    let near = 0
    let best = 0
    let preference: string | null = null
    preferences.forEach(({ text, weight }, place) => {
      const strength = strengths[place]?.[index] ?? 0
      near += ADDED * weight * strength
      if (weight > 0 && strength > best) {
        best = strength
        preference = text
      }
    })
    return { start, end, near, preference }
  })
}

/** 0 to 1 per sentence: how far its cosine stands out. All are 0 where all cosines are similar. */
function measureStrengths(cosines: readonly number[]): number[] {
  const sorted = cosines.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0
  // From the lower half, because sentences about the topic are not typical, unless most of them are about it.
  const deviation = (at(0.5) - at(0.25)) / 0.674
  const base = Math.max(MIN_COSINE, at(0.5) + STANDS_OUT * deviation)
  const range = FULL * (1 - base)
  return cosines.map((value) => (range < 1e-3 ? 0 : Math.min(1, Math.max(0, (value - base) / range))))
}

function computeCosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)
}

/** Assigns the stretches to other pieces of the same speech by the middle of each piece. Both in order of time. */
export function nearnessOf(
  pieces: readonly { readonly start: number; readonly end: number }[],
  stretches: readonly NearStretch[],
): { readonly near: number; readonly preference: string | null }[] {
  let at = 0
  return pieces.map(({ start, end }) => {
    const middle = (start + end) / 2
    while (at + 1 < stretches.length && (stretches[at + 1]?.start ?? Infinity) <= middle) at += 1
    return stretches[at] ?? { near: 0, preference: null }
  })
}

/**
 * The length of the mean of a talk's vectors, from which on its language is foreign to the model. With minilm-english it is
 * 0.35 to 0.38 for English talks, and 0.60 to 0.66 for Spanish, German and French ones.
 */
const FOREIGN_LENGTH = 0.5
/** Of fewer sentences the mean is long by chance. */
const LEAST_SENTENCES = 20

/** Whether the talk's language is foreign to the model of its vectors. A refrain counts once: it is like itself in all languages. */
export function isForeign(
  sentences: readonly { readonly text: string }[],
  vectors: readonly Float32Array[],
): boolean {
  const distinct = new Map<string, Float32Array>()
  for (const [index, vector] of vectors.entries()) distinct.set(sentences[index]?.text ?? '', vector)
  return distinct.size >= LEAST_SENTENCES && lengthOfMean([...distinct.values()]) > FOREIGN_LENGTH
}

function lengthOfMean(vectors: readonly Float32Array[]): number {
  const mean = new Float64Array(vectors[0]?.length ?? 0)
  for (const vector of vectors)
    for (const [place, value] of vector.entries()) mean[place] = (mean[place] ?? 0) + value / vectors.length
  return Math.hypot(...mean)
}
