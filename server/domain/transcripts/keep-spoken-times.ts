/** PURE: words of a subtitle file, which is timed by its lines, at the times at which the same words were found in the sound. */
import type { TranscriptWord } from '../../contract/transcript.ts'

/** A word of the file is looked for among the words this near to it, seconds: lines appear early and stay. */
const NEAR_SECONDS = 1.5
/** Words after the last that was found among which the next one is looked for. */
const REACH = 12

const bare = (word: string): string => word.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/**
 * `given` in its order. A word that `spoken` has too, near and in the same order, takes its times, its confidence and,
 * where the file names nobody, its speaker; the words between two of these stay between them.
 */
export function keepSpokenTimes(
  given: readonly TranscriptWord[],
  spoken: readonly TranscriptWord[],
): TranscriptWord[] {
  let from = 0
  const matches = given.map((word) => {
    while (from < spoken.length && (spoken[from]?.end ?? 0) < word.start - NEAR_SECONDS) from += 1
    const reach = spoken.slice(from, from + REACH)
    const at = reach.findIndex(
      (one) => bare(one.word) === bare(word.word) && one.start <= word.end + NEAR_SECONDS,
    )
    if (at === -1) return null
    const found = reach[at] ?? null
    from += at + 1
    return found
  })
  return between(given, matches)
}

function between(
  given: readonly TranscriptWord[],
  matches: readonly (TranscriptWord | null)[],
): TranscriptWord[] {
  let earliest = 0
  return given.map((word, index) => {
    const match = matches[index] ?? null
    const latest = matches.slice(index + 1, index + 1 + REACH).find((one) => one !== null)?.start ?? Infinity
    const start = match === null ? Math.min(Math.max(word.start, earliest), latest) : match.start
    const end = match === null ? Math.max(start, Math.min(word.end, latest)) : match.end
    earliest = end
    if (match === null) return { ...word, start, end }
    const { confidence, speaker } = match
    return {
      ...(speaker === undefined ? {} : { speaker }),
      ...word,
      start,
      end,
      ...(confidence === undefined ? {} : { confidence }),
    }
  })
}
