/** Which spoken words are keywords of the clip. */
import type { PlacedWord } from './placed-words.ts'

function bare(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, '')
}

/** Transcript positions of words that spell a keyword, which may be several words; case and punctuation do not count. */
export function keywordMatcher(
  keywords: readonly string[],
): (words: readonly PlacedWord[]) => ReadonlySet<number> {
  const phrases = keywords
    .map((keyword) =>
      keyword
        .split(/\s+/u)
        .map(bare)
        .filter((part) => part !== ''),
    )
    .filter((phrase) => phrase.length > 0)
  return (words) => {
    const spoken = words.map((word) => bare(word.text))
    const found = new Set<number>()
    spoken.forEach((_, at) => {
      for (const phrase of phrases) {
        if (phrase.every((part, offset) => spoken[at + offset] === part)) {
          for (const word of words.slice(at, at + phrase.length)) found.add(word.index)
        }
      }
    })
    return found
  }
}
