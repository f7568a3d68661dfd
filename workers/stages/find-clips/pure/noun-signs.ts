/** PURE. By which nouns are known, and sentences that lean on the one before, in languages of which no more is known here too. */
import { languageCode } from './languages.ts'
import { titlePatternsOf, type TitlePatterns } from './title-patterns.ts'
import { alone, atStart } from './word-patterns.ts'

/** By which nouns, and sentences that lean on the one before, are known. */
export type NounSigns = Pick<TitlePatterns, 'determiner' | 'subject' | 'nounLast' | 'lead'>

const signs = (lead: string, determiners: string, subjects: string, nounLast: boolean): NounSigns => ({
  lead: atStart(lead),
  determiner: alone(determiners),
  subject: alone(subjects),
  nounLast,
})
/** Of languages of which no more is known here. */
const NOUN_SIGNS: Readonly<Record<string, NounSigns>> = {
  it: signs(
    `e, ed, ma, però, perché, quindi, allora, poi, o, che, se, anche, quando, mentre`,
    `il, lo, la, i, gli, le, un, uno, una, mio, mia, tuo, tua, suo, sua, nostro, nostra, del, dello, della, dei, degli, delle, al,
    alla, ai, alle, dal, dalla, nel, nella, nei, nelle, sul, sulla, ogni`,
    `io, tu, mi, ti, si, ci, vi, non, che, lui, lei, ne, me, te`,
    false,
  ),
  pt: signs(
    `e, mas, porém, porque, então, depois, ou, que, se, também, quando, enquanto`,
    `o, a, os, as, um, uma, meu, minha, teu, tua, seu, sua, nosso, nossa, do, da, dos, das, ao, à, no, na, nos, nas, cada`,
    `eu, tu, ele, ela, me, te, se, não, que, já, você`,
    false,
  ),
  nl: signs(
    `en, maar, want, dus, toen, of, dat, als, omdat, terwijl, ook, die, hij, ze, hem`,
    `de, een, mijn, jouw, onze, ons, geen, elke, iedere`,
    `ik, jij, hij, zij, wij`,
    true,
  ),
}

/** Those of a BCP 47 or ISO 639-2 language; null for one of which nothing is known. */
export const nounSignsOf = (language: string): NounSigns | null =>
  titlePatternsOf(language) ?? NOUN_SIGNS[languageCode(language)] ?? null
