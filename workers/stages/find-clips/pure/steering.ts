/**
 * PURE. What the prompt, its adjustment and the keywords request: weighted terms (negative after "avoid", "no", "not") and kinds
 * of moments that raise a sub-score.
 */
import type { FindClipsSettings, SubScoreName } from '../../../../server/contract/clip-candidate.ts'
import { nearness } from './synonyms.ts'
import { bare, isContent, stem } from './text-tools.ts'
import { QUESTION_WORDS, INTENTS } from './word-lists.ts'

export interface Steering {
  /** Stem to weight; at most 30 terms are used. */
  readonly terms: ReadonlyMap<string, number>
  /** Stem to the word as it was written, for reasons. */
  readonly written: ReadonlyMap<string, string>
  /** Additional weight of a sub-score, 0 or more. */
  readonly lifts: Readonly<Record<SubScoreName, number>>
}

const MAX_TERMS = 30
/** How much a request counts, by where it was made. */
export const PREFERENCE_WEIGHTS = { keywords: 2, adjustment: 1.5, prompt: 1 } as const
/** What is rejected counts more than what is requested. */
const REJECTED = -1.5
const LIFT = 0.5
const BESIDE = 0.3

export function steeringOf(settings: FindClipsSettings): Steering {
  const terms = new Map<string, number>()
  const written = new Map<string, string>()
  const add = (word: string, weight: number): void => {
    const key = stem(word)
    if (terms.size >= MAX_TERMS && !terms.has(key)) return
    terms.set(key, (terms.get(key) ?? 0) + weight)
    if (!written.has(key)) written.set(key, word)
  }
  for (const keyword of settings.keywords) {
    for (const part of keyword.split(/\s+/))
      if (isContent(bare(part))) add(bare(part), PREFERENCE_WEIGHTS.keywords)
  }
  readText(settings.promptAdjustment, PREFERENCE_WEIGHTS.adjustment, add)
  readText(settings.prompt, PREFERENCE_WEIGHTS.prompt, add)
  return { terms, written, lifts: liftsOf(`${settings.prompt} ${settings.promptAdjustment}`) }
}

/**
 * Adds words of this transcript with the same or a similar meaning as a requested one. Each weighs less than the word itself, and
 * is named by it in reasons.
 */
export function widenSteering(steering: Steering, vocabulary: ReadonlySet<string>): Steering {
  if (steering.terms.size === 0) return steering
  const terms = new Map(steering.terms)
  const written = new Map(steering.written)
  for (const spoken of vocabulary) {
    if (steering.terms.has(spoken)) continue
    for (const [requested, weight] of steering.terms) {
      // Where the requested word itself occurs, its synonyms only add to it.
      const near = weight * nearness(requested, spoken) * (vocabulary.has(requested) ? BESIDE : 1)
      if (Math.abs(near) <= Math.abs(terms.get(spoken) ?? 0)) continue
      terms.set(spoken, near)
      written.set(spoken, steering.written.get(requested) ?? requested)
    }
  }
  return { ...steering, terms, written }
}

/** Splits free text into clauses; what follows a negation in one is rejected. */
export function clausesOf(
  text: string,
  weight: number,
): { readonly text: string; readonly weight: number }[] {
  return text.split(/[.;:!?\n]|,|\bbut\b/i).flatMap((clause) => {
    const refusal =
      /\b(avoid|skip|exclude|ignore|without|no|not|never|don't|do not|nothing about|leave out)\b/i.exec(
        clause,
      )
    if (refusal === null) return [{ text: clause, weight }]
    const refused = clause.slice(refusal.index).replace(/^(nothing about|leave out|do not|\S+)/i, '')
    return [
      { text: clause.slice(0, refusal.index), weight },
      { text: refused, weight: weight * REJECTED },
    ]
  })
}

/** Topic words of free text. */
function readText(text: string, weight: number, add: (word: string, weight: number) => void): void {
  for (const clause of clausesOf(text, weight)) {
    for (const word of clause.text.split(/\s+/)) {
      const term = bare(word)
      if (
        isContent(term) &&
        !QUESTION_WORDS.has(term) &&
        !isIntent(term) &&
        !/^(avoid|skip|exclude|ignore|without|leave)$/.test(term)
      ) {
        add(term, clause.weight)
      }
    }
  }
}

function isIntent(word: string): boolean {
  return INTENTS.some(([pattern]) => pattern.test(word))
}

function liftsOf(text: string): Record<SubScoreName, number> {
  const lifts: Record<SubScoreName, number> = { hook: 0, flow: 0, value: 0, emotion: 0, ending: 0 }
  for (const [pattern, name] of INTENTS) if (pattern.test(text)) lifts[name] = LIFT
  return lifts
}
