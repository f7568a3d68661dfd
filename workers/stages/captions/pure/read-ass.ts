/**
 * PURE. Reads the dialogue of an ASS or SSA file. Drawings are not text, and signs that are shown while somebody speaks are
 * not spoken; both would otherwise be taken for words.
 */

/** Lines of one event without codes. */
export interface AssEvent {
  readonly start: number
  readonly end: number
  readonly lines: readonly string[]
}

export interface AssDialogue {
  readonly events: readonly AssEvent[]
  /** Number of dialogue lines whose times could not be read. */
  readonly broken: number
}

interface StyledEvent extends AssEvent {
  readonly style: string
  /** Has an explicit position in the picture, as signs do. */
  readonly placed: boolean
}

/** The columns of a file without a `Format:` line. */
const DEFAULT_FORMAT = [
  'layer',
  'start',
  'end',
  'style',
  'name',
  'marginl',
  'marginr',
  'marginv',
  'effect',
  'text',
]
const TIME = /^\s*(\d{1,3}):(\d{1,2}):(\d{1,2}(?:[.:]\d{1,3})?)\s*$/
const PLACED = /\\(?:pos|move)\s*\(/i
/** Moving signs are written frame by frame: the same text again within this many seconds is the same sign. */
const SAME_SIGN_GAP = 0.1

export function isAss(text: string): boolean {
  return /^\ufeff?\s*\[Script Info\]/i.test(text)
}

export function readAss(lines: readonly string[]): AssDialogue {
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
    const event = eventOf(rest, format)
    if (event === null) broken += 1
    else if (event.lines.length > 0) read.push(event)
  }
  const sorted = read.sort((a, b) => a.start - b.start)
  return { events: withoutSigns(joinFrames(sorted)), broken }
}

/** Null if the times are invalid. The text is the last column and may contain commas. */
function eventOf(rest: string, format: readonly string[]): StyledEvent | null {
  const columns = rest.split(',')
  const value = (name: string): string => {
    const at = format.indexOf(name)
    return at === -1 ? '' : (columns[at] ?? '')
  }
  const start = secondsOf(value('start'))
  const end = secondsOf(value('end'))
  if (start === null || end === null) return null
  const text = columns.slice(format.length - 1).join(',')
  const style = value('style').trim().replace(/^\*/, '')
  return { start, end, style, placed: PLACED.test(text), lines: shownLines(text) }
}

function secondsOf(stamp: string): number | null {
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

/**
 * Removes positioned events in another style than the dialogue's while dialogue goes on. The dialogue's style is the one with
 * most text without a position; if every event has a position, signs and dialogue cannot be told apart and all stay.
 */
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
