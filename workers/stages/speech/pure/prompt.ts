/** PURE. Keywords as a prompt for the speech model, so that it spells them correctly. It may also repeat them. */

export interface Prompt {
  /** The tokens before the window; empty: none. */
  readonly tokens: readonly number[]
  /** Keywords that fit, in the given order. */
  readonly used: readonly string[]
  readonly left: readonly string[]
}

/** Share of the decoder's 448 positions for the prompt; each is one less for the words of the window. */
export const MAX_PROMPT_TOKENS = 96

/** Takes as many keywords from the start as fit. `encode`: text to tokens without special ones. */
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

/** Whether a text only repeats the keywords: at least two of them in the given order, and no other word. */
export function isEcho(text: string, keywords: readonly string[]): boolean {
  const spoken = splitWords(text)
  if (spoken.length === 0 || keywords.length < 2) return false
  for (let first = 0; first < keywords.length - 1; first += 1) {
    let prompted: readonly string[] = []
    for (let last = first; last < keywords.length; last += 1) {
      prompted = [...prompted, ...splitWords(keywords[last] ?? '')]
      if (
        last > first &&
        prompted.length === spoken.length &&
        prompted.every((word, at) => word === spoken[at])
      )
        return true
    }
  }
  return false
}

function splitWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}
