/** PURE: the words inside a piece of text, as they are compared: without the punctuation around them. */

export interface Token {
  readonly text: string
  /** Punctuation before and after. */
  readonly lead: string
  readonly trail: string
  /** The word itself; apostrophes straight, accents composed. */
  readonly core: string
  /** The same without regard to case. */
  readonly folded: string
}

/** Punctuation that stands around words. Signs that are part of a name stay with it: C#, @home, AT&T, 50%. */
const AROUND = String.raw`(?:(?![#@&%*/\\_])[\p{P}\p{So}])`
const PARTS = new RegExp(`^(${AROUND}*)(.*?)(${AROUND}*)$`, 'su')

/** Splits at white space. A piece that is all punctuation is a word of its own. */
export function tokensOf(text: string): Token[] {
  return text
    .split(/\s+/u)
    .filter((part) => part !== '')
    .map(tokenOf)
}

function tokenOf(text: string): Token {
  const [, lead = '', bare = '', trail = ''] = PARTS.exec(text) ?? []
  const whole = bare === ''
  const core = (whole ? text : bare).normalize('NFC').replaceAll(/[\u2018\u2019\u02bc]/gu, "'")
  return { text, lead: whole ? '' : lead, trail: whole ? '' : trail, core, folded: core.toLowerCase() }
}

/** Marks that end a clause; two of them side by side is one too many. */
const MARKS = /^[.,!?;:\u2026]+/u

/**
 * `text` between the punctuation that stood around what it replaces. Marks that it brings itself are not doubled, but
 * the comma after an abbreviation stays: "Doctor," to "Dr." is "Dr.,".
 */
export function joinPunctuation(lead: string, text: string, trail: string): string {
  const marks = MARKS.exec(trail)?.[0] ?? ''
  const own = /[.,!?;:\u2026]$/u.exec(text)?.[0]
  const keeps = own === undefined || (own === '.' && !marks.startsWith('.'))
  const after = keeps ? trail : trail.slice(marks.length)
  return (
    (lead !== '' && text.startsWith(lead) ? '' : lead) +
    text +
    (after !== '' && text.endsWith(after) ? '' : after)
  )
}
