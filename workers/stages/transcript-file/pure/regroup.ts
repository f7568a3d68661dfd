/** PURE. Groups words to caption cues for files: readable lengths, with breaks at sentences, pauses and speaker changes. */
import { joinWords } from '../../../../server/contract/join-words.ts'
import type { TranscriptWord } from '../../../../server/contract/transcript.ts'

export interface FileCue {
  /** Seconds from the clip's start. */
  readonly start: number
  readonly end: number
  readonly text: string
  readonly speaker: number | null
}

/** Two lines of text that can be read in one go. */
const MAX_CHARACTERS = 84
const LINE_CHARACTERS = 42
const MAX_SECONDS = 6
const BREAK_PAUSE = 0.7

/** Cues of these words with the times that the words have. */
export function regroup(words: readonly TranscriptWord[]): FileCue[] {
  const cues: FileCue[] = []
  let group: TranscriptWord[] = []
  const close = (): void => {
    const first = group[0]
    const last = group.at(-1)
    if (first !== undefined && last !== undefined) {
      cues.push({
        start: first.start,
        end: last.end,
        text: twoLines(group.map((word) => word.word)),
        speaker: first.speaker ?? null,
      })
    }
    group = []
  }
  words.forEach((word) => {
    const before = group.at(-1)
    if (before !== undefined && breaksBefore(group, before, word)) close()
    group.push(word)
  })
  close()
  return cues.map((cue, index) => ({ ...cue, end: shownUntil(cue, cues[index + 1]) }))
}

function breaksBefore(
  group: readonly TranscriptWord[],
  before: TranscriptWord,
  word: TranscriptWord,
): boolean {
  const characters = group.reduce((sum, item) => sum + item.word.length + 1, 0)
  const first = group[0] ?? word
  return (
    before.speaker !== word.speaker ||
    word.start - before.end > BREAK_PAUSE ||
    characters + word.word.length > MAX_CHARACTERS ||
    word.end - first.start > MAX_SECONDS ||
    /[.!?…。！？]["'”’)」』]*$/.test(before.word) ||
    (/[,;:—–、，；：]["'”’)」』]*$/.test(before.word) && characters > LINE_CHARACTERS)
  )
}

/** A short cue is shown long enough to be read, if there is time. */
function shownUntil(cue: FileCue, next: FileCue | undefined): number {
  const wanted = Math.max(cue.end, cue.start + 0.8)
  return next === undefined ? wanted : Math.max(cue.end, Math.min(wanted, next.start))
}

/** One line, or two lines of about equal length. */
function twoLines(words: readonly string[]): string {
  const whole = joinWords(words)
  if (whole.length <= LINE_CHARACTERS) return whole
  let best = whole
  let least = Infinity
  for (let count = 1; count < words.length; count += 1) {
    const top = joinWords(words.slice(0, count))
    const bottom = joinWords(words.slice(count))
    const uneven = Math.abs(top.length - bottom.length) - (/[,;:—–、，；：]$/.test(top) ? 8 : 0)
    if (uneven >= least) continue
    best = `${top}\n${bottom}`
    least = uneven
  }
  return best
}
