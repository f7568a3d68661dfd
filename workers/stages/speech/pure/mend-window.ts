/** PURE. Cleans the model's result for a window of what nobody said: inventions in silence, loops, stock phrases. */
import { isUnspacedLetter, joinWords } from '../../../../server/contract/join-words.ts'
import type { DecodedWindow } from './decoded.ts'
import { isEcho } from './prompt.ts'
import { voicedSeconds, type VoiceSegment } from './plan-windows.ts'

export interface Piece {
  readonly text: string
  readonly start: number
  readonly end: number
}

export interface MendedWindow {
  readonly pieces: readonly Piece[]
  readonly dropped: 'none' | 'silence' | 'loop' | 'stock phrase' | 'repeated keywords'
}

/** With fewer seconds of speech in a window everything that the model returns is invented. */
const MIN_VOICED = 0.25
/** More words per second of voice are not plausible. */
const FASTEST = 9
/** Phrases that Whisper models produce for silence and music. */
const STOCK =
  /^(thank(s| you)( (so|very) much)?( for (watching|listening|your attention))?|please subscribe.*|subscribe.*|see you (in the )?next (time|video)|bye(-| )?bye|you|the end|subtitles? by.*|transcri(bed|ption) by.*|copyright.*|untertitel.*|sous-titres.*|продолжение следует.*|ご視聴ありがとうございました|music|applause)[\s.!…]*$/i

/** `keywords`: those in the model's prompt. */
export function mendWindow(
  window: DecodedWindow,
  voice: readonly VoiceSegment[],
  keywords: readonly string[] = [],
): MendedWindow {
  const voiced = voicedSeconds(voice, window.start, window.end)
  const spoken = window.pieces.filter(
    (piece) => /[\p{L}\p{N}]/u.test(piece.text) && !/^\s*[[(♪].*[\])♪]\s*$/u.test(piece.text),
  )
  if (spoken.length === 0) return { pieces: [], dropped: 'none' }
  if (voiced < MIN_VOICED) return { pieces: [], dropped: 'silence' }
  const texts = spoken.map((piece) => piece.text)
  const text = window.words ? joinWords(texts.map((word) => word.trim())) : texts.join('').trim()
  if (STOCK.test(text) && voiced < 0.35 * (window.end - window.start))
    return { pieces: [], dropped: 'stock phrase' }
  if (isEcho(text, keywords)) return { pieces: [], dropped: 'repeated keywords' }
  const timed = inWindow(spoken, window)
  const unlooped = dropLoops(timed)
  const count = unlooped.reduce((sum, piece) => sum + wordCount(piece.text), 0)
  if (count > 8 && count > voiced * FASTEST) return { pieces: [], dropped: 'loop' }
  return { pieces: unlooped, dropped: unlooped.length < timed.length ? 'loop' : 'none' }
}

/** Characters per word in scripts without spaces: Han and kana are syllables, the others are letters. */
const LETTERS_A_WORD = { syllables: 2, letters: 5 } as const

/** The number of words of a text, with or without spaces between them. */
function wordCount(text: string): number {
  let syllables = 0
  let letters = 0
  let spaced = ''
  for (const letter of text) {
    if (!isUnspacedLetter(letter)) spaced += letter
    else if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(letter)) syllables += 1
    else if (/\p{L}/u.test(letter)) letters += 1
  }
  const words = spaced.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length
  return words + syllables / LETTERS_A_WORD.syllables + letters / LETTERS_A_WORD.letters
}

/** Increasing times inside the window; missing ones are taken from the neighbours. */
function inWindow(pieces: DecodedWindow['pieces'], window: DecodedWindow): Piece[] {
  const timed: Piece[] = []
  pieces.forEach((piece, index) => {
    const floor = timed.at(-1)?.end ?? window.start
    const at = (seconds: number | null): number | null => (seconds === null ? null : window.start + seconds)
    const next = pieces.slice(index + 1).find((item) => item.from !== null)?.from ?? null
    const start = Math.min(window.end, Math.max(floor, at(piece.from) ?? floor))
    const end = Math.min(window.end, Math.max(start, at(piece.to) ?? at(next) ?? window.end))
    timed.push({ text: piece.text.trim(), start, end })
  })
  return timed
}

const MAX_LOOP = 12

/** A phrase repeated four times or more in a row is a loop of the decoder: one of them stays. */
export function dropLoops(pieces: readonly Piece[]): Piece[] {
  const remaining: Piece[] = []
  const key = (piece: Piece | undefined) => (piece?.text ?? '').toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  let index = 0
  while (index < pieces.length) {
    const length = loopAt(pieces, index, key)
    const first = pieces[index]
    if (length === null) {
      if (first !== undefined) remaining.push(first)
      index += 1
      continue
    }
    remaining.push(...pieces.slice(index, index + length))
    let next = index + length
    while (next + length <= pieces.length && same(pieces, index, next, length, key)) next += length
    index = next
  }
  return remaining
}

function loopAt(pieces: readonly Piece[], at: number, key: (piece: Piece | undefined) => string) {
  for (let length = 1; length <= MAX_LOOP && at + length * 4 <= pieces.length; length += 1) {
    if ([1, 2, 3].every((turn) => same(pieces, at, at + turn * length, length, key))) return length
  }
  return null
}

function same(
  pieces: readonly Piece[],
  a: number,
  b: number,
  length: number,
  key: (piece: Piece | undefined) => string,
): boolean {
  for (let offset = 0; offset < length; offset += 1)
    if (key(pieces[a + offset]) !== key(pieces[b + offset])) return false
  return true
}
