/** PURE. A rough estimate of how a written word sounds: broad sounds (loud, bright, long or not) with usual lengths. */

/** vowel, sonorant (l m n r w y), voiced and voiceless stop, hiss (s sh ch), breath (f th h), buzz (v z j), unknown. */
export type SoundKind = 'vowel' | 'sonorant' | 'voicedStop' | 'stop' | 'hiss' | 'breath' | 'buzz' | 'unknown'

export interface Sound {
  readonly kind: SoundKind
  /** Usual length in conversation. */
  readonly seconds: number
}

const SECONDS: Record<SoundKind, number> = {
  vowel: 0.09,
  sonorant: 0.065,
  voicedStop: 0.06,
  stop: 0.085,
  hiss: 0.1,
  breath: 0.075,
  buzz: 0.065,
  unknown: 0.08,
}
const LONG_VOWEL = 0.13
const REDUCED = 0.62

/** Words that are nearly always unstressed. */
const WEAK = new Set(
  'a an the and of to in at on or for from as is are was were be been that than but can do does had has have he her him his i if it its me my our she so some their them then they this us we will with you your not by'.split(
    ' ',
  ),
)

/** Spelling patterns; the longest come first where they overlap. */
const PATTERNS: readonly (readonly [RegExp, readonly SoundKind[]])[] = [
  [/^(tion|sion|cian)/, ['hiss', 'vowel', 'sonorant']],
  [/^(tious|cious)/, ['hiss', 'vowel', 'hiss']],
  [/^ture$/, ['hiss', 'vowel']],
  [/^(tch|sch|sh|ch|ss|zz|ce$|se$)/, ['hiss']],
  [/^(th|ph|ff)/, ['breath']],
  [/^gh(?=[aeiou])/, ['voicedStop']],
  [/^gh/, []],
  [/^(ng|nn|mm|ll|rr|wh|kn|wr|gn$)/, ['sonorant']],
  [/^(ck|cc|pp|tt|kk)/, ['stop']],
  [/^(bb|dd|gg)/, ['voicedStop']],
  [/^(dge|dg|ge$)/, ['buzz']],
  [/^qu/, ['stop', 'sonorant']],
  [/^x/, ['stop', 'hiss']],
  [/^(sc|c)(?=[eiy])/, ['hiss']],
  [/^g(?=[eiy])/, ['buzz']],
  [/^[lmnrwñłр-]/, ['sonorant']],
  [/^y(?=[aeiou])/, ['sonorant']],
  [/^[bdg]/, ['voicedStop']],
  [/^[cpktq]/, ['stop']],
  [/^[sšśßş]/, ['hiss']],
  [/^[çč]/, ['hiss']],
  [/^[fh]/, ['breath']],
  [/^[vzjžź]/, ['buzz']],
]

const VOWELS = /^[aeiouyàáâãäåæèéêëìíîïòóôõöøœùúûüýÿāēīōūąęőűаеёиоуыэюяіїєαεηιουωάέήίόύώ]+/u
const CYRILLIC_OR_GREEK: readonly (readonly [RegExp, SoundKind])[] = [
  [/^[сшщцчσςξψ]/u, 'hiss'],
  [/^[йлмнрλμνρ]/u, 'sonorant'],
  [/^[пткπτκ]/u, 'stop'],
  [/^[бдгβδγ]/u, 'voicedStop'],
  [/^[фхθφχ]/u, 'breath'],
  [/^[взжζ]/u, 'buzz'],
]
/** Scripts in which one character is at least one syllable: Han, kana, hangul. */
const SYLLABIC = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** The sounds of a written word, with numbers and some symbols spelt out; never empty for a word with a letter or digit. */
export function soundsOf(word: string): readonly Sound[] {
  const plain = word.toLowerCase().replace(/[’']/g, '').normalize('NFC')
  const spelt = plain
    .replace(/\$\s?([\d.,]+)/g, '$1 dollars')
    // A censored word, or its hidden part, takes about as long as the words that are usually hidden.
    .replace(/[*_]{2,}/g, 'uck')
    .replace(/%/g, ' percent ')
    .replace(/&/g, ' and ')
    .replace(/\d[\d.,]*/g, (digits) => ` ${spellNumber(digits)} `)
  const parts = spelt.split(/[^\p{L}\p{M}]+/u).filter((part) => part !== '')
  return parts.flatMap((part) => {
    const sounds = soundsOfPart(part)
    return WEAK.has(part) ? sounds.map((sound) => ({ ...sound, seconds: sound.seconds * REDUCED })) : sounds
  })
}

/** Seconds that a word usually takes in conversation. */
export function usualSeconds(word: string): number {
  return soundsOf(word).reduce((sum, sound) => sum + sound.seconds, 0)
}

function soundsOfPart(part: string): Sound[] {
  const sounds: Sound[] = []
  // A final e after a consonant is silent in English and weak in most other Latin spellings.
  let rest =
    part.length > 3
      ? part.replace(/([^aeiouy])e(s?)$/, (_, c: string, s: string) =>
          keepsE(c, s) ? `${c}e${s}` : `${c}${s}`,
        )
      : part
  while (rest !== '') {
    const vowels = VOWELS.exec(rest)?.[0]
    if (vowels !== undefined && !/^y[aeiou]/.test(rest)) {
      pushVowels(sounds, vowels)
      rest = rest.slice(vowels.length)
      continue
    }
    rest = rest.slice(pushConsonant(sounds, rest))
  }
  return sounds.length > 0 ? sounds : [{ kind: 'unknown', seconds: 0.15 }]
}

function keepsE(consonant: string, plural: string): boolean {
  return (plural === 's' && /[szcgx]/.test(consonant)) || consonant === 'g' || consonant === 'c'
}

function pushVowels(sounds: Sound[], vowels: string): void {
  const nuclei = vowels.length >= 3 || /^(io|ia|eo|iu|ua)$/.test(vowels) ? 2 : 1
  for (let index = 0; index < nuclei; index += 1) {
    sounds.push({ kind: 'vowel', seconds: nuclei === 1 && vowels.length > 1 ? LONG_VOWEL : SECONDS.vowel })
  }
}

/** Adds the sounds of the first group of consonants; returns the number of characters it used. */
function pushConsonant(sounds: Sound[], rest: string): number {
  for (const [pattern, kinds] of PATTERNS) {
    const match = pattern.exec(rest)?.[0]
    if (match === undefined || match === '') continue
    for (const kind of kinds) sounds.push({ kind, seconds: SECONDS[kind] })
    return match.length
  }
  for (const [pattern, kind] of CYRILLIC_OR_GREEK) {
    if (pattern.test(rest)) {
      sounds.push({ kind, seconds: SECONDS[kind] })
      return 1
    }
  }
  const character = String.fromCodePoint(rest.codePointAt(0) ?? 0)
  if (SYLLABIC.test(rest)) {
    sounds.push({ kind: 'unknown', seconds: 0.06 }, { kind: 'vowel', seconds: 0.11 })
  } else if (/\p{L}/u.test(character)) {
    sounds.push({ kind: 'unknown', seconds: SECONDS.unknown })
  }
  return character.length
}

const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']
const SCALES: readonly (readonly [number, string])[] = [
  [1e12, 'trillion'],
  [1e9, 'billion'],
  [1e6, 'million'],
  [1e3, 'thousand'],
]

/** `1,250.5` becomes `one thousand two hundred and fifty point five`; unusual numbers are spelt digit by digit. */
export function spellNumber(digits: string): string {
  const [whole = '', ...fraction] = digits
    .replace(/[.,]+$/, '')
    .replace(/,(?=\d{3})/g, '')
    .split(/[.,]/)
  const value = Number(whole)
  const head =
    whole === '' || whole.length > 15 || /^0\d/.test(whole)
      ? oneByOne(whole)
      : speltWhole(value, digits.replace(/[.,]+$/, ''))
  const tail = fraction.map((part) => `point ${oneByOne(part)}`)
  return [head, ...tail].filter((part) => part !== '').join(' ')
}

function oneByOne(digits: string): string {
  return [...digits].map((digit) => ONES[Number(digit)] ?? '').join(' ')
}

function speltWhole(value: number, written: string): string {
  // Years are spoken in pairs: nineteen sixty-one.
  if (/^(1[1-9]|20[1-9])\d+$/.test(written) && written.length === 4) {
    const century = Math.floor(value / 100)
    const rest = value % 100
    const tail = rest === 0 ? 'hundred' : rest < 10 ? `oh ${below1000(rest)}` : below1000(rest)
    return `${below1000(century)} ${tail}`
  }
  return cardinal(value)
}

function cardinal(value: number): string {
  for (const [scale, name] of SCALES) {
    if (value < scale) continue
    const rest = value % scale
    return `${cardinal(Math.floor(value / scale))} ${name}${rest === 0 ? '' : ` ${cardinal(rest)}`}`
  }
  return below1000(value)
}

function below1000(value: number): string {
  if (value < 20) return ONES[value] ?? ''
  if (value < 100)
    return `${TENS[Math.floor(value / 10)] ?? ''}${value % 10 === 0 ? '' : ` ${ONES[value % 10] ?? ''}`}`
  const rest = value % 100
  return `${ONES[Math.floor(value / 100)] ?? ''} hundred${rest === 0 ? '' : ` and ${below1000(rest)}`}`
}
