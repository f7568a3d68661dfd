/**
 * Words as they are compared: lower case, without punctuation, and without the commonest endings, so that "Cats",
 * "cat's" and "cat" meet, as do "race", "raced" and "racing". Light by intention: it is for matching tags, where a wrong
 * meeting is seen on the screen.
 */

/** Words that never select a picture by themselves. */
const STOP_WORDS = new Set(
  (
    'a an and are as at be but by for from has have he her his i in is it its me my of on or our she so that the their ' +
    'them they this to us was we were what when where which who will with you your not no do does did can could would ' +
    'show some any use using like about only also very much more most please new'
  ).split(' '),
)

/** What cameras and people write into file names. */
const FILE_WORDS = new Set(
  (
    'img image images photo photos picture pictures pic video videos clip clips mov movie dsc dscn screenshot file copy ' +
    'final edit edited untitled version vid pxl jpg jpeg png webp gif mp4 webm'
  ).split(' '),
)

/** Letters and digits of a text in lower case; accents stay. */
export function plainWords(text: string): string[] {
  return (
    text
      .normalize('NFC')
      .toLowerCase()
      .replaceAll(/[\u2019']s\b/gu, '')
      .replaceAll(/[\u2019']/gu, '')
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  )
}

/** The stem of one plain word; a word that is no word of Latin letters is its own stem. */
export function stemOf(word: string): string {
  if (!/^[a-z]{4,}$/u.test(word)) return word
  const single = singular(word)
  for (const ending of ['ing', 'ed']) {
    const rest = single.slice(0, -ending.length)
    if (single.endsWith(ending) && rest.length >= 3 && /[aeiouy]/u.test(rest)) {
      return withoutE(/([bdfgklmnprtv])\1$/u.test(rest) ? rest.slice(0, -1) : rest)
    }
  }
  return withoutE(single)
}

function singular(word: string): string {
  if (/(?:ss|us|is)$/u.test(word)) return word
  if (/[^aeiou]ies$/u.test(word)) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1)
  if (/(?:s|x|z|ch|sh)es$/u.test(word)) return word.slice(0, -2)
  return word.endsWith('s') ? word.slice(0, -1) : word
}

function withoutE(word: string): string {
  if (word.length > 3 && word.endsWith('y')) return `${word.slice(0, -1)}i`
  return word.length > 3 && word.endsWith('e') ? word.slice(0, -1) : word
}

/** Stems of a text, in order. */
export function stemsOf(text: string): string[] {
  return plainWords(text).map(stemOf)
}

/** Whether a word of a name or a prompt is meaningful by itself. */
export function isTelling(word: string): boolean {
  return isNamed(word) && !STOP_WORDS.has(word) && [...word].length >= (isLatin(word) ? 3 : 1)
}

/** Whether a word is part of a title, rather than a camera's file name. */
const isNamed = (word: string): boolean => !FILE_WORDS.has(word) && !/^\p{N}+$/u.test(word)

const isLatin = (word: string): boolean => /^[\p{Script=Latin}\p{N}]+$/u.test(word)

/** Normalises a tag for storage: plain words with single spaces, at most 60 letters; empty when nothing is left. */
function cleanTag(tag: string): string {
  return plainWords(tag).join(' ').slice(0, 60).trim()
}

/** Normalises tags for storage: clean, sorted, unique. */
export function cleanTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map(cleanTag).filter((tag) => tag !== ''))].toSorted()
}

/** Most words of a name that are a tag together. */
const MAX_PHRASE = 4

/** Tags of a file's or a folder's name: `new-york-01.jpg` is "new york" and "york". */
export function tagsOfName(name: string): string[] {
  const spaced = name
    .replace(/\.[A-Za-z0-9]{1,5}$/u, '')
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{L})(\p{N})/gu, '$1 $2')
    .replaceAll(/(\p{N})(\p{L})/gu, '$1 $2')
  const words = plainWords(spaced).filter(isNamed)
  const telling = words.filter(isTelling)
  const whole = telling.length > 0 && words.length > 1 && words.length <= MAX_PHRASE ? [words.join(' ')] : []
  return cleanTags([...telling, ...whole])
}
