/** A message as clauses: quotes in one form, politeness gone, split where one wish may end and another begin. PURE. */

const POLITE_START =
  /^(?:(?:please|pls|ok(?:ay)?|so|now|also|then|and|but|hey|hi|well|just|alright|right|great|thanks|thank you|cool|can you|could you|would you|will you|can we|could we|let's|lets|let us|i want you to|i want to|i would like you to|i would like to|i'd like you to|i'd like to|i'd like|i need you to|i need|i want|you should|go ahead and|maybe|perhaps|first|next|finally|after that|afterwards|additionally|as well|kindly|simply|try to|make sure to|make sure that|please can you)(?:,| |$))+ */iu
const POLITE_END =
  /(?:[,\s]+(?:please|pls|thanks|thank you|too|as well|for me|again please|if you can|if possible|okay|ok|now|would you|will you|then|cheers))+$/iu

/** Straight double quotes around what was in quotes of any kind; apostrophes straight; one kind of space. */
export function withPlainQuotes(text: string): string {
  return text
    .replaceAll(/[\u2018\u2019\u02bc`\u00b4]/gu, "'")
    .replaceAll(/[\u201c\u201d\u201e\u00ab\u00bb]/gu, '"')
    .replaceAll(/(^|[\s(:])'([^'"\n]+(?:'[\p{L}\p{N}][^'"\n]*)*)'(?=$|[\s,.;:!?)])/gu, '$1"$2"')
    .replaceAll(/"((?:um|uh|er|hm|ah|erm)s?)"'?(?=s?\b|$)/giu, '$1')
    .replaceAll(/[^\S\n]+/gu, ' ')
    .trim()
}

/** Without what is only said to be polite. */
export function plainClause(text: string): string {
  return text
    .trim()
    .replace(/^[\s,;.\-–•*]+/u, '')
    .replace(/(?<=.)[\s,;.!?]+$/u, '')
    .replace(POLITE_START, '')
    .replace(POLITE_END, '')
    .trim()
}

const SEPARATOR =
  /(?:[,;]? (?:and then|and also|and|then|plus|but also|but|&)(?= ))|[,;](?= )|[.!?](?=\s)|\n+|;/giu

export interface Fragment {
  /** What stood between it and the one before. */
  readonly before: string
  readonly text: string
}

/** The smallest pieces that may be wishes of their own. Quotes are never split. */
export function fragmentsOf(text: string): Fragment[] {
  const fragments: Fragment[] = []
  let before = ''
  let from = 0
  const quotes = [...text.matchAll(/"[^"]*"/gu)].map(({ index, 0: found }) => ({
    start: index,
    end: index + found.length,
  }))
  for (const { index, 0: found } of text.matchAll(SEPARATOR)) {
    if (index < from || quotes.some(({ start, end }) => index > start && index < end)) continue
    fragments.push({ before, text: text.slice(from, index) })
    ;[before, from] = [found, index + found.length]
  }
  fragments.push({ before, text: text.slice(from) })
  return fragments.filter(({ text: piece }) => piece.trim() !== '')
}

/** Ways to say two things in one that are told apart here, and a place said before the wish. */
export function rephrased(text: string): string {
  return text
    .replaceAll(/\bput ([^,]+?) back(?: in)?\b(?! on)/giu, 'put back $1')
    .replaceAll(/(\d|\w) (minutes?|mins?) and (?=[\w.]+ ?(?:s|secs?|seconds?)\b)/giu, '$1 $2 ')
    .replaceAll(/\b(first|last) and (?:the )?(first|last) (sentence|second)s?\b/giu, '$1 $3 and the $2 $3')
    .replace(
      /^(?:(?:when|where|while) [^",]*?|(?:at|on|over|during) (?:the (?:words?|phrase) )?)("[^"]+"),? (.+)$/iu,
      '$2 on $1',
    )
}
