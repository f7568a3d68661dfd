/** PURE. The content of a clip's caption files, padding included; times count from the extended cut's start. */
import type { Transcript, TranscriptWord } from '../../../../server/contract/transcript.ts'
import { omitUndefined } from '../../../../server/contract/omit-undefined.ts'
import { joinWords } from '../../../../server/contract/join-words.ts'

export interface ClipFileRange {
  /** The extended range, in seconds of the source. */
  readonly start: number
  readonly end: number
  /** Whether the clip shows this moment of the source. A word belongs to the clip if its middle does. */
  readonly isVisible: (moment: number) => boolean
}

const findMiddle = (word: TranscriptWord): number => (word.start + word.end) / 2

export function clipFiles(
  transcript: Pick<Transcript, 'language' | 'speakers' | 'words'>,
  range: ClipFileRange,
) {
  const { language, speakers } = transcript
  // A word that the edge cuts belongs to the side with most of it.
  const inside = transcript.words.filter(
    (word) => word.isDeleted !== true && findMiddle(word) >= range.start && findMiddle(word) < range.end,
  )
  const timed = inside.map((word) => shiftWord(word, range.start, range.end - range.start))
  const words = timed.map((word, index) => ({
    word: word.word,
    start: word.start,
    end: word.end,
    ...omitUndefined({ speaker: word.speaker }),
    /** Whether it is inside the visible cut, and not only in the padding. */
    visible: range.isVisible(findMiddle(inside[index] ?? word)),
  }))
  const cues = regroup(timed)
  return {
    json: JSON.stringify({ language, ...omitUndefined({ speakers }), words }),
    srt: toSrt(cues),
    vtt: toWebVtt(cues, language, speakers ?? []),
    words,
  }
}

function shiftWord(word: TranscriptWord, by: number, length: number): TranscriptWord {
  const at = (seconds: number) => Math.round(Math.min(length, Math.max(0, seconds - by)) * 1000) / 1000
  return { ...word, start: at(word.start), end: at(word.end) }
}

/** `speakers`: names by number, for voice tags. */
export function toWebVtt(cues: readonly FileCue[], language: string, speakers: readonly string[]): string {
  const blocks = cues.map((cue, index) => {
    const voice =
      cue.speaker === null ? '' : `<v ${escapeMarkup(speakers[cue.speaker] ?? `Speaker ${cue.speaker + 1}`)}>`
    return `${index + 1}\n${formatTime(cue.start, '.')} --> ${formatTime(cue.end, '.')}\n${voice}${escapeMarkup(cue.text)}\n`
  })
  return [`WEBVTT${language === 'und' ? '' : `\nLanguage: ${language}`}\n`, ...blocks].join('\n')
}

export function toSrt(cues: readonly FileCue[]): string {
  return cues
    .map(
      (cue, index) =>
        `${index + 1}\n${formatTime(cue.start, ',')} --> ${formatTime(cue.end, ',')}\n${cue.text}\n`,
    )
    .join('\n')
}

/** `00:00:01.500`, as WebVTT and TTML write seconds; SRT has a comma for the point. */
export function formatTime(seconds: number, point: '.' | ','): string {
  const milliseconds = Math.max(0, Math.round(seconds * 1000))
  const part = (value: number, digits = 2): string => String(Math.floor(value)).padStart(digits, '0')
  return `${part(milliseconds / 3_600_000)}:${part((milliseconds / 60_000) % 60)}:${part((milliseconds / 1000) % 60)}${point}${part(milliseconds % 1000, 3)}`
}

/** Text of a WebVTT cue. */
export function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

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
  return cues.map((cue, index) => ({ ...cue, end: findCueEnd(cue, cues[index + 1]) }))
}

function breaksBefore(group: readonly TranscriptWord[], before: TranscriptWord, word: TranscriptWord) {
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
function findCueEnd(cue: FileCue, next: FileCue | undefined): number {
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
