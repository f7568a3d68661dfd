/** PURE. Regular expressions of lists of words and phrases. */

/** One of these words or phrases; a phrase is separated from another by a comma. */
const words = (list: string): string =>
  `(?<![\\p{L}\\p{N}'])(?:${list
    .replaceAll(/\s+/g, ' ')
    .replaceAll('| ', '|')
    .split(', ')
    .map((word) => word.trim())
    .filter((word) => word !== '')
    .join('|')})(?![\\p{L}\\p{N}])`

/** As the patterns expect a text: in lower case, with straight apostrophes. */
export const plainText = (text: string): string => text.toLowerCase().replaceAll('’', "'")

/** How often a pattern stands in a plain text; 0 where there is none for its language. */
export const countMatches = (text: string, pattern: RegExp | undefined): number =>
  pattern === undefined ? 0 : (text.match(pattern)?.length ?? 0)

/** Everywhere in a text in lower case with straight apostrophes. */
export const anywhere = (list: string): RegExp => new RegExp(words(list), 'gu')
/** At its beginning. */
export const atStart = (list: string): RegExp => new RegExp(`^["'“‘(¿¡]*${words(list)}`, 'u')
/** Where there is nothing else in it. */
export const alone = (list: string): RegExp => new RegExp(`^(?:${words(list)}[\\s,.!?…¡¿]*)+$`, 'u')
/** At its end, where only punctuation may follow. */
export const atEnd = (list: string): RegExp => new RegExp(`${words(list)}[\\s,.;:!?…]*$`, 'u')
