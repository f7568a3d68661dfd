/**
 * PURE. What sentences mean beside what was asked for, from vectors that a model made of both. It adds to the choice by
 * words: a sentence about fees meets a prompt about pricing though they share no word.
 */
import type { FindClipsSettings } from '../../../../server/contract/clip-candidate.ts'
import { PREFERENCE_WEIGHTS, clausesOf } from './steering.ts'
import { bare } from './text-tools.ts'
import { QUESTION_WORDS, INTENTS } from './word-lists.ts'

/** One thing that is asked for, or not wanted (weight below 0). */
export interface PreferenceText {
  readonly text: string
  readonly weight: number
}

/** How near a stretch of speech comes to the wishes. */
export interface NearStretch {
  /** Seconds in the source. */
  readonly start: number
  readonly end: number
  /** In the unit of words found: about 2 for a sentence that is about it, below 0 for what is not wanted. */
  readonly near: number
  /** The wish that it comes nearest to; null where it comes near none. */
  readonly wish: string | null
}

const MAX_PROMPTS = 12
/** Cosines below this are chance in every model we know. */
const MIN_COSINE = 0.25
/** In deviations above the middle of all sentences: some models call everything alike. */
const STANDS_OUT = 2
/** From there, this share of the way to 1 is as near as can be told. */
const FULL = 0.4
/** What a sentence that is clearly about a wish adds, as if its words had been said. */
const ADDED = 3

/** What the settings ask for as short texts, without the words of asking. */
export function listPreferences(settings: FindClipsSettings): PreferenceText[] {
  const wishes: PreferenceText[] = []
  const add = (text: string, weight: number): void => {
    const told = withoutAsking(text)
    if (told !== '' && wishes.length < MAX_PROMPTS) wishes.push({ text: told, weight })
  }
  for (const keyword of settings.keywords) add(keyword, PREFERENCE_WEIGHTS.keywords)
  for (const { text, weight } of clausesOf(settings.promptAdjustment, PREFERENCE_WEIGHTS.adjustment))
    add(text, weight)
  for (const { text, weight } of clausesOf(settings.prompt, PREFERENCE_WEIGHTS.prompt)) add(text, weight)
  return wishes
}

/** Keeps the order of the rest: models read sentences. Nothing, when only a kind of moment is asked for. */
function withoutAsking(clause: string): string {
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

/**
 * How near each sentence comes to the wishes. Vectors have length 1; `sentences` and `vectors`, `wishes` and
 * `wishVectors` belong together by place.
 */
export function nearStretches(
  sentences: readonly { readonly start: number; readonly end: number }[],
  vectors: readonly Float32Array[],
  wishes: readonly PreferenceText[],
  wishVectors: readonly Float32Array[],
): NearStretch[] {
  const strengths = wishVectors.map((wish) => strengthsOf(vectors.map((vector) => cosine(vector, wish))))
  return sentences.map(({ start, end }, index) => {
    let near = 0
    let best = 0
    let wish: string | null = null
    wishes.forEach(({ text, weight }, place) => {
      const strength = strengths[place]?.[index] ?? 0
      near += ADDED * weight * strength
      if (weight > 0 && strength > best) {
        best = strength
        wish = text
      }
    })
    return { start, end, near, wish }
  })
}

/** 0 to 1 for each sentence: how far its cosine stands out. Nothing does where all are alike. */
function strengthsOf(cosines: readonly number[]): number[] {
  const sorted = cosines.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0
  // By the lower half: sentences that are about it do not count as usual, unless most of them are.
  const deviation = (at(0.5) - at(0.25)) / 0.674
  const base = Math.max(MIN_COSINE, at(0.5) + STANDS_OUT * deviation)
  const room = FULL * (1 - base)
  return cosines.map((value) => (room < 1e-3 ? 0 : Math.min(1, Math.max(0, (value - base) / room))))
}

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)
}

/** The stretches laid on other pieces of the same speech: by the middle of each piece. Both in order of time. */
export function nearnessOf(
  pieces: readonly { readonly start: number; readonly end: number }[],
  stretches: readonly NearStretch[],
): { readonly near: number; readonly wish: string | null }[] {
  let at = 0
  return pieces.map(({ start, end }) => {
    const middle = (start + end) / 2
    while (at + 1 < stretches.length && (stretches[at + 1]?.start ?? Infinity) <= middle) at += 1
    return stretches[at] ?? { near: 0, wish: null }
  })
}
