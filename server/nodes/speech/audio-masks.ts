/** Ranges of the output in which words are muted. */
import { outputTick } from '../../contract/time-map/frames.ts'
import type { AudioMask, TimeSpan } from '../../contract/composition.ts'
import { frameToTicks, secondsToTicks, type Rational, type Stretch } from '../../contract/time.ts'
import type { TranscriptWord } from '../../contract/transcript.ts'

/** Also muted before and after a word, as far as no other word is spoken there. Seconds. */
const LEAD = 0.04
const TAIL = 0.06
/** A remainder of a cut word that is shorter than this is not muted: a gap in the sound would be worse. */
const SHORTEST = 0.012

export interface MutedWord {
  readonly index: number
  readonly kind: AudioMask['kind']
  /** No margin next to a cut word: most of it is cut anyway. */
  readonly tight?: boolean
}

/** Masks in output ticks, sorted, none touching another of its kind; words that are not played give none. */
export function audioMasks(
  words: readonly TranscriptWord[],
  muted: readonly MutedWord[],
  timeMap: readonly TimeSpan[],
  rate: Rational,
): AudioMask[] {
  const masks: AudioMask[] = []
  for (const { index, kind, tight } of [...muted].sort((a, b) => a.index - b.index)) {
    const word = words[index]
    if (word === undefined) continue
    const heard = tight === true ? word : reach(words, index, word)
    for (const span of timeMap) {
      const from = Math.max(secondsToTicks(heard.start), span.sourceStart)
      const to = Math.min(secondsToTicks(heard.end), span.sourceEnd)
      if (to - from < secondsToTicks(SHORTEST)) continue
      const start = outputTick(span, from, rate)
      const end = Math.min(outputTick(span, to, rate), frameToTicks(span.endFrame, rate))
      masks.push({ start, end, kind })
    }
  }
  return merged(masks.sort((a, b) => a.start - b.start || a.end - b.end))
}

/** Recognised word times are slightly too short, so the mask extends into the pauses around the word. */
function reach(words: readonly TranscriptWord[], index: number, word: TranscriptWord): Stretch {
  const before = words
    .slice(Math.max(0, index - 20), index)
    .reduce((end, other) => Math.max(end, other.end), -Infinity)
  const after = words[index + 1]?.start ?? Infinity
  return {
    start: Math.min(word.start, Math.max(word.start - LEAD, before)),
    end: Math.max(word.end, Math.min(word.end + TAIL, after)),
  }
}

/** Masks that touch are one; where kinds meet, the later gives way. */
function merged(masks: readonly AudioMask[]): AudioMask[] {
  const result: AudioMask[] = []
  for (const mask of masks) {
    const last = result.at(-1)
    if (last === undefined || mask.start > last.end) result.push(mask)
    else if (last.kind === mask.kind)
      result[result.length - 1] = { ...last, end: Math.max(last.end, mask.end) }
    else if (mask.end > last.end) result.push({ ...mask, start: last.end })
  }
  return result.filter((mask) => mask.end > mask.start)
}
