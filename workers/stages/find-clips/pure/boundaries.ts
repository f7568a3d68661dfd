/** PURE. Puts a clip's edges inside the pauses around its words, never into a neighbour's word. */
import type { Sentence } from './sentences.ts'

const LEAD_SECONDS = 0.12
const TAIL_SECONDS = 0.25

/** Where a clip that begins with this sentence starts: a little before its first word. */
export function startBefore(sentence: Sentence): number {
  return round(Math.max(0, sentence.start - Math.min(LEAD_SECONDS, sentence.before / 2)))
}

/** Where a clip that ends with this sentence ends: a little after its last word, with room left for the next. */
export function endAfter(sentence: Sentence): number {
  const room = sentence.after > 0.4 ? sentence.after - 0.15 : sentence.after * 0.6
  return round(sentence.end + Math.min(TAIL_SECONDS, room))
}

function round(seconds: number): number {
  return Math.round(seconds * 1000) / 1000
}
