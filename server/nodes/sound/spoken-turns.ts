/** Who speaks when in a clip, by its words. PURE. */
import type { SoundCleaning, TimeSpan } from '../../contract/composition.ts'
import { frameToTicks, TICKS_PER_SECOND, type Rational } from '../../contract/time.ts'
import type { TranscriptWord } from '../../contract/transcript.ts'
import { placeWords } from '../compose/placed-words.ts'

type Turn = NonNullable<SoundCleaning['turns']>[number]

/** A pause that is longer ends a turn, seconds. */
const PAUSE = 1
/** What is shorter is a word thrown in, seconds: nothing is turned up and down for it. */
const SHORTEST = 0.5

/** Turns in their order, in ticks of what is played; none where fewer than two people speak. */
export function spokenTurns(
  words: readonly TranscriptWord[],
  timeMap: readonly TimeSpan[],
  rate: Rational,
): Turn[] {
  const turns: Turn[] = []
  for (const { speaker, startFrame, endFrame } of placeWords(words, timeMap)) {
    const start = frameToTicks(startFrame, rate)
    const end = frameToTicks(endFrame, rate)
    const last = turns.at(-1)
    const goesOn = last?.speaker === speaker && start - last.end <= PAUSE * TICKS_PER_SECOND
    if (last !== undefined && goesOn) turns[turns.length - 1] = { ...last, end: Math.max(last.end, end) }
    else turns.push({ speaker, start, end })
  }
  const long = turns.filter(({ start, end }) => end - start >= SHORTEST * TICKS_PER_SECOND)
  return new Set(long.map(({ speaker }) => speaker)).size < 2 ? [] : long
}
