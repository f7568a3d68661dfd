/** PURE: how languages are named. */

/** A language of two or three letters, and subtags. Longer first parts are reserved. */
const TAG = /^[a-z]{2,3}(?:-|$)/i

/**
 * The canonical BCP 47 tag for a language as files name it: `eng` and `en` give `en`, `ger` gives `de`, `en_us` gives
 * `en-US`. Null for an undetermined language (`und`) and for text that is not a tag.
 */
export function languageTag(tag: string): string | null {
  const text = tag.trim().replaceAll('_', '-')
  if (!TAG.test(text)) return null
  try {
    const [canonical = 'und'] = Intl.getCanonicalLocales(text)
    return canonical === 'und' ? null : canonical
  } catch {
    // Intl reports text that is not a tag only by throwing.
    return null
  }
}
