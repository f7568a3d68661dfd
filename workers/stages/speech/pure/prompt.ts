/**
 * PURE. Names and terms that the speech model is told beforehand, as if they had been said just before: it then spells
 * them so. There is room for few; and a model that hears little may say them back, which is no speech.
 */

export interface Prompt {
  /** What stands before the window, in the model's tokens; empty: nothing. */
  readonly tokens: readonly number[]
  /** Keywords that found room, in the order given. */
  readonly used: readonly string[]
  readonly left: readonly string[]
}

/** Of the 448 places of the decoder these may go to the prompt; each is one less for the window's own words. */
export const MAX_PROMPT_TOKENS = 96

/** As many keywords, from the first on, as have room. `encode`: text to tokens without special ones. */
export function promptOf(keywords: readonly string[], encode: (text: string) => readonly number[]): Prompt {
  const wanted = [...new Set(keywords.map((word) => word.trim().replace(/\s+/g, ' ')))].filter(
    (word) => word !== '',
  )
  const used: string[] = []
  const left: string[] = []
  let tokens: readonly number[] = []
  for (const word of wanted) {
    const longer = encode(` ${[...used, word].join(', ')}.`)
    if (left.length > 0 || longer.length > MAX_PROMPT_TOKENS) left.push(word)
    else {
      used.push(word)
      tokens = longer
    }
  }
  return { tokens, used, left }
}

/** Whether a text is nothing but the keywords said back: two of them or more in the order given, and no other word. */
export function isEcho(text: string, keywords: readonly string[]): boolean {
  const said = wordsOf(text)
  if (said.length === 0 || keywords.length < 2) return false
  for (let first = 0; first < keywords.length - 1; first += 1) {
    let told: readonly string[] = []
    for (let last = first; last < keywords.length; last += 1) {
      told = [...told, ...wordsOf(keywords[last] ?? '')]
      if (last > first && told.length === said.length && told.every((word, at) => word === said[at]))
        return true
    }
  }
  return false
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}
