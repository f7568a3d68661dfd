/**
 * The studio's texts: one file for each area beside this one, read by its components. A language is added by its name
 * here and by an object of the same shape in each of those files.
 */
type Language = 'en'

/** The language that the studio speaks: the one place where it is chosen. */
const language: Language = 'en'

/** The catalogue of an area in the language of the studio. */
export const inLanguage = <Catalogue>(catalogues: Readonly<Record<Language, Catalogue>>): Catalogue =>
  catalogues[language]

const rules = new Intl.PluralRules(language)

/** The form that goes with a count, by the language's own rules; `other` where a language has no form of its own. */
export function plural(
  count: number,
  forms: Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>,
): string {
  return forms[rules.select(count)] ?? forms.other
}
