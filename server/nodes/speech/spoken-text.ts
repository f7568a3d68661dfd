/** Spoken words as they are compared: letters only, one spelling per word. */
import type { TranscriptWord } from '../../contract/transcript.ts'

/** Lower case, one kind of apostrophe, nothing but letters and digits at its ends. */
export function bare(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[‘’ʼ`]/gu, "'")
    .replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
}

/** The same with drawn-out letters reduced to one: `ummm` and `um` are equal. */
export function undrawn(text: string): string {
  return text.replaceAll(/(\p{L})\1+/gu, '$1')
}

const CLOSING = `["'”’»)\\]]*$`
const SENTENCE_END = new RegExp(`[.!?…。！？؟।]${CLOSING}`, 'u')
const MARK_END = new RegExp(`[,;:–—،、，；：-]${CLOSING}`, 'u')

/** Whether the text ends a sentence. */
export function endsSentence(text: string): boolean {
  return SENTENCE_END.test(text)
}

/** Whether the text ends in any mark that sets it off from what follows. */
export function endsInMark(text: string): boolean {
  return endsSentence(text) || MARK_END.test(text)
}

/** Seconds between two words; 0 where they overlap. */
export function gapBetween(before: TranscriptWord, after: TranscriptWord): number {
  return Math.max(0, after.start - before.end)
}

/** The fewest letters (UTF-16 units) that are put in, taken out or changed to make one of them the other. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
