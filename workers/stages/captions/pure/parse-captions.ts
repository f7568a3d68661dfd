/** PURE. Parses SRT, WebVTT and ASS as they occur in practice. A text without a readable timing line has no cues. */
import { stripMarkup } from './clean-text.ts'

const STAMP = String.raw`(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[.,:](\d{1,3}))?`
const TIMING = new RegExp(String.raw`^\s*${STAMP}\s*-{1,2}>\s*${STAMP}(?:\s+.*)?$`)
const INLINE = new RegExp(String.raw`<${STAMP}>`, 'g')

/** Parses any of the formats, which are recognised by their content and not by the file name. */
export function parseCaptions(text: string): ParsedCaptions {
  const lines = text
    .replace(/^\ufeff+/, '')
    .replaceAll('\u0000', '')
    .split(/\r\n|\r|\n/)
  if (/^\ufeff?\s*\[Script Info\]/i.test(text)) {
    const { events, broken } = readAss(lines)
    return {
      cues: events.map(({ start, end, lines: shown }) => buildCue(start, end, shown)),
      language: null,
      broken,
    }
  }
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
    cues.push(buildCue(start, seconds(timing, 5), lines.slice(index + 1, end)))
    index = end - 1
  }
  return { cues: cues.toSorted((a, b) => a.start - b.start), language, broken }
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

function buildCue(start: number, end: number, payload: readonly string[]): Cue {
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
    parts: parseParts(start, raw.at(-1) ?? '', raw),
  }
}

/** Inline time stamps are on the new line of a roll-up cue; text before the first stamp starts with the cue. */
function parseParts(start: number, last: string, raw: readonly string[]): CuePart[] {
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

/** A part of a cue with a start of its own, from inline time stamps. */
export interface CuePart {
  readonly start: number
  readonly text: string
}

export interface Cue {
  /** Seconds in the source. */
  readonly start: number
  readonly end: number
  /** Lines as shown, with tags and entities resolved and inline time stamps removed. */
  readonly lines: readonly string[]
  /** Name from a voice tag or a label. */
  readonly speaker: string | null
  /** Another person begins to speak, without a name (`>>`). */
  readonly turn: boolean
  /** Parts with inline times; empty when there are none. */
  readonly parts: readonly CuePart[]
}

export interface ParsedCaptions {
  readonly cues: readonly Cue[]
  readonly language: string | null
  readonly broken: number
}

/** Lines of one event without codes. */
interface StyledEvent extends Pick<Cue, 'start' | 'end' | 'lines'> {
  readonly style: string
  /** Has an explicit position in the picture, as signs do. */
  readonly placed: boolean
}

/** The columns of a file without a `Format:` line. */
const DEFAULT_FORMAT = 'layer,start,end,style,name,marginl,marginr,marginv,effect,text'.split(',')
const TIME = /^\s*(\d{1,3}):(\d{1,2}):(\d{1,2}(?:[.:]\d{1,3})?)\s*$/
const PLACED = /\\(?:pos|move)\s*\(/i
/** Moving signs are written frame by frame: the same text again within this many seconds is the same sign. */
const SAME_SIGN_GAP = 0.1

function readAss(lines: readonly string[]): { events: StyledEvent[]; broken: number } {
  const read: StyledEvent[] = []
  let section = ''
  let format = DEFAULT_FORMAT
  let broken = 0
  for (const line of lines) {
    section = /^\s*\[([^\]]{1,40})\]\s*$/.exec(line)?.[1]?.toLowerCase() ?? section
    if (section !== 'events') continue
    const [, kind = '', rest = ''] = /^\s*(Format|Dialogue)\s*:\s?(.*)$/i.exec(line) ?? []
    if (kind.toLowerCase() === 'format') format = rest.split(',').map((name) => name.trim().toLowerCase())
    if (kind.toLowerCase() !== 'dialogue') continue
    const event = parseEvent(rest, format)
    if (event === null) broken += 1
    else if (event.lines.length > 0) read.push(event)
  }
  const sorted = read.sort((a, b) => a.start - b.start)
  return { events: withoutSigns(joinFrames(sorted)), broken }
}

/** Null if the times are invalid. The text is the last column and may contain commas. */
function parseEvent(rest: string, format: readonly string[]): StyledEvent | null {
  const columns = rest.split(',')
  const value = (name: string): string => {
    const at = format.indexOf(name)
    return at === -1 ? '' : (columns[at] ?? '')
  }
  const start = parseSeconds(value('start'))
  const end = parseSeconds(value('end'))
  if (start === null || end === null) return null
  const text = columns.slice(format.length - 1).join(',')
  const style = value('style').trim().replace(/^\*/, '')
  return { start, end, style, placed: PLACED.test(text), lines: shownLines(text) }
}

function parseSeconds(stamp: string): number | null {
  const [, hours, minutes, seconds] = TIME.exec(stamp) ?? []
  if (seconds === undefined) return null
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds.replace(':', '.'))
}

/** The text line by line without codes, comments in braces and drawings (`{\p1}m 0 0 l 100 0{\p0}`). */
function shownLines(text: string): string[] {
  let drawing = false
  const shown = text.split(/(\{[^{}]*\})/).map((piece) => {
    if (!piece.startsWith('{') || !piece.endsWith('}')) return drawing ? '' : piece
    for (const [, scale] of piece.matchAll(/\\p\s*(\d+)/gi)) drawing = Number(scale) > 0
    return ''
  })
  return shown
    .join('')
    .replaceAll('\\h', ' ')
    .split(/\\n/i)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** Joins events with the same text and style that follow each other without a pause. */
function joinFrames(events: readonly StyledEvent[]): StyledEvent[] {
  const joined: StyledEvent[] = []
  const latest = new Map<string, number>()
  for (const event of events) {
    const key = `${event.style}\n${event.lines.join('\n')}`
    const at = latest.get(key)
    const before = at === undefined ? undefined : joined[at]
    if (at !== undefined && before?.placed === true && event.start - before.end < SAME_SIGN_GAP)
      joined[at] = { ...before, end: Math.max(before.end, event.end) }
    else latest.set(key, joined.push(event) - 1)
  }
  return joined
}

/** Removes signs: positioned events shown during dialogue, in another style than most text without a position. */
function withoutSigns(events: readonly StyledEvent[]): StyledEvent[] {
  const letters = new Map<string, number>()
  for (const { placed, style, lines } of events)
    if (!placed) letters.set(style, (letters.get(style) ?? 0) + lines.join('').length)
  let main = ''
  let mostLetters = 0
  for (const [style, count] of letters)
    if (count > mostLetters) {
      main = style
      mostLetters = count
    }
  const isSign = (event: StyledEvent): boolean => event.placed && event.style !== main
  if (letters.size === 0) return [...events]
  const spoken = events.filter((event) => !isSign(event))
  // Spoken events are sorted by start: the latest end of those that began before tells whether dialogue goes on.
  let next = 0
  let until = -Infinity
  return events
    .toSorted((a, b) => a.end - b.end)
    .filter((event) => {
      for (; (spoken[next]?.start ?? Infinity) < event.end; next += 1)
        until = Math.max(until, spoken[next]?.end ?? until)
      return !isSign(event) || until <= event.start
    })
    .sort((a, b) => a.start - b.start)
}
