/** Finds curse words by whole words ("Scunthorpe" and "class" are safe), and masks their spelling. */
import type { TranscriptWord } from '../../contract/transcript.ts'
import { bare, endsSentence, undrawn } from './spoken-text.ts'

export interface CurseOptions {
  readonly language: string
  /** What the caller added: words, or several words in a row. */
  readonly more: readonly string[]
  readonly includeMild: boolean
}

export interface CurseFinder {
  /** Places of the curse words, in order. */
  readonly find: (words: readonly TranscriptWord[]) => number[]
  /** The text with every curse word in it masked. */
  readonly rewrite: (text: string) => string
}

const VOWEL = /[aeiouäöüáéíóú]/u
/** Characters that replace letters where people hide a word from filters. */
const STAND_INS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  $: 's',
  '@': 'a',
}

/** Every written form of a word with all its inflections. */
export function inflections(word: string): string[] {
  const ends = ['s', 'es', 'ed', 'ing', 'in', "in'", 'er', 'ers', 'y']
  const stems = [word]
  const last = word.at(-1) ?? ''
  const before = word.at(-2) ?? ''
  if (last === 'e') stems.push(word.slice(0, -1))
  // One vowel and one consonant: shit, shitting. English does not double w, x and y.
  else if (!VOWEL.test(last) && VOWEL.test(before) && !/[wxy]/u.test(last)) stems.push(word + last)
  return [
    word,
    ...stems.flatMap((stem) => ends.map((end) => stem + end)),
    ...(last === 'e' ? [`${word}d`] : []),
  ]
}

function formsOf({ word, forms }: CurseWord): string[] {
  if (forms === 'all') return inflections(word)
  return forms === 'exact' ? [word] : [word, `${word}s`, `${word}es`]
}

/** A few English words are recognised in every language; unknown languages count as English. */
export function curseFinder(options: CurseOptions): CurseFinder {
  const language = options.language === '' ? 'en' : options.language
  const list = Object.hasOwn(CURSES, language) ? CURSES[language] : undefined
  const listed = [
    ...HEARD_EVERYWHERE,
    ...(list?.strong ?? []),
    ...(options.includeMild ? (list?.mild ?? []) : []),
  ]
  const names = new Set(listed.filter(({ name }) => name === true).flatMap(formsOf))
  const forms = new Set(listed.flatMap(formsOf))
  const phrases: string[][] = []
  for (const given of options.more) {
    const parts = given
      .split(/\s+/u)
      .map(bare)
      .filter((part) => part !== '')
    if (parts.length > 1) phrases.push(parts)
    else if (parts[0] !== undefined) {
      for (const form of inflections(parts[0])) forms.add(form)
      names.delete(parts[0])
    }
  }
  const isCurse = (text: string, startsSentence: boolean): boolean => {
    const spellings = spellingsOf(text)
    const hit = spellings.find((spelling) => forms.has(spelling))
    if (hit === undefined) return hiddenByStars(text)
    return !(names.has(hit) && !startsSentence && /^\P{L}*\p{Lu}\p{Ll}/u.test(text))
  }
  const find = (words: readonly { readonly word: string }[]): number[] => {
    const found = new Set<number>()
    const spoken = words.map(({ word }) => bare(word))
    words.forEach(({ word }, index) => {
      const before = words[index - 1]
      if (isCurse(word, before === undefined || endsSentence(before.word))) found.add(index)
      for (const phrase of phrases) {
        if (!phrase.every((part, offset) => spoken[index + offset] === part)) continue
        phrase.forEach((_, offset) => found.add(index + offset))
      }
    })
    return [...found].sort((a, b) => a - b)
  }
  return {
    find,
    rewrite(text) {
      const pieces = text.split(/(\s+)/u)
      const words = pieces.filter((_, index) => index % 2 === 0).map((word) => ({ word }))
      const found = new Set(find(words))
      return pieces
        .map((piece, index) => (index % 2 === 0 && found.has(index / 2) ? maskWord(piece) : piece))
        .join('')
    },
  }
}

/** A token as written, without drawn-out letters, possessive, hyphenated parts, replaced characters. */
function spellingsOf(text: string): string[] {
  const plain = bare(text)
  if (plain === '') return []
  const owned = plain.replace(/'s$|'$/u, '')
  const spellings = [plain, owned, ...owned.split(/[-–—/]/u), owned.replaceAll(/[-–—]/gu, '')]
  // Three letters in a row are drawn out, two may be spelling: "fuuuck", "ass".
  if (/(\p{L})\1\1/u.test(owned)) spellings.push(owned.replaceAll(/(\p{L})\1\1+/gu, '$1'), undrawn(owned))
  const raw = text.toLowerCase().replaceAll(/^[^\p{L}\p{N}$@]+|[^\p{L}\p{N}$@]+$/gu, '')
  if (/\p{L}/u.test(raw) && /[013-5$@]/u.test(raw)) {
    spellings.push([...raw].map((letter) => STAND_INS[letter] ?? letter).join(''))
  }
  return spellings
}

const HIDDEN = [
  /^[^\p{L}*_]*\p{L}{1,2}\*{2,}\p{L}{0,4}\P{L}*$/u,
  /^[^\p{L}*_]*\p{L}{1,2}\*\p{L}{1,4}\P{L}*$/u,
  /^[^\p{L}\p{N}]*[*_]{2,}[^\p{L}\p{N}]*$/u,
]

/** Captions may already mask a word: `f***`, `s**t`, `[ __ ]`. It is still audible. */
function hiddenByStars(text: string): boolean {
  return HIDDEN.some((form) => form.test(text))
}

/** The first letter stays, every other letter becomes a star; marks around it stay: `"fuck!"` becomes `"f***!"`. */
export function maskWord(text: string): string {
  let first = true
  return text.replaceAll(/[\p{L}\p{N}$@]\p{M}*/gu, (letter) => {
    if (!first) return '*'
    first = false
    return letter
  })
}

/**
 * Words that remove_curse_words acts on by default, by language. `strong` always, `mild` on request. A word stands for
 * its inflections too (-s, -ed, -ing, -in', -er, -ers, -y, with its last letter doubled or its e dropped where spelling
 * does so). `plural`: only -s, because other inflections are innocent ("cocked", "titter"). `exact`: no inflections.
 * `name`: also a name, skipped where it is written as one.
 */

interface CurseWord {
  readonly word: string
  readonly forms: 'all' | 'plural' | 'exact'
  readonly name?: true
}

interface CurseList {
  readonly strong: readonly CurseWord[]
  readonly mild: readonly CurseWord[]
}

const words = (text: string, forms: CurseWord['forms']): CurseWord[] =>
  text.split(' ').map((word) => ({ word, forms }))

/** English words that mean the same in every language; most others mean something else somewhere. */
const HEARD_EVERYWHERE: readonly CurseWord[] = words(
  'fuck motherfuck motherfucker shit bullshit bitch',
  'all',
)

const CURSES: Readonly<Record<string, CurseList>> = {
  en: {
    strong: [
      ...words(
        'fuck motherfuck clusterfuck mindfuck shit bullshit horseshit batshit bitch wank bollock',
        'all',
      ),
      ...words(
        'cunt twat whore slut asshole arsehole ass arse jackass dumbass badass dipshit shithead shithole',
        'plural',
      ),
      ...words(
        'bastard motherfucker fucker cocksucker cock prick tit titty pussy dickhead wanker tosser',
        'plural',
      ),
      ...words('nigger nigga faggot kike tranny fuckwit fuckface fuckup goddammit goddamnit', 'plural'),
      ...words(
        'goddamn goddamned shitty bitchy shite bollocks wtf stfu fucken effing tits titties pussies',
        'exact',
      ),
      { word: 'dick', forms: 'plural', name: true },
    ],
    mild: [
      ...words('piss bugger crap sod', 'all'),
      ...words('damn darn', 'all'),
      ...words('turd douche douchebag git retard bloody', 'plural'),
      ...words('hell dammit damnit crappy pissed crikey christ', 'exact'),
    ],
  },
  de: {
    strong: [
      ...words(
        'scheiße scheisse scheiß scheiss beschissen beschissene beschissener arschloch arschlöcher fotze fotzen',
        'exact',
      ),
      ...words(
        'wichser ficken fick gefickt ficker hurensohn hurensöhne hure huren arsch ärsche schlampe schlampen',
        'exact',
      ),
    ],
    mild: words('verdammt verdammte verdammter mist kacke pisse', 'exact'),
  },
  fr: {
    strong: [
      ...words(
        'putain merde connard connasse salope salopes enculé enculés enculer bordel foutre niquer nique',
        'exact',
      ),
      ...words('connards connasses connerie conneries pute putes batard bâtard merdique chiant', 'exact'),
    ],
    mild: words('zut mince crotte fichu', 'exact'),
  },
  es: {
    strong: [
      ...words(
        'mierda mierdas joder jodido jodida puta putas puto putos coño cabrón cabrones gilipollas pendejo',
        'exact',
      ),
      ...words('pendejos pendeja chingar chingado chingada verga culero hijueputa malparido', 'exact'),
    ],
    mild: words('culo tonto carajo', 'exact'),
  },
  pt: {
    strong: words(
      'merda porra caralho foder fodido fodida foda puta putas puto cabrão filho-da-puta buceta cu',
      'exact',
    ),
    mild: words('droga bunda raios', 'exact'),
  },
  it: {
    strong: [
      ...words(
        'cazzo cazzi merda merde stronzo stronza stronzi stronze vaffanculo puttana puttane troia',
        'exact',
      ),
      ...words('coglione coglioni minchia incazzato incazzata fottuto fottuta cazzata cazzate', 'exact'),
    ],
    mild: words('culo cavolo dannazione', 'exact'),
  },
  nl: {
    strong: words(
      'klootzak klootzakken kut kutwijf lul lullen hoer hoeren tering kanker tyfus godverdomme neuken',
      'exact',
    ),
    mild: words('verdomme rot', 'exact'),
  },
}
