/** Which words are fillers. What may mean something is only taken when marks or pauses set it off on both sides. */
import type { ClipSound } from '../../contract/clip-measurements.ts'
import type { TranscriptWord, UnwrittenFiller } from '../../contract/transcript.ts'
import { habitsOf } from './filler-lists.ts'
import { bare, endsInMark, gapBetween, undrawn } from './spoken-text.ts'

/** The fillers among the measured sounds that are no words and may be cut without being looked at. */
export const sureFillers = (sound: Pick<ClipSound, 'fillers'> | null): UnwrittenFiller[] =>
  (sound?.fillers ?? []).filter(({ sure }) => sure)

/** A pause that sets a phrase off, seconds. */
const SETS_OFF = 0.25
const QUOTED = /^["“„«‘']|["”»]\p{P}*$/u

/** Places of the filler words. `words` are in order of time. */
export function findFillers(words: readonly TranscriptWord[], language: string): Set<number> {
  const habits = habitsOf(language)
  const sounds = new Set(habits.sounds.map(undrawn))
  const soundsSetOff = new Set(habits.soundsSetOff.map(undrawn))
  const spoken = words.map(({ word }) => bare(word))
  const found = new Set<number>()
  words.forEach(({ word }, index) => {
    const sound = undrawn(spoken[index] ?? '')
    // "The word 'um'" speaks of it, and "Hm?" is a question.
    if (QUOTED.test(word) || word.includes('?') || (spoken[index] ?? '').length < 2) return
    if (sounds.has(sound)) found.add(index)
    else if (soundsSetOff.has(sound) && setOff(words, found, index, index, 'mark')) found.add(index)
  })
  for (const [phrases, by] of [
    [habits.carefulPhrases, 'mark'],
    [habits.phrases, 'any'],
  ] as const) {
    for (const phrase of phrases) findPhrase(phrase.split(' '), by)
  }
  return found

  function findPhrase(parts: readonly string[], by: 'mark' | 'any'): void {
    for (let at = 0; at + parts.length <= words.length; at++) {
      const last = at + parts.length - 1
      const here = parts.every((part, offset) => spoken[at + offset] === part && !found.has(at + offset))
      if (here && together(words, at, last) && setOff(words, found, at, last, by)) {
        for (let index = at; index <= last; index++) found.add(index)
      }
    }
  }
}

/** Whether one speaker speaks the words without punctuation between them. */
function together(words: readonly TranscriptWord[], first: number, last: number): boolean {
  return words
    .slice(first, last)
    .every(({ word, speaker }, offset) => !endsInMark(word) && speaker === words[first + offset + 1]?.speaker)
}

/** `mark`: punctuation is needed on one side at least. Another filler, or the end of the words, sets off as a pause does. */
function setOff(
  words: readonly TranscriptWord[],
  found: ReadonlySet<number>,
  first: number,
  last: number,
  by: 'mark' | 'any',
): boolean {
  const before = words[first - 1]
  const start = words[first]
  const end = words[last]
  const after = words[last + 1]
  if (start === undefined || end === undefined) return false
  const markBefore = before !== undefined && endsInMark(before.word)
  const pauseBefore =
    before === undefined ||
    found.has(first - 1) ||
    before.speaker !== start.speaker ||
    gapBetween(before, start) >= SETS_OFF
  const markAfter = endsInMark(end.word)
  const pauseAfter =
    after === undefined ||
    found.has(last + 1) ||
    after.speaker !== end.speaker ||
    gapBetween(end, after) >= SETS_OFF
  return (markBefore || pauseBefore) && (markAfter || pauseAfter) && (by === 'any' || markBefore || markAfter)
}
