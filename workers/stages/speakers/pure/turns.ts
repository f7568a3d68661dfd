/** From who is heard when to turns, and from turns to the speakers of words. PURE. */
import type { TranscriptWord } from '../../../../server/contract/transcript.ts'

export interface Turn {
  /** Seconds in the source. */
  readonly start: number
  readonly end: number
  /** 0-based, in order of appearance. */
  readonly speaker: number
}

/** A pause within a turn is no longer than this, and nothing shorter than `SHORTEST` is a turn, seconds. */
const PAUSE = 0.4
const SHORTEST = 0.2

/** `heard`: who is heard when, in any order. In order of start; two may talk at once. */
export function turnsOf(heard: readonly Turn[]): Turn[] {
  const last = new Map<number, { start: number; end: number; speaker: number }>()
  const turns: { start: number; end: number; speaker: number }[] = []
  for (const turn of heard.toSorted((a, b) => a.start - b.start)) {
    const before = last.get(turn.speaker)
    if (before !== undefined && turn.start - before.end <= PAUSE) before.end = Math.max(before.end, turn.end)
    else {
      const own = { ...turn }
      turns.push(own)
      last.set(turn.speaker, own)
    }
  }
  return turns.filter(({ start, end }) => end - start >= SHORTEST)
}

/** The turns of words whose speakers are known already. */
export function turnsOfWords(words: readonly TranscriptWord[]): Turn[] {
  const turns: { start: number; end: number; speaker: number }[] = []
  for (const { start, end, speaker } of words) {
    const last = turns.at(-1)
    if (speaker === undefined) continue
    if (last?.speaker === speaker) last.end = Math.max(last.end, end)
    else turns.push({ start, end, speaker })
  }
  return turns
}

/** Words of which it is not known who says them are taken for the nearest turn's within this, seconds. */
const NEAR = 1

/**
 * The words with speakers: who is heard for most of a word, or nearest to it. A single word of somebody else between two
 * of one speaker is one of theirs: nobody says one word in the middle of a sentence as often as edges are off.
 */
export function speakersOfWords(words: readonly TranscriptWord[], turns: readonly Turn[]): TranscriptWord[] {
  const told = words.map((word) => whoSays(word, turns))
  return words.map((word, at) => {
    const before = told[at - 1]
    const own = told[at]
    const after = told[at + 1]
    const short = word.end - word.start < 0.5
    const speaker = short && before !== undefined && before === after ? before : (own ?? before ?? after)
    return speaker === undefined ? word : { ...word, speaker }
  })
}

function whoSays(word: TranscriptWord, turns: readonly Turn[]): number | undefined {
  let best = undefined as number | undefined
  let most = 0
  let nearest = undefined as number | undefined
  let gap = NEAR
  for (const { start, end, speaker } of turns) {
    if (start > word.end + NEAR) break
    const common = Math.min(end, word.end) - Math.max(start, word.start)
    if (common > most) {
      best = speaker
      most = common
    }
    if (-common < gap) {
      nearest = speaker
      gap = -common
    }
  }
  return best ?? nearest
}
