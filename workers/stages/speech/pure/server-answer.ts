/**
 * PURE. Reads what a speech server answers for one window: OpenAI's verbose JSON, as speaches, vLLM and whisper.cpp write
 * it too. Words are at the top or in the segments, with or without spaces and punctuation, or missing.
 */
import { isUnspacedLetter } from '../../../../server/contract/join-words.ts'
import { languageTag } from '../../../../server/contract/transcript.ts'
import { wordsOfPieces, type DecodedWindow } from './decoded.ts'

type Piece = DecodedWindow['pieces'][number]

export interface ServerAnswer {
  readonly pieces: Piece[]
  /** Whether the pieces are words; otherwise segments, or the whole text without a time. */
  readonly words: boolean
  /** There were times that cannot be right, and were left out. */
  readonly doubtful: boolean
  /** ISO 639 code; null: not given. */
  readonly language: string | null
}

/** Servers pad the sound, and round: by so much a time may be outside, or before the one that precedes it. */
const SLACK_SECONDS = 0.5

/** `seconds`: length of the window. A text instead of an answer: what is wrong, after the server's name. */
export function parseAnswer(text: string, seconds: number): ServerAnswer | string {
  const body = parseJson(text)
  if (typeof body !== 'object' || body === null) return 'answered with something that is not JSON.'
  const { text: whole, segments, words, language, detected_language: detected } = body as Fields
  const parts = listOf(segments)
  const given = listOf(words)
  const spoken = given.length > 0 ? given : parts.flatMap((part) => listOf(part.words))
  if (typeof whole !== 'string' && parts.length === 0 && spoken.length === 0)
    return 'answered with neither a text nor words.'
  const timedWords = piecesOf(spoken)
  const timedParts = piecesOf(parts)
  const written = typeof whole === 'string' ? whole : timedParts.map((piece) => piece.text).join('')
  const code = languageCode(detected) ?? languageCode(language)
  if (isUsable(timedWords, seconds)) {
    const pieces = wordsOfPieces(asWritten(joinTokens(timedWords), written))
    return { pieces, words: true, doubtful: false, language: code }
  }
  const partsHold = isUsable(timedParts, seconds)
  const doubtful = timedWords.length > 0 || (timedParts.length > 0 && !partsHold)
  const untimed = written.trim() === '' ? [] : [{ text: written, from: null, to: null }]
  return { pieces: partsHold ? timedParts : untimed, words: false, doubtful, language: code }
}

interface Fields {
  readonly text?: unknown
  readonly word?: unknown
  readonly start?: unknown
  readonly end?: unknown
  readonly words?: unknown
  readonly segments?: unknown
  readonly language?: unknown
  readonly detected_language?: unknown
}

/** Some servers write NaN, which is not JSON and is no time either. */
function parseJson(text: string): unknown {
  for (const candidate of [text, text.replace(/([:[,]\s*)-?(?:NaN|Infinity)(?=\s*[,}\]])/g, '$1null')]) {
    try {
      return JSON.parse(candidate) as unknown
    } catch {
      // Not JSON: undefined, below.
    }
  }
  return undefined
}

const listOf = (value: unknown): Fields[] =>
  Array.isArray(value)
    ? value.filter((item): item is Fields => typeof item === 'object' && item !== null)
    : []

const timeOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null

function piecesOf(items: readonly Fields[]): Piece[] {
  return items.flatMap(({ word, text, start, end }) => {
    const spoken = word ?? text
    if (typeof spoken !== 'string' || spoken.trim() === '') return []
    return [{ text: spoken, from: timeOf(start), to: timeOf(end) }]
  })
}

/**
 * Whether there are pieces, and all have times in order inside the window. Ends may be later: the last segment often ends
 * with the padding.
 */
function isUsable(pieces: readonly Piece[], seconds: number): boolean {
  let last = -SLACK_SECONDS
  for (const { text, from, to } of pieces) {
    if (text.includes('\uFFFD') || from === null || to === null) return false
    if (from < Math.max(-SLACK_SECONDS, last - SLACK_SECONDS) || from > seconds + SLACK_SECONDS) return false
    if (to < from - SLACK_SECONDS) return false
    last = from
  }
  return pieces.length > 0
}

/** whisper.cpp gives tokens as words: where any begins with a space, those without one continue the word before. */
function joinTokens(words: readonly Piece[]): Piece[] {
  if (!words.some(({ text }) => /^\s/.test(text))) return [...words]
  const joined: Piece[] = []
  for (const word of words) {
    const last = joined.at(-1)
    if (last === undefined || /^\s/.test(word.text) || isUnspacedLetter([...word.text][0] ?? ''))
      joined.push(word)
    else joined[joined.length - 1] = { text: last.text + word.text, from: last.from, to: word.to }
  }
  return joined
}

/**
 * The words with the punctuation of the text, which OpenAI's words lack. Words that are not those of the text stay as they
 * are.
 */
function asWritten(words: readonly Piece[], text: string): Piece[] {
  const written: Piece[] = []
  let at = 0
  for (const word of words) {
    const bare = word.text.trim()
    const found = text.indexOf(bare, at)
    const between = text.slice(at, found)
    if (found === -1 || /[\p{L}\p{N}]/u.test(between)) return [...words]
    const after = found + bare.length
    const [closing = ''] =
      /^[^\s\p{L}\p{N}]*(?=\s|$)|^[\u3000-\u303F\uFF01-\uFF1F]+/u.exec(text.slice(after)) ?? []
    const last = written.at(-1)
    const [opening = ''] = /\S*$/.exec(between) ?? []
    const spoken = opening + bare + closing
    if (last !== undefined && !/\s/.test(between) && continues(last.text, bare))
      written[written.length - 1] = { text: last.text + spoken, from: last.from, to: word.to }
    else written.push({ text: /\s/.test(between) ? ` ${spoken}` : spoken, from: word.from, to: word.to })
    at = after + closing.length
  }
  return written
}

/** Whether two parts without a space between them are one word, as they are not in scripts without spaces. */
function continues(before: string, after: string): boolean {
  return ![[...before].at(-1), [...after][0]].some((letter) => isUnspacedLetter(letter ?? ''))
}

/** Names of Whisper that are not those of Unicode's data. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  cantonese: 'yue',
  flemish: 'nl',
  hawaiian: 'haw',
  mandarin: 'zh',
  myanmar: 'my',
  nynorsk: 'nn',
  tagalog: 'tl',
}

let codes: ReadonlyMap<string, string> | null = null

/** The ISO 639 code of a language as servers name it: `en`, `en-US`, `english`. */
function languageCode(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const name = plainName(value)
  codes ??= namedCodes()
  return codes.get(name) ?? OTHER_NAMES[name] ?? languageTag(value)?.split('-')[0] ?? null
}

function namedCodes(): Map<string, string> {
  const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })
  const letters = [...'abcdefghijklmnopqrstuvwxyz']
  const all = letters.flatMap((first) => letters.map((second) => first + second))
  return new Map(
    all.flatMap((code) => {
      const name = names.of(code)
      return name === undefined ? [] : [[plainName(name), code] as const]
    }),
  )
}

const plainName = (name: string): string => name.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase()
