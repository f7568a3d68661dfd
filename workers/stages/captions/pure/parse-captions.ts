/**
 * PURE. Parses SRT, WebVTT and ASS as they occur in practice: byte order marks, any line ending, missing hours or numbers, comma
 * or point, blank lines inside cues, unsorted cues. A text without a readable timing line has no cues.
 */
import type { Cue, CuePart, ParsedCaptions } from './cue.ts'
import { stripMarkup } from './clean-text.ts'
import { isAss, readAss } from './read-ass.ts'

const STAMP = String.raw`(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[.,:](\d{1,3}))?`
const TIMING = new RegExp(String.raw`^\s*${STAMP}\s*-{1,2}>\s*${STAMP}(?:\s+.*)?$`)
const INLINE = new RegExp(String.raw`<${STAMP}>`, 'g')

/** Parses any of the formats, which are recognised by their content and not by the file name. */
export function parseCaptions(text: string): ParsedCaptions {
  const lines = text
    .replace(/^\ufeff+/, '')
    .replaceAll('\u0000', '')
    .split(/\r\n|\r|\n/)
  if (isAss(text)) return fromAss(lines)
  const vtt = /^\s*WEBVTT/.test(lines[0] ?? '')
  const header = vtt ? lines.slice(0, 12).join('\n') : ''
  const language = /^language:\s*([a-z]{2,3}(?:-[a-z0-9]{2,8})*)\s*$/im.exec(header)?.[1] ?? null
  const cues: Cue[] = []
  let broken = 0
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? ''
    const timing = TIMING.exec(line)
    if (timing === null) {
      if (line.includes('-->')) broken += 1
      continue
    }
    const end = payloadEnd(lines, index + 1, vtt)
    const start = seconds(timing, 1)
    cues.push(cueOf(start, seconds(timing, 5), lines.slice(index + 1, end)))
    index = end - 1
  }
  return { cues: inOrder(cues), language, broken }
}

function fromAss(lines: readonly string[]): ParsedCaptions {
  const { events, broken } = readAss(lines)
  return {
    cues: events.map(({ start, end, lines: shown }) => cueOf(start, end, shown)),
    language: null,
    broken,
  }
}

function seconds(match: RegExpExecArray, at: number): number {
  const hours = match[at]
  const minutes = match[at + 1]
  const whole = match[at + 2]
  const fraction = match[at + 3]
  return Number(hours ?? 0) * 3600 + Number(minutes) * 60 + Number(whole) + Number(`0.${fraction ?? '0'}`)
}

/** The line after the cue's text. WebVTT ends at a blank line; SRT ends at the next number and timing. */
function payloadEnd(lines: readonly string[], from: number, vtt: boolean): number {
  let index = from
  for (; index < lines.length; index += 1) {
    const line = lines[index] ?? ''
    // YouTube pads with a line of one space, which counts as text.
    if (vtt && line === '') return index
    if (line.includes('-->')) break
  }
  if (index < lines.length && index > from && /^\s*\d+\s*$/.test(lines[index - 1] ?? '')) index -= 1
  return index
}

function cueOf(start: number, end: number, payload: readonly string[]): Cue {
  const raw = payload.filter((line) => line.trim() !== '')
  const joined = raw.join('\n')
  const voice = /<v(?:\.[^\s<>]*)?\s([^<>]+)>/i.exec(joined)?.[1]
  const lines = raw.map((line) => stripMarkup(line)).filter((line) => line !== '')
  const turn = lines.some((line) => /^(>>|[-–—]\s?(?=\p{Lu}))/u.test(line))
  return {
    start,
    end,
    lines: lines
      .map((line) => line.replace(/^(>>+\s*|[-–—]\s?(?=\p{Lu}))/u, ''))
      .filter((line) => line !== ''),
    speaker: voice === undefined ? null : stripMarkup(voice),
    turn,
    parts: partsOf(start, raw.at(-1) ?? '', raw),
  }
}

/** Inline time stamps are on the new line of a roll-up cue; text before the first stamp starts with the cue. */
function partsOf(start: number, last: string, raw: readonly string[]): CuePart[] {
  const stamped = raw.find((line) => line.search(INLINE) >= 0) ?? last
  const marks = [...stamped.matchAll(INLINE)]
  if (marks.length === 0) return []
  const parts: CuePart[] = []
  const push = (at: number, text: string): void => {
    const clean = stripMarkup(text).replace(/^>>+\s*/, '')
    if (clean !== '') parts.push({ start: at, text: clean })
  }
  push(start, stamped.slice(0, marks[0]?.index ?? 0))
  marks.forEach((mark, index) => {
    push(
      seconds(mark, 1),
      stamped.slice(mark.index + mark[0].length, marks[index + 1]?.index ?? stamped.length),
    )
  })
  return parts
}

function inOrder(cues: readonly Cue[]): Cue[] {
  return cues
    .map((cue, index) => ({ cue, index }))
    .sort((a, b) => a.cue.start - b.cue.start || a.index - b.index)
    .map(({ cue }) => cue)
}
