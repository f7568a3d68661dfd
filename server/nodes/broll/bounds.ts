/** Where phrases and sentences of what is said begin and end. */
import type { PlacedWord } from '../compose/placed-words.ts'

/** A silence of this many seconds parts phrases. */
const PAUSE = 0.35
const SENTENCE_END = /[.!?\u2026\u3002\uff01\uff1f]["'\u201d\u2019)\]]*$/u
const PHRASE_END = /[,;:\u2013\u2014\u3001\uff0c]["'\u201d\u2019)\]]*$/u

/** By the word's place in the list: whether a phrase, or a sentence, begins with it. */
export interface Bounds {
  readonly phrase: readonly boolean[]
  readonly sentence: readonly boolean[]
}

/** A phrase begins after a comma and the like, a pause, the end of a caption, or when somebody else speaks. */
export function boundsOf(words: readonly PlacedWord[], framesPerSecond: number): Bounds {
  const sentence = words.map((word, at) => {
    const before = words[at - 1]
    return before === undefined || SENTENCE_END.test(before.text) || before.speaker !== word.speaker
  })
  const phrase = words.map((word, at) => {
    const before = words[at - 1]
    if (before === undefined || sentence[at] === true || before.endsCue || PHRASE_END.test(before.text))
      return true
    return word.startFrame - before.endFrame >= PAUSE * framesPerSecond
  })
  return { phrase, sentence }
}
