/** Builds turns from who speaks when, and assigns speakers to words. PURE. */
import type { Stretch } from '../../../../server/contract/time.ts'
import type { Transcript, TranscriptWord, UnwrittenFiller } from '../../../../server/contract/transcript.ts'

export interface Turn {
  readonly start: number
  readonly end: number
  /** From 0, in order of appearance. */
  readonly speaker: number
}

/** Maximum pause within a turn, and its minimum length, in seconds. */
const PAUSE = 0.4
const SHORTEST = 0.2

/** `spans`: who speaks when, in any order. Turns are in order of start; two may overlap. */
export function turnsOf(spans: readonly Turn[]): Turn[] {
  const last = new Map<number, { start: number; end: number; speaker: number }>()
  const turns: { start: number; end: number; speaker: number }[] = []
  for (const turn of spans.toSorted((a, b) => a.start - b.start)) {
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

/** The turns of words with known speakers. */
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

/** Words without a speaker take the nearest turn within this many seconds. */
const NEAR = 1

/** A transcript with speakers. A filler in the turn of someone who speaks neither before nor after it is not sure: a reply. */
export function withSpeakers(transcript: Transcript, turns: readonly Turn[]): Transcript {
  const words = speakersOfWords(transcript.words, turns)
  const { fillers } = transcript
  if (fillers === undefined) return { ...transcript, words }
  const judged = fillers.map((filler) =>
    filler.sure && isReply(filler, words, turns) ? { ...filler, sure: false } : filler,
  )
  return { ...transcript, words, fillers: judged }
}

function isReply(
  { start, end }: UnwrittenFiller,
  words: readonly TranscriptWord[],
  turns: readonly Turn[],
): boolean {
  const own = findSpeaker({ start, end }, turns)
  const beside = [
    words.findLast((word) => word.end <= end)?.speaker,
    words.find((word) => word.start >= start)?.speaker,
  ]
  return own !== undefined && beside.some((one) => one !== undefined) && !beside.includes(own)
}

/** The words with speakers. A single word between words of another speaker is assigned to that speaker. */
function speakersOfWords(words: readonly TranscriptWord[], turns: readonly Turn[]): TranscriptWord[] {
  const assigned = words.map((word) => findSpeaker(word, turns))
  return words.map((word, at) => {
    const before = assigned[at - 1]
    const own = assigned[at]
    const after = assigned[at + 1]
    const short = word.end - word.start < 0.5
    const speaker = short && before !== undefined && before === after ? before : (own ?? before ?? after)
    return speaker === undefined ? word : { ...word, speaker }
  })
}

function findSpeaker(word: Stretch, turns: readonly Turn[]): number | undefined {
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
