/**
 * PURE. What the prompt, its adjustment and the keywords ask for: weighted terms (negative after "avoid", "no", "not")
 * and kinds of moment that lift a sub-score.
 */
import type { FindClipsSettings, SubScoreName } from '../../../../server/contract/clip-candidate.ts'
import { nearness } from './synonyms.ts'
import { bare, isContent, stem } from './text-tools.ts'
import { ASKING_WORDS, INTENTS } from './word-lists.ts'

export interface Steering {
  /** Stem to weight; at most 30 terms are taken from what was asked. */
  readonly terms: ReadonlyMap<string, number>
  /** Stem to the word as it was written, for reasons. */
  readonly written: ReadonlyMap<string, string>
  /** Extra weight of a sub-score, 0 or more. */
  readonly lifts: Readonly<Record<SubScoreName, number>>
}

const MAX_TERMS = 30
const WEIGHTS = { keywords: 2, adjustment: 1.5, prompt: 1 } as const
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
    for (const part of keyword.split(/\s+/)) if (isContent(bare(part))) add(bare(part), WEIGHTS.keywords)
  }
  readText(settings.promptAdjustment, WEIGHTS.adjustment, add)
  readText(settings.prompt, WEIGHTS.prompt, add)
  return { terms, written, lifts: liftsOf(`${settings.prompt} ${settings.promptAdjustment}`) }
}

/**
 * The same steering with words of this transcript that mean what was asked for, or nearly: each weighs less than the word
 * itself, and is called by it.
 */
export function widenSteering(steering: Steering, vocabulary: ReadonlySet<string>): Steering {
  if (steering.terms.size === 0) return steering
  const terms = new Map(steering.terms)
  const written = new Map(steering.written)
  for (const said of vocabulary) {
    if (steering.terms.has(said)) continue
    for (const [asked, weight] of steering.terms) {
      // Where the very word is said, others that mean it only add to it.
      const near = weight * nearness(asked, said) * (vocabulary.has(asked) ? BESIDE : 1)
      if (Math.abs(near) <= Math.abs(terms.get(said) ?? 0)) continue
      terms.set(said, near)
      written.set(said, steering.written.get(asked) ?? asked)
    }
  }
  return { ...steering, terms, written }
}

/** Topic words of free text; a clause that begins with a refusal counts against them. */
function readText(text: string, weight: number, add: (word: string, weight: number) => void): void {
  for (const clause of text.split(/[.;:!?\n]|,|\bbut\b/i)) {
    const refusal =
      /\b(avoid|skip|exclude|ignore|without|no|not|never|don't|do not|nothing about|leave out)\b/i.exec(
        clause,
      )
    clause.split(/\s+/).reduce((position, word) => {
      const term = bare(word)
      const negative = refusal !== null && position >= refusal.index
      if (
        isContent(term) &&
        !ASKING_WORDS.has(term) &&
        !isIntent(term) &&
        !/^(avoid|skip|exclude|ignore|without|leave)$/.test(term)
      ) {
        add(term, negative ? -weight * 1.5 : weight)
      }
      return position + word.length + 1
    }, 0)
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
