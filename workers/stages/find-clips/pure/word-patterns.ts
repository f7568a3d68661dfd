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

/** Everywhere in a text in lower case with straight apostrophes. */
export const anywhere = (list: string): RegExp => new RegExp(words(list), 'gu')
/** At its beginning. */
export const atStart = (list: string): RegExp => new RegExp(`^["'“‘(¿¡]*${words(list)}`, 'u')
/** Where there is nothing else in it. */
export const alone = (list: string): RegExp => new RegExp(`^(?:${words(list)}[\\s,.!?…¡¿]*)+$`, 'u')
