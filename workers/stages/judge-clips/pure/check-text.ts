/**
 * PURE. Holds what a language model wrote of a clip against what is said in it: names, numbers and quotations that are not said,
 * another language, what no platform takes, and clickbait. Careful rather than clever: what cannot be told is let pass only where
 * it can do no harm.
 */
import { countFrequent } from '../../find-clips/pure/recognise-language.ts'
import { languageCode } from '../../find-clips/pure/languages.ts'
import { bare, isContent, stem, wordsIn } from '../../find-clips/pure/text-tools.ts'
import { titlePatternsOf } from '../../find-clips/pure/title-patterns.ts'
import { countMatches, plainText } from '../../find-clips/pure/word-patterns.ts'
import { FIRST_NAMES } from '../../find-clips/pure/word-lists.ts'
import { numbersIn } from './spoken-numbers.ts'

/** What a clip says, as the check needs it. */
export interface Spoken {
  readonly text: string
  readonly people: readonly string[]
  /** BCP 47; `und` where it is not known. */
  readonly language: string
}

type WrittenKind = 'title' | 'hook' | 'bio'

const LENGTHS: Readonly<Record<WrittenKind, { readonly least: number; readonly most: number }>> = {
  title: { least: 6, most: 60 },
  hook: { least: 6, most: 120 },
  bio: { least: 12, most: 220 },
}

/**
 * Why a text cannot be used, as a clause that follows it; null: it can. A headline is written as the user orders, so that only what
 * it claims is checked.
 */
export function faultOf(kind: WrittenKind | 'headline', text: string, spoken: Spoken): string | null {
  const claims =
    quoteFault(text, spoken) ?? numberFault(text, spoken) ?? nameFault(text, spoken, kind !== 'headline')
  if (kind === 'headline') return claims
  return (
    shapeFault(kind, text) ??
    baitFault(text) ??
    (kind === 'title' ? clauseFault(text, spoken) : null) ??
    languageFault(text, spoken) ??
    claims ??
    (sharesAWord(text, spoken) ? null : 'is not about what is said')
  )
}

/** What platforms refuse in a title, or show badly anywhere. */
function shapeFault(kind: WrittenKind, text: string): string | null {
  const { least, most } = LENGTHS[kind]
  if (text.length > most) return `is longer than ${most} characters`
  if (text.length < least) return 'is too short'
  if (/https?:|www\.|\.(com|net|org|io|ly)\b/i.test(text)) return 'holds a link'
  if (/[#@]\p{L}/u.test(text)) return 'holds a hashtag or a name with an @'
  if (/[<>{}\\|]|\[|\]/.test(text)) return 'holds marks that are no text'
  if (/\p{Extended_Pictographic}/u.test(text)) return 'holds an emoji'
  return null
}

const BAIT =
  /(?<!\p{L})(you won'?t believe|won'?t believe what|shocking|shocked|gone wrong|what happen(?:s|ed) next|will (?:blow your mind|change your life)|must[- ](?:watch|see)|the secret (?:they|nobody)|doctors hate|jaw[- ]dropping|mind[- ]blowing|click|subscribe|no (?:te )?(?:lo )?(?:vas a|podrás) creer|impactante|lo que pasó después|te cambiará la vida|tienes que ver|das glaubst du nicht|unglaublich, was|schockierend|was dann (?:geschah|passierte)|musst du (?:sehen|gesehen)|tu ne (?:vas|devineras) (?:pas|jamais)|incroyable mais|choquant|la suite va|ce qui se passe ensuite|va changer (?:ta|votre) vie)(?!\p{L})/iu

function baitFault(text: string): string | null {
  if (BAIT.test(plainText(text))) return 'is clickbait'
  if (/[!?]{2}|![^!]*!/.test(text)) return 'shouts'
  const capitals = text.match(/(?<![\p{L}\p{N}])\p{Lu}{4,}(?![\p{L}\p{N}])/gu) ?? []
  return capitals.length >= 2 ? 'shouts' : null
}

const CONNECTIVE: Readonly<Record<string, RegExp>> = {
  en: /^(and|but|or|because|then|which)\b/i,
  es: /^(y|pero|o|porque|entonces)(?!\p{L})/iu,
  de: /^(und|aber|oder|weil|denn|dass)(?!\p{L})/iu,
  fr: /^(et|mais|ou|donc|parce)(?!\p{L})/iu,
}

function clauseFault(text: string, { language }: Spoken): string | null {
  if (CONNECTIVE[languageCode(language)]?.test(text) === true) return 'begins with a connective'
  const isOpen = /[,;:–—-]$/.test(text) || titlePatternsOf(language)?.loose.test(plainText(text)) === true
  return isOpen ? 'breaks off' : null
}

const SCRIPTS = ['Latin', 'Cyrillic', 'Greek', 'Arabic', 'Hebrew', 'Devanagari', 'Hangul', 'Thai'] as const
const scriptOf = (text: string): string | null => {
  const counts = [...SCRIPTS, 'Han'].map((name) => {
    // Japanese mixes three scripts, Chinese is written in one of them.
    const set =
      name === 'Han'
        ? String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]`
        : `\\p{Script=${name}}`
    return { name, count: text.match(new RegExp(set, 'gu'))?.length ?? 0 }
  })
  const best = counts.reduce((a, b) => (b.count > a.count ? b : a))
  return best.count === 0 ? null : best.name
}

/** Another script, or another language of those whose commonest words are known. */
function languageFault(text: string, { text: spoken, language }: Spoken): string | null {
  const script = scriptOf(spoken)
  if (script !== null && scriptOf(text) !== null && scriptOf(text) !== script) return 'is in another script'
  const own = languageCode(language)
  const counts = countFrequent(text)
  const least = counts[own] === undefined ? 3 : 2
  const other = Object.entries(counts).find(([code, count]) => code !== own && count >= least)
  return (counts[own] ?? 0) === 0 && other !== undefined ? 'is in another language' : null
}

const letters = (text: string): string =>
  ` ${plainText(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `

function quoteFault(text: string, { text: spoken }: Spoken): string | null {
  const quotes = [...text.matchAll(/["“„«]([^"“”„«»]{2,})["”“»]/gu)].map(([, inside = '']) => inside)
  const invented = quotes.find((quote) => !letters(spoken).includes(letters(quote)))
  return invented === undefined ? null : `quotes "${invented}", which is not said`
}

function numberFault(text: string, { text: spoken, language }: Spoken): string | null {
  const code = languageCode(language)
  const known = numbersIn(spoken, code)
  const invented = [...numbersIn(text, code)].find((number) => !known.has(number))
  return invented === undefined ? null : `names the number ${invented}, which is not said`
}

/**
 * Capitalised words that are not said. A first word is a name where a verb follows or something belongs to it; in German, where every noun
 * has a capital, a name can only be told by being a common first name. Where all words have capitals, each word that is not said may be a name (`strict`).
 */
function nameFault(text: string, { text: spoken, people, language }: Spoken, strict: boolean): string | null {
  const said = new Set([...wordsIn(spoken), ...people.flatMap((name) => name.split(' '))].map(rootOf))
  const words = wordsIn(text)
  const isGerman = languageCode(language) === 'de'
  const everyWord = !isGerman && hasCapitalsEverywhere(words.slice(1))
  const invented = words.find((word, at) => {
    const isStart = at === 0 || /[.:!?…]["”’]?$/.test(words[at - 1] ?? '')
    const plain = bare(word).replace(/'s$/, '')
    if (!CAPITAL.test(word) || !isContent(plain) || said.has(rootOf(word))) return false
    if (FIRST_NAMES.has(plain)) return true
    if (isStart && !isGerman)
      return strict && (/['’]s\W*$/.test(word) || isVerb(words[at + 1] ?? '', language))
    return everyWord ? strict : !isGerman
  })
  return invented === undefined
    ? null
    : `names "${invented.replaceAll(/[^\p{L}\p{N}'’-]/gu, '')}", which is not said`
}

const isVerb = (word: string, language: string): boolean =>
  countMatches(bare(word), titlePatternsOf(language)?.verb) > 0 ||
  (languageCode(language) === 'en' && /[^s'](?:s|ed)$/.test(bare(word)))

const CAPITAL = /^[^\p{L}\p{N}]*\p{Lu}/u
const rootOf = (word: string): string => stem(bare(word).replace(/'s$/, ''))

function hasCapitalsEverywhere(words: readonly string[]): boolean {
  const long = words.filter((word) => bare(word).length > 3)
  return long.length >= 2 && long.filter((word) => CAPITAL.test(word)).length / long.length > 0.6
}

/** A text about the clip has at least one of its words, in some form. */
function sharesAWord(text: string, { text: spoken }: Spoken): boolean {
  const forms = (of: string): Set<string> =>
    new Set(
      wordsIn(of)
        .map(bare)
        .filter((word) => isContent(word) || /\d/.test(word))
        .map((word) => stem(word).slice(0, 5)),
    )
  const said = forms(spoken)
  return [...forms(text)].some((form) => said.has(form))
}
