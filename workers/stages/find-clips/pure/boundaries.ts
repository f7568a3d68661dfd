/** PURE. Puts the edges of a clip into the pauses around its words, never into a neighbouring word. */
import type { Sentence } from './sentences.ts'

const LEAD_SECONDS = 0.12
const TAIL_SECONDS = 0.25

/** Where a clip starts that begins with this sentence: slightly before its first word. */
export function startBefore(sentence: Sentence): number {
  return round(Math.max(0, sentence.start - Math.min(LEAD_SECONDS, sentence.before / 2)))
}

/** Where a clip ends that ends with this sentence: slightly after its last word, with space left for the next one. */
export function endAfter(sentence: Sentence): number {
  const room = sentence.after > 0.4 ? sentence.after - 0.15 : sentence.after * 0.6
  return round(sentence.end + Math.min(TAIL_SECONDS, room))
}

function round(seconds: number): number {
  return Math.round(seconds * 1000) / 1000
}
