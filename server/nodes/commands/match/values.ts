/** Numbers, times, colours and quoted words, as people write them. PURE. */
import { normaliseColour } from '../../compose/colours.ts'

const UNITS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'
const NUMBERS = new Map([
  ...UNITS.split(' ').map((word, index) => [word, index] as const),
  ...TENS.split(' ').map((word, index) => [word, 20 + 10 * index] as const),
  ...Object.entries({ hundred: 100, half: 0.5, couple: 2, few: 3, quarter: 0.25 }),
])
const NUMBER_WORDS = [...NUMBERS.keys()].join('|')
const SECONDS = '(?: ?(?:seconds?|secs?|sec|s)(?![\\w]))'
const MINUTES = '(?: ?(?:minutes?|mins?|min|m)(?![\\w]))'
/** Patterns of what `readNumber` and `readTime` read. */
export const NUMBER = `(?:\\d+(?:[.,]\\d+)?|(?:an?|(?:an? )?(?:${NUMBER_WORDS})(?:[ -](?:${NUMBER_WORDS}|and|a|of))*)(?![\\w']))`
/** With its unit; the unit alone is one of it. */
export const LENGTH = `(?:${NUMBER}${MINUTES}(?:(?: and)? ${NUMBER}${SECONDS})?|${NUMBER}${SECONDS}|minute|second)`
export const TIME = `(?:\\d{1,3}:\\d{2}(?::\\d{2})?(?:[.,]\\d+)?|${NUMBER}${MINUTES}(?:(?: and)? ${NUMBER}${SECONDS})?|${NUMBER}${SECONDS}?|the (?:start|beginning|end))`

/** `12`, `1.5`, `twenty five`, `half a`, `one and a half`, `a couple of`; null: no number. */
export function readNumber(text: string): number | null {
  const plain = text.trim().toLowerCase().replace(',', '.')
  if (/^\d+(?:\.\d+)?$/u.test(plain)) return Number(plain)
  if (/^an?$/u.test(plain)) return 1
  let sum = 0
  for (const part of plain.split(/[\s-]+/u)) {
    // "half a", "a couple": the article counts only where nothing else does.
    const value = /^(?:of|and|an?)$/u.test(part) ? 0 : NUMBERS.get(part)
    if (value === undefined) return null
    sum = part === 'hundred' ? Math.max(1, sum) * value : sum + value
  }
  return sum
}

const UNIT_OF_MINUTES = /^(.*?) ?(?:minutes?|mins?|min|m)(?: and)?(?: (.*))?$/iu

/** `0:12`, `1:02:03.5`, `12`, `12 s`, `two minutes 5 seconds`; `length` is what "the end" is. Seconds, or null. */
export function readTime(text: string, length: number): number | null {
  const plain = text.trim().replace(/^(?=(?:minute|second)$)/iu, '1 ')
  if (/^the (?:start|beginning)$/iu.test(plain)) return 0
  if (/^the end$/iu.test(plain)) return length
  if (plain.includes(':'))
    return plain.split(':').reduce((sum, part) => sum * 60 + Number(part.replace(',', '.')), 0)
  const [, minutes, rest] = UNIT_OF_MINUTES.exec(plain) ?? []
  if (minutes !== undefined) {
    const whole = readNumber(minutes)
    const more = rest === undefined ? 0 : readTime(rest, length)
    return whole === null || more === null ? null : whole * 60 + more
  }
  return readNumber(plain.replace(/ ?(?:seconds?|secs?|sec|s)$/iu, ''))
}

/** Colours by names that CSS does not have. */
const MORE_COLOURS = new Map(
  Object.entries({
    'neon green': '#39ff14',
    'neon pink': '#ff2bd6',
    'neon yellow': '#f5ff1f',
    'neon blue': '#1f51ff',
    'bright yellow': '#fff200',
    'bright red': '#ff1a1a',
    'bright green': '#00e64d',
    'bright blue': '#1a6dff',
    'bright orange': '#ff8c1a',
    'bright pink': '#ff4fa3',
    'pale yellow': '#fff7b0',
    'light orange': '#ffc680',
    'dark yellow': '#c9a800',
    'off white': '#f5f2ea',
    amber: '#ffbf00',
    mint: '#98f5c9',
    cream: '#fff5d6',
    lilac: '#c8a2c8',
    'navy blue': '#000080',
  }),
)

/** `yellow`, `light blue`, `#fd0`: as `#rrggbb` or `#rrggbbaa`; null: no colour. */
export function readColour(text: string): string | null {
  const plain = text.trim().toLowerCase()
  // Three letters such as "add" are digits of a colour only behind its mark.
  const isColour = /^(?:#[0-9a-f]+|(?![0-9a-f\s-]+$)[a-z -]+)$/u.test(plain)
  const css = isColour ? normaliseColour(plain.replaceAll(/[\s-]/gu, '')) : null
  return MORE_COLOURS.get(plain.replaceAll('-', ' ')) ?? css
}
