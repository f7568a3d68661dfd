/**
 * Groups words into cues. Long pauses and speaker changes always end a cue; between them the breaks are chosen
 * together, by least cost: sentence ends and commas are good places, small words make bad line ends, cues should be
 * alike in length and long enough to read.
 */
import { shownText, type PlacedWord } from './placed-words.ts'
import { columns, estimateWidth, type WidthFace } from './script-words.ts'

export interface CueRules {
  readonly framesPerSecond: number
  readonly durationFrames: number
  /** Of the style that a speaker's words are set in. */
  readonly measureOf: (speaker: number) => CueMeasure
}

/** How much fits in a cue of one style. */
export interface CueMeasure {
  readonly maxCharsPerLine: number
  readonly maxLines: number
  readonly maxWords: number
  /** Words that a cue of this style has at its best. */
  readonly idealWords: number
  /** Widest line in font sizes. */
  readonly lineWidth: number
  readonly face: WidthFace
}

export interface WordGroup {
  readonly words: readonly PlacedWord[]
  readonly startFrame: number
  readonly endFrame: number
  readonly speaker: number
}

/** Seconds. A pause longer than `PAUSE` always ends a cue; a gap under `HOLD` is bridged by the cue before it. */
export const PAUSE = 0.7
export const HOLD = 0.35
const LINGER = 0.12
const SHORTEST = 0.6

/** Every word is in exactly one cue, in order; cues do not overlap. */
export function groupWords(words: readonly PlacedWord[], rules: CueRules): WordGroup[] {
  const groups = phrases(words, rules).flatMap((phrase) => breakPhrase(phrase, rules))
  return timed(groups, rules)
}

/** Stretches that no cue may cross. */
function phrases(words: readonly PlacedWord[], rules: CueRules): PlacedWord[][] {
  const result: PlacedWord[][] = []
  words.forEach((word, index) => {
    const before = words[index - 1]
    const gap = before === undefined ? Infinity : word.startFrame - before.endFrame
    const apart = gap > PAUSE * rules.framesPerSecond || before?.speaker !== word.speaker
    if (apart) result.push([word])
    else result.at(-1)?.push(word)
  })
  return result
}

function breakPhrase(phrase: readonly PlacedWord[], rules: CueRules): PlacedWord[][] {
  const measure = rules.measureOf(phrase[0]?.speaker ?? 0)
  const best: { cost: number; from: number }[] = [{ cost: 0, from: 0 }]
  for (let start = 0; start < phrase.length; start++) {
    const before = best[start]?.cost ?? Infinity
    const most = reach(phrase, start, measure)
    for (let end = start + 1; end <= most; end++) {
      const cost = before + cueCost(phrase, start, end, measure, rules.framesPerSecond)
      if (cost < (best[end]?.cost ?? Infinity)) best[end] = { cost, from: start }
    }
  }
  const cues: PlacedWord[][] = []
  for (let end = phrase.length; end > 0;) {
    const from = best[end]?.from ?? end - 1
    cues.unshift(phrase.slice(from, end))
    end = from
  }
  return cues
}

/** End (exclusive) of the longest cue that starts at `start`: one word at least, however long. */
function reach(phrase: readonly PlacedWord[], start: number, measure: CueMeasure): number {
  let end = start + 1
  while (end < phrase.length && end - start < measure.maxWords && fits(phrase.slice(start, end + 1), measure))
    end += 1
  return end
}

/** Whether the words wrap into the lines that there are; a line with one word alone may be too long. */
export function fits(words: readonly PlacedWord[], measure: CueMeasure): boolean {
  let lines = 1
  let line = ''
  let joins = true
  for (const word of words) {
    const longer = line + (joins ? '' : ' ') + shownText(word)
    joins = word.joinsNext
    if (line === '' || fitsLine(longer, measure)) line = longer
    else {
      lines += 1
      line = shownText(word)
    }
    if (lines > measure.maxLines) return false
  }
  // A word too long for a line is only let through alone, so that it is the sole reason for a line being too long.
  return words.length === 1 || words.every((word) => fitsLine(shownText(word), measure))
}

function fitsLine(text: string, measure: CueMeasure): boolean {
  return columns(text) <= measure.maxCharsPerLine && estimateWidth(text, measure.face) <= measure.lineWidth
}

function cueCost(
  phrase: readonly PlacedWord[],
  start: number,
  end: number,
  measure: CueMeasure,
  framesPerSecond: number,
): number {
  const words = phrase.slice(start, end)
  const last = words.at(-1)
  const next = phrase[end]
  const first = words[0]
  if (last === undefined || first === undefined) return Infinity
  const fill = (words.length - measure.idealWords) / measure.idealWords
  const shownUntil = next === undefined ? last.endFrame + LINGER * framesPerSecond : next.startFrame
  const shown = (shownUntil - first.startFrame) / framesPerSecond
  const hurried = 3 * Math.max(0, 1 - shown / SHORTEST)
  const inside = words
    .slice(0, -1)
    .filter((word, index) => endsSentence(word.text, words[index + 1]?.text)).length
  return fill ** 2 + hurried + 3 * inside + breakCost(last, next, framesPerSecond)
}

/** How bad a place the end of `last` is to break. */
function breakCost(last: PlacedWord, next: PlacedWord | undefined, framesPerSecond: number): number {
  if (next === undefined || endsSentence(last.text, next.text)) return 0
  const pause = Math.max(0, next.startFrame - last.endFrame) / framesPerSecond
  let cost = 0.75 - 0.6 * Math.min(1, pause / 0.4)
  if (/[,;:–—،、，；：]["'”’)\]]*$/u.test(last.text)) cost -= 0.5
  if (last.endsCue) cost -= 0.25
  if (WEAK_ENDS.has(bare(last.text))) cost += 0.6
  if (GOOD_STARTS.has(bare(next.text))) cost -= 0.25
  if (last.joinsNext && last.index === next.index) cost += 0.6
  return cost
}

/** English words that belong to what follows them. */
const WEAK_ENDS = new Set(
  'a an the of to in on at by for with from and or but so if as is are was were be i my your his her its our their this that very not no mr mrs dr'.split(
    ' ',
  ),
)
/** English words that open a new thought. */
const GOOD_STARTS = new Set('and but or so because which who when where while that if then'.split(' '))
const ABBREVIATIONS = new Set('mr mrs ms dr prof sr jr st vs etc e.g i.e no vol fig inc ltd co'.split(' '))

function bare(text: string): string {
  return text.toLowerCase().replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
}

/** Whether a sentence ends after `text`; `next` is the following word. */
export function endsSentence(text: string, next: string | undefined): boolean {
  if (!/[.!?…。！？؟।]["'”’»)\]]*$/u.test(text)) return false
  const word = bare(text)
  if (/\.["'”’)\]]*$/u.test(text) && (ABBREVIATIONS.has(word) || /^\p{L}$/u.test(word))) return false
  const letter = next?.match(/\p{L}/u)?.[0]
  // "... and then it was" continues a sentence; a capital, a digit or a script without case starts a new one.
  return letter === undefined || letter !== letter.toLowerCase() || letter === letter.toUpperCase()
}

/** When each cue is shown: from its first word, until the next cue if that is near, else shortly after its last word. */
function timed(groups: readonly PlacedWord[][], rules: CueRules): WordGroup[] {
  const fps = rules.framesPerSecond
  return groups.map((words, index) => {
    const startFrame = words[0]?.startFrame ?? 0
    const spokenUntil = words.at(-1)?.endFrame ?? startFrame + 1
    const limit = groups[index + 1]?.[0]?.startFrame ?? rules.durationFrames
    const near = index + 1 < groups.length && limit - spokenUntil <= HOLD * fps
    const wanted = Math.max(spokenUntil + LINGER * fps, startFrame + SHORTEST * fps)
    // What is left dark after it must be long enough not to flicker.
    const until = near || limit - wanted < LINGER * fps ? limit : Math.round(wanted)
    const endFrame = Math.max(startFrame, Math.min(until, limit))
    return { words, startFrame, endFrame, speaker: words[0]?.speaker ?? 0 }
  })
}
