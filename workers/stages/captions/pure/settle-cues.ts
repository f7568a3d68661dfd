/** PURE. Turns cues as written into cues as spoken, and reports every repair as a warning. */
import { dropSounds, splitWords } from './clean-text.ts'
import type { Cue, CuePart } from './parse-captions.ts'

export interface SpokenCue {
  readonly start: number
  readonly end: number
  readonly words: readonly string[]
  readonly speaker: number | null
  /** Parts with times of their own, from inline time stamps; empty when there are none. */
  readonly parts: readonly CuePart[]
}

export interface SettledCues {
  readonly cues: readonly SpokenCue[]
  readonly speakers: readonly string[]
  readonly warnings: readonly string[]
}

/** Cues with more lines, or repetitions of more words, are not captions, and comparing them would take too long. */
const MAX_LINES = 20
const MAX_REPEATED_WORDS = 200

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** `durationSeconds`: length of the video; cues after its end are dropped. */
export function settleCues(read: readonly Cue[], durationSeconds: number): SettledCues {
  const warnings: string[] = []
  const shifted = shiftWholeHours(read, durationSeconds, warnings)
  const inside = shifted.filter((cue) => cue.start < durationSeconds - 0.05)
  if (inside.length < shifted.length) {
    const count = shifted.length - inside.length
    warnings.push(
      `${count} caption ${count === 1 ? 'cue lies after the end of the video and was' : 'cues lie after the end of the video and were'} left out.`,
    )
  }
  const rolled = isRollUp(inside) ? dropRepeats(inside) : inside
  const named = nameSpeakers(mergeTogether(rolled))
  const cues: SpokenCue[] = []
  named.cues.forEach(({ cue, speaker }) => {
    const text = dropSounds(cue.lines)
    const words = splitWords(text)
    if (words.length === 0) return
    const before = cues.at(-1)
    if (before !== undefined && before.end > cue.start) {
      cues[cues.length - 1] = { ...before, end: Math.max(before.start + 0.05, cue.start) }
    }
    const start = Math.max(0, cue.start)
    const end = Math.min(durationSeconds, cue.end > start + 0.05 ? cue.end : start + 0.3 * words.length)
    const parts = cue.parts.length > 0 && sameWords(cue.parts, words) ? cue.parts : []
    cues.push({ start, end: Math.max(start + 0.05, end), words, speaker, parts })
  })
  return { cues, speakers: named.speakers, warnings }
}

/** Broadcast files often start at 01:00:00. */
function shiftWholeHours(cues: readonly Cue[], durationSeconds: number, warnings: string[]): readonly Cue[] {
  const first = cues[0]?.start ?? 0
  const hours = Math.floor(first / 3600)
  if (hours === 0 || first < durationSeconds) return cues
  const by = hours * 3600
  warnings.push(
    `The captions start at ${hours}:00:00 though the video does not; they were moved back by that.`,
  )
  return cues.map((cue) => ({
    ...cue,
    start: cue.start - by,
    end: cue.end - by,
    parts: cue.parts.map((part) => ({ ...part, start: part.start - by })),
  }))
}

function isRollUp(cues: readonly Cue[]): boolean {
  if (cues.some((cue) => cue.parts.length > 1 && cue.lines.length > 1)) return true
  let repeats = 0
  for (let index = 1; index < cues.length; index += 1) {
    const last = cues[index - 1]?.lines.at(-1)
    const first = cues[index]?.lines[0]
    if (last !== undefined && first !== undefined && same(last, first)) repeats += 1
  }
  return cues.length >= 4 && repeats > cues.length * 0.3
}

/** Removes from each cue what the previous cue has shown already. */
function dropRepeats(cues: readonly Cue[]): Cue[] {
  const remaining: Cue[] = []
  let shown: readonly string[] = []
  for (const cue of cues) {
    const words = cue.lines.flatMap((line) => line.split(' '))
    let overlap = Math.min(shown.length, words.length, MAX_REPEATED_WORDS)
    while (
      overlap > 0 &&
      !shown.slice(shown.length - overlap).every((word, index) => same(word, words[index] ?? ''))
    )
      overlap -= 1
    shown = words
    if (overlap < words.length) remaining.push({ ...cue, lines: withoutFirst(cue.lines, overlap) })
  }
  return remaining
}

/** Removes this many words from the start. The rest stays in lines, which are needed to recognise what is sung. */
function withoutFirst(lines: readonly string[], count: number): string[] {
  let left = count
  return lines.flatMap((line) => {
    const words = line.split(' ')
    const remaining = words.slice(left)
    left = Math.max(0, left - words.length)
    return remaining.length === 0 ? [] : [remaining.join(' ')]
  })
}

/** Merges cues that are shown at the same moment (two lines sent as two cues). */
function mergeTogether(cues: readonly Cue[]): Cue[] {
  const merged: Cue[] = []
  for (const cue of cues) {
    const before = merged.at(-1)
    const together = before !== undefined && cue.start - before.start < 0.05 && before.speaker === cue.speaker
    if (together && before.lines.length < MAX_LINES) {
      if (same(before.lines.join(' '), cue.lines.join(' '))) continue
      merged[merged.length - 1] = {
        ...before,
        end: Math.max(before.end, cue.end),
        lines: [...before.lines, ...cue.lines],
        parts: [],
      }
    } else merged.push(cue)
  }
  return merged
}

const LABEL = /^((?:\p{Lu}[\p{L}.'’-]*)(?:\s\p{Lu}[\p{L}.'’-]*){0,2}):\s+(?=\S)/u

/** Numbers speakers by voice tags, then by `NAME:` labels in capitals or seen twice; `>>` alone gives no name. */
function nameSpeakers(cues: readonly Cue[]) {
  const counts = new Map<string, number>()
  for (const cue of cues) {
    const label = LABEL.exec(cue.lines[0] ?? '')?.[1]
    if (label !== undefined) counts.set(label, (counts.get(label) ?? 0) + 1)
  }
  const speakers: string[] = []
  const numbers = new Map<string, number>()
  const numberOf = (name: string): number => {
    const number = numbers.get(name.toLowerCase()) ?? speakers.push(titled(name)) - 1
    numbers.set(name.toLowerCase(), number)
    return number
  }
  let current: number | null = null
  const named = cues.map((cue) => {
    const [first = '', ...rest] = cue.lines
    const label = LABEL.exec(first)?.[1]
    const isName = label !== undefined && (label === label.toUpperCase() || (counts.get(label) ?? 0) >= 2)
    if (cue.speaker !== null) current = numberOf(cue.speaker)
    else if (isName) current = numberOf(label)
    else if (cue.turn) current = null
    const lines = isName ? [first.replace(LABEL, ''), ...rest] : cue.lines
    return { cue: { ...cue, lines }, speaker: current }
  })
  return { cues: named, speakers }
}

function titled(name: string): string {
  return name === name.toUpperCase()
    ? name.toLowerCase().replace(/(^|[\s'’-])\p{L}/gu, (letter) => letter.toUpperCase())
    : name
}

function sameWords(parts: readonly CuePart[], words: readonly string[]): boolean {
  const listed = parts.flatMap((part) => splitWords(dropSounds([part.text])))
  return listed.length === words.length && listed.every((word, index) => same(word, words[index] ?? ''))
}
