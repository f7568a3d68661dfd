/** PURE. The numbers that a text holds, in figures or in words of English, Spanish, German or French. */

type Words = Readonly<Record<string, number>>

const list = (text: string, from: number, step = 1): Words =>
  Object.fromEntries(
    text.split(' ').flatMap((words, at) => words.split('/').map((word) => [word, from + at * step])),
  )

interface NumberWords {
  readonly units: Words
  /** "One" and its like are also articles, and connectives are words of any text: they count inside a longer number only. */
  readonly ones: Words
  readonly times: Words
}

const LANGUAGES: Readonly<Record<string, NumberWords>> = {
  en: {
    units: {
      ...list('two three four five six seven eight nine ten eleven twelve', 2),
      ...list('thirteen fourteen fifteen sixteen seventeen eighteen nineteen', 13),
      ...list('twenty thirty forty fifty sixty seventy eighty ninety', 20, 10),
    },
    ones: { one: 1, and: 0 },
    times: { hundred: 100, thousand: 1000, million: 1e6, millions: 1e6 },
  },
  es: {
    units: {
      ...list('dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince', 2),
      ...list('dieciséis diecisiete dieciocho diecinueve veinte veintiuno/veintiún/veintiuna veintidós', 16),
      ...list('veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve', 23),
      ...list('treinta cuarenta cincuenta sesenta setenta ochenta noventa', 30, 10),
      ...list('doscientos/doscientas trescientos/trescientas cuatrocientos/cuatrocientas', 200, 100),
      ...list('quinientos/quinientas seiscientos/seiscientas setecientos/setecientas', 500, 100),
      ...list('ochocientos/ochocientas novecientos/novecientas', 800, 100),
    },
    ones: { uno: 1, un: 1, una: 1, y: 0 },
    times: { cien: 100, ciento: 100, mil: 1000, millón: 1e6, millones: 1e6 },
  },
  de: {
    units: {
      ...list('zwei/zwo drei vier fünf sechs sieben acht neun zehn elf zwölf', 2),
      ...list('dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn', 13),
      ...list('zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig', 20, 10),
    },
    ones: { ein: 1, eins: 1, eine: 1, und: 0 },
    times: { hundert: 100, tausend: 1000, million: 1e6, millionen: 1e6 },
  },
  fr: {
    units: {
      ...list('deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize', 2),
      ...list('vingt/vingts trente quarante cinquante soixante', 20, 10),
    },
    ones: { un: 1, une: 1, et: 0 },
    times: { cent: 100, cents: 100, mille: 1000, million: 1e6, millions: 1e6 },
  },
}
const NONE: NumberWords = { units: {}, ones: {}, times: {} }

/**
 * Every number of a text, as a plain decimal: "1,200" and "zwölfhundert" are both "1200". Words count in the four languages alone,
 * `language` being a code of two letters.
 */
export function numbersIn(text: string, language: string): Set<string> {
  const known = LANGUAGES[language] ?? NONE
  const found = new Set<string>()
  for (const [figure] of text.matchAll(/\d[\d.,’']*/g)) {
    const plain = figure.replace(/[.,’']+$/, '')
    // A separator before three digits divides thousands; elsewhere it is that of decimals.
    found.add(plain.replaceAll(/[.,’'](?=\d{3}(?!\d))/g, '').replace(',', '.'))
  }
  let run: string[] = []
  const flush = (): void => {
    const value = valueOf(run, known)
    if (value !== null) found.add(String(value))
    for (const word of run) if (known.units[word] !== undefined) found.add(String(known.units[word]))
    run = []
  }
  for (const raw of text.toLowerCase().split(/[\s-]+/)) {
    const parts = partsOf(raw.replaceAll(/[^\p{L}]+/gu, ''), language)
    if (parts === null) flush()
    else run.push(...parts)
    if (/[.,;:!?…]$/.test(raw)) flush()
  }
  flush()
  return found
}

/** The number words of a word, German compounds taken apart; null for any other word. */
function partsOf(word: string, language: string): string[] | null {
  const { units, ones, times } = LANGUAGES[language] ?? NONE
  if (units[word] !== undefined || ones[word] !== undefined || times[word] !== undefined) return [word]
  if (language !== 'de') return null
  const parts: string[] = []
  let rest = word
  while (rest !== '') {
    const next = COMPOUND.find((part) => rest.startsWith(part))
    if (next === undefined) return null
    parts.push(next)
    rest = rest.slice(next.length)
  }
  return parts.length > 1 ? parts : null
}

/** Parts of German compounds, the longest first. */
const COMPOUND = (
  'dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig ' +
  'hundert tausend ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf und'
)
  .split(' ')
  .toSorted((a, b) => b.length - a.length)

/** The value of words that follow each other; null where they are only articles or connectives. */
function valueOf(run: readonly string[], { units, ones, times: factors }: NumberWords): number | null {
  if (!run.some((word) => units[word] !== undefined || factors[word] !== undefined)) return null
  let total = 0
  let part = 0
  run.forEach((word, at) => {
    const times = factors[word]
    const value = units[word] ?? ones[word] ?? 0
    if (times === undefined) {
      // French "quatre-vingts" multiplies.
      part =
        /^vingts?$/.test(word) && part % 100 === 4 && run[at - 1] === 'quatre' ? part - 4 + 80 : part + value
    } else if (times === 100) part = (part === 0 ? 1 : part) * 100
    else {
      total += (part === 0 ? 1 : part) * times
      part = 0
    }
  })
  return total + part
}
