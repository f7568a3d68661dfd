/** PURE: which speakers of a source have a voice that was named. In doubt a speaker has no name. */
import {
  compareVoices,
  type SpeakerVoice,
  type Voiceprint,
} from '../../../workers/stages/speakers/pure/voices.ts'

/** A voice and whose it is. */
export interface NamedVoiceprint extends Voiceprint {
  readonly name: string
}

/** Voices that were measured on less speech are not named and not recognised, seconds. */
export const MIN_NAMED_SECONDS = 5
/** By so much a match must be more alike than the next person who could be meant, on both sides. */
const MARGIN = 0.05

/** Names by speaker. `threshold`: the similarity from which on two voices may be the same person's. */
export function matchNames(
  found: readonly SpeakerVoice[],
  named: readonly NamedVoiceprint[],
  threshold: number,
): Map<number, string> {
  const long = found.filter(({ seconds }) => seconds >= MIN_NAMED_SECONDS)
  const likeness = long.map((voice) => named.map((other) => compareVoices(voice, other) ?? -1))
  const names = new Map<number, string>()
  likeness.forEach((row, at) => {
    const best = Math.max(...row)
    const person = row.indexOf(best)
    const others = row.filter((_, other) => other !== person)
    const rivals = likeness.flatMap((other, place) => (place === at ? [] : (other[person] ?? -1)))
    const name = named[person]?.name
    const isSure = best >= threshold && best - Math.max(-1, ...others, ...rivals) >= MARGIN
    const speaker = long[at]?.speaker
    if (isSure && name !== undefined && speaker !== undefined) names.set(speaker, name)
  })
  return names
}
