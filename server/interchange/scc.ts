/**
 * CEA-608 closed captions in a Scenarist file: pop-on captions on channel 1, at 29.97 frames a second with drop-frame timecode.
 * A frame carries two bytes, so a caption has to be sent before the moment at which it is shown. PURE.
 */
import { timecode } from './rates.ts'
import { captionCues, type EditedTranscript } from './words.ts'

const NTSC = { numerator: 30_000, denominator: 1001 }
const COLUMNS = 32
const MOST_ROWS = 4
/** A caption stays until the next one where that comes sooner than this: to clear it would only flicker. */
const SHORT_GAP = 30

type Pair = readonly [number, number]
const LOAD: Pair = [0x14, 0x20]
const EMPTY_HIDDEN: Pair = [0x14, 0x2e]
const SHOW: Pair = [0x14, 0x2f]
const CLEAR: Pair = [0x14, 0x2c]
/** Codes that put the cursor into a row at its left edge, from the first row on. */
const ROWS: readonly Pair[] = [
  [0x11, 0x50],
  [0x11, 0x70],
  [0x12, 0x50],
  [0x12, 0x70],
  [0x15, 0x50],
  [0x15, 0x70],
  [0x16, 0x50],
  [0x16, 0x70],
  [0x17, 0x50],
  [0x17, 0x70],
  [0x10, 0x50],
  [0x13, 0x50],
  [0x13, 0x70],
  [0x14, 0x50],
  [0x14, 0x70],
]

/** ASCII that means another letter there. */
const TAKEN = new Set("'*\\^_`{|}~\u007f")
/** Letters of one byte that ASCII has others for. */
const BASIC = new Map(Object.entries({ '’': 0x27, á: 0x2a, é: 0x5c, í: 0x5e, ó: 0x5f, ú: 0x60, ç: 0x7b, '÷': 0x7c, Ñ: 0x7d, ñ: 0x7e })) // prettier-ignore
/** Letters of two bytes. */
const SPECIAL = '®°½¿™¢£♪à\u0000èâêîôû'
/** Letters of two bytes that replace the one before, which older receivers show instead. */
const EXTENDED: readonly (readonly [byte: number, letters: string])[] = [
  [0x12, 'ÁÉÓÚÜü‘¡*\u0000—©℠•“”ÀÂÇÈÊËëÎÏïÔÙùÛ«»'],
  [0x13, 'ÃãÍÌìÒòÕõ{}\\^_|~ÄäÖöß¥¤¦ÅåØø┌┐└┘'],
]
const INSTEAD = new Map(Object.entries({ '“': '"', '”': '"', '‘': "'", '—': '-', '«': '"', '»': '"', ß: 's', Ø: 'O', ø: 'o', '…': '...', '–': '-' })) // prettier-ignore

export function writeScc(transcript: EditedTranscript): string {
  const lines: string[] = []
  let free = 0
  const send = (at: number, pairs: readonly Pair[]): number => {
    const from = Math.max(at, free)
    free = from + pairs.length
    lines.push(`${timecode(from, NTSC)}\t${pairs.map(hex).join(' ')}\n`)
    return free
  }
  const cues = captionCues(transcript).map(({ start, end, text }) => ({
    pairs: loadOf(text),
    shown: frameAt(start),
    ends: frameAt(end),
  }))
  cues.forEach(({ pairs, shown, ends }, index) => {
    // The first of the last two codes shows it.
    send(Math.max(0, shown + 2 - pairs.length), pairs)
    const next = cues[index + 1]
    if (next === undefined) send(ends, [CLEAR, CLEAR])
    else if (next.shown - ends >= SHORT_GAP)
      send(Math.min(ends, next.shown - next.pairs.length), [CLEAR, CLEAR])
  })
  return ['Scenarist_SCC V1.0\n', ...lines].join('\n')
}

const frameAt = (seconds: number): number => Math.round((seconds * NTSC.numerator) / NTSC.denominator)

/** Control codes are sent twice: a receiver that got the first ignores the second. */
const twice = (pair: Pair): Pair[] => [pair, pair]

function loadOf(text: string): Pair[] {
  const rows = wrap(text)
  return [
    ...twice(LOAD),
    ...twice(EMPTY_HIDDEN),
    ...rows.flatMap((row, index) => rowOf(row, ROWS.length - rows.length + index)),
    ...twice(SHOW),
  ]
}

/** Words in rows of 32 letters; what is longer is cut, and so is a caption of more than four rows. */
function wrap(text: string): string[] {
  const rows: string[] = []
  for (const word of text.split(/\s+/u).filter((one) => one !== '')) {
    const last = rows.at(-1)
    const whole = `${last ?? ''} ${word}`
    if (last !== undefined && [...whole].length <= COLUMNS) rows[rows.length - 1] = whole
    else rows.push([...word].slice(0, COLUMNS).join(''))
  }
  return rows.slice(0, MOST_ROWS)
}

/** Centred: to every fourth column by the row's code, and on from there by a tab. */
function rowOf(text: string, row: number): Pair[] {
  const indent = Math.floor((COLUMNS - Math.min(COLUMNS, [...text].length)) / 2)
  const [first, second] = ROWS[row] ?? SHOW
  const tab = indent % 4
  return [
    ...twice([first, second + 2 * Math.floor(indent / 4)]),
    ...(tab === 0 ? [] : twice([0x17, 0x20 + tab])),
    ...lettersOf(text),
  ]
}

/** Pairs of letters; a letter of two bytes begins a pair. */
function lettersOf(text: string): Pair[] {
  const pairs: Pair[] = []
  let open: number | null = null
  const close = (): void => {
    if (open !== null) pairs.push([open, 0])
    open = null
  }
  const put = (byte: number): void => {
    if (open === null) open = byte
    else {
      pairs.push([open, byte])
      open = null
    }
  }
  for (const letter of text.normalize('NFC')) {
    const code = letter.codePointAt(0) ?? 0
    const basic = BASIC.get(letter) ?? (code >= 0x20 && code < 0x7f && !TAKEN.has(letter) ? code : undefined)
    const special = SPECIAL.indexOf(letter)
    if (basic !== undefined) put(basic)
    else if (letter === "'") put(0x27)
    else if (special >= 0) {
      close()
      pairs.push(...twice([0x11, 0x30 + special]))
    } else {
      for (const byte of plainLetters(letter)) put(byte)
      const pair = extendedOf(letter)
      if (pair === null) continue
      close()
      pairs.push(...twice(pair))
    }
  }
  close()
  return pairs
}

function extendedOf(letter: string): Pair | null {
  for (const [byte, letters] of EXTENDED) {
    const at = letters.indexOf(letter)
    if (at >= 0) return [byte, 0x20 + at]
  }
  return null
}

/** What stands for a letter where it is not known; nothing where there is no such thing. */
function plainLetters(letter: string): number[] {
  const plain = INSTEAD.get(letter) ?? letter.normalize('NFD').replaceAll(/\p{M}/gu, '')
  const bytes = [...plain].map((one) => one.codePointAt(0) ?? 0)
  if (bytes.every((code) => code >= 0x20 && code < 0x7f && !TAKEN.has(String.fromCodePoint(code))))
    return bytes
  return extendedOf(letter) === null ? [] : [0x20]
}

/** With odd parity. */
const hex = (pair: Pair): string =>
  pair.map((byte) => (isOdd(byte) ? byte : byte | 0x80).toString(16).padStart(2, '0')).join('')

function isOdd(byte: number): boolean {
  let ones = 0
  for (let rest = byte; rest > 0; rest >>= 1) ones += rest & 1
  return ones % 2 === 1
}
