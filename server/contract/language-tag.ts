/** PURE: how languages are named. */

/** A language, and what may follow it. Longer first parts are reserved, and nobody's tag. */
const TAG = /^[a-z]{2,3}(?:-|$)/i

/**
 * The BCP 47 tag of what a file says of its language: `eng` and `en` are `en`, `ger` is `de`, `en_us` is `en-US`. Null
 * where it says nothing (`und`) or what is no tag.
 */
export function languageTag(given: string): string | null {
  const text = given.trim().replaceAll('_', '-')
  if (!TAG.test(text)) return null
  try {
    const [tag = 'und'] = Intl.getCanonicalLocales(text)
    return tag === 'und' ? null : tag
  } catch {
    // Intl throws for what is no tag, and has no other way to say so.
    return null
  }
}
